/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_RUN_H
#define CT_SAMPLES_RUN_H

#include "algorithms/method.h"
#include "plan/cell_key.h"
#include "plan/overlap.h"
#include "samples/run_description.h"

#include <stdint.h>

/* A run in memory: its description, and one sample for each timed repetition. */

enum ct_sample_status {
    CT_SAMPLE_OK,
    CT_SAMPLE_CRASHED,   /* the method ended the job in this cell */
    CT_SAMPLE_HUNG,      /* it did not return in time */
    CT_SAMPLE_WRONG,     /* its results were wrong */
    CT_SAMPLE_PREDICTED, /* not measured: the time comes from a model that was fitted to measurements */
    CT_SAMPLE_COMMIT,    /* not a sample: this row closes a cell; never among a run's samples */
    CT_SAMPLE_STATUSES
};

/* By enum: "ok", "crashed", "hung", "wrong", "predicted", "commit". */
extern const char *const ct_sample_status_names[CT_SAMPLE_STATUSES];

/* Does a sample of this status have a time? */
static inline bool ct_sample_has_time(enum ct_sample_status status)
{
    return status == CT_SAMPLE_OK || status == CT_SAMPLE_PREDICTED;
}

struct ct_sample {
    uint32_t launch;
    uint32_t method; /* index into the run's methods */
    uint32_t rep;
    uint16_t datatype; /* index into the run's words */
    uint16_t operation;
    enum ct_sample_status status;
    struct ct_cell_key key;
    double seconds;            /* > 0; NAN if the status has no time */
    struct ct_overlap overlap; /* of calls that are not blocking; all 0 if blocking or without a time */
    double set_up; /* seconds, once, before calls of a sparse collective by a method that needs it; else 0 */
};

/* A cell of a run. Each job launch measures its cells independently. */
struct ct_run_cell {
    uint32_t launch;
    enum ct_collective collective;
    struct ct_cell_key key;
};

struct ct_run {
    char *folder;
    struct ct_run_description description;
    char **words; /* datatypes and operations that occur */
    size_t word_count;
    struct ct_method *methods; /* the description's array; in a joined run an array of its own */
    size_t method_count;
    struct ct_sample *samples; /* without the commit rows */
    size_t sample_count;
    struct ct_run_cell *cells; /* those with a commit row, sorted by ct_run_cell_compare() */
    size_t cell_count;
    size_t dropped;      /* lines of a torn end that were left out; only if that was allowed */
    size_t whole_length; /* bytes of samples.csv up to the end of its last commit row */
};

void ct_run_free(struct ct_run *run);

/* Does it have samples of this collective, good or not? */
bool ct_run_measures(const struct ct_run *run, enum ct_collective collective);

/* The cell of a sample of this collective. */
struct ct_run_cell ct_sample_cell(const struct ct_sample *sample, enum ct_collective collective);
/* Order of cells for qsort(): by launch, collective, key. */
int ct_run_cell_compare(const void *a, const void *b);

/* Does this cell have its commit row? */
bool ct_run_has_cell(const struct ct_run *run, const struct ct_run_cell *cell);

#endif
