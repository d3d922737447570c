/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_PROFILE_FILE_H
#define CT_SAMPLES_PROFILE_FILE_H

#include "algorithms/method.h"
#include "algorithms/profile_format.h"
#include "plan/call_mode.h"

/* What an application calls, as the tuned library has recorded it. */

/* The calls of one rank that are alike. */
struct ct_profile_line {
    size_t rank;
    enum ct_collective collective;
    enum ct_call_mode mode;
    size_t comm_size;
    size_t msg_bytes; /* of the class */
    struct ct_method method;
    size_t calls;
    size_t bytes;
    double seconds;
    double waiting; /* see algorithms/profile_format.h */
};

struct ct_profile_file {
    struct ct_profile_line *lines;
    size_t count;
    size_t capacity;
};

/* Are there no parts yet of a profile that is to be in that file? CT_OK; CT_E_INPUT with a line in `error` if
 * there are; CT_E_MEMORY. */
int ct_profile_parts_are_new(const char *path, struct ct_error *error);

/* Reads the file of all ranks; if there is none, the parts PATH.RANK of the ranks that have written one. A
 * profile may have no line. CT_OK; CT_E_INPUT with file, line and what was expected; CT_E_SYSTEM;
 * CT_E_MEMORY. Caller frees with ct_profile_file_free(). */
int ct_profile_file_read(const char *path, struct ct_error *error, struct ct_profile_file *ret_profile);
/* The same from text in memory, which `name` stands for in errors. */
int ct_profile_file_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                          struct ct_profile_file *ret_profile);
void ct_profile_file_free(struct ct_profile_file *profile);

/* The calls of all ranks that are alike in collective, mode, communicator size and class of message size. */
struct ct_profile_cell {
    enum ct_collective collective;
    enum ct_call_mode mode;
    size_t comm_size;
    size_t msg_bytes;
    /* Sums over the ranks: a call counts once for each rank of its communicator. */
    double calls;
    double bytes;
    double seconds;
    double waiting;
};

/* Adds up the lines; the cells that took the most time come first. CT_OK, CT_E_MEMORY. Caller frees
 * *ret_cells. */
int ct_profile_cells(const struct ct_profile_file *profile, struct ct_profile_cell **ret_cells,
                     size_t *ret_count);

#endif
