/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/checksum.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/option_choices.h"
#include "cli/run_reading.h"
#include "cli/terminal.h"
#include "models/evaluate/evaluate.h"
#include "models/model_file.h"
#include "models/predict/supplement.h"
#include "samples/run_folder.h"

#include <stdio.h>
#include <stdlib.h>

struct settings {
    const char *output;
    const char *comm_sizes; /* further ones, or NULL */
    const char *msg_sizes;
    int cost_model;
};

static const struct ct_option options[] = {
    {"output", 'o', "RUN2", CT_OPTION_TEXT, offsetof(struct settings, output), .required = true,
     .output = CT_OUTPUT_FOLDER, .text = "make this folder for the completed run"},
    {"comm-sizes", 0, "LIST", CT_OPTION_TEXT, offsetof(struct settings, comm_sizes),
     .text = "add these communicator sizes to those of the run"},
    {"msg-sizes", 0, "LIST", CT_OPTION_TEXT, offsetof(struct settings, msg_sizes),
     .text = "add these message sizes to those of the run"},
    CT_COST_MODEL_OPTION(struct settings),
    {0},
};

enum { RANKS_MOST = 1 << 16 };

/* Appends those sizes of an option's list, which may be NULL, that are not there yet. */
static int add_sizes(const char *option, const char *list, size_t least, size_t most, struct ct_error *error,
                     size_t **sizes, size_t *count)
{
    size_t *more, more_count, capacity = *count;
    int status = list ? ct_sizes_read(option, list, least, most, error, &more, &more_count) : CT_OK;
    if (status != CT_OK || !list)
        return status;
    status = ct_grow(sizes, &capacity, *count + more_count, sizeof **sizes);
    for (size_t i = 0; status == CT_OK && i < more_count; i++) {
        bool known = false;
        for (size_t k = 0; k < *count; k++)
            known |= (*sizes)[k] == more[i];
        if (!known)
            (*sizes)[(*count)++] = more[i];
    }
    free(more);
    return status;
}

/* Records where the predicted times come from. */
static int describe(const char *const *words, enum ct_communication_model kind,
                    const struct ct_supplement *supplement, struct ct_error *error,
                    struct ct_run_description *description)
{
    char checksum[CT_CHECKSUM_TEXT], added[24];
    snprintf(added, sizeof added, "%zu", supplement->added);
    const struct {
        const char *name;
        const char *value;
    } properties[] = {{"supplement.run", words[0]},
                      {"supplement.model", words[1]},
                      {"supplement.model.sha256", checksum},
                      {"supplement.by", ct_communication_model_names[kind]},
                      {"supplement.samples", added}};
    int status = ct_file_checksum(words[1], error, checksum);
    for (size_t i = 0; status == CT_OK && i < sizeof properties / sizeof properties[0]; i++)
        status = ct_run_property(description, properties[i].name)
                     ? ct_fail(error, CT_E_INPUT, "%s: was supplemented already; expected a measured run",
                               words[0])
                     : ct_run_add_property(description, properties[i].name, properties[i].value);
    return status;
}

/* Takes the model's link of the channel that the run had, if the model has it; else ct_supplement_make() says
 * what is wrong. */
static int use_channel(const struct ct_run *run, struct ct_model *model, const char *file,
                       struct ct_error *error)
{
    const enum ct_node_channel channel = ct_run_node_channel(&run->description);
    return ct_link_is_known(ct_model_node_link(model, channel))
               ? ct_model_use_channel(model, channel, file, error)
               : CT_OK;
}

/* Prices reductions by the run's operation and datatype. */
static void use_operation(const struct ct_run *run, struct ct_model *model, const char *file)
{
    const char *operation, *type;
    if (!ct_prediction_use_operation(run, model, &operation, &type))
        ct_tell(&ct_command_supplement,
                "%s has no time of %s of %s: reductions cost as much as its usual ones", file, operation,
                type);
}

static int supplement(const struct settings *settings, const char *const *words, const struct ct_model *model,
                      struct ct_run *run, struct ct_error *error, struct ct_supplement *ret_supplement)
{
    const size_t ppn = ct_run_ppn(run);
    const enum ct_communication_model kind = ct_cost_model(settings->cost_model, model, ppn == CT_ONE_NODE);
    struct ct_run_description *description = &run->description;
    struct ct_bar bar;
    const struct ct_watch watch = ct_bar_watch(&bar, &ct_command_supplement);
    struct ct_prediction prediction = {.model = model,
                                       .shares_links = true,
                                       .segments = CT_SEGMENT_FROM_LIST,
                                       .ppn = ppn,
                                       .most_messages = CT_MESSAGES_USUAL,
                                       .most_seconds = 30,
                                       .watch = &watch};
    int status;
    prediction.weights[kind] = 1;
    if ((status = ct_prediction_check(&prediction, SIZE_MAX, words[1], error)) != CT_OK ||
        (status = add_sizes("comm-sizes", settings->comm_sizes, 2, RANKS_MOST, error,
                            &description->comm_sizes, &description->comm_size_count)) != CT_OK ||
        (status = add_sizes("msg-sizes", settings->msg_sizes, 1, SIZE_MAX / RANKS_MOST, error,
                            &description->msg_sizes, &description->msg_size_count)) != CT_OK)
        return status;
    status = ct_supplement_make(run, &prediction, error, ret_supplement);
    ct_bar_end(&bar);
    return status == CT_OK ? describe(words, kind, ret_supplement, error, description) : status;
}

/* Predictions are of calls with root 0, and must not be taken for those with others. */
static int check_roots(const struct ct_run *run, const char *folder, struct ct_error *error)
{
    for (size_t i = 0; i < run->cell_count; i++)
        if (run->cells[i].key.root > 0)
            return ct_fail(error, CT_E_INPUT,
                           "%s: has calls with root %u: expected a run with root 0 alone, because others are "
                           "not predicted",
                           folder, run->cells[i].key.root);
    return CT_OK;
}

static int run(const void *given, const struct ct_arguments *arguments, struct ct_error *error)
{
    const struct settings *settings = given;
    const char *const *words = arguments->words;
    struct ct_supplement filled = {0};
    struct ct_model model = {0};
    struct ct_run measured = {0};
    int status;
    if ((status = ct_run_read_shown(&ct_command_supplement, words[0], error, &measured)) != CT_OK ||
        (status = check_roots(&measured, words[0], error)) != CT_OK ||
        (status = ct_model_read(words[1], error, &model)) != CT_OK ||
        (status = use_channel(&measured, &model, words[1], error)) != CT_OK ||
        (use_operation(&measured, &model, words[1]),
         status = supplement(settings, words, &model, &measured, error, &filled)) != CT_OK)
        goto done;
    struct ct_run completed = measured;
    completed.samples = filled.samples;
    completed.sample_count = filled.sample_count;
    completed.cells = filled.cells;
    completed.cell_count = filled.cell_count;
    status = ct_run_write(settings->output, &completed, error);
    if (status != CT_OK)
        goto done;
    ct_tell(&ct_command_supplement, "%s has %zu measured and %zu predicted samples; %zu cell%s new",
            settings->output, measured.sample_count, filled.added, filled.added_cells,
            filled.added_cells == 1 ? " is" : "s are");
    if (filled.left_out > 0)
        ct_tell(&ct_command_supplement, "%zu method%s not filled in: measured nowhere, or not predictable",
                filled.left_out, ct_were(filled.left_out));
done:
    ct_supplement_free(&filled);
    ct_model_free(&model);
    ct_run_free(&measured);
    return status;
}

const struct ct_command ct_command_supplement = {
    .name = "supplement",
    .text = "fill in the unmeasured parts of a run from a model of the machine",
    .usage = "RUN MODEL.xml -o RUN2",
    .least = 2,
    .about =
        "Fills in the unmeasured parts of a run: cells of its communicator sizes and message sizes that were "
        "not measured, and methods that were not measured in a cell.",
    .notes =
        "The model predicts the times. They are corrected by the error of the model in the nearest cells "
        "where the method was measured. Samples that are filled in have the status 'predicted', and map "
        "shows how many there are. docs/evaluation.md says how accurate they are. Native methods and "
        "methods that were measured nowhere are not filled in.\n\n"
        "Examples:\n"
        "  colltune supplement sparse model.xml -o filled\n"
        "  colltune supplement sparse model.xml -o filled --comm-sizes 4-64*2 \\\n      --msg-sizes "
        "8-1M*2\n",
    .options = options,
    .settings_size = sizeof(struct settings),
    .run = run,
};
