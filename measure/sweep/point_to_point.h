/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_POINT_TO_POINT_H
#define CT_MEASURE_SWEEP_POINT_TO_POINT_H

#include "base/progress.h"
#include "base/text.h"
#include "measure/backend/backend.h"

/* Measures single messages and local work with the program of measure/benchmark/point.c. */

/* What the user asks for; NULL and 0 stand for the default. */
struct ct_point_request {
    struct ct_place_request place;
    const char *msg_sizes; /* list */
    size_t ranks;          /* 2; more are needed for partners on the same node and on others */
    size_t most_repetitions;
    double seconds;               /* for one kind at one size */
    double timeout;               /* seconds without a new row after which the job hangs */
    const struct ct_watch *watch; /* or NULL */
};

/* Appends a file of samples/point_samples.h to *ret_file: heading and rows. CT_OK; CT_E_INPUT, CT_E_SYSTEM
 * with a line in `error`; CT_E_STOPPED, CT_E_MEMORY. Caller frees the text. */
int ct_point_measure(const struct ct_point_request *request, struct ct_error *error,
                     struct ct_text *ret_file);

#endif
