/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/number.h"
#include "c45/c45_files.h"
#include "c45/c45_program.h"
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct arguments {
    struct ct_c45_program program;
    size_t trials; /* where there are windows */
    bool unseen;
    bool any;            /* is there any option? */
    struct ct_text said; /* a line for each but -b, in the order given */
};

static const struct argp_option options[] = {
    {"stem", 'f', "STEM", 0, "read STEM.names and STEM.data (default DF)", 0},
    {"unseen", 'u', NULL, 0, "evaluate the trees on STEM.test too", 0},
    {"subsets", 's', NULL, 0, "branches for groups of values", 0},
    {"gain", 'g', NULL, 0, "choose tests by gain, not by gain ratio", 0},
    {"min-cases", 'm', "M", 0, "a sensible test has two branches of at least M cases (2)", 0},
    {"confidence", 'c', "P", 0, "prune with a confidence of P percent; less prunes more (25)", 0},
    {"soft", 'p', NULL, 0, "bounds around thresholds within which a case may lie on either side", 0},
    {"trials", 't', "N", 0, "grow N trees from windows and take the best", 0},
    {"window", 'w', "W", 0, "cases in the first window; with windows, 10 trials unless -t says", 0},
    {"increment", 'i', "I", 0, "most cases that a window grows by; likewise", 0},
    {"verbosity", 'v', "N", 0, "1: tell of every node and what pruning weighs; 2: and of every attribute", 0},
    {"batch", 'b', NULL, 0, "one tree, from all cases (default)", 0},
    {0},
};

enum { TRIALS = 10, VERBOSITY_MAX = 2 };

static size_t whole(const struct argp_state *state, const char *option, const char *word, size_t most)
{
    size_t number;
    if (ct_whole_parse(word + (*word == '+'), most, &number) != CT_OK || number == 0)
        ct_usage(state, "%s '%s': expected a whole number from 1 to %zu", option, word, most);
    return number;
}

/* As C4.5 takes it: ".5" and "5." too. */
static double confidence_of(const struct argp_state *state, const char *word)
{
    char *end;
    double percent = strtod(word, &end);
    if (word[strspn(word, "+.eE-0123456789")] || *end || !(percent >= 0.001 && percent <= 100))
        ct_usage(state, "--confidence '%s': expected a number of percent from 0.001 to 100", word);
    return (double)(float)percent;
}

/* Options about windows ask for them; of these and -b the last one holds, and -b forgets no number. */
static void use_windows(struct arguments *arguments)
{
    arguments->program.trials = arguments->trials;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct ct_c45_program *program = &arguments->program;
    struct ct_text *said = &arguments->said;
    ct_text_append(said, "%s", "");
    switch (key) {
    case 'f':
        program->stem = argument;
        ct_text_append(said, "\tFile stem <%s>\n", argument);
        return 0;
    case 'u':
        arguments->unseen = true;
        ct_text_append(said, "\tTrees evaluated on unseen cases\n");
        return 0;
    case 's':
        program->learn.subsets = true;
        ct_text_append(said, "\tTests on discrete attribute groups\n");
        return 0;
    case 'g':
        program->learn.gain_alone = true;
        ct_text_append(said, "\tGain criterion used\n");
        return 0;
    case 'm':
        program->learn.least = whole(state, "--min-cases", argument, CT_C45_LEAST_MAX);
        ct_text_append(said, "\tSensible test requires 2 branches with >=%zu cases\n", program->learn.least);
        return 0;
    case 'c':
        program->learn.confidence = confidence_of(state, argument);
        ct_text_append(said, "\tPruning confidence level %g%%\n", program->learn.confidence);
        return 0;
    case 'p':
        program->soft = true;
        ct_text_append(said, "\tProbability thresholds used\n");
        return 0;
    case 't':
        arguments->trials = whole(state, "--trials", argument, CT_C45_TRIALS_MAX);
        use_windows(arguments);
        ct_text_append(said, "\tWindowing enabled with %zu trials\n", program->trials);
        return 0;
    case 'w':
        use_windows(arguments);
        program->window = whole(state, "--window", argument, CT_C45_CASES_MAX);
        ct_text_append(said, "\tInitial window size of %zu items\n", program->window);
        return 0;
    case 'i':
        use_windows(arguments);
        program->increment = whole(state, "--increment", argument, CT_C45_CASES_MAX);
        ct_text_append(said, "\tMaximum window increment of %zu items\n", program->increment);
        return 0;
    case 'v':
        if (ct_whole_parse(argument, VERBOSITY_MAX, &program->verbosity) != CT_OK)
            ct_usage(state, "--verbosity '%s': expected 0 to %d", argument, VERBOSITY_MAX);
        ct_text_append(said, "\tVerbosity level %zu\n", program->verbosity);
        return 0;
    case 'b':
        program->trials = 0;
        return 0;
    case ARGP_KEY_ARG:
        argument = ct_argument_of(state, argument, 0);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Learns a decision tree by C4.5 from STEM.names and STEM.data, and prints it as C4.5 Release 8 does: "
    "the same report from its third line on, byte for byte.\v"
    "Written anew, without these defects of Release 8: cuts whose middle is rounded up to the number above; "
    "a sort of quadratic time that runs out of stack; -999 taken for unknown; names cut short or written "
    "beyond their room; a bound of -m forgotten after -s has met nothing but unknown values. Values and "
    "classes that .names does not know are errors, with file and line. It writes no STEM.tree and no "
    "STEM.unpruned.\n\n"
    "Examples:\n"
    "  colltune c45 -f golf\n"
    "  colltune c45 -f bcast -u -m 4 -c 10 > bcast.report\n",
    NULL,
    NULL,
    NULL};

/* What is read; freed whole. */
struct input {
    struct ct_c45_names names;
    struct ct_c45_cases cases;
    struct ct_c45_cases tests;
};

static int read_input(const struct arguments *arguments, struct ct_error *error, struct input *input)
{
    const char *stem = arguments->program.stem;
    char *names = ct_format("%s.names", stem), *data = ct_format("%s.data", stem);
    char *test = ct_format("%s.test", stem);
    int status = names && data && test ? CT_OK : ct_fail(error, CT_E_MEMORY, "out of memory");
    if (status == CT_OK)
        status = ct_c45_names_read(names, error, &input->names);
    if (status == CT_OK)
        status = ct_c45_cases_read(data, true, &input->names, error, &input->cases);
    if (status == CT_OK && arguments->unseen)
        status = ct_c45_cases_read(test, false, &input->names, error, &input->tests);
    free(names);
    free(data);
    free(test);
    return status;
}

/* The head of the report: what it is, when, and with which options. */
static void begin_report(const struct arguments *arguments, struct ct_text *report)
{
    time_t now = time(NULL);
    char date[32];
    ctime_r(&now, date);
    ct_text_append(report, "\nC4.5 [release 8] decision tree generator\t%s", date);
    ct_text_append(report, "----------------------------------------\n");
    if (arguments->any)
        ct_text_append(report, "\n    Options:\n%s", arguments->said.data);
}

static int run_c45(int argc, char **argv)
{
    struct arguments arguments = {.program = {.stem = "DF", .learn = ct_c45_standard}, .trials = TRIALS};
    arguments.any = argc > 1;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_error error = {""};
    struct ct_text report = {0};
    struct input input = {0};
    int status = read_input(&arguments, &error, &input);
    if (status == CT_OK) {
        begin_report(&arguments, &report);
        status = ct_c45_report(&input.names, &input.cases, arguments.unseen ? &input.tests : NULL,
                               &arguments.program, &error, &report);
    }
    if (status == CT_OK)
        fwrite(report.data, 1, report.length, stdout);
    ct_text_free(&report);
    ct_text_free(&arguments.said);
    ct_c45_cases_free(&input.cases);
    ct_c45_cases_free(&input.tests);
    ct_c45_names_free(&input.names);
    return ct_command_end("c45", status, &error);
}

const struct ct_command ct_command_c45 = {"c45", "a decision tree by C4.5", run_c45, options};
