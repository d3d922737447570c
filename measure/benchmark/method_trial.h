/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_METHOD_TRIAL_H
#define CT_MEASURE_BENCHMARK_METHOD_TRIAL_H

#include "algorithms/method.h"
#include "base/text.h"
#include "plan/overlap.h"

#include <stdbool.h>
#include <stddef.h>

/* A method in a cell, and its samples. All ranks have the same. */

struct ct_bench_trial {
    const struct ct_method *method;
    size_t index; /* of the method in the job */
    double *times;
    double *sorted; /* the same, rising */
    /* Of the same samples where calls are not blocking: what they overlap, but for what they hide, and the
     * seconds of the call without computation before each. */
    struct ct_overlap *overlaps;
    double *alone;
    double set_up; /* seconds: of routes; 0 where it needs none */
    size_t count;
    size_t capacity;
    size_t calls; /* also those before the first sample */
    double busy;  /* seconds in calls */
    bool wrong;
    bool through;
};

/* Adds a sample. */
void ct_bench_trial_keep(struct ct_bench_trial *trial, double seconds);

/* Adds a sample of a call beside a computation: what it added to that. `alone`: seconds of the call without
 * computation before it. */
void ct_bench_trial_keep_overlap(struct ct_bench_trial *trial, struct ct_overlap overlap, double added,
                                 double alone);

/* Puts all samples into `sorted`. */
void ct_bench_trial_sort(struct ct_bench_trial *trial);

/* Appends the lines of the samples (measure/job.h). */
void ct_bench_trial_report(const struct ct_bench_trial *trial, struct ct_text *text);

void ct_bench_trial_free(struct ct_bench_trial *trial);

#endif
