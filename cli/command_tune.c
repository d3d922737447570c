/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/memory.h"
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Options that are handed on to the commands that know them. */
enum handed_on { OF_MEASURE = 1, OF_LEARN = 2, OF_BUILD = 4, OF_VALIDATE = 8 };

struct option_given {
    const char *name;  /* "--comm-sizes" */
    const char *value; /* NULL where it takes none */
    unsigned commands;
};

enum { OPTIONS_MAX = 32, WORDS_MAX = 64 };

struct arguments {
    const char *folder;
    bool simulated;
    struct option_given given[OPTIONS_MAX];
    size_t given_count;
};

static const struct argp_option options[] = {
    {"output", 'o', "DIR", 0, "folder for all results", 0},
    {"collectives", 'c', "LIST", 0, "collectives (all)", 0},
    {"comm-sizes", 0x100, "LIST", 0, "communicator sizes to measure", 0},
    {"msg-sizes", 0x101, "LIST", 0, "message sizes to measure", 0},
    {"methods", 0x102, "LIST", 0, "methods to measure", 0},
    {"launcher", 0x103, "COMMAND", 0, "starts the ranks", 0},
    {"simulate", 0x104, "PLATFORM", 0, "tune a simulated machine", 0},
    {"mpi", 0x105, "NAME", 0, "MPI to tune: mpich (default) or openmpi", 0},
    {"cc", 0x106, "MPICC", 0, "its compiler wrapper", 0},
    {"budget", 'b', "TIME", 0, "time for measuring", 0},
    {"guided", 0x10b, NULL, 0, "measure where it matters alone", 0},
    {"exhaustive", 0x10c, NULL, 0, "measure all cells, whatever the budget", 0},
    {"launches", 0x107, "N", 0, "times to start and measure all", 0},
    {"learner", 0x108, "NAME", 0, "learner of the decision trees", 0},
    {"max-depth", 0x109, "N", 0, "levels of their tests at most", 0},
    {"threshold", 0x10a, "PERCENT", 0, "agreement at which a region is not split further", 0},
    {"features", 0x10d, "LIST", 0, "what the decision trees test", 0},
    {"feature", 0x10e, "NAME=FORMULA", 0, "this, too", 0},
    {0},
};

static const struct {
    int key;
    unsigned commands;
} routes[] = {
    {'c', OF_MEASURE | OF_VALIDATE},
    {0x100, OF_MEASURE},
    {0x101, OF_MEASURE},
    {0x102, OF_MEASURE},
    {0x103, OF_MEASURE | OF_VALIDATE},
    {0x104, OF_MEASURE | OF_VALIDATE},
    {0x105, OF_MEASURE | OF_BUILD},
    {0x106, OF_MEASURE | OF_BUILD},
    {'b', OF_MEASURE},
    {0x10b, OF_MEASURE},
    {0x10c, OF_MEASURE},
    {0x107, OF_MEASURE},
    {0x108, OF_LEARN},
    {0x109, OF_LEARN},
    {0x10a, OF_LEARN},
    {0x10d, OF_LEARN},
    {0x10e, OF_LEARN},
};

static const char *name_of(int key)
{
    for (const struct argp_option *option = options; option->name; option++)
        if (option->key == key)
            return option->name;
    return NULL;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (key == 'o') {
        arguments->folder = argument;
        return 0;
    }
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        if (routes[i].key != key)
            continue;
        if (arguments->given_count == OPTIONS_MAX)
            ct_usage(state, "too many options");
        arguments->given[arguments->given_count++] =
            (struct option_given){name_of(key), argument, routes[i].commands};
        arguments->simulated = arguments->simulated || strcmp(name_of(key), "simulate") == 0;
        return 0;
    }
    switch (key) {
    case ARGP_KEY_ARG:
        ct_usage(state, "unexpected argument '%s'", argument);
    case ARGP_KEY_END:
        if (!arguments->folder)
            ct_usage(state, "expected -o DIR");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Does all of it: measures, learns, scores, generates the decision functions, builds the tuned library, "
    "validates "
    "it against native, and makes a report. Each command is shown as it could be typed. What is there "
    "already is kept "
    "and gone on with: a tuning that was stopped is finished by the same command.\v"
    "Results in DIR: run/ (samples), table.xml (decisions), library/ (to link or preload), validation.csv, "
    "report/index.html.\n\n"
    "Examples:\n  colltune tune -o tuned\n  colltune tune -o simulated --simulate ethernet100 --comm-sizes "
    "2-28\n",
    NULL,
    NULL,
    NULL};

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

/* Adds the options meant for `command`, then the words, in which %s is the folder. */
static void add_all(struct line *line, const struct arguments *arguments, unsigned command,
                    const char *const *words)
{
    for (; *words; words++) {
        const char *hole = strstr(*words, "%s");
        add(line, hole ? ct_format("%.*s%s%s", (int)(hole - *words), *words, arguments->folder, hole + 2)
                       : strdup(*words));
    }
    for (size_t i = 0; i < arguments->given_count; i++)
        if (arguments->given[i].commands & command) {
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

/* One step: what it leaves behind, and the command that makes it. */
struct step {
    const struct ct_command *command;
    const char *makes; /* below the folder; a step whose product is there is passed over; NULL: always done */
    unsigned options;
    const char *const words[8];
};

static const struct step steps[] = {
    {&ct_command_measure, NULL, OF_MEASURE, {"-o", "%s/run", NULL}},
    {&ct_command_learn, "table.xml", OF_LEARN, {"%s/run", "-o", "%s/table.xml", NULL}},
    {&ct_command_score, NULL, 0, {"%s/table.xml", "%s/run", NULL}},
    {&ct_command_build, "library/lib/libcolltuned.a", OF_BUILD, {"%s/table.xml", "-o", "%s/library", NULL}},
    {&ct_command_validate, "validation.csv", OF_VALIDATE, {"%s/library", "-o", "%s/validation.csv", NULL}},
    {&ct_command_report,
     "report/index.html",
     0,
     {"%s/run", "%s/table.xml", "-o", "%s/report", "--validation", "%s/validation.csv", NULL}},
};

static bool exists(const struct arguments *arguments, const char *what)
{
    char *path = ct_format("%s/%s", arguments->folder, what);
    bool found = path && access(path, F_OK) == 0;
    free(path);
    return found;
}

static int run_step(const struct arguments *arguments, const struct step *step)
{
    if (step->makes && exists(arguments, step->makes))
        return CT_EXIT_OK;
    struct line line = {0};
    add(&line, ct_format("colltune %s", step->command->name));
    add_all(&line, arguments, step->options, step->words);
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

static int run(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct ct_error error = {0};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    int status = ct_folder_make(arguments.folder, &error);
    if (status != CT_OK)
        return ct_command_fail("tune", status, &error);
    const volatile sig_atomic_t *stopped = ct_catch_stop();
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        int code = *stopped ? ct_command_fail("tune", CT_E_STOPPED, NULL) : run_step(&arguments, &steps[i]);
        if (code != CT_EXIT_OK)
            return code;
        fflush(stdout);
    }
    fprintf(stderr, "colltune tune: tuned library in %s/library, report in %s/report/index.html\n",
            arguments.folder, arguments.folder);
    return CT_EXIT_OK;
}

const struct ct_command ct_command_tune = {"tune", "all of it: measure, learn, build, validate, report", run};
