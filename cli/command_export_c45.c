/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "c45/c45_files.h"
#include "cli/learning.h"
#include "cli/option_choices.h"
#include "cli/run_reading.h"
#include "learners/permitted.h"
#include "samples/run_folder.h"

#include <stdio.h>
#include <stdlib.h>

struct settings {
    const char *output;
    int collective;
    const char *exclude;
    const char *features;
    struct ct_texts feature;
};

static const struct ct_option options[] = {
    {"output", 'o', "STEM", CT_OPTION_TEXT, offsetof(struct settings, output), .required = true,
     .output = CT_OUTPUT_FILE, .text = "write STEM.names and STEM.data, which must not exist"},
    {"collective", 'c', "COLLECTIVE", CT_OPTION_CHOICE, offsetof(struct settings, collective), .usual = "all",
     .usual_text = "the only one of the run", .choice = ct_collective_choice,
     .text = "export the map of this collective"},
    {"exclude", 'x', "METHODS", CT_OPTION_TEXT, offsetof(struct settings, exclude),
     .text = "never choose these methods, for example native,bcast/chain:radix=4"},
    CT_FEATURES_OPTION(struct settings),
    CT_FEATURE_OPTION(struct settings),
    {0},
};

/* Replaces CT_COLLECTIVES by the only collective of the run. */
static int find_collective(const struct ct_run *run, enum ct_collective *collective, struct ct_error *error)
{
    size_t found = 0;
    for (int i = 0; *collective == CT_COLLECTIVES && i < CT_COLLECTIVES; i++)
        found += ct_run_measures(run, (enum ct_collective)i);
    if (found > 1)
        return ct_fail(error, CT_E_INPUT, "%s: the run has %zu collectives; expected --collective COLLECTIVE",
                       run->folder, found);
    for (int i = 0; *collective == CT_COLLECTIVES && i < CT_COLLECTIVES; i++)
        if (ct_run_measures(run, (enum ct_collective)i))
            *collective = (enum ct_collective)i;
    return *collective == CT_COLLECTIVES
               ? ct_fail(error, CT_E_INPUT, "%s: the run has no samples", run->folder)
               : CT_OK;
}

/* Writes both files or neither. */
static int write_map(const struct settings *settings, const char *folder, const struct ct_c45_map *c45,
                     const char *collective, struct ct_error *error)
{
    struct ct_text names = {0}, data = {0};
    if (c45->names.attribute_count == 0) /* C4.5 needs one */
        return ct_fail(error, CT_E_INPUT,
                       "%s: all attributes are the same in all cells; expected one that differs", folder);
    char *comment = ct_format("%s of the run %s", collective, folder);
    char *names_path = ct_format("%s.names", settings->output);
    char *data_path = ct_format("%s.data", settings->output);
    int status = CT_E_MEMORY;
    if (!comment || !names_path || !data_path)
        goto done;
    ct_c45_map_write(c45, comment, &names, &data);
    if (names.failed || data.failed || (status = ct_is_new(data_path, error)) != CT_OK ||
        (status = ct_file_create(names_path, names.data, names.length, error)) != CT_OK)
        goto done;
    status = ct_file_create(data_path, data.data, data.length, error);
    if (status != CT_OK)
        ct_remove_all(names_path, NULL);
    else
        fprintf(stderr, "%s: %zu case%s, %zu attribute%s, %zu class%s\n", collective, c45->cases.count,
                c45->cases.count == 1 ? "" : "s", c45->names.attribute_count,
                c45->names.attribute_count == 1 ? "" : "s", c45->names.classes.count,
                c45->names.classes.count == 1 ? "" : "es");
done:
    free(comment);
    free(names_path);
    free(data_path);
    ct_text_free(&names);
    ct_text_free(&data);
    return status;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    enum ct_collective collective = (enum ct_collective)settings->collective;
    struct ct_learn_features features = {0};
    struct ct_run measured = {0};
    struct ct_map map = {0};
    struct ct_c45_map c45 = {0};
    bool *allowed = NULL;
    int status;
    if ((status = ct_features_read(settings->features, &settings->feature, error, &features)) != CT_OK ||
        (status = ct_run_read_shown(&ct_command_export_c45, arguments->words[0], error, &measured)) !=
            CT_OK ||
        (status = find_collective(&measured, &collective, error)) != CT_OK ||
        (status = ct_map_make(&measured, collective, error, &map)) != CT_OK ||
        (status = ct_learn_allowed(&map, settings->exclude, error, &allowed)) != CT_OK)
        goto done;
    const struct ct_feature_columns columns =
        ct_feature_columns_of(&map, features.count > 0 ? &features : NULL);
    status = ct_c45_map_make(&map, 1, &columns, (const bool *const *)&allowed, error, &c45);
    if (status == CT_OK)
        status = write_map(settings, measured.folder, &c45, ct_collectives[collective].name, error);
done:
    ct_c45_map_free(&c45);
    free(allowed);
    ct_map_free(&map);
    ct_run_free(&measured);
    ct_learn_features_free(&features);
    return status;
}

const struct ct_command ct_command_export_c45 = {
    .name = "export-c45",
    .text = "write a decision map as C4.5 reads it",
    .usage = "RUN -o STEM",
    .least = 1,
    .about = "Writes a decision map as C4.5 reads it: STEM.names and STEM.data, with one case for each cell. "
             "Its class is the best method there, its attributes are the features that differ between cells.",
    .notes = "Methods are written with their collective, and with a backslash before what C4.5 would take "
             "for a delimiter: bcast/split_binary\\:seg=8K. The report has bcast/split_binary:seg=8K "
             "again.\n\n"
             "Examples:\n"
             "  colltune export-c45 runs/ethernet100-bcast -o bcast\n"
             "  colltune export-c45 my-run -c allreduce -o allreduce \\\n      --features "
             "comm_size,msg_bytes,power_of_two\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
