/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/process.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double ct_monotonic_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double ct_thread_seconds(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* Runs in the child, between fork and exec; on failure writes errno into `report` and ends. */
static void become(const char *const *argv, const struct ct_process_options *options, int output, int report)
{
    setpgid(0, 0);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);

    int input = open("/dev/null", O_RDONLY);
    bool ready = input >= 0 && dup2(input, STDIN_FILENO) >= 0;
    if (ready && output >= 0)
        ready = dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0;
    if (ready && options && options->folder)
        ready = chdir(options->folder) == 0;
    for (const char *const *entry = options ? options->environment : NULL; ready && entry && *entry; entry++)
        ready = putenv((char *)*entry) == 0;
    if (ready)
        execvp(argv[0], (char *const *)argv);
    int reason = errno;
    if (write(report, &reason, sizeof reason) < 0)
        _exit(126);
    _exit(127);
}

/* Starts a process with standard output and error directed to `output`; negative: ours. */
static int start(const char *const *argv, const struct ct_process_options *options, int output,
                 struct ct_error *error, struct ct_process *ret_process)
{
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        return ct_fail(error, CT_E_SYSTEM, "%s: cannot be started: %s", argv[0], strerror(errno));
    pid_t id = fork();
    if (id == 0)
        become(argv, options, output, report[1]);
    int reason = errno;
    close(report[1]);
    if (id > 0) {
        setpgid(id, id);
        ssize_t length;
        do
            length = read(report[0], &reason, sizeof reason);
        while (length < 0 && errno == EINTR);
        if (length == (ssize_t)sizeof reason)
            waitpid(id, NULL, 0);
        else
            reason = 0;
    }
    close(report[0]);
    if (reason != 0)
        return ct_fail(error, CT_E_SYSTEM, "%s: cannot be started: %s", argv[0], strerror(reason));
    ret_process->id = id;
    return CT_OK;
}

int ct_process_start(const char *const *argv, const struct ct_process_options *options,
                     struct ct_error *error, struct ct_process *ret_process)
{
    int output = -1;
    if (options && options->output) {
        output = open(options->output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (output < 0)
            return ct_fail(error, CT_E_SYSTEM, "%s: cannot be written: %s", options->output, strerror(errno));
    }
    int status = start(argv, options, output, error, ret_process);
    if (output >= 0)
        close(output);
    return status;
}

static int exit_code(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int ct_process_poll(struct ct_process *process, int *ret_ended, int *ret_exit)
{
    int status;
    pid_t id = waitpid(process->id, &status, WNOHANG);
    if (id < 0 && errno != EINTR)
        return CT_E_SYSTEM;
    *ret_ended = id == process->id;
    if (id == process->id) {
        *ret_exit = exit_code(status);
        process->id = 0;
    }
    return CT_OK;
}

int ct_process_wait(struct ct_process *process, int *ret_exit)
{
    int status;
    if (waitpid(process->id, &status, 0) < 0)
        return errno == EINTR ? CT_E_STOPPED : CT_E_SYSTEM;
    *ret_exit = exit_code(status);
    process->id = 0;
    return CT_OK;
}

void ct_process_end(struct ct_process *process, double grace)
{
    if (process->id <= 0)
        return;
    const struct timespec nap = {.tv_nsec = 20000000};
    pid_t group = process->id;
    int ended = 0, code;
    kill(-group, SIGTERM);
    for (double waited = 0; waited < grace && !ended; waited += 0.02) {
        if (ct_process_poll(process, &ended, &code) != CT_OK)
            break;
        if (!ended)
            nanosleep(&nap, NULL);
    }
    kill(-group, SIGKILL);
    if (!ended)
        while (waitpid(group, NULL, 0) < 0 && errno == EINTR)
            ;
    process->id = 0;
}

int ct_command_run(const char *const *argv, struct ct_text *output, struct ct_error *error, int *ret_exit)
{
    int channel[2];
    if (pipe2(channel, O_CLOEXEC) != 0)
        return ct_fail(error, CT_E_SYSTEM, "%s: cannot be started: %s", argv[0], strerror(errno));
    struct ct_process process;
    int status = start(argv, NULL, channel[1], error, &process);
    close(channel[1]);
    if (status == CT_OK) {
        char bytes[4096];
        ssize_t length;
        while ((length = read(channel[0], bytes, sizeof bytes)) > 0 || (length < 0 && errno == EINTR))
            if (length > 0 && output)
                ct_text_append_bytes(output, bytes, (size_t)length);
        do
            status = ct_process_wait(&process, ret_exit);
        while (status == CT_E_STOPPED);
        if (status != CT_OK)
            ct_fail(error, status, "%s: lost: %s", argv[0], strerror(errno));
    }
    close(channel[0]);
    return status;
}

char *ct_program_find(const char *name)
{
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? strdup(name) : NULL;
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        char *candidate = ct_format("%.*s/%s", (int)length, path, name);
        if (candidate && access(candidate, X_OK) == 0)
            return candidate;
        free(candidate);
        path += length + (path[length] == ':');
    }
    return NULL;
}
