/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_BENCHMARKS_LEFT_OUT_H
#define CT_TESTS_BENCHMARKS_LEFT_OUT_H

#include "samples/run.h"

/* The best of our methods against the native one, launch by launch. What looks best in a launch is so by
 * luck, too: the method that a launch scores is the best of all the other launches. */

/* Medians of one collective on one communicator size. */
struct left_out {
    const struct ct_run *run;
    enum ct_collective collective;
    size_t comm_size;
    size_t size_count;
    size_t *msg_bytes; /* rising; one, 0, where there is no message size */
    size_t launches;
    double *medians; /* seconds, by message size, launch and method of the run; NAN: none, or it failed */
};

/* CT_OK, CT_E_MEMORY. No sizes where the run has none of that. Caller frees with left_out_free(); the run is
 * used until then. */
int left_out_make(const struct ct_run *run, enum ct_collective collective, size_t comm_size,
                  struct left_out *ret_left_out);
void left_out_free(struct left_out *left_out);

/* Of a method of the run, in one launch. */
double left_out_median(const struct left_out *left_out, size_t size, size_t launch, size_t method);

/* The native method; SIZE_MAX where the run has none. */
size_t left_out_native(const struct left_out *left_out);

/* Which of ours is best in all launches but this one (all of them where it is SIZE_MAX): its times against
 * native are least in geometric mean. SIZE_MAX where none was measured in all of them. */
size_t left_out_best(const struct left_out *left_out, size_t size, size_t launch);

/* In this launch the time of that against native's; NAN where either is missing. */
double left_out_ratio(const struct left_out *left_out, size_t size, size_t launch);

#endif
