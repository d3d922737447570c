/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal: signals that stop the work, and the bar of progress. */
#include "base/process.h"
#include "cli/command.h"

#include <stdio.h>
#include <unistd.h>

/* Global because signals belong to the process. */
static volatile sig_atomic_t stopped;

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
    if (!isatty(STDERR_FILENO) || time - progress->begun < patience || time - progress->drawn < redraw)
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
    fprintf(stderr, "\r%s [%s] %3d %%  %s  %s\033[K", progress->label, line, (int)(100 * done), left,
            note ? note : "");
    fflush(stderr);
}

void ct_progress_end(struct ct_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
