/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command.h"
#include "base/number.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int ct_command_fail(const char *command, int status, const struct ct_error *error)
{
    const char *text = error && error->text[0]  ? error->text
                       : status == CT_E_MEMORY  ? "out of memory"
                       : status == CT_E_LIMIT   ? "a size does not fit"
                       : status == CT_E_STOPPED ? "stopped"
                                                : "failed";
    fprintf(stderr, "colltune %s: %s\n", command, text);
    return status == CT_E_INPUT ? CT_EXIT_USAGE : CT_EXIT_NO;
}

int ct_command_end(const char *command, int status, struct ct_error *error)
{
    if (status == CT_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = ct_fail(error, CT_E_SYSTEM, "standard output cannot be written");
    return status == CT_OK ? CT_EXIT_OK : ct_command_fail(command, status, error);
}

void ct_usage(const struct argp_state *state, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", state->name);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, " (see %s --help)\n", state->name);
    va_end(arguments);
    exit(CT_EXIT_USAGE);
}

char *ct_argument_of(const struct argp_state *state, char *argument, unsigned most)
{
    if (state->arg_num >= most)
        ct_usage(state, "'%s' is one argument too many", argument);
    return argument;
}

enum ct_collective ct_known_collective(const struct argp_state *state, const char *word)
{
    enum ct_collective collective = ct_collective_find(word);
    if (collective == CT_COLLECTIVES)
        ct_usage(state, "unknown collective '%s'", word);
    return collective;
}

enum ct_communication_model ct_known_model(const struct argp_state *state, const char *word, size_t length)
{
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        if (strlen(ct_communication_model_names[kind]) == length &&
            strncmp(ct_communication_model_names[kind], word, length) == 0)
            return (enum ct_communication_model)kind;
    ct_usage(state, "unknown model '%.*s': expected hockney, loggp or plogp", (int)length, word);
}

bool ct_format_is_csv(const struct argp_state *state, const char *word)
{
    if (strcmp(word, "text") != 0 && strcmp(word, "csv") != 0)
        ct_usage(state, "unknown format '%s': expected text or csv", word);
    return strcmp(word, "csv") == 0;
}

size_t ct_count_of(const struct argp_state *state, const char *option, const char *word, size_t least)
{
    size_t number;
    if (ct_whole_parse(word, UINT32_MAX, &number) != CT_OK || number < least)
        ct_usage(state, "%s '%s': expected a whole number of at least %zu", option, word, least);
    return number;
}

static const struct {
    char suffix;
    double seconds;
} units[] = {{'\0', 1}, {'s', 1}, {'m', 60}, {'h', 3600}};

static int parse_duration(const char *word, double *ret_seconds)
{
    char *end;
    if (word[0] < '0' || word[0] > '9')
        return CT_E_INPUT;
    double value = strtod(word, &end);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (*end != units[i].suffix || (*end && end[1]))
            continue;
        *ret_seconds = value * units[i].seconds;
        return CT_OK;
    }
    return CT_E_INPUT;
}

double ct_seconds_of(const struct argp_state *state, const char *option, const char *word)
{
    double seconds;
    if (parse_duration(word, &seconds) != CT_OK || seconds <= 0)
        ct_usage(state, "%s '%s': expected a time such as 0.3s, 10m or 1.5h", option, word);
    return seconds;
}

double ct_margin_of(const struct argp_state *state, const char *word)
{
    double percent;
    if (ct_number_parse(word, &percent) != CT_OK || !(percent >= 0 && percent <= 100))
        ct_usage(state, "--margin '%s': expected a number of percent from 0 to 100", word);
    return percent / 100;
}

/* Of the process, as signals are. */
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

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void ct_progress_begin(struct ct_progress *progress, const char *label)
{
    *progress = (struct ct_progress){.label = label, .begun = now()};
}

void ct_progress_show(struct ct_progress *progress, double done, const char *note)
{
    enum { WIDTH = 30 };
    const double patience = 2.0, redraw = 0.1;
    double time = now();
    if (!isatty(STDERR_FILENO) || time - progress->begun < patience || time - progress->drawn < redraw)
        return;
    progress->drawn = time;
    progress->shown = true;
    done = done < 0 ? 0 : done > 1 ? 1 : done;
    char bar[WIDTH + 1], left[48] = "";
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < (int)(done * WIDTH + 0.5) ? '#' : '.';
    bar[WIDTH] = '\0';
    if (done > 0.01) {
        long seconds = (long)((time - progress->begun) / done * (1 - done) + 0.5);
        if (seconds < 60)
            snprintf(left, sizeof left, "%ld s left", seconds);
        else
            snprintf(left, sizeof left, "%ld min %02ld s left", seconds / 60, seconds % 60);
    }
    fprintf(stderr, "\r%s [%s] %3d %%  %s  %s\033[K", progress->label, bar, (int)(100 * done), left,
            note ? note : "");
    fflush(stderr);
}

void ct_progress_take(void *bar, double done, const char *note)
{
    ct_progress_show(bar, done, note);
}

void ct_progress_end(struct ct_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
