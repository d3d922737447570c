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

struct settings {
    struct ct_c45_program program;
    size_t trials; /* if there are windows */
    bool unseen;
    bool batch;
};

/* Reads a whole number as C4.5 does: "+3", too. */
static int read_whole(const struct ct_option *option, const char *word, void *settings,
                      struct ct_error *error)
{
    size_t number;
    if (ct_whole_parse(word + (*word == '+'), (size_t)option->most, &number) != CT_OK || number == 0)
        return ct_fail(error, CT_E_INPUT, "--%s '%.80s': expected a whole number from 1 to %.0f",
                       option->name, word, option->most);
    memcpy((char *)settings + option->offset, &number, sizeof number);
    return CT_OK;
}

/* As C4.5 does: ".5" and "5.", too, in single precision. */
static int read_confidence(const struct ct_option *option, const char *word, void *settings,
                           struct ct_error *error)
{
    char *end;
    double percent = strtod(word, &end);
    if (word[strspn(word, "+.eE-0123456789")] || *end || !(percent >= 0.001 && percent <= 100))
        return ct_fail(error, CT_E_INPUT, "--%s '%.80s': expected a number of percent from 0.001 to 100",
                       option->name, word);
    ((struct settings *)settings)->program.learn.confidence = (double)(float)percent;
    return CT_OK;
}

#define AT(member) .offset = offsetof(struct settings, member)

/* The letters are those of C4.5 Release 8. */
static const struct ct_option options[] = {
    {"stem", 'f', "STEM", CT_OPTION_TEXT, AT(program.stem), .usual = "DF",
     .text = "read STEM.names and STEM.data"},
    {"unseen", 'u', NULL, CT_OPTION_FLAG, AT(unseen), .text = "also evaluate the trees on STEM.test"},
    {"subsets", 's', NULL, CT_OPTION_FLAG, AT(program.learn.subsets),
     .text = "make branches for groups of values"},
    {"gain", 'g', NULL, CT_OPTION_FLAG, AT(program.learn.gain_alone),
     .text = "choose tests by gain, not by gain ratio"},
    {"min-cases", 'm', "M", CT_OPTION_OTHER, AT(program.learn.least), .most = CT_C45_LEAST_MAX,
     .read = read_whole, .usual = "2", .text = "require M cases in at least two branches of a test"},
    {"confidence", 'c', "PERCENT", CT_OPTION_OTHER, .read = read_confidence, .usual = "25",
     .text = "set the pruning confidence; a smaller value prunes more"},
    {"soft", 'p', NULL, CT_OPTION_FLAG, AT(program.soft),
     .text = "print bounds around thresholds within which a case may take either branch"},
    {"trials", 't', "N", CT_OPTION_OTHER, AT(trials), .most = CT_C45_TRIALS_MAX, .read = read_whole,
     .usual = "10", .usual_text = "10 with --window or --increment",
     .text = "grow N trees from windows and take the best one"},
    {"window", 'w', "W", CT_OPTION_OTHER, AT(program.learn.window), .most = CT_C45_CASES_MAX,
     .read = read_whole, .text = "start windows with W cases"},
    {"increment", 'i', "I", CT_OPTION_OTHER, AT(program.learn.increment), .most = CT_C45_CASES_MAX,
     .read = read_whole, .text = "add at most I cases to a window at a time"},
    {"verbosity", 'v', "N", CT_OPTION_WHOLE, AT(program.verbosity), .most = 2,
     .text = "1: report every node and the comparisons of pruning; 2: also every attribute"},
    {"batch", 'b', NULL, CT_OPTION_FLAG, AT(batch), .text = "grow one tree from all cases (default)"},
    {0},
};

/* What the report says about an option; the value stands between the two words. */
static const struct echo {
    const char *name;
    const char *before;
    const char *after;
    bool windows; /* asks for windows */
} echoes[] = {
    {"stem", "File stem <", ">", false},
    {"unseen", "Trees evaluated on unseen cases", NULL, false},
    {"subsets", "Tests on discrete attribute groups", NULL, false},
    {"gain", "Gain criterion used", NULL, false},
    {"min-cases", "Sensible test requires 2 branches with >=", " cases", false},
    {"confidence", "Pruning confidence level ", "%", false},
    {"soft", "Probability thresholds used", NULL, false},
    {"trials", "Windowing enabled with ", " trials", true},
    {"window", "Initial window size of ", " items", true},
    {"increment", "Maximum window increment of ", " items", true},
    {"verbosity", "Verbosity level ", "", false},
};

static const struct echo *find_echo(const char *name)
{
    for (size_t i = 0; i < sizeof echoes / sizeof echoes[0]; i++)
        if (strcmp(echoes[i].name, name) == 0)
            return &echoes[i];
    return NULL; /* -b, about which the report says nothing */
}

/* The last of -b and the options about windows decides whether there are windows. */
static bool uses_windows(const struct ct_arguments *arguments)
{
    bool windows = false;
    for (size_t i = 0; i < arguments->given_count; i++) {
        const struct echo *echo = find_echo(arguments->given[i].option->name);
        windows = (windows || (echo && echo->windows)) && echo;
    }
    return windows;
}

/* The head of the report: its title, the date and the options. */
static void begin_report(const struct ct_arguments *arguments, struct ct_text *report)
{
    time_t now = time(NULL);
    char date[32];
    ctime_r(&now, date);
    ct_text_append(report, "\nC4.5 [release 8] decision tree generator\t%s", date);
    ct_text_append(report, "----------------------------------------\n");
    if (arguments->given_count > 0)
        ct_text_append(report, "\n    Options:\n");
    for (size_t i = 0; i < arguments->given_count; i++) {
        const struct ct_given *given = &arguments->given[i];
        const struct echo *echo = find_echo(given->option->name);
        if (!echo)
            continue;
        ct_text_append(report, "\t%s", echo->before);
        if (given->option->kind == CT_OPTION_TEXT)
            ct_text_append(report, "%s", given->word);
        else if (given->option->read == read_confidence)
            ct_text_append(report, "%g", (double)(float)strtod(given->word, NULL));
        else if (given->word)
            ct_text_append(report, "%llu", strtoull(given->word, NULL, 10));
        ct_text_append(report, "%s\n", echo->after ? echo->after : "");
    }
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    struct ct_c45_program program = settings->program;
    struct ct_text report = {0};
    struct ct_c45_names names = {0};
    struct ct_c45_cases cases = {0}, tests = {0};
    const char *stem = program.stem;
    char *names_path = ct_format("%s.names", stem), *data_path = ct_format("%s.data", stem);
    char *test_path = ct_format("%s.test", stem);
    int status = CT_E_MEMORY;
    if (!names_path || !data_path || !test_path ||
        (status = ct_c45_names_read(names_path, error, &names)) != CT_OK ||
        (status = ct_c45_cases_read(data_path, true, &names, error, &cases)) != CT_OK ||
        (settings->unseen && (status = ct_c45_cases_read(test_path, false, &names, error, &tests)) != CT_OK))
        goto done;
    program.learn.trials = uses_windows(arguments) ? settings->trials : 0;
    begin_report(arguments, &report);
    status = ct_c45_report(&names, &cases, settings->unseen ? &tests : NULL, &program, error, &report);
    if (status == CT_OK)
        fwrite(report.data, 1, report.length, stdout);
done:
    free(names_path);
    free(data_path);
    free(test_path);
    ct_text_free(&report);
    ct_c45_cases_free(&cases);
    ct_c45_cases_free(&tests);
    ct_c45_names_free(&names);
    return status;
}

const struct ct_command ct_command_c45 = {
    .name = "c45",
    .text = "learn a decision tree as C4.5 does",
    .usage = "",
    .about = "Learns a decision tree by C4.5 from STEM.names and STEM.data, and prints the report of C4.5 "
             "Release 8: from the third line on it is the same, byte for byte.",
    .notes = "This is an independent implementation. It lacks these defects of Release 8: cuts whose "
             "midpoint is rounded up to the greater value; a sort of quadratic time that overflows the "
             "stack; -999 treated as unknown; names truncated or written beyond their buffer; a bound of -m "
             "that is forgotten after -s has seen only unknown values. Values and classes that .names does "
             "not have are errors, with file and line. STEM.tree and STEM.unpruned are not written.\n\n"
             "Examples:\n"
             "  colltune c45 -f golf\n"
             "  colltune c45 -f bcast -u -m 4 -c 10 > bcast.report\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
