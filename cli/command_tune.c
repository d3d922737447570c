/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/gains.h"
#include "decision/table.h"
#include "measure/backend/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MAX = 2, VALUES_MAX = 2 };

/* A command that tune runs, and how. */
struct step {
    const struct ct_command *command;
    const char *heading; /* in the help, over the options that come from here; NULL: the command's own */
    const char *const *withheld; /* options that are not offered, because tune sets them, or a step before
                                    has the same name for something else; ended by NULL */
    bool own_options;            /* offers only those that the command does not share with others */
    const char *makes;           /* below the folder; the step is skipped if this exists; NULL: it never is */
    const char *words[WORDS_MAX + 1]; /* arguments, below the folder */
    struct {
        const char *name;
        const char *value;
    } values[VALUES_MAX]; /* options that tune sets to paths below the folder */
};

#define WITHHELD(...)                                                                                        \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }

static const struct step steps[] = {
    {.command = &ct_command_measure, .withheld = WITHHELD("output", "resume"), .values = {{"output", "run"}}},
    {.command = &ct_command_learn,
     .heading = "Learning",
     .withheld = WITHHELD("output", "collective"),
     .makes = "table.xml",
     .words = {"run"},
     .values = {{"output", "table.xml"}}},
    {.command = &ct_command_score,
     .heading = "Score",
     .withheld = WITHHELD("format", "collective", "cross-validate"),
     .own_options = true,
     .words = {"table.xml", "run"}},
    {.command = &ct_command_build,
     .heading = "Library",
     .withheld = WITHHELD("output", "replace"),
     .makes = "library/lib/libcolltuned.a",
     .words = {"table.xml"},
     .values = {{"output", "library"}}},
    {.command = &ct_command_validate,
     .heading = "Validation",
     .withheld = WITHHELD("output", "format", "comm-sizes", "msg-sizes", "timeout"),
     .makes = "validation.csv",
     .words = {"library"},
     .values = {{"output", "validation.csv"}}},
    {.command = &ct_command_report,
     .heading = "Report",
     .withheld = WITHHELD("output", "validation"),
     .makes = "report/index.html",
     .words = {"run", "table.xml"},
     .values = {{"output", "report"}, {"validation", "validation.csv"}}},
};

enum { STEPS = sizeof steps / sizeof steps[0] };

/* A step as it is run. */
struct call {
    void *settings;
    const struct ct_binding *bindings; /* its part of tune's */
    size_t binding_count;
    char *words[WORDS_MAX + 1];
    size_t word_count;
    char *values[VALUES_MAX];
    char *sizes[2];         /* of validation: communicators and messages */
    struct ct_given *given; /* those of tune's options that it takes */
    size_t given_count;
};

struct settings {
    const char *folder;
    bool verbose;
    struct call calls[STEPS];
};

static const struct ct_option options[] = {
    {"output", 'o', "DIR", CT_OPTION_TEXT, offsetof(struct settings, folder), .required = true,
     .text = "write all results into this folder"},
    {"verbose", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, verbose),
     .text = "print what the steps print, instead of writing it to tune.log in that folder"},
    {0},
};

static int begin(void *given, struct ct_bindings *bindings)
{
    struct settings *settings = given;
    for (size_t i = 0; i < STEPS; i++) {
        struct call *call = &settings->calls[i];
        size_t first = bindings->count;
        int status = ct_settings_new(steps[i].command, bindings, &call->settings);
        if (status != CT_OK)
            return status;
        if (steps[i].own_options)
            bindings->count = first + 1;
        call->bindings = &bindings->items[first];
        call->binding_count = bindings->count - first;
        for (size_t b = first; b < bindings->count; b++) {
            bindings->items[b].withheld = steps[i].withheld;
            bindings->items[b].heading = steps[i].heading;
        }
    }
    return CT_OK;
}

static void end(void *given)
{
    struct settings *settings = given;
    for (size_t i = 0; i < STEPS; i++) {
        struct call *call = &settings->calls[i];
        if (call->settings)
            ct_settings_free(steps[i].command, call->settings);
        for (size_t w = 0; w < WORDS_MAX; w++)
            free(call->words[w]);
        for (size_t v = 0; v < VALUES_MAX; v++)
            free(call->values[v]);
        free(call->sizes[0]);
        free(call->sizes[1]);
        free(call->given);
    }
}

static bool takes(const struct call *call, const char *name)
{
    for (size_t i = 0; i < call->binding_count; i++)
        if (ct_binding_find(&call->bindings[i], name))
            return true;
    return false;
}

/* Sets an option of the step itself. */
static int set(const struct step *step, struct call *call, const char *name, const char *value,
               struct ct_error *error)
{
    return ct_option_read(ct_option_find(step->command->options, name), value, call->settings, error);
}

static struct ct_arguments arguments_of(const struct call *call)
{
    return (struct ct_arguments){(const char *const *)call->words, call->word_count, call->given,
                                 call->given_count};
}

/* Prepares a step, and checks its options. */
static int prepare(const struct step *step, struct call *call, const char *folder,
                   const struct ct_arguments *arguments, struct ct_error *error)
{
    for (; step->words[call->word_count]; call->word_count++)
        if (!(call->words[call->word_count] = ct_format("%s/%s", folder, step->words[call->word_count])))
            return CT_E_MEMORY;
    for (size_t i = 0; i < VALUES_MAX && step->values[i].name; i++) {
        call->values[i] = ct_format("%s/%s", folder, step->values[i].value);
        int status =
            call->values[i] ? set(step, call, step->values[i].name, call->values[i], error) : CT_E_MEMORY;
        if (status != CT_OK)
            return status;
    }
    call->given = ct_allocate(arguments->given_count + 1, sizeof *call->given);
    if (!call->given)
        return CT_E_MEMORY;
    for (size_t i = 0; i < arguments->given_count; i++)
        if (takes(call, arguments->given[i].option->name))
            call->given[call->given_count++] = arguments->given[i];
    const struct ct_arguments own = arguments_of(call);
    return step->command->check ? step->command->check(call->settings, &own, error) : CT_OK;
}

static bool exists(const char *folder, const char *what)
{
    char *path = ct_format("%s/%s", folder, what);
    bool found = path && access(path, F_OK) == 0;
    free(path);
    return found;
}

static void show_word(const char *word)
{
    fprintf(stderr, strpbrk(word, " '\"{}*$\\;&|<>") || !*word ? " '%s'" : " %s", word);
}

static void show_option(const char *name, const char *value)
{
    fprintf(stderr, " --%s", name);
    if (value)
        show_word(value);
}

/* Prints the step as it could be typed. */
static void show(const struct step *step, const struct call *call, bool resumes, bool simulates)
{
    fprintf(stderr, "$ colltune %s", step->command->name);
    for (size_t i = 0; call->words[i]; i++)
        show_word(call->words[i]);
    for (size_t i = 0; i < VALUES_MAX && call->values[i]; i++)
        show_option(step->values[i].name, call->values[i]);
    for (size_t i = 0; i < call->given_count; i++)
        show_option(call->given[i].option->name, call->given[i].word);
    if (call->sizes[0]) {
        show_option("comm-sizes", call->sizes[0]);
        show_option("msg-sizes", call->sizes[1]);
    }
    if (resumes)
        show_option("resume", NULL);
    if (simulates)
        show_option("mpi", "smpi");
    fputc('\n', stderr);
}

/* At most `most` of the sizes, evenly from the first to the last, as a list. The caller frees it. */
static char *some_sizes(const size_t *sizes, size_t count, size_t most)
{
    struct ct_text list = {0};
    size_t taken = count < most ? count : most;
    for (size_t i = 0; i < taken; i++)
        ct_text_append(&list, "%s%zu", i > 0 ? "," : "",
                       sizes[taken > 1 ? i * (count - 1) / (taken - 1) : count - 1]);
    return list.failed ? NULL : list.data;
}

/* Validation takes some of the measured sizes: all would take longer than the sweep, and others say nothing
 * of what was measured. The settings point into the two lists. */
static int set_sizes(const struct step *step, struct call *call, const char *folder, struct ct_error *error)
{
    enum { COMM_SIZES_MOST = 3, MSG_SIZES_MOST = 4 };
    char *path = ct_format("%s/run", folder);
    struct ct_run run;
    int status = path ? ct_run_read(path, false, error, &run) : CT_E_MEMORY;
    free(path);
    if (status != CT_OK)
        return status;
    const struct ct_run_description *description = &run.description;
    call->sizes[0] = some_sizes(description->comm_sizes, description->comm_size_count, COMM_SIZES_MOST);
    call->sizes[1] = some_sizes(description->msg_sizes, description->msg_size_count, MSG_SIZES_MOST);
    ct_run_free(&run);
    if (!call->sizes[0] || !call->sizes[1])
        return CT_E_MEMORY;
    status = set(step, call, "comm-sizes", call->sizes[0], error);
    return status == CT_OK ? set(step, call, "msg-sizes", call->sizes[1], error) : status;
}

static int run_step(const struct step *step, struct call *call, const struct settings *settings,
                    bool simulated, struct ct_error *error)
{
    bool resumes = step->command == &ct_command_measure && exists(settings->folder, "run/run.xml");
    bool simulates = step->command == &ct_command_build && simulated;
    int status = resumes ? set(step, call, "resume", NULL, error) : CT_OK;
    if (status == CT_OK && simulates)
        status = set(step, call, "mpi", "smpi", error);
    if (status == CT_OK && step->command == &ct_command_validate)
        status = set_sizes(step, call, settings->folder, error);
    /* it takes long, and the validation says what a user gets */
    if (status == CT_OK && step->command == &ct_command_score)
        status = set(step, call, "cross-validate", "none", error);
    if (status != CT_OK)
        return status;
    const struct ct_arguments own = arguments_of(call);
    show(step, call, resumes, simulates);
    if (settings->verbose) {
        status = step->command->run(call->settings, &own, error);
        fflush(stdout);
        return status;
    }
    char *log = ct_format("%s/tune.log", settings->folder);
    status = log ? ct_output_divert(log, error) : CT_E_MEMORY;
    free(log);
    if (status != CT_OK)
        return status;
    show(step, call, resumes, simulates);
    status = step->command->run(call->settings, &own, error);
    ct_output_restore();
    return status;
}

/* Removes what was made of the run, if the run has changed since. */
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
    static const char *const made[] = {"table.xml", "library", "validation.csv", "report"};
    for (size_t i = 0; !same && status == CT_OK && i < sizeof made / sizeof made[0]; i++) {
        char *old = ct_format("%s/%s", folder, made[i]);
        status = old ? ct_remove_all(old, error) : CT_E_MEMORY;
        free(old);
    }
done:
    ct_table_free(&table);
    ct_run_free(&run);
    free(path);
    free(table_path);
    return status;
}

/* Prints the last lines. */
static int tell(const char *folder, bool simulated, struct ct_error *error)
{
    char *path = ct_format("%s/run", folder), *points = ct_format("%s/validation.csv", folder);
    struct ct_run run = {0};
    struct ct_validation validation = {0};
    struct ct_sweep_grid grid = {0};
    struct ct_text text = {0};
    int status = CT_E_MEMORY;
    if (!path || !points || (status = ct_run_read(path, false, error, &run)) != CT_OK ||
        (status = ct_validation_read(points, error, &validation)) != CT_OK ||
        (status = ct_sweep_grid_make(&run.description, simulated, error, &grid)) != CT_OK ||
        (status = ct_sweep_grid_mark_done(&grid, &run)) != CT_OK)
        goto done;
    ct_gains_tell(&validation, &grid, simulated ? SIZE_MAX : ct_usable_cpus(), &text);
    if (grid.cells_done < grid.cell_count)
        ct_text_append(&text, "Measure more: the same command with --budget TIME.\n");
    ct_text_append(&text, "Report: %s/report/index.html\n", folder);
    if (!simulated)
        ct_text_append(&text, "Use it: LD_PRELOAD=%s%s/library/lib/libcolltuned.so %s -n 4 ./app\n",
                       *folder == '/' ? "" : "$PWD/", folder, run.description.launcher);
    if (text.failed)
        status = CT_E_MEMORY;
    else
        fputs(text.data, stdout);
done:
    ct_text_free(&text);
    ct_sweep_grid_free(&grid);
    ct_validation_free(&validation);
    ct_run_free(&run);
    free(path);
    free(points);
    return status;
}

static bool is_complete(const char *folder)
{
    for (size_t i = 0; i < STEPS; i++)
        if (steps[i].makes && !exists(folder, steps[i].makes))
            return false;
    return true;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    struct settings settings = *(const struct settings *)given;
    struct ct_error why = {""};
    bool simulated = ct_is_given(arguments, "simulate");
    size_t i = 0;
    int status = ct_folder_make(settings.folder, error);
    if (status != CT_OK)
        return status;
    const volatile sig_atomic_t *stopped = ct_catch_stop();
    if (is_complete(settings.folder) && (status = forget_old(settings.folder, error)) != CT_OK)
        return status;
    /* Once all is there, the sweep goes on only if it is given more time. */
    if (is_complete(settings.folder) && !ct_is_given(arguments, "budget"))
        return tell(settings.folder, simulated, error);
    for (i = 0; status == CT_OK && i < STEPS; i++) {
        if (!steps[i].makes || !exists(settings.folder, steps[i].makes))
            status =
                *stopped ? CT_E_STOPPED : run_step(&steps[i], &settings.calls[i], &settings, simulated, &why);
        if (status == CT_OK && i == 0 && exists(settings.folder, "table.xml"))
            status = forget_old(settings.folder, &why);
    }
    if (status != CT_OK)
        return ct_fail(error, status, "%s: %s", steps[i - 1].command->name, ct_failure(status, &why));
    return tell(settings.folder, simulated, error);
}

/* Prepares all steps, so that a wrong option is found before anything is measured. */
static int check(void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    struct settings *settings = given;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < STEPS; i++)
        status = prepare(&steps[i], &settings->calls[i], settings->folder, arguments, error);
    return status;
}

const struct ct_command ct_command_tune = {
    .name = "tune",
    .text = "do everything: measure, learn, build, validate, report",
    .usage = "-o DIR",
    .about = "Does everything: measures, learns, scores, builds the tuned library, validates it against "
             "native, and makes a report. Each step is shown as a command that could be typed, with those of "
             "the options below that it takes. Results that exist already are kept: the same command "
             "continues a tuning that was stopped.",
    .notes = "Results in DIR: run/ (samples), table.xml (decisions), library/ (to link or preload), "
             "validation.csv, report/index.html.\n\n"
             "Examples:\n"
             "  colltune tune -o tuned\n"
             "  colltune tune -o cluster --launcher mpiexec --hostfile hosts --ppn 4 \\\n      --comm-sizes "
             "2-32 --sync window\n"
             "  colltune tune -o simulated --simulate ethernet100 --comm-sizes 2-28\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .begin = begin,
    .end = end,
    .check = check,
    .run = run,
};
