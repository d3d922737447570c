/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_import.h"
#include "cli/command.h"
#include "cli/feature_options.h"
#include "cli/tree_line.h"

#include <stdio.h>

struct arguments {
    struct ct_c45_import import;
    const char *output;
    struct ct_learn_features features;
};

static const struct argp_option options[] = {
    {"output", 'o', "TABLE.xml", 0, "the decision table to write; it must not exist", 0},
    {"stem", 'f', "STEM", 0, "the names are in STEM.names, the data in STEM.data (what the report says)", 0},
    {"run", 'r', "RUN", 0, "the run that the data are of: the tree is scored on it", 0},
    {"collective", 'c', "COLLECTIVE", 0, "of classes that do not say it: \"binomial\"", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->output = argument;
        return 0;
    case 'f':
        arguments->import.stem = argument;
        return 0;
    case 'r':
        arguments->import.run = argument;
        return 0;
    case 'c':
        arguments->import.collective = ct_known_collective(state, argument);
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->features;
        return 0;
    case ARGP_KEY_ARG:
        arguments->import.report = ct_argument_of(state, argument, 1);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->import.report)
            ct_usage(state, "expected a report of C4.5");
        if (!arguments->output)
            ct_usage(state, "expected -o TABLE.xml");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&ct_feature_define_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    options,
    parse,
    "REPORT -o TABLE.xml",
    "Makes a decision table of what C4.5 printed, Quinlan's program or `colltune c45`: the pruned tree with "
    "its broken-off subtrees; of several trials that of the best.\v"
    "Attributes are features of a call (colltune learn --help), classes are methods. Reports have thresholds "
    "with six digits: they are put back at the size that stands in STEM.data. Where there is no such file, "
    "or two of its sizes have the same six digits, how many thresholds may be wrong is said.\n\n"
    "Example, on a site that has Quinlan's program:\n"
    "  colltune export-c45 my-run -c bcast -o bcast\n"
    "  c4.5 -f bcast > bcast.report\n"
    "  colltune import-c45 bcast.report --run my-run -o bcast.xml\n",
    children,
    NULL,
    NULL};

static void tell(const struct ct_table *table, const struct ct_c45_import_summary *summary)
{
    ct_tree_line_tell(table, 0);
    if (summary->doubtful > 0)
        fprintf(stderr,
                "colltune import-c45: %zu threshold%s may be rounded to six digits, as reports have them%s\n",
                summary->doubtful, summary->doubtful == 1 ? "" : "s",
                summary->has_data ? ": several sizes of the data are printed alike"
                                  : ": with STEM.data they are put back");
}

static int run_import(int argc, char **argv)
{
    struct arguments arguments = {.import.collective = CT_COLLECTIVES};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_error error = {""};
    struct ct_c45_import_summary summary;
    struct ct_table table;
    arguments.import.features = &arguments.features;
    int status = ct_c45_import(&arguments.import, &error, &summary, &table);
    ct_learn_features_free(&arguments.features);
    if (status != CT_OK)
        return ct_command_fail("import-c45", status, &error);
    status = ct_table_create(&table, arguments.output, &error);
    if (status == CT_OK)
        tell(&table, &summary);
    ct_table_free(&table);
    return ct_command_end("import-c45", status, &error);
}

const struct ct_command ct_command_import_c45 = {"import-c45", "a decision table from a report of C4.5",
                                                 run_import, options};
