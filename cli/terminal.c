/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal: signals that stop the work, and the bar of progress. */
#include "base/process.h"
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Global because signals and standard streams belong to the process. */
static volatile sig_atomic_t stopped;
static int diverted[2] = {-1, -1}; /* where standard output and error went before */
static FILE *screen;               /* where bars appear meanwhile; NULL: standard error */

static void stop(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

const volatile sig_atomic_t *ct_catch_stop(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = stop};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
    return &stopped;
}

void ct_progress_begin(struct ct_progress *progress, const char *label)
{
    *progress = (struct ct_progress){.label = label, .begun = ct_monotonic_now()};
}

void ct_progress_show(void *bar, double done, const char *note)
{
    enum { WIDTH = 30 };
    struct ct_progress *progress = bar;
    const double patience = 2.0, redraw = 0.1;
    double time = ct_monotonic_now();
    FILE *out = screen ? screen : stderr;
    if (!isatty(fileno(out)) || time - progress->begun < patience || time - progress->drawn < redraw)
        return;
    progress->drawn = time;
    progress->shown = true;
    done = done < 0 ? 0 : done > 1 ? 1 : done;
    char line[WIDTH + 1], left[48] = "";
    for (int i = 0; i < WIDTH; i++)
        line[i] = i < (int)(done * WIDTH + 0.5) ? '#' : '.';
    line[WIDTH] = '\0';
    if (done > 0.01) {
        long seconds = (long)((time - progress->begun) / done * (1 - done) + 0.5);
        if (seconds < 60)
            snprintf(left, sizeof left, "%ld s left", seconds);
        else
            snprintf(left, sizeof left, "%ld min %02ld s left", seconds / 60, seconds % 60);
    }
    fprintf(out, "\r%s [%s] %3d %%  %s  %s\033[K", progress->label, line, (int)(100 * done), left,
            note ? note : "");
    fflush(out);
}

void ct_progress_end(struct ct_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", screen ? screen : stderr);
    fflush(screen ? screen : stderr);
    progress->shown = false;
}

int ct_output_divert(const char *path, struct ct_error *error)
{
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return ct_fail(error, CT_E_SYSTEM, "%s: %s", path, strerror(errno));
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 2; i++) {
        diverted[i] = fcntl(STDOUT_FILENO + i, F_DUPFD_CLOEXEC, 3);
        dup2(file, STDOUT_FILENO + i);
    }
    close(file);
    int again = fcntl(diverted[1], F_DUPFD_CLOEXEC, 3);
    screen = again >= 0 ? fdopen(again, "w") : NULL;
    return CT_OK;
}

void ct_output_restore(void)
{
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < 2; i++) {
        dup2(diverted[i], STDOUT_FILENO + i);
        close(diverted[i]);
    }
    if (screen)
        fclose(screen);
    screen = NULL;
}
