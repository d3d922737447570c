/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/memory.h"
#include "cli/learn_options.h"
#include "cli/tune_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An option that was given, as it is handed on. */
struct option_given {
    const char *name;  /* "comm-sizes" */
    const char *value; /* NULL where it takes none */
};

enum { OPTIONS_MAX = 64, WORDS_MAX = 2 * OPTIONS_MAX + 16 };

struct arguments {
    const struct argp_option *options;
    const char *folder;
    bool simulated;
    struct option_given given[OPTIONS_MAX];
    size_t given_count;
};

static const struct argp_option own_options[] = {{"output", 'o', "DIR", 0, "folder for all results", 0}, {0}};

/* Validation has sizes of its own: those that are measured may be many. */
static const struct ct_tune_step steps[] = {
    {&ct_command_measure, NULL, " output resume ", NULL, {"-o", "%s/run", NULL}, NULL},
    {&ct_command_learn,
     "Learning:",
     " output collective ",
     "table.xml",
     {"%s/run", "-o", "%s/table.xml", NULL},
     ct_learn_argp_options},
    {&ct_command_score,
     "Score:",
     " format collective cross-validate ",
     NULL,
     {"%s/table.xml", "%s/run", NULL},
     NULL},
    {&ct_command_build,
     "Library:",
     " output replace ",
     "library/lib/libcolltuned.a",
     {"%s/table.xml", "-o", "%s/library", NULL},
     NULL},
    {&ct_command_validate,
     "Validation:",
     " output format comm-sizes msg-sizes timeout ",
     "validation.csv",
     {"%s/library", "-o", "%s/validation.csv", NULL},
     NULL},
    {&ct_command_report,
     "Report:",
     " output validation ",
     "report/index.html",
     {"%s/run", "%s/table.xml", "-o", "%s/report", "--validation", "%s/validation.csv", NULL},
     NULL},
};

enum { STEPS = sizeof steps / sizeof steps[0] };

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    const struct argp_option *option;
    switch (key) {
    case 'o':
        arguments->folder = argument;
        return 0;
    case ARGP_KEY_ARG:
        ct_usage(state, "unexpected argument '%s'", argument);
    case ARGP_KEY_END:
        if (!arguments->folder)
            ct_usage(state, "expected -o DIR");
        return 0;
    }
    option = ct_tune_option_find(arguments->options, key);
    if (!option)
        return ARGP_ERR_UNKNOWN;
    if (arguments->given_count == OPTIONS_MAX)
        ct_usage(state, "too many options");
    arguments->given[arguments->given_count++] = (struct option_given){option->name, argument};
    arguments->simulated = arguments->simulated || strcmp(option->name, "simulate") == 0;
    return 0;
}

static const char text[] =
    "Does all of it: measures, learns, scores, generates the decision functions, builds the tuned library, "
    "validates it against native, and makes a report. Each command is shown as it could be typed, with those "
    "of the options below that it takes. What is there already is kept and gone on with: a tuning that was "
    "stopped is finished by the same command.\v"
    "Results in DIR: run/ (samples), table.xml (decisions), library/ (to link or preload), validation.csv, "
    "report/index.html.\n\n"
    "Examples:\n"
    "  colltune tune -o tuned\n"
    "  colltune tune -o cluster --launcher mpiexec --hostfile hosts --ppn 4 \\\n      --comm-sizes 2-32 "
    "--sync window\n"
    "  colltune tune -o simulated --simulate ethernet100 --comm-sizes 2-28\n";

/* A command line in the making. */
struct line {
    char *words[WORDS_MAX];
    int count;
    bool failed;
};

static void add(struct line *line, char *word)
{
    if (!word || line->count + 1 == WORDS_MAX) {
        free(word);
        line->failed = true;
        return;
    }
    line->words[line->count++] = word;
    line->words[line->count] = NULL;
}

/* Adds the step's words, in which %s is the folder, then the options that its command takes. */
static void add_all(struct line *line, const struct arguments *arguments, const struct ct_tune_step *step)
{
    for (const char *const *words = step->words; *words; words++) {
        const char *hole = strstr(*words, "%s");
        add(line, hole ? ct_format("%.*s%s%s", (int)(hole - *words), *words, arguments->folder, hole + 2)
                       : strdup(*words));
    }
    for (size_t i = 0; i < arguments->given_count; i++)
        if (ct_tune_step_takes(step, arguments->given[i].name)) {
            add(line, ct_format("--%s", arguments->given[i].name));
            if (arguments->given[i].value)
                add(line, strdup(arguments->given[i].value));
        }
}

static void show(const char *name, const struct line *line)
{
    fprintf(stderr, "$ colltune %s", name);
    for (int i = 1; i < line->count; i++) {
        bool plain = strpbrk(line->words[i], " '\"{}*$\\;&|<>") == NULL && *line->words[i];
        fprintf(stderr, plain ? " %s" : " '%s'", line->words[i]);
    }
    fputc('\n', stderr);
}

static bool exists(const struct arguments *arguments, const char *what)
{
    char *path = ct_format("%s/%s", arguments->folder, what);
    bool found = path && access(path, F_OK) == 0;
    free(path);
    return found;
}

static int run_step(const struct arguments *arguments, const struct ct_tune_step *step)
{
    if (step->makes && exists(arguments, step->makes))
        return CT_EXIT_OK;
    struct line line = {0};
    add(&line, ct_format("colltune %s", step->command->name));
    add_all(&line, arguments, step);
    if (step->command == &ct_command_measure && exists(arguments, "run/run.xml"))
        add(&line, strdup("--resume"));
    if (step->command == &ct_command_build && arguments->simulated) {
        add(&line, strdup("--mpi"));
        add(&line, strdup("smpi"));
    }
    int code = CT_EXIT_NO;
    if (!line.failed) {
        show(step->command->name, &line);
        code = step->command->run(line.count, line.words);
    }
    for (int i = 0; i < line.count; i++)
        free(line.words[i]);
    return code;
}

static int run_all(const struct arguments *arguments)
{
    struct ct_error error = {0};
    int status = ct_folder_make(arguments->folder, &error);
    if (status != CT_OK)
        return ct_command_fail("tune", status, &error);
    const volatile sig_atomic_t *stopped = ct_catch_stop();
    for (size_t i = 0; i < STEPS; i++) {
        int code = *stopped ? ct_command_fail("tune", CT_E_STOPPED, NULL) : run_step(arguments, &steps[i]);
        if (code != CT_EXIT_OK)
            return code;
        fflush(stdout);
    }
    fprintf(stderr, "colltune tune: tuned library in %s/library, report in %s/report/index.html\n",
            arguments->folder, arguments->folder);
    return CT_EXIT_OK;
}

static int run(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct argp_option *options;
    int status = ct_tune_options_make(own_options, steps, STEPS, &options);
    if (status != CT_OK)
        return ct_command_fail("tune", status, NULL);
    const struct argp argp = {.options = options, .parser = parse, .doc = text};
    arguments.options = options;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    int code = run_all(&arguments);
    free(options);
    return code;
}

const struct ct_command ct_command_tune = {"tune", "all of it: measure, learn, build, validate, report", run,
                                           NULL};
