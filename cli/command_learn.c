/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/command.h"
#include "cli/learn_options.h"
#include "cli/tree_line.h"

#include <stdio.h>
#include <unistd.h>

struct arguments {
    const char *folder;
    const char *output;
    enum ct_collective collective; /* CT_COLLECTIVES: all of the run */
    struct ct_learn_arguments learn;
};

static const struct argp_option options[] = {
    {"output", 'o', "TABLE.xml", 0, "the decision table to write; it must not exist", 0},
    {"collective", 'c', "COLLECTIVE", 0, "only this one", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->output = argument;
        return 0;
    case 'c':
        arguments->collective = ct_known_collective(state, argument);
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->learn;
        return 0;
    case ARGP_KEY_ARG:
        arguments->folder = ct_argument_of(state, argument, 1);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->folder)
            ct_usage(state, "expected a run");
        if (!arguments->output)
            ct_usage(state, "expected -o TABLE.xml");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&ct_learn_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    options,
    parse,
    "RUN -o TABLE.xml",
    "Learns from a run which method to use where, and writes it as a decision table: a decision tree for "
    "each "
    "collective, with the run's checksums and what the choices cost against the best of every cell.\v"
    "Examples:\n"
    "  colltune learn runs/ethernet100-bcast -o bcast.xml\n"
    "  colltune learn runs/ethernet100-bcast -o small.xml --max-leaves 11 -x native\n"
    "  colltune learn runs/ethernet100-bcast -o exact.xml --learner quadtree\n"
    "  colltune learn my-run -o tree.xml -l c45 --feature 'blocks=msg_bytes/8K'\n"
    "  colltune learn my-run -o even.xml --features comm_size,msg_bytes,even\n"
    "  colltune learn my-run -o table.xml --model model.xml --max-leaves 64\n",
    children,
    NULL,
    NULL};

static int run_learn(int argc, char **argv)
{
    struct arguments arguments = {.collective = CT_COLLECTIVES};
    ct_learn_arguments_begin(&arguments.learn);
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_error error = {""};
    /* before the work; ct_file_create() asks again */
    if (access(arguments.output, F_OK) == 0) {
        ct_fail(&error, CT_E_INPUT, "%s: exists already; nothing was overwritten", arguments.output);
        return ct_command_fail("learn", CT_E_INPUT, &error);
    }
    struct ct_run run;
    int status = ct_learn_arguments_read(&arguments.learn, &error);
    if (status == CT_OK)
        status = ct_run_read(arguments.folder, false, &error, &run);
    if (status != CT_OK) {
        ct_learn_arguments_free(&arguments.learn);
        return ct_command_fail("learn", status, &error);
    }
    struct ct_table table;
    struct ct_text notes = {0};
    arguments.learn.settings->notes = &notes;
    status = ct_learn_table(&run, arguments.learn.settings, arguments.collective, &error, &table);
    ct_run_free(&run);
    ct_learn_arguments_free(&arguments.learn);
    if (status != CT_OK) {
        ct_text_free(&notes);
        return ct_command_fail("learn", status, &error);
    }
    status = ct_table_create(&table, arguments.output, &error);
    if (status == CT_OK) {
        for (size_t i = 0; i < table.decisions.tree_count; i++)
            ct_tree_line_tell(&table, i);
        fputs(notes.data ? notes.data : "", stderr);
    }
    ct_text_free(&notes);
    ct_table_free(&table);
    return ct_command_end("learn", status, &error);
}

const struct ct_command ct_command_learn = {"learn", "a decision table from a run", run_learn, options};
