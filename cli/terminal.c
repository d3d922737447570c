/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal: signals that stop the work, and the bar of progress. */
#include "cli/terminal.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
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

/* Another kind of work begins another bar. */
static void begin(struct ct_bar *bar, double share)
{
    ct_bar_end(bar);
    bar->begun = ct_monotonic_now();
    bar->drawn = 0;
    bar->first = share;
}

/* What is done and left: "12 cells done, 30 left", or "12 of at most 42 cells done". */
static int describe_units(const struct ct_progress *progress, char *text, size_t size)
{
    const size_t done = progress->done, total = progress->total;
    const bool is_one = progress->is_at_most && total > 0 ? total == 1 : done == 1;
    const int length = (int)strlen(progress->units) - is_one; /* one of them has no s */
    if (progress->is_at_most && total > 0)
        return snprintf(text, size, "%zu of at most %zu %.*s done", done, total, length, progress->units);
    if (total > done)
        return snprintf(text, size, "%zu %.*s done, %zu left", done, length, progress->units, total - done);
    return snprintf(text, size, "%zu %.*s done", done, length, progress->units);
}

/* Says how long it takes, too: "12 cells done, 30 left, 1 min 05 s to go". */
static void describe(const struct ct_progress *progress, double seconds, char *text, size_t size)
{
    const int used = describe_units(progress, text, size);
    if (!isfinite(seconds) || (size_t)used >= size)
        return;
    long left = lround(fmin(seconds, 1e8));
    if (left < 60)
        snprintf(text + used, size - (size_t)used, ", %ld s to go", left);
    else
        snprintf(text + used, size - (size_t)used, ", %ld min %02ld s to go", left / 60, left % 60);
}

static size_t terminal_columns(FILE *out)
{
    enum { USUAL = 80 };
    struct winsize size;
    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL;
}

/* One line, because the next one is written over it: where the terminal is narrow the bar is shorter, then
 * the end is cut off. */
static void draw(const struct ct_progress *progress, double share, const char *text, FILE *out)
{
    enum { BAR = 20, LEAST_BAR = 4 };
    static const char done[] = "####################", left[] = "....................";
    const size_t columns = terminal_columns(out) - 1;
    struct ct_text words = {0}, line = {0};
    ct_text_append(&words, "%3d %%  %s%s%s", (int)(100 * share), text, progress->note ? "  " : "",
                   progress->note ? progress->note : "");
    const size_t others = strlen(progress->what) + words.length + strlen(" [] ");
    const size_t room = columns > others ? columns - others : 0, width = room < BAR ? room : BAR;
    const int full = (int)lround(share * (double)width);
    ct_text_append(&line, "%s ", progress->what);
    if (width >= LEAST_BAR)
        ct_text_append(&line, "[%.*s%.*s] ", full, done, (int)width - full, left);
    ct_text_append(&line, "%s", words.failed ? "" : words.data);
    if (!line.failed)
        fprintf(out, "\r%.*s\033[K", (int)columns, line.data);
    ct_text_free(&words);
    ct_text_free(&line);
    fflush(out);
}

static double share_of(const struct ct_progress *progress)
{
    double share = progress->share;
    if (share <= 0 && progress->total > 0)
        share = (double)progress->done / (double)progress->total;
    return fmin(fmax(share, 0), 1);
}

static void show(void *context, const struct ct_progress *progress)
{
    const double patience = 2.0, redraw = 0.1, least = 0.01;
    struct ct_bar *bar = context;
    FILE *out = screen ? screen : stderr;
    struct ct_progress with_part = bar->now;
    double time = ct_monotonic_now(), share;
    if (!progress->what) {
        if (!bar->now.what || bar->now.total == 0)
            return;
        with_part.share = ((double)bar->now.done + share_of(progress)) / (double)bar->now.total;
        progress = &with_part;
    }
    share = share_of(progress);
    if (!bar->now.what || strcmp(bar->now.what, progress->what) != 0)
        begin(bar, share);
    bar->now = *progress;
    bar->now.note = NULL; /* may not live longer than the report */
    if (!isatty(fileno(out)) || time - bar->begun < patience || time - bar->drawn < redraw)
        return;
    char text[96];
    double gone = share - bar->first;
    describe(progress, gone > least ? (time - bar->begun) / gone * (1 - share) : NAN, text, sizeof text);
    draw(progress, share, text, out);
    bar->drawn = time;
    bar->shown = true;
}

static void tell(void *context, const char *line)
{
    struct ct_bar *bar = context;
    ct_bar_end(bar);
    ct_tell(bar->command, "%s", line);
}

struct ct_watch ct_bar_show(struct ct_bar *bar, const struct ct_command *command)
{
    *bar = (struct ct_bar){.command = command};
    return (struct ct_watch){.progress = show, .notice = tell, .context = bar};
}

struct ct_watch ct_bar_watch(struct ct_bar *bar, const struct ct_command *command)
{
    struct ct_watch watch = ct_bar_show(bar, command);
    watch.stop = ct_catch_stop();
    return watch;
}

void ct_bar_end(struct ct_bar *bar)
{
    FILE *out = screen ? screen : stderr;
    if (bar->shown)
        fputs("\r\033[K", out);
    fflush(out);
    bar->shown = false;
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
