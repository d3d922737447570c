/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_SINGLE_JOB_H
#define CT_MEASURE_BACKEND_SINGLE_JOB_H

#include "base/text.h"
#include "measure/backend/toolchain.h"

#include <signal.h>

/* One start of a program that writes a file of results, line by line, and ends it by a line `end`. */
struct ct_single_job {
    const struct ct_mpi *mpi;
    const char *launcher;          /* NULL: the MPI's own */
    const char *simulate;          /* platform; NULL runs on this machine */
    const char *simulator_options; /* further words for smpirun; NULL: none */
    const char *hostfile;          /* NULL: where the launcher likes; not where simulated */
    size_t ppn;                    /* ranks on each node; 0: as the launcher likes, simulated 1 */
    size_t ranks;
    const char *const *command;        /* program and arguments, NULL at the end */
    const char *results;               /* the file that the program writes */
    const char *log;                   /* file for what it says, in a folder of ours */
    double timeout;                    /* without a new line after which it hangs */
    const char *what;                  /* in messages: "validation" */
    const volatile sig_atomic_t *stop; /* set where the user wants it to end; or NULL */
    void (*progress)(void *context);   /* called again and again; or NULL */
    void *context;
};

/* Runs it to its end. Appends the results without the line `end` to *results; *ret_code is the exit code,
 * which may be other than 0 where the results are whole. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line in
 * `error` where it did not come to its end; CT_E_STOPPED, CT_E_MEMORY. */
int ct_single_job_run(const struct ct_single_job *job, struct ct_error *error, struct ct_text *results,
                      int *ret_code);

#endif
