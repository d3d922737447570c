/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_POINT_SAMPLES_H
#define CT_SAMPLES_POINT_SAMPLES_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Times of single messages and of local work, one a line, that models are fitted to. The file:
 *
 *     colltune point-to-point 1: WHERE AND HOW
 *     kind,subject,partner,bytes,rep,seconds
 *     round_trip,node,1,8,0,7.31e-07
 *
 * The subject is the link ("network": ranks on different nodes; "node": on one, through MPI; "shared": on
 * one, through memory that they share), or for work OPERATION/TYPE. Rows come in any order; each rep of a
 * kind, subject, partner and size stands there once. */

enum ct_point_kind {
    CT_POINT_ROUND_TRIP, /* there and back, the same bytes both ways */
    CT_POINT_SEND,       /* a send whose receive is posted */
    CT_POINT_RECEIVE,    /* the end of a receive whose message is there */
    CT_POINT_GAP,        /* from message to message in a stream of them */
    CT_POINT_WORK,       /* a reduction or copy in memory that no cache holds */
    CT_POINT_KINDS
};

/* The first so many are about messages. */
enum { CT_POINT_MESSAGES = CT_POINT_WORK };

/* "round_trip", "send", "receive", "gap", "work". */
extern const char *const ct_point_kind_names[CT_POINT_KINDS];

struct ct_point_sample {
    enum ct_point_kind kind;
    uint32_t subject; /* index into the subjects */
    uint32_t partner; /* the other rank; of work, 0 */
    uint32_t rep;
    size_t bytes;
    double seconds; /* 1e-12 to 1e6 */
};

/* All owned. */
struct ct_point_samples {
    char *name;  /* of the file, for messages */
    char *about; /* where and how they were measured */
    char **subjects;
    size_t subject_count;
    struct ct_point_sample *samples; /* in the file's order */
    size_t sample_count;
};

/* CT_OK; CT_E_INPUT with file, line and what was expected, also where there are no samples; CT_E_SYSTEM,
 * CT_E_MEMORY. Caller frees with ct_point_samples_free(). */
int ct_point_samples_read(const char *path, struct ct_error *error, struct ct_point_samples *ret_samples);
/* The same from text; `name` is what errors call it. */
int ct_point_samples_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                           struct ct_point_samples *ret_samples);
void ct_point_samples_free(struct ct_point_samples *samples);

/* The heading of such a file, its first two lines. What is no printable ASCII in `about` becomes a blank.
 * Caller frees; NULL without memory. */
char *ct_point_samples_heading(const char *about);

#endif
