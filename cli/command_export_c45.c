/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "c45/c45_files.h"
#include "cli/command.h"
#include "cli/feature_options.h"
#include "learners/learner.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct arguments {
    const char *folder;
    const char *stem;
    enum ct_collective collective;
    const char *exclude;
    struct ct_learn_features features;
};

static const struct argp_option options[] = {
    {"output", 'o', "STEM", 0, "write STEM.names and STEM.data; neither must exist", 0},
    {"collective", 'c', "COLLECTIVE", 0, "of which the map is; needed where the run has several", 0},
    {"exclude", 'x', "METHODS", 0, "methods never to choose, as learn has it", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->stem = argument;
        return 0;
    case 'c':
        arguments->collective = ct_known_collective(state, argument);
        return 0;
    case 'x':
        arguments->exclude = argument;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->features;
        return 0;
    case ARGP_KEY_ARG:
        arguments->folder = ct_argument_of(state, argument, 1);
        return 0;
    case ARGP_KEY_END:
        if (!arguments->folder)
            ct_usage(state, "expected a run");
        if (!arguments->stem)
            ct_usage(state, "expected -o STEM");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&ct_feature_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    options,
    parse,
    "RUN -o STEM",
    "Writes a decision map as C4.5 reads it: STEM.names and STEM.data, a case for each cell, its class the "
    "best method there. Its attributes are the features that differ from cell to cell.\v"
    "Methods are written with their collective, and with a backslash before what C4.5 takes for a "
    "delimiter: bcast/split_binary\\:seg=8K. In its report that is bcast/split_binary:seg=8K again.\n\n"
    "Examples:\n"
    "  colltune export-c45 runs/ethernet100-bcast -o bcast\n"
    "  colltune export-c45 my-run -c allreduce -o allreduce \\\n      --features "
    "comm_size,msg_bytes,power_of_two\n",
    children,
    NULL,
    NULL};

/* The collective meant: the run's only one where none was named. */
static int find_collective(const struct ct_run *run, enum ct_collective *collective, struct ct_error *error)
{
    size_t found = 0;
    for (int i = 0; *collective == CT_COLLECTIVES && i < CT_COLLECTIVES; i++)
        found += ct_run_measures(run, (enum ct_collective)i);
    if (found > 1)
        return ct_fail(error, CT_E_INPUT, "%s: the run has %zu collectives: expected --collective",
                       run->folder, found);
    for (int i = 0; *collective == CT_COLLECTIVES && i < CT_COLLECTIVES; i++)
        if (ct_run_measures(run, (enum ct_collective)i))
            *collective = (enum ct_collective)i;
    return *collective == CT_COLLECTIVES
               ? ct_fail(error, CT_E_INPUT, "%s: the run has no samples", run->folder)
               : CT_OK;
}

/* Both files or neither. */
static int create_both(const char *stem, const struct ct_text *names, const struct ct_text *data,
                       struct ct_error *error)
{
    char *names_path = ct_format("%s.names", stem), *data_path = ct_format("%s.data", stem);
    int status = names_path && data_path && !names->failed && !data->failed
                     ? CT_OK
                     : ct_fail(error, CT_E_MEMORY, "out of memory");
    if (status == CT_OK && access(data_path, F_OK) == 0)
        status = ct_fail(error, CT_E_INPUT, "%s: exists already; nothing was overwritten", data_path);
    if (status == CT_OK)
        status = ct_file_create(names_path, names->data, names->length, error);
    if (status == CT_OK && (status = ct_file_create(data_path, data->data, data->length, error)) != CT_OK)
        ct_remove_all(names_path, NULL);
    free(names_path);
    free(data_path);
    return status;
}

static int write_map(const struct arguments *arguments, const struct ct_c45_map *c45,
                     enum ct_collective collective, struct ct_error *error)
{
    struct ct_text names = {0}, data = {0};
    char *comment = ct_format("%s of the run %s", ct_collectives[collective].name, arguments->folder);
    if (!comment)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    ct_c45_map_write(c45, comment, &names, &data);
    int status = create_both(arguments->stem, &names, &data, error);
    if (status == CT_OK)
        fprintf(stderr, "%s: %zu case%s, %zu attribute%s, %zu class%s\n", ct_collectives[collective].name,
                c45->cases.count, c45->cases.count == 1 ? "" : "s", c45->names.attribute_count,
                c45->names.attribute_count == 1 ? "" : "s", c45->names.classes.count,
                c45->names.classes.count == 1 ? "" : "es");
    free(comment);
    ct_text_free(&names);
    ct_text_free(&data);
    return status;
}

static int export_run(struct arguments *arguments, const struct ct_run *run, struct ct_error *error)
{
    struct ct_map map;
    struct ct_c45_map c45;
    bool *allowed = NULL;
    int status = find_collective(run, &arguments->collective, error);
    if (status == CT_OK)
        status = ct_map_make(run, arguments->collective, error, &map);
    if (status != CT_OK)
        return status;
    status = ct_learn_allowed(&map, arguments->exclude, error, &allowed);
    if (status == CT_OK)
        status = ct_c45_map_make(&map, arguments->features.count > 0 ? &arguments->features : NULL, allowed,
                                 error, &c45);
    if (status == CT_OK) {
        /* C4.5 has no names file without attributes */
        status = c45.names.attribute_count > 0
                     ? write_map(arguments, &c45, arguments->collective, error)
                     : ct_fail(error, CT_E_INPUT,
                               "%s: all attributes are the same in all cells: expected one to be tested",
                               run->folder);
        ct_c45_map_free(&c45);
    }
    free(allowed);
    ct_map_free(&map);
    return status;
}

static int run_export(int argc, char **argv)
{
    struct arguments arguments = {.collective = CT_COLLECTIVES};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct ct_error error = {""};
    struct ct_run run;
    int status = ct_run_read(arguments.folder, false, &error, &run);
    if (status == CT_OK) {
        status = export_run(&arguments, &run, &error);
        ct_run_free(&run);
    }
    ct_learn_features_free(&arguments.features);
    return ct_command_end("export-c45", status, &error);
}

const struct ct_command ct_command_export_c45 = {"export-c45", "a decision map as C4.5 reads it", run_export,
                                                 options};
