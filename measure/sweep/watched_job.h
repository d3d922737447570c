/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_WATCHED_JOB_H
#define CT_MEASURE_SWEEP_WATCHED_JOB_H

#include "base/process.h"
#include "base/text.h"
#include "measure/backend/backend.h"
#include "measure/job.h"

/* A program of measure/benchmark that is started with a job file (measure/job.h) and watched: what it has
 * reported, which call it is in, and how long it has given no sign of life. It can be started again with
 * another job when it has ended. Members are for reading. */
struct ct_watched_job {
    struct ct_process process; /* id 0: not running */
    struct ct_text results;    /* read and not used up yet */
    double silence;            /* seconds without a new call, as far as we were looking */
    double start_time;
    char *log_path; /* the program's output */

    char *prefix; /* of all files, in the folder for jobs */
    char *job_path;
    char *results_path;
    char *state_path;
    char *alive_path; /* only of this start: its ranks end when it is gone */
    size_t starts;
    size_t offset; /* in the results file */
    uint64_t beat; /* last one seen */
};

/* `folder`: an absolute path, for the files; `number` tells jobs in it apart. CT_OK or CT_E_MEMORY. */
int ct_watched_job_open(const char *folder, size_t number, struct ct_watched_job *ret_job);
/* Ends it, too. */
void ct_watched_job_close(struct ct_watched_job *job);

/* Starts the program with `what`, whose file names, host and supervisor are set here; the caller frees it.
 * CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line in `error`; CT_E_MEMORY. */
int ct_watched_job_start(struct ct_watched_job *job, const struct ct_place *place, const char *program,
                         struct ct_job *what, struct ct_error *error);
/* Ends what runs, if anything does. */
void ct_watched_job_end(struct ct_watched_job *job);

/* Reads what has been reported, the current call, and whether the program has ended; `lost` seconds passed
 * since the last look. CT_OK; CT_E_SYSTEM with a line in `error`, CT_E_MEMORY. */
int ct_watched_job_look(struct ct_watched_job *job, double lost, struct ct_error *error, bool *ret_ended,
                        int *ret_code, struct ct_job_state *ret_state);
/* Reads what has been reported. Errors as above. */
int ct_watched_job_read(struct ct_watched_job *job, struct ct_error *error);
/* Removes the reported text before `at`, which points into the results. */
void ct_watched_job_use_up(struct ct_watched_job *job, const char *at);

/* Was the silence longer than `patience` seconds? A job that has not `started` gets two minutes at least. */
bool ct_watched_job_hangs(const struct ct_watched_job *job, double patience, bool started);

/* For a job that has reported its end: has it been silent for some seconds since? Then it is ended here.
 * Ranks can hang in MPI_Finalize, as those of MPICH 4.0 over TCP do, and launchers can wait for others. */
bool ct_watched_job_lingers(struct ct_watched_job *job);

/* CT_E_SYSTEM with "the WHAT job ended early: WHY", where WHY is the program's own line in its output, else
 * the first line with a letter in it. A job that `hangs` gives no sign of life; one that has not `started`
 * did not start. */
int ct_watched_job_fail(const struct ct_watched_job *job, const char *what, bool started, bool hangs,
                        struct ct_error *error);

/* Tells the ranks that the supervisor is alive; `time` is any number that changes. False if that failed. */
bool ct_watched_job_say_alive(const struct ct_watched_job *job, double time);

#endif
