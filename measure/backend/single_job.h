/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_SINGLE_JOB_H
#define CT_MEASURE_BACKEND_SINGLE_JOB_H

#include "base/text.h"
#include "measure/backend/backend.h"

#include <signal.h>

/* One start of a program that writes a file of results, line by line, and ends it with a line `end`. */
struct ct_single_job {
    const struct ct_place *place;
    size_t ranks;
    const char *const *command;        /* program and arguments, NULL at the end */
    const char *results;               /* the file that the program writes */
    const char *log;                   /* file for its output, in a folder for this job */
    double timeout;                    /* seconds without a new line after which the job hangs */
    const char *what;                  /* in messages: "validation" */
    const volatile sig_atomic_t *stop; /* set when the user wants the job to end; or NULL */
    void (*progress)(void *context);   /* called again and again; or NULL */
    void *context;
};

/* Runs the job to its end. Appends the results without the line `end` to *results; *ret_code is the exit
 * code, which may be other than 0 although the results are complete. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a
 * line in `error` if the results are incomplete; CT_E_STOPPED, CT_E_MEMORY. */
int ct_single_job_run(const struct ct_single_job *job, struct ct_error *error, struct ct_text *results,
                      int *ret_code);

#endif
