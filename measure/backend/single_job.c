/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/single_job.h"
#include "base/file.h"
#include "measure/backend/kept.h"
#include "measure/backend/word_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const double grace_seconds = 2, nap_seconds = 0.02;
static const double linger_seconds = 5; /* that a job may take to end when its results are complete */
static const char end_line[] = "\nend\n";

int ct_single_job_open(const struct ct_place_request *request, struct ct_error *error,
                       struct ct_single_job *ret_job)
{
    struct ct_single_job job = {0};
    int status;
    if ((status = ct_place_open(request, error, &job.place)) != CT_OK ||
        (status = ct_shared_folder(error, &job.folder)) != CT_OK)
        goto failed;
    job.results = ct_format("%s/results.csv", job.folder);
    job.log = ct_format("%s/log", job.folder);
    status = job.results && job.log ? CT_OK : CT_E_MEMORY;
    if (status != CT_OK)
        goto failed;
    *ret_job = job;
    return CT_OK;
failed:
    ct_single_job_close(&job);
    return status;
}

void ct_single_job_close(struct ct_single_job *job)
{
    if (job->folder)
        ct_remove_all(job->folder, NULL);
    ct_place_close(&job->place);
    free(job->folder);
    free(job->results);
    free(job->log);
    *job = (struct ct_single_job){0};
}

static off_t file_length(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? about.st_size : 0;
}

static bool is_complete(const char *results, size_t length)
{
    const size_t end = sizeof end_line - 1;
    return length >= end && strcmp(results + length - end, end_line) == 0;
}

/* Ranks can hang in MPI_Finalize, as those of MPICH 4.0 over TCP do. */
static bool has_all_results(const struct ct_single_job *job)
{
    char *text = NULL;
    size_t length = 0;
    bool has = ct_file_read(job->results, NULL, &text, &length) == CT_OK && is_complete(text, length);
    free(text);
    return has;
}

/* Waits for the end, as long as results keep coming. */
static int follow(const struct ct_single_job *job, struct ct_process *process, struct ct_error *error,
                  int *ret_code)
{
    const struct timespec nap = {.tv_nsec = (long)(nap_seconds * 1e9)};
    off_t seen = 0;
    double quiet = 0, lingering = linger_seconds;
    for (int ended = 0;;) {
        int status = ct_process_poll(process, &ended, ret_code);
        if (status != CT_OK)
            return ct_fail(error, status, "the state of the %s job is unknown", job->what);
        if (ended)
            return CT_OK;
        off_t length = file_length(job->results);
        quiet = length == seen ? quiet + nap_seconds : 0;
        lingering = length == seen ? lingering : linger_seconds;
        seen = length;
        if (job->progress)
            job->progress(job->context);
        if (quiet > lingering) {
            if (has_all_results(job)) {
                ct_process_end(process, grace_seconds);
                *ret_code = 0;
                return CT_OK;
            }
            lingering = INFINITY;
        }
        if (job->stop && *job->stop)
            status = ct_fail(error, CT_E_STOPPED, "stopped");
        else if (quiet > job->timeout)
            status = ct_fail(error, CT_E_SYSTEM, "the %s job hangs: no new result for %g s", job->what,
                             job->timeout);
        if (status != CT_OK) {
            ct_process_end(process, grace_seconds);
            return status;
        }
        nanosleep(&nap, NULL);
    }
}

/* What the job said, in one line. SimGrid gives the reason in a line like "[0.000000] ./src/x.cpp:95:
 * [xbt/ERROR] REASON", and then says much more. Returns where the reason begins. */
static const char *make_one_line(char *log)
{
    static const char *const marks[] = {"/ERROR] ", "/CRITICAL] "};
    char *reason = NULL;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        char *found = strstr(log, marks[i]);
        if (found && (!reason || found < reason))
            reason = found + strlen(marks[i]);
    }
    if (reason)
        reason[strcspn(reason, "\n")] = '\0';
    for (char *at = log; *at; at++)
        if (*at == '\n')
            *at = ' ';
    return reason ? reason : log;
}

/* Takes the results without the line that ends them. If that line is missing, the job ended early. */
static int take_results(const struct ct_single_job *job, int code, struct ct_error *error,
                        struct ct_text *results)
{
    char *text = NULL, *log = NULL;
    size_t length = 0, log_length = 0;
    (void)ct_file_read(job->log, NULL, &log, &log_length);
    int status = ct_file_read(job->results, NULL, &text, &length);
    const char *said = log && *log ? make_one_line(log) : "it printed nothing";
    if (status != CT_OK || !is_complete(text, length))
        status = ct_fail(error, CT_E_SYSTEM, "the %s job ended early (exit code %d): %.300s", job->what, code,
                         said);
    else
        ct_text_append_bytes(results, text, length - (sizeof end_line - 2));
    free(text);
    free(log);
    return status == CT_OK && results->failed ? CT_E_MEMORY : status;
}

int ct_single_job_run(const struct ct_single_job *job, const char *program, const char *const *arguments,
                      struct ct_error *error, struct ct_text *results, int *ret_code)
{
    struct ct_process process = {0};
    struct ct_word_list command = {0};
    ct_word_list_add_all(&command, (const char *const[]){program, job->results, NULL});
    ct_word_list_add_all(&command, arguments);
    int status = command.status;
    if (status == CT_OK)
        status = ct_place_start(&job->place, job->ranks, (const char *const *)command.data, job->log, error,
                                &process);
    ct_word_list_free(&command);
    if (status == CT_OK)
        status = follow(job, &process, error, ret_code);
    return status == CT_OK ? take_results(job, *ret_code, error, results) : status;
}
