/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_POINT_TO_POINT_H
#define CT_MEASURE_SWEEP_POINT_TO_POINT_H

#include "base/text.h"

#include <signal.h>

/* Measures single messages and local work by the program of benchmark_point.c. */

/* What the user asks for; NULL and 0 stand for the usual. */
struct ct_point_request {
    const char *launcher;
    const char *simulate; /* platform; NULL measures this machine */
    const char *simulator_options;
    const char *mpi;
    const char *cc;
    const char *msg_sizes; /* list */
    size_t ranks;          /* 2; more where partners on one node and on others are wanted */
    size_t most_repetitions;
    double seconds; /* for one kind at one size */
    double timeout; /* without a new row after which the job hangs */
    const volatile sig_atomic_t *stop;
    void (*progress)(void *context, double done); /* or NULL */
    void *context;
};

/* Appends a file of samples/point_samples.h to *ret_file: heading and rows. CT_OK; CT_E_INPUT, CT_E_SYSTEM
 * with a line in `error`; CT_E_STOPPED, CT_E_MEMORY. Caller frees the text. */
int ct_point_measure(const struct ct_point_request *request, struct ct_error *error,
                     struct ct_text *ret_file);

#endif
