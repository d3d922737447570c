/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_import.h"
#include "cli/learning.h"
#include "cli/option_choices.h"

struct settings {
    struct ct_c45_import import;
    const char *output;
    int collective;
    struct ct_texts feature;
};

static const struct ct_option options[] = {
    {"output", 'o', "TABLE.xml", CT_OPTION_TEXT, offsetof(struct settings, output), .required = true,
     .output = CT_OUTPUT_FILE, .text = "write the decision table to this file, which must not exist"},
    {"stem", 'f', "STEM", CT_OPTION_TEXT, offsetof(struct settings, import.stem),
     .usual_text = "what the report says",
     .text = "read the names from STEM.names and the data from STEM.data"},
    {"run", 0, "RUN", CT_OPTION_TEXT, offsetof(struct settings, import.run),
     .text = "score the tree on this run, which the data come from"},
    {"collective", 'c', "COLLECTIVE", CT_OPTION_CHOICE, offsetof(struct settings, collective), .usual = "all",
     .choice = ct_collective_choice, .text = "add this collective to classes without one, such as binomial"},
    CT_FEATURE_OPTION(struct settings),
    {0},
};

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    struct ct_c45_import import = settings->import;
    struct ct_c45_import_summary summary;
    struct ct_learn_features features = {0};
    struct ct_table table = {0};
    import.report = arguments->words[0];
    import.collective = (enum ct_collective)settings->collective;
    import.features = &features;
    int status;
    if ((status = ct_features_define(&settings->feature, error, &features)) != CT_OK ||
        (status = ct_c45_import(&import, error, &summary, &table)) != CT_OK ||
        (status = ct_table_create(&table, settings->output, error)) != CT_OK)
        goto done;
    ct_tree_tell(&table, 0);
    if (summary.doubtful > 0)
        ct_tell(&ct_command_import_c45,
                "%zu threshold%s may be wrong, because reports round to six digits; %s", summary.doubtful,
                summary.doubtful == 1 ? "" : "s",
                summary.has_data ? "several sizes of the data have the same six digits"
                                 : "with STEM.data the exact sizes are known");
done:
    ct_learn_features_free(&features);
    ct_table_free(&table);
    return status;
}

const struct ct_command ct_command_import_c45 = {
    .name = "import-c45",
    .text = "make a decision table from a report of C4.5",
    .usage = "REPORT -o TABLE.xml",
    .least = 1,
    .about = "Makes a decision table from a report of C4.5, printed by Quinlan's program or `colltune c45`: "
             "takes the pruned tree with its subtrees; of several trials the best one.",
    .notes = "Attributes are features of a call (see colltune learn --help), classes are methods. Reports "
             "have thresholds with six digits, which are replaced by the exact size in STEM.data. If this "
             "file is missing, or two of its sizes have the same six digits, a message says how many "
             "thresholds may be wrong.\n\n"
             "Example, if you have Quinlan's program:\n"
             "  colltune export-c45 my-run -c bcast -o bcast\n"
             "  c4.5 -f bcast > bcast.report\n"
             "  colltune import-c45 bcast.report --run my-run -o bcast.xml\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
