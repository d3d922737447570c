/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/statistics.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/preload.h"
#include "cli/terminal.h"

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

struct settings {
    size_t pairs;
    const char *time_after;
};

static const struct ct_option options[] = {
    {"pairs", 0, "N", CT_OPTION_WHOLE, offsetof(struct settings, pairs), .least = 1, .usual = "10",
     .text = "count N pairs of a native and a tuned run"},
    {"time-after", 0, "TEXT", CT_OPTION_TEXT, offsetof(struct settings, time_after),
     .usual_text = "the time of the whole command",
     .text = "take as a run's time the first number after TEXT in its output"},
    {0},
};

enum side { NATIVE, TUNED, SIDES };

/* The runs of an application. */
struct trial {
    const struct settings *settings;
    const char *const *command; /* ended by NULL */
    char *folder;               /* of the outputs */
    struct ct_preload_variables preload;
    struct ct_bar bar;
    struct ct_watch watch;
    size_t done;           /* runs, also those that are not counted */
    char **outputs[SIDES]; /* by run */
    double *seconds[SIDES];
};

/* The lines of one output, sorted. */
struct lines {
    char *text; /* cut into the lines */
    char **lines;
    size_t count;
};

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int split(const char *output, struct lines *ret_lines)
{
    struct lines lines = {.text = strdup(output)};
    size_t most = 1;
    for (const char *at = output; *at; at++)
        most += *at == '\n';
    lines.lines = ct_allocate(most, sizeof *lines.lines);
    if (!lines.text || !lines.lines) {
        free(lines.text);
        free(lines.lines);
        return CT_E_MEMORY;
    }
    char *rest = lines.text;
    for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
        lines.lines[lines.count++] = line;
    qsort(lines.lines, lines.count, sizeof *lines.lines, compare_lines);
    *ret_lines = lines;
    return CT_OK;
}

static bool has_line(const struct lines *lines, char *line)
{
    return bsearch(&line, lines->lines, lines->count, sizeof *lines->lines, compare_lines) != NULL;
}

static bool all_have(const struct lines *outputs, size_t count, char *line)
{
    for (size_t i = 0; i < count; i++)
        if (!has_line(&outputs[i], line))
            return false;
    return true;
}

/* Prints whether the lines that all native runs print are in all tuned ones. Others, such as times, differ
 * between native runs, too. */
static int tell_outputs(const struct trial *trial)
{
    const size_t pairs = trial->settings->pairs;
    struct lines *outputs = ct_allocate(SIDES * pairs, sizeof *outputs);
    size_t read = 0, same = 0, missing = 0;
    const char *first = NULL;
    int status = outputs ? CT_OK : CT_E_MEMORY;
    for (; status == CT_OK && read < SIDES * pairs; read += status == CT_OK)
        status = split(trial->outputs[read / pairs][read % pairs], &outputs[read]);
    for (size_t i = 0; status == CT_OK && i < outputs[0].count; i++) {
        char *line = outputs[0].lines[i];
        bool repeated = i > 0 && strcmp(line, outputs[0].lines[i - 1]) == 0;
        if (!*line || repeated || !all_have(&outputs[1], pairs - 1, line))
            continue;
        if (all_have(&outputs[pairs], pairs, line)) {
            same++;
            continue;
        }
        if (missing++ == 0)
            first = line;
    }
    if (status == CT_OK && missing > 0)
        printf("Output: of %zu lines that all native runs print, %zu %s not in all tuned runs; the first:\n  "
               "%.160s\n",
               same + missing, missing, missing == 1 ? "is" : "are", first);
    else if (status == CT_OK && same == 0)
        printf("Output: not compared, because native runs have no line in common.\n");
    else if (status == CT_OK && same == 1)
        printf("Output: the line that all native runs print is in all tuned runs.\n");
    else if (status == CT_OK)
        printf("Output: the %zu lines that all native runs print are in all tuned runs.\n", same);
    for (size_t i = 0; i < read; i++) {
        free(outputs[i].text);
        free(outputs[i].lines);
    }
    free(outputs);
    return status;
}

/* CT_OK, or CT_E_INPUT if no number follows the text. */
static int find_time(const char *output, const char *after, struct ct_error *error, double *ret_seconds)
{
    const char *at = strstr(output, after);
    if (at) {
        at += strlen(after);
        at += strcspn(at, "0123456789.\n");
    }
    char *end = NULL;
    double seconds = at ? strtod(at, &end) : 0;
    if (!at || end == at || !(seconds > 0) || !isfinite(seconds))
        return ct_fail(error, CT_E_INPUT,
                       "--time-after '%s': expected a positive number after this text in "
                       "the output",
                       after);
    *ret_seconds = seconds;
    return CT_OK;
}

static void ignore(int signal_number)
{
    (void)signal_number;
}

/* A timer that interrupts waiting, so that the bar is drawn. To look again and again whether the run has
 * ended would make it seem longer. 0: none. */
static void set_timer(int milliseconds)
{
    const struct timeval step = {.tv_usec = 1000 * milliseconds};
    const struct itimerval timer = {.it_interval = step, .it_value = step};
    const struct sigaction action = {.sa_handler = ignore};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static int wait_for(const struct trial *trial, enum side side, struct ct_process *process, int *ret_code)
{
    enum { REDRAW = 250 };
    const struct ct_progress progress = {.what = "running",
                                         .units = "runs",
                                         .done = trial->done,
                                         .total = SIDES * (1 + trial->settings->pairs),
                                         .note = side == TUNED ? "tuned" : "native"};
    int status;
    set_timer(REDRAW);
    do
        ct_watch_progress(&trial->watch, &progress);
    while ((status = ct_process_wait(process, ret_code)) == CT_E_STOPPED &&
           !ct_watch_is_stopped(&trial->watch));
    set_timer(0);
    return status;
}

/* Runs the command once. `verbose`: the library tells what it does. The caller frees *ret_output. */
static int run_once(struct trial *trial, enum side side, bool verbose, struct ct_error *error,
                    char **ret_output, double *ret_seconds)
{
    char *path = ct_format("%s/output", trial->folder), *output = NULL;
    const char *const native[] = {NULL};
    const char *tuned[CT_PRELOAD_VARIABLES + 2] = {0};
    size_t count = 0;
    if (verbose)
        tuned[count++] = "COLLTUNE_VERBOSE=1";
    for (size_t i = 0; trial->preload.entries[i]; i++)
        tuned[count++] = trial->preload.entries[i];
    const struct ct_process_options how = {.output = path, .environment = side == TUNED ? tuned : native};
    struct ct_process process;
    size_t length;
    int code = 0, status = path ? ct_process_start(trial->command, &how, error, &process) : CT_E_MEMORY;
    if (status != CT_OK)
        goto done;
    double begun = ct_monotonic_now();
    status = wait_for(trial, side, &process, &code);
    double seconds = ct_monotonic_now() - begun;
    if (status != CT_OK || ct_watch_is_stopped(&trial->watch)) {
        ct_process_end(&process, 2);
        status = ct_fail(error, CT_E_STOPPED, "stopped");
        goto done;
    }
    trial->done++;
    if ((status = ct_file_read(path, error, &output, &length)) != CT_OK)
        goto done;
    if (code != 0) {
        ct_bar_end(&trial->bar);
        fputs(output, stderr);
        status =
            ct_fail(error, CT_E_ANSWER, "the %s run of '%s' ended with exit code %d; its output is above",
                    side == TUNED ? "tuned" : "native", trial->command[0], code);
    } else if (trial->settings->time_after) {
        status = find_time(output, trial->settings->time_after, error, &seconds);
    }
    if (status == CT_OK) {
        *ret_seconds = seconds;
        *ret_output = output;
        output = NULL;
    }
done:
    if (path)
        ct_remove_all(path, NULL);
    free(output);
    free(path);
    return status;
}

/* The first run of each side is not counted: it loads programs from the disk. That of the tuned side shows
 * whether the library is in the way, and what it did. */
static int warm_up(struct trial *trial, struct ct_error *error)
{
    static const char mark[] = "colltune: ";
    char *output = NULL;
    double seconds;
    int status = run_once(trial, NATIVE, false, error, &output, &seconds);
    free(output);
    output = NULL;
    if (status != CT_OK || (status = run_once(trial, TUNED, true, error, &output, &seconds)) != CT_OK)
        return status;
    if (!strstr(output, mark))
        status = ct_preload_fail_unused(trial->command[0], error);
    char *rest = output;
    ct_bar_end(&trial->bar);
    for (char *line = strsep(&rest, "\n"); status == CT_OK && line; line = strsep(&rest, "\n"))
        if (strncmp(line, mark, sizeof mark - 1) == 0)
            printf("%s\n", line);
    free(output);
    return status;
}

static void tell_times(const struct trial *trial, double *ratios)
{
    const size_t pairs = trial->settings->pairs;
    size_t low, high;
    /* What the output says may be in any unit. */
    const bool is_own = trial->settings->time_after;
    printf("%6s %12s %12s %9s\n", "pair", is_own ? "native" : "native s", is_own ? "tuned" : "tuned s",
           "speed-up");
    for (size_t i = 0; i < pairs; i++) {
        ratios[i] = trial->seconds[NATIVE][i] / trial->seconds[TUNED][i];
        printf("%6zu %12.3f %12.3f %9.3f\n", i + 1, trial->seconds[NATIVE][i], trial->seconds[TUNED][i],
               ratios[i]);
    }
    ct_sort(ratios, pairs);
    bool known = ct_median_interval(pairs, &low, &high);
    printf("%.3f times as fast as native: median of %zu pairs, from %.3f to %.3f",
           ct_quantile(ratios, pairs, 0.5), pairs, ratios[0], ratios[pairs - 1]);
    if (known)
        printf("; 95 %% confidence interval %.3f to %.3f", ratios[low], ratios[high]);
    putchar('\n');
}

static int run_pairs(struct trial *trial, struct ct_error *error)
{
    const size_t pairs = trial->settings->pairs;
    trial->watch = ct_bar_watch(&trial->bar, &ct_command_try);
    int status = warm_up(trial, error);
    for (size_t i = 0; status == CT_OK && i < pairs; i++) {
        for (int turn = 0; status == CT_OK && turn < SIDES; turn++) {
            /* Which side is first alternates, so that a machine that grows slower harms both alike. */
            enum side side = (enum side)((turn + i) % SIDES);
            status = run_once(trial, side, false, error, &trial->outputs[side][i], &trial->seconds[side][i]);
        }
    }
    ct_bar_end(&trial->bar);
    return status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    struct trial trial = {.settings = settings, .command = &arguments->words[1]};
    double *ratios = ct_allocate(settings->pairs, sizeof *ratios);
    int status = ratios ? CT_OK : CT_E_MEMORY;
    for (int side = 0; side < SIDES; side++) {
        trial.outputs[side] = calloc(settings->pairs, sizeof *trial.outputs[side]);
        trial.seconds[side] = ct_allocate(settings->pairs, sizeof *trial.seconds[side]);
        if (!trial.outputs[side] || !trial.seconds[side])
            status = CT_E_MEMORY;
    }
    if (status == CT_OK && (status = ct_preload_make(arguments->words[0], error, &trial.preload)) == CT_OK &&
        (status = ct_folder_temporary(error, &trial.folder)) == CT_OK &&
        (status = run_pairs(&trial, error)) == CT_OK) {
        tell_times(&trial, ratios);
        if (settings->pairs > 1)
            status = tell_outputs(&trial);
    }
    if (trial.folder)
        ct_remove_all(trial.folder, NULL);
    for (int side = 0; side < SIDES; side++) {
        for (size_t i = 0; trial.outputs[side] && i < settings->pairs; i++)
            free(trial.outputs[side][i]);
        free(trial.outputs[side]);
        free(trial.seconds[side]);
    }
    free(trial.folder);
    ct_preload_variables_free(&trial.preload);
    free(ratios);
    return status;
}

const struct ct_command ct_command_try = {
    .name = "try",
    .text = "run an application with and without the tuned library, in turn",
    .usage = "PREFIX -- COMMAND...",
    .least = 2,
    .most = SIZE_MAX,
    .about = "Runs a command alternately natively and with the tuned library in PREFIX preloaded. Prints the "
             "times of each pair, the median of native over tuned time with its confidence interval, the "
             "methods that the library used, and whether the output is the same apart from lines that differ "
             "between native runs as well. The first run of each side is not counted. Exits with 1 if a run "
             "fails, or if the command does not load the library.",
    .notes = "The library is preloaded through the environment of COMMAND. A launcher that starts ranks on "
             "other nodes must pass LD_PRELOAD on to them.\n\n"
             "Examples:\n"
             "  colltune try tuned -- mpiexec -n 4 ./app input\n"
             "  colltune try tuned --time-after 'time: ' -- mpiexec -n 4 ./app\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
