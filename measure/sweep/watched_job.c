/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/watched_job.h"
#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double grace_seconds = 2;   /* between asking a job to end and forcing it */
static const double start_seconds = 120; /* that a job may take to come up, at least */
static const double linger_seconds = 5;  /* that a job may take to end when it has reported its end */
static const double look_seconds = 0.1;  /* between two looks at a job on a free machine, at most */

int ct_watched_job_open(const char *folder, size_t number, struct ct_watched_job *ret_job)
{
    struct ct_watched_job job = {.prefix = ct_format("%s/%zu", folder, number)};
    if (job.prefix) {
        job.job_path = ct_format("%s.job", job.prefix);
        job.results_path = ct_format("%s.results", job.prefix);
        job.state_path = ct_format("%s.state", job.prefix);
        job.log_path = ct_format("%s.log", job.prefix);
    }
    if (!job.job_path || !job.results_path || !job.state_path || !job.log_path) {
        ct_watched_job_close(&job);
        return CT_E_MEMORY;
    }
    *ret_job = job;
    return CT_OK;
}

bool ct_watched_job_say_alive(const struct ct_watched_job *job, double time)
{
    char text[32];
    int file = open(job->alive_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    int length = snprintf(text, sizeof text, "%-20.0f\n", time);
    bool written = write(file, text, (size_t)length) == length;
    close(file);
    return written;
}

/* Removing its file ends ranks that their launcher leaves running. */
void ct_watched_job_end(struct ct_watched_job *job)
{
    if (job->alive_path)
        unlink(job->alive_path);
    ct_process_end(&job->process, grace_seconds);
}

void ct_watched_job_close(struct ct_watched_job *job)
{
    ct_watched_job_end(job);
    ct_text_free(&job->results);
    free(job->prefix);
    free(job->alive_path);
    free(job->job_path);
    free(job->results_path);
    free(job->state_path);
    free(job->log_path);
    *job = (struct ct_watched_job){0};
}

/* --- starting --- */

/* Makes fresh files for this start. Ranks of the last one that are still there look for their own alive file,
 * which is gone. */
static int prepare_files(struct ct_watched_job *job, struct ct_error *error)
{
    const struct ct_job_state nothing = {.cell = CT_JOB_NONE, .method = CT_JOB_NONE};
    if (job->alive_path)
        unlink(job->alive_path);
    free(job->alive_path);
    job->alive_path = ct_format("%s.%zu.alive", job->prefix, job->starts++);
    if (!job->alive_path)
        return CT_E_MEMORY;
    if (!ct_watched_job_say_alive(job, 0))
        return ct_fail(error, CT_E_SYSTEM, "%s: cannot be written: %s", job->alive_path, strerror(errno));
    unlink(job->log_path);
    int status = ct_file_write(job->results_path, "", 0, error);
    return status == CT_OK ? ct_file_write(job->state_path, (const char *)&nothing, sizeof nothing, error)
                           : status;
}

static int write_job(const struct ct_watched_job *job, struct ct_job *what, struct ct_error *error)
{
    char host[256] = "";
    struct ct_text text = {0};
    gethostname(host, sizeof host - 1);
    what->results = strdup(job->results_path);
    what->state = strdup(job->state_path);
    what->alive = strdup(job->alive_path);
    what->host = strdup(host[0] ? host : "-");
    what->supervisor = (size_t)getpid();
    if (!what->results || !what->state || !what->alive || !what->host)
        return CT_E_MEMORY;
    ct_job_write(what, &text);
    int status = text.failed ? CT_E_MEMORY : ct_file_write(job->job_path, text.data, text.length, error);
    ct_text_free(&text);
    return status;
}

int ct_watched_job_start(struct ct_watched_job *job, const struct ct_place *place, const char *program,
                         struct ct_job *what, struct ct_error *error)
{
    const char *const mode = what->mode == CT_MODE_BLOCKING ? NULL : ct_mode_names[what->mode];
    const char *const command[] = {program, job->job_path, mode, NULL};
    assert(job->process.id == 0 && !what->results);
    int status;
    if ((status = prepare_files(job, error)) != CT_OK || (status = write_job(job, what, error)) != CT_OK)
        return status;
    ct_text_free(&job->results);
    job->offset = 0;
    job->beat = 0;
    job->silence = 0;
    job->start_time = ct_monotonic_now();
    return ct_place_start(place, what->size, command, job->log_path, error, &job->process);
}

/* --- looking --- */

int ct_watched_job_read(struct ct_watched_job *job, struct ct_error *error)
{
    char bytes[65536];
    int file = open(job->results_path, O_RDONLY | O_CLOEXEC);
    ssize_t length = -1;
    if (file >= 0) {
        while ((length = pread(file, bytes, sizeof bytes, (off_t)job->offset)) > 0) {
            ct_text_append_bytes(&job->results, bytes, (size_t)length);
            job->offset += (size_t)length;
        }
        close(file);
    }
    if (length < 0)
        return ct_fail(error, CT_E_SYSTEM, "%s: cannot be read: %s", job->results_path, strerror(errno));
    return job->results.failed ? CT_E_MEMORY : CT_OK;
}

void ct_watched_job_use_up(struct ct_watched_job *job, const char *at)
{
    job->results.length -= (size_t)(at - job->results.data);
    memmove(job->results.data, at, job->results.length + 1);
}

/* Where the job is now. The file is opened each time, because a network file system may look at the other
 * host's file only then. A file that cannot be read names no method. */
static struct ct_job_state read_state(const struct ct_watched_job *job)
{
    const struct ct_job_state nothing = {.cell = CT_JOB_NONE, .method = CT_JOB_NONE};
    struct ct_job_state state;
    int file = open(job->state_path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : pread(file, &state, sizeof state, 0);
    if (file >= 0)
        close(file);
    return length == (ssize_t)sizeof state ? state : nothing;
}

int ct_watched_job_look(struct ct_watched_job *job, double lost, struct ct_error *error, bool *ret_ended,
                        int *ret_code, struct ct_job_state *ret_state)
{
    int ended = 0, code = 0, status = ct_process_poll(&job->process, &ended, &code);
    if (status != CT_OK)
        return ct_fail(error, status, "the state of the job is unknown");
    if ((status = ct_watched_job_read(job, error)) != CT_OK)
        return status;
    /* On a busy machine the job does not get on either while the supervisor does not: only time in which the
     * supervisor could have seen a beat counts as silence. */
    const struct ct_job_state state = read_state(job);
    job->silence = state.beat == job->beat ? job->silence + fmin(lost, look_seconds) : 0;
    job->beat = state.beat;
    *ret_ended = ended;
    *ret_code = code;
    *ret_state = state;
    return CT_OK;
}

bool ct_watched_job_hangs(const struct ct_watched_job *job, double patience, bool started)
{
    return job->silence > (started ? patience : fmax(patience, start_seconds));
}

bool ct_watched_job_lingers(struct ct_watched_job *job)
{
    if (job->silence <= linger_seconds)
        return false;
    ct_watched_job_end(job);
    return true;
}

/* Why it ended; the caller frees it; NULL if there is no memory. */
static char *find_reason(const struct ct_watched_job *job)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char own[] = "colltune benchmark:"; /* ct_bench_abort() */
    const char *reason = NULL;
    char *text;
    size_t length;
    if (ct_file_read(job->log_path, NULL, &text, &length) != CT_OK)
        return strdup("");
    char *rest = text;
    for (const char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        bool is_own = strncmp(line, own, sizeof own - 1) == 0;
        if (is_own || (!reason && strpbrk(line, letters)))
            reason = line;
        if (is_own)
            break;
    }
    char *copy = strndup(reason ? reason : "", 300);
    free(text);
    return copy;
}

int ct_watched_job_fail(const struct ct_watched_job *job, const char *what, bool started, bool hangs,
                        struct ct_error *error)
{
    char *reason = find_reason(job);
    int status = ct_fail(error, CT_E_SYSTEM, "the %s job %s%s%s", what,
                         hangs     ? "does not respond"
                         : started ? "ended early"
                                   : "did not start",
                         reason && *reason ? ": " : "", reason ? reason : "");
    free(reason);
    return status;
}
