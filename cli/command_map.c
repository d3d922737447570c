/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command.h"
#include "cli/map_picture.h"
#include "decision/map.h"

#include <stdio.h>
#include <string.h>

struct arguments {
    const char *folder;
    enum ct_collective collective; /* CT_COLLECTIVES: all of the run */
    double margin;
    bool csv;
};

static const struct argp_option options[] = {
    {"collective", 'c', "COLLECTIVE", 0, "only this one", 0},
    {"margin", 'm', "PERCENT", 0, "how far from the best is still equivalent to it (5)", 0},
    {"format", 'f', "FORMAT", 0, "text (default) or csv", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'c':
        arguments->collective = ct_known_collective(state, argument);
        return 0;
    case 'm':
        arguments->margin = ct_margin_of(state, argument);
        return 0;
    case 'f':
        arguments->csv = ct_format_is_csv(state, argument);
        return 0;
    case ARGP_KEY_ARG:
        arguments->folder = ct_argument_of(state, argument, 1);
        return 0;
    case ARGP_KEY_NO_ARGS:
        ct_usage(state, "expected a run");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "RUN",
    "Shows which method is best where: the decision map of a run. Rows are message sizes, "
    "columns communicator sizes; each letter stands for a method.\v"
    "Behind the map stands in how many cells each of these methods is the best, surely equivalent to the "
    "best, surely worse, or undecided, with what the words mean for this run: launches are compared where "
    "there are several, else the samples of the one.\n\n"
    "With --format csv a line for each cell and method: good samples, the median of the launches' medians "
    "with a 95 % confidence interval in seconds, whether it is the best, how it stands to the best, "
    "launches, how many times its slowest launch takes what its fastest does, and whether that is measured "
    "(also by a simulator) or predicted. The picture has ~ before a letter whose best time is predicted.\n\n"
    "Examples:\n  colltune map runs/ethernet100-bcast --collective bcast\n  colltune map my-run --margin 2 "
    "--format csv\n",
    NULL,
    NULL,
    NULL};

/* The collective's map on standard output. */
static int show(const struct ct_run *run, enum ct_collective collective, const struct arguments *arguments,
                struct ct_error *error)
{
    struct ct_map map;
    int status = ct_map_make_within(run, collective, arguments->margin, error, &map);
    if (status != CT_OK)
        return status;
    struct ct_text text = {0};
    if (arguments->csv)
        ct_map_write_csv(&map, &text);
    else
        status = ct_map_picture(&map, &text);
    if (status == CT_OK && text.failed)
        status = CT_E_MEMORY;
    if (status == CT_OK && text.length > 0)
        fwrite(text.data, 1, text.length, stdout);
    ct_text_free(&text);
    ct_map_free(&map);
    return status;
}

static bool is_measured(const struct ct_run *run, enum ct_collective collective)
{
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->methods[run->samples[i].method].algorithm->collective == collective)
            return true;
    return false;
}

/* The collective that was asked for, or all that the run has. */
static int show_all(const struct ct_run *run, const struct arguments *arguments, struct ct_error *error)
{
    if (arguments->csv)
        ct_map_print_csv_header();
    if (arguments->collective != CT_COLLECTIVES)
        return show(run, arguments->collective, arguments, error);
    int status = CT_OK, shown = 0;
    for (size_t i = 0; status == CT_OK && i < run->description.collective_count; i++) {
        enum ct_collective collective = run->description.collectives[i];
        if (!is_measured(run, collective))
            continue;
        if (shown++ > 0 && !arguments->csv)
            puts("");
        status = show(run, collective, arguments, error);
    }
    if (status == CT_OK && shown == 0)
        return ct_fail(error, CT_E_INPUT, "%s: has no samples yet", run->folder);
    return status;
}

static int run_map(int argc, char **argv)
{
    struct arguments arguments = {.collective = CT_COLLECTIVES, .margin = CT_MARGIN};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_error error = {""};
    struct ct_run run;
    int status = ct_run_read(arguments.folder, false, &error, &run);
    if (status != CT_OK)
        return ct_command_fail("map", status, &error);
    status = show_all(&run, &arguments, &error);
    ct_run_free(&run);
    return ct_command_end("map", status, &error);
}

const struct ct_command ct_command_map = {"map", "the decision map of a run, in the terminal", run_map,
                                          options};
