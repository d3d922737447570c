/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "cli/call_modes.h"
#include "cli/gains.h"
#include "cli/tune_application.h"
#include "cli/tune_result.h"
#include "cli/tune_runs.h"
#include "cli/tune_validation.h"
#include "decision/table.h"
#include "learners/all_learners.h"
#include "measure/backend/machine.h"
#include "samples/run_folder.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WITHHELD(...)                                                                                        \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }

static const struct ct_tune_step steps[] = {
    {.command = &ct_command_profile,
     .withheld = WITHHELD("output", "library", "lines"),
     .makes = "profile.csv",
     .values = {{"output", "profile.csv"}}},
    /* by mode, each with settings of its own */
    {.command = &ct_command_measure,
     .withheld = WITHHELD("output", "resume", "dry-run", "again", "mode", "compute", "tests"),
     .values = {{"output", "run"}}},
    {.command = &ct_command_measure,
     .withheld = WITHHELD("output", "resume", "dry-run", "again", "mode"),
     .values = {{"output", "run"}}},
    {.command = &ct_command_measure,
     .withheld = WITHHELD("output", "resume", "dry-run", "again", "mode"),
     .values = {{"output", "run"}}},
    {.command = &ct_command_learn,
     .heading = "Learning",
     .withheld = WITHHELD("output", "collective", "validation"),
     .makes = "table.xml",
     .words = {"run"},
     .values = {{"output", "table.xml"}}},
    {.command = &ct_command_score,
     .heading = "Score",
     .withheld = WITHHELD("format", "collective", "cross-validate", "validation"),
     .own_options = true,
     .words = {"table.xml", "run"}},
    {.command = &ct_command_build,
     .heading = "Library",
     .withheld = WITHHELD("output", "replace", "default"),
     .makes = "library/lib/libcolltuned.a",
     .words = {"table.xml"},
     .values = {{"output", "library"}}},
    {.command = &ct_command_validate,
     .heading = "Validation",
     .withheld = WITHHELD("output", "format", "comm-sizes", "msg-sizes", "timeout", "budget", "points",
                          "seconds", "again", "pattern", "ppn", "root"),
     .makes = "validation.csv",
     .words = {"library"},
     .values = {{"output", "validation.csv"}}},
    {.command = &ct_command_report,
     .heading = "Report",
     .withheld = WITHHELD("output", "validation"),
     .makes = "report/index.html",
     .words = {"run", "table.xml"},
     .values = {{"output", "report"}, {"validation", "validation.csv"}}},
    {.command = &ct_command_try, .heading = "Application", .words = {"library"}},
};

enum { PROFILE, MEASURE, LEARN = MEASURE + CT_MODES, SCORE, BUILD, VALIDATE, REPORT, TRY, STEPS };
_Static_assert(sizeof steps / sizeof steps[0] == STEPS, "each step has its number");

/* Of the measuring time that is given, this part is kept for measuring again. */
static const double part_again = 0.25;

/* A round of measuring again takes at most half of what is kept. */
static const double part_of_round = 0.5;

struct settings {
    const char *folder;
    const char *application;
    unsigned modes; /* a bit 1 << MODE for each */
    bool verbose;
    size_t rounds; /* of learning again so far; their steps are shown in the log alone */
    bool settles;  /* learn native where the last validation found the library slower */
    struct ct_tune_call calls[STEPS];
};

static const struct ct_option options[] = {
    {"output", 'o', "DIR", CT_OPTION_TEXT, offsetof(struct settings, folder), .required = true,
     .text = "write all results into this folder"},
    {"application", 0, "CMD", CT_OPTION_TEXT, offsetof(struct settings, application),
     .text =
         "tune for this application, a command line for the shell: profile it, measure what it calls, and "
         "run it natively and tuned in turn, instead of validating the library and making a report"},
    CT_MODES_OPTION(struct settings, modes,
                    "tune calls of these modes: measure a run of each, join the runs, and learn decisions "
                    "for each mode",
                    "blocking"),
    {"verbose", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, verbose),
     .text = "print what the steps print, instead of writing it to tune.log in that folder"},
    {0},
};

static int begin(void *given, struct ct_bindings *bindings)
{
    struct settings *settings = given;
    int status = CT_OK;
    settings->modes = 1U << CT_MODE_BLOCKING;
    for (size_t i = 0; status == CT_OK && i < STEPS; i++)
        status = ct_tune_step_begin(&steps[i], bindings, &settings->calls[i]);
    return status;
}

static void end(void *given)
{
    struct settings *settings = given;
    for (size_t i = 0; i < STEPS; i++)
        ct_tune_step_end(&settings->calls[i]);
}

static bool exists(const char *folder, const char *what)
{
    char *path = ct_format("%s/%s", folder, what);
    bool found = path && access(path, F_OK) == 0;
    free(path);
    return found;
}

/* How long everything may take. */
struct times {
    double budget;   /* seconds for measuring that the user gave; 0: as long as it takes */
    double measured; /* seconds of measuring so far, without measuring again */
    double kept;     /* left for measuring again */
};

static struct ct_tune_runs runs_of(const struct settings *settings)
{
    return (struct ct_tune_runs){settings->folder, settings->modes};
}

static size_t count_modes(const struct settings *settings)
{
    return (size_t)__builtin_popcount(settings->modes);
}

/* Begins to set what a step of measuring has to measure. */
static int add_mode(struct ct_tune_call *call, enum ct_call_mode mode, struct ct_error *error)
{
    ct_tune_step_clear(call);
    return mode == CT_MODE_BLOCKING ? CT_OK
                                    : ct_tune_step_add(call, "mode", strdup(ct_mode_names[mode]), error);
}

/* Sets what tune decides when it comes to measure calls of a mode. The modes share the budget. */
static int add_measuring(struct settings *settings, enum ct_call_mode mode, const struct times *times,
                         struct ct_error *error)
{
    struct ct_tune_call *call = &settings->calls[MEASURE + mode];
    const struct ct_tune_runs runs = runs_of(settings);
    const double share = (settings->application ? 1 : 1 - part_again) / (double)count_modes(settings);
    char *path = ct_tune_runs_path(&runs, mode);
    int status = path ? add_mode(call, mode, error) : CT_E_MEMORY;
    if (status == CT_OK && exists(path, "run.xml"))
        status = ct_tune_step_add_flag(call, "resume", error);
    if (status == CT_OK && times->budget > 0)
        status = ct_tune_step_add_seconds(call, "budget", share * times->budget, error);
    if (status == CT_OK && settings->application)
        status = ct_tune_step_add(call, "from-profile", ct_format("%s/profile.csv", settings->folder), error);
    free(path);
    return status;
}

/* Sets what tune decides when it comes to another step. */
static int add_options(struct ct_tune_call *call, const struct settings *settings, bool simulated,
                       struct times *times, struct ct_error *error)
{
    const struct ct_command *command = call->step->command;
    int status = CT_OK;
    ct_tune_step_clear(call);
    if (command == &ct_command_build && simulated)
        status = ct_tune_step_add(call, "mpi", strdup("smpi"), error);
    /* It takes long, and the validation says what a user gets. */
    if (command == &ct_command_score)
        status = ct_tune_step_add(call, "cross-validate", strdup("none"), error);
    if (command == &ct_command_learn && settings->settles)
        status = ct_tune_step_add(call, "validation",
                                  ct_format("%s/%s", settings->folder, ct_tune_earlier_validation), error);
    if (command == &ct_command_validate)
        status = ct_tune_validation_limit(call, settings->folder, simulated, settings->rounds > 0,
                                          &times->measured, error);
    return status;
}

static bool is_shown(const struct settings *settings)
{
    return settings->rounds == 0 || settings->verbose;
}

/* From now on what is printed goes to the log, until ct_output_restore(). */
static int divert_to_log(const struct settings *settings, struct ct_error *error)
{
    char *log = ct_format("%s/tune.log", settings->folder);
    int status = log ? ct_output_divert(log, error) : CT_E_MEMORY;
    free(log);
    return status;
}

/* Runs a step whose options are set. What it prints goes to the log, unless it is wanted on the terminal. */
static int run_step(const struct ct_tune_call *call, const struct settings *settings, struct ct_error *error)
{
    int status;
    if (*ct_catch_stop())
        return CT_E_STOPPED;
    if (is_shown(settings))
        ct_tune_step_show(call);
    if (settings->verbose) {
        status = ct_tune_step_run(call, error);
        fflush(stdout);
        return status;
    }
    if ((status = divert_to_log(settings, error)) != CT_OK)
        return status;
    ct_tune_step_show(call);
    status = ct_tune_step_run(call, error);
    ct_output_restore();
    return status;
}

/* Joins the runs of several modes, shown like a step. */
static int join_runs(const struct settings *settings, struct ct_error *error)
{
    const struct ct_tune_runs runs = runs_of(settings);
    int status = CT_OK;
    if (is_shown(settings))
        ct_tune_runs_show(&runs);
    if (!settings->verbose && (status = divert_to_log(settings, error)) == CT_OK) {
        ct_tune_runs_show(&runs);
        ct_output_restore();
    }
    return status == CT_OK ? ct_tune_runs_join(&runs, error) : status;
}

/* Removes what was made of the run. */
static int forget(const char *folder, struct ct_error *error)
{
    static const char *const made[] = {"table.xml", "library", "validation.csv", "report"};
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < sizeof made / sizeof made[0]; i++) {
        char *old = ct_format("%s/%s", folder, made[i]);
        status = old ? ct_remove_all(old, error) : CT_E_MEMORY;
        free(old);
    }
    return status;
}

/* The same if the run has changed since. */
static int forget_old(const char *folder, struct ct_error *error)
{
    char *path = ct_format("%s/run", folder), *table_path = ct_format("%s/table.xml", folder);
    struct ct_run run = {0};
    struct ct_table table = {0};
    bool same = false;
    int status = CT_E_MEMORY;
    if (!path || !table_path || (status = ct_run_read(path, false, error, &run)) != CT_OK ||
        (status = ct_table_read(table_path, error, &table)) != CT_OK ||
        (status = ct_table_learned_from(&table, &run, error, &same)) != CT_OK)
        goto done;
    if (!same)
        status = forget(folder, error);
done:
    ct_table_free(&table);
    ct_run_free(&run);
    free(path);
    free(table_path);
    return status;
}

/* What was given for an option of measuring, or its default. */
static const void *value_of(const struct ct_tune_call *measuring, const char *option)
{
    return (const char *)measuring->settings + ct_option_find(ct_command_measure.options, option)->offset;
}

/* Is there what the steps from `first` to before `last` make? */
static bool is_complete(const char *folder, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        if (steps[i].makes && !exists(folder, steps[i].makes))
            return false;
    return true;
}

/* And have all modes been measured? */
static bool is_all_there(const struct settings *settings, size_t first, size_t last)
{
    const struct ct_tune_runs runs = runs_of(settings);
    return ct_tune_runs_are_there(&runs) && is_complete(settings->folder, first, last);
}

/* Runs the steps from `first` to before `last`, but for those whose result is there. */
static int run_steps(struct settings *settings, size_t first, size_t last, bool simulated,
                     struct times *times, struct ct_error *error)
{
    int status = CT_OK;
    for (size_t i = first; status == CT_OK && i < last; i++) {
        const struct ct_tune_step *step = &steps[i];
        struct ct_tune_call *call = &settings->calls[i];
        struct ct_error why = {""};
        double begun = ct_monotonic_now();
        if (step->makes && exists(settings->folder, step->makes))
            continue;
        if ((status = add_options(call, settings, simulated, times, &why)) == CT_OK)
            status = run_step(call, settings, &why);
        if (status != CT_OK)
            return ct_fail(error, status, "%s: %s", step->command->name, ct_failure(status, &why));
        if (settings->rounds > 0)
            times->kept -= ct_monotonic_now() - begun;
    }
    return status;
}

/* After measuring: joins the runs, and removes what was made of them before. */
static int take_runs(const struct settings *settings, struct ct_error *error)
{
    int status = join_runs(settings, error);
    return status == CT_OK && exists(settings->folder, "table.xml") ? forget_old(settings->folder, error)
                                                                    : status;
}

/* Measures calls of all modes. */
static int measure(struct settings *settings, struct times *times, struct ct_error *error)
{
    const struct ct_tune_runs runs = runs_of(settings);
    const double begun = ct_monotonic_now();
    for (int mode = 0; mode < CT_MODES; mode++) {
        struct ct_error why = {""};
        if (!ct_tune_runs_has(&runs, (enum ct_call_mode)mode))
            continue;
        int status = add_measuring(settings, (enum ct_call_mode)mode, times, &why);
        if (status == CT_OK)
            status = run_step(&settings->calls[MEASURE + mode], settings, &why);
        if (status != CT_OK)
            return ct_fail(error, status, "measure: %s", ct_failure(status, &why));
    }
    times->measured = ct_monotonic_now() - begun;
    times->kept = part_again * (times->budget > 0 ? times->budget : times->measured);
    if (times->budget > 0)
        times->measured = fmin(times->measured, (1 - part_again) * times->budget);
    return take_runs(settings, error);
}

/* Measures cells of a mode again, in so many seconds. */
static int measure_mode_again(struct settings *settings, enum ct_call_mode mode, bool simulated,
                              double seconds, struct ct_error *error)
{
    struct ct_tune_call *call = &settings->calls[MEASURE + mode];
    int status = add_mode(call, mode, error);
    if (status == CT_OK)
        status = ct_tune_step_add_flag(call, "resume", error);
    if (status == CT_OK)
        status = ct_tune_step_add(call, "again", ct_format("%s/validation.csv", settings->folder), error);
    if (status == CT_OK && !simulated)
        status = ct_tune_step_add_seconds(call, "budget", seconds, error);
    return status == CT_OK ? run_step(call, settings, error) : status;
}

/* Measures again what the last validation asks for, `again` by mode, and removes what was made of the runs
 * before. The modes share the time of the round by their cells. */
static int measure_again(struct settings *settings, bool simulated, const size_t again[CT_MODES], size_t all,
                         struct times *times, struct ct_error *error)
{
    const double seconds = part_of_round * times->kept, begun = ct_monotonic_now();
    struct ct_error why = {""};
    int status = CT_OK;
    for (int mode = 0; status == CT_OK && mode < CT_MODES; mode++)
        if (again[mode] > 0)
            status = measure_mode_again(
                settings, (enum ct_call_mode)mode, simulated,
                fmax(seconds * (double)again[mode] / (double)all, CT_TUNE_ROUND_SECONDS), &why);
    times->kept -= ct_monotonic_now() - begun;
    if (status != CT_OK)
        return ct_fail(error, status, "measure: %s", ct_failure(status, &why));
    return (status = ct_tune_validation_set_aside(settings->folder, error)) == CT_OK
               ? take_runs(settings, error)
               : status;
}

/* Learns native where the last validation found a method of ours slower. *ret_slower: at how many points. */
static int settle_once(struct settings *settings, bool simulated, struct times *times, struct ct_error *error,
                       size_t *ret_slower)
{
    size_t slower;
    int status = ct_tune_validation_slower(settings->folder, error, &slower);
    *ret_slower = slower;
    if (status != CT_OK || slower == 0)
        return status;
    ct_tell(&ct_command_tune, "%zu point%s slower than native: the table takes native there", slower,
            slower == 1 ? " is" : "s are");
    settings->rounds++;
    settings->settles = true;
    if ((status = ct_tune_validation_set_aside(settings->folder, error)) == CT_OK &&
        (status = forget(settings->folder, error)) == CT_OK)
        status = run_steps(settings, LEARN, REPORT, simulated, times, error);
    settings->settles = false;
    return status;
}

/* There is no time to measure again. A table with more native in it is not learned from times alone,
 * therefore measuring again goes before. It may take other methods at other points, of which some are slower:
 * then it is done again. */
static int settle(struct settings *settings, bool simulated, struct times *times, struct ct_error *error)
{
    enum { TURNS = 3 };
    size_t slower = 1;
    int status = CT_OK;
    for (int turn = 0; status == CT_OK && slower > 0 && turn < TURNS; turn++)
        status = settle_once(settings, simulated, times, error, &slower);
    return status;
}

/* Tunes for an application. What it gains is measured anew each time. */
static int tune_application(struct settings *settings, struct times *times, struct ct_error *error)
{
    const struct ct_tune_runs runs = runs_of(settings);
    int status = ct_tune_application_note(settings->folder, settings->application, error);
    if (status == CT_OK && (!is_all_there(settings, PROFILE, VALIDATE) || times->budget > 0))
        if ((status = run_steps(settings, PROFILE, MEASURE, false, times, error)) == CT_OK &&
            (status = measure(settings, times, error)) == CT_OK)
            status = run_steps(settings, LEARN, VALIDATE, false, times, error);
    if (status == CT_OK)
        status = ct_tune_application_try(&settings->calls[TRY], error);
    if (status == CT_OK)
        ct_tune_tell_use(&runs, settings->application);
    return status;
}

/* Tunes for a grid of sizes. */
static int tune_grid(struct settings *settings, bool simulated, struct times *times, struct ct_error *error)
{
    const struct ct_tune_runs runs = runs_of(settings);
    size_t again[CT_MODES], all = 0;
    int status;
    /* Once all is there, the sweep goes on only if it is given more time. */
    if (is_all_there(settings, MEASURE, TRY) && times->budget <= 0)
        return ct_tune_tell(&runs, simulated, error);
    if ((status = measure(settings, times, error)) != CT_OK)
        return status;
    for (;;) {
        if ((status = run_steps(settings, LEARN, REPORT, simulated, times, error)) != CT_OK ||
            (status = ct_tune_validation_doubtful(&runs, simulated, error, again, &all)) != CT_OK)
            return status;
        if (all == 0 || (!simulated && times->kept < CT_TUNE_ROUND_SECONDS))
            break;
        settings->rounds++;
        ct_tell(&ct_command_tune, "validation asks for %zu point%s to be measured again (round %zu)", all,
                all == 1 ? "" : "s", settings->rounds);
        if ((status = measure_again(settings, simulated, again, all, times, error)) != CT_OK)
            return status;
    }
    if ((status = settle(settings, simulated, times, error)) != CT_OK)
        return status;
    settings->rounds = 0;
    if ((status = ct_tune_validation_remove_earlier(settings->folder, error)) != CT_OK)
        return status;
    status = run_steps(settings, REPORT, TRY, simulated, times, error);
    return status == CT_OK ? ct_tune_tell(&runs, simulated, error) : status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    struct settings settings = *(const struct settings *)given;
    struct times times = {.budget = *(const double *)value_of(&settings.calls[MEASURE], "budget")};
    if (exists(settings.folder, "run.xml"))
        return ct_fail(error, CT_E_INPUT, "%s: is a run: expected another folder, for all results of tuning",
                       settings.folder);
    int status = ct_folder_make(settings.folder, error);
    if (status != CT_OK)
        return status;
    ct_catch_stop();
    const struct ct_tune_runs runs = runs_of(&settings);
    if ((status = ct_tune_runs_begin(&runs, error)) != CT_OK ||
        (status = ct_tune_runs_join(&runs, error)) != CT_OK)
        return status;
    const size_t first = settings.application ? PROFILE : MEASURE;
    const size_t last = settings.application ? VALIDATE : TRY;
    if (is_all_there(&settings, first, last) && (status = forget_old(settings.folder, error)) != CT_OK)
        return status;
    return settings.application ? tune_application(&settings, &times, error)
                                : tune_grid(&settings, ct_is_given(arguments, "simulate"), &times, error);
}

/* Was the option given with several values? */
static bool has_several(const struct ct_arguments *arguments, const char *option)
{
    size_t *values = NULL, count = 0;
    for (size_t i = 0; i < arguments->given_count; i++)
        if (strcmp(arguments->given[i].option->name, option) == 0) {
            free(values);
            values = NULL;
            if (ct_list_parse(arguments->given[i].word, NULL, &values, &count) != CT_OK)
                count = 0;
        }
    free(values);
    return count > 1;
}

/* Prepares learning. Decisions test all that measuring varies, unless the user said what they test, or by
 * which learner. */
static int prepare_learning(struct ct_tune_call *call, const char *folder,
                            const struct ct_arguments *arguments, struct ct_error *error)
{
    static const char *const features[2][2] = {
        {NULL, "comm_size,msg_bytes,root"},
        {"comm_size,msg_bytes,nodes,ppn", "comm_size,msg_bytes,nodes,ppn,root"}};
    const char *list = features[has_several(arguments, "ppn")][has_several(arguments, "root")];
    if (!list || ct_is_given(arguments, "features") || ct_is_given(arguments, "learner"))
        return ct_tune_step_prepare(call, folder, arguments, error);
    struct ct_given *given = ct_allocate(arguments->given_count + 1, sizeof *given);
    struct ct_arguments with = *arguments;
    if (!given)
        return CT_E_MEMORY;
    memcpy(given, arguments->given, arguments->given_count * sizeof *given);
    given[with.given_count++] = (struct ct_given){ct_option_find(ct_learners[0]->options, "features"), list};
    with.given = given;
    int status = ct_tune_step_prepare(call, folder, &with, error);
    free(given);
    return status;
}

/* Prepares all steps, so that a wrong option is found before anything is measured. */
static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    struct settings *settings = given;
    int status = settings->application ? ct_tune_application_check(arguments, error) : CT_OK;
    for (size_t i = 0; status == CT_OK && i < STEPS; i++)
        status = (i == LEARN ? prepare_learning : ct_tune_step_prepare)(&settings->calls[i], settings->folder,
                                                                        arguments, error);
    if (status != CT_OK)
        return status;
    const struct ct_tune_runs runs = runs_of(settings);
    status = ct_modes_check(settings->modes, arguments, error);
    for (int mode = 0; status == CT_OK && mode < CT_MODES; mode++)
        status = ct_tune_step_replace(&settings->calls[MEASURE + mode], "output",
                                      ct_tune_runs_path(&runs, (enum ct_call_mode)mode), error);
    if (status != CT_OK)
        return status;
    if (settings->application &&
        (status = ct_tune_application_add(&settings->calls[PROFILE], settings->application)) == CT_OK)
        status = ct_tune_application_add(&settings->calls[TRY], settings->application);
    return status;
}

const struct ct_command ct_command_tune = {
    .name = "tune",
    .text = "do everything: measure, learn, build, validate, report",
    .usage = "-o DIR",
    .about = "Does everything: measures, learns, scores, builds the tuned library, validates it against "
             "native, and makes a report. Cells where validation finds the library slower than native are "
             "measured again, and the steps are repeated; a quarter of --budget is kept for this. Where the "
             "library is still slower when that time is up, the table takes native. Several modes of calls "
             "share --budget. Each step is shown as a command that could be typed, with the options below "
             "that apply to it. Results "
             "that exist already are kept: the same command continues a tuning that was stopped. With "
             "--application only what that application calls is measured, and its own gain is printed with a "
             "confidence interval.",
    .notes = "Results in DIR: run/ (samples; those of several modes also in run.MODE/), table.xml "
             "(decisions), library/ (to link or preload), "
             "validation.csv, report/index.html.\n\n"
             "Examples:\n"
             "  colltune tune -o tuned\n"
             "  colltune tune -o cluster --launcher mpiexec --hostfile hosts --ppn 4 \\\n      --comm-sizes "
             "2-32 --sync window\n"
             "  colltune tune -o all-modes --mode blocking,nonblocking,persistent\n"
             "  colltune tune -o app-tuned --application 'mpiexec -n 4 ./app' --budget 5m\n"
             "  colltune tune -o simulated --simulate ethernet100 --comm-sizes 2-28\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .begin = begin,
    .end = end,
    .check = check,
    .run = run,
};
