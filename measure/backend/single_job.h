/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_SINGLE_JOB_H
#define CT_MEASURE_BACKEND_SINGLE_JOB_H

#include "base/text.h"
#include "measure/backend/backend.h"

#include <signal.h>

/* One start of a program that writes a file of results, line by line, and ends it with a line `end`. The
 * caller sets the first members between ct_single_job_open() and ct_single_job_run(). */
struct ct_single_job {
    const char *what; /* in messages: "validation" */
    size_t ranks;
    double timeout;                    /* seconds without a new line after which the job hangs */
    const volatile sig_atomic_t *stop; /* set when the user wants the job to end; or NULL */
    void (*progress)(void *context);   /* called again and again; or NULL */
    void *context;

    struct ct_place place; /* all that follows is owned */
    char *folder;          /* temporary, for the files below and the caller's own */
    char *results;
    char *log;
};

/* Opens the place and makes the folder. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line in `error`; CT_E_MEMORY.
 * Caller frees with ct_single_job_close(). */
int ct_single_job_open(const struct ct_place_request *request, struct ct_error *error,
                       struct ct_single_job *ret_job);
/* Removes the folder, too. Leaves all zeroes. */
void ct_single_job_close(struct ct_single_job *job);

/* Runs `program RESULTS arguments...` to its end (`arguments` ends with NULL). Appends the results without
 * the line `end` to *results; *ret_code is the exit code, which may be other than 0 although the results are
 * complete. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line in `error` if the results are incomplete;
 * CT_E_STOPPED, CT_E_MEMORY. */
int ct_single_job_run(const struct ct_single_job *job, const char *program, const char *const *arguments,
                      struct ct_error *error, struct ct_text *results, int *ret_code);

#endif
