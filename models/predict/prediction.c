/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/prediction.h"
#include "base/checksum.h"
#include "base/number.h"
#include "base/text.h"

#include <string.h>

const char *const ct_prediction_way_names[CT_PREDICTION_WAYS] = {
    [CT_PREDICTION_BY_PLANS] = "plans", [CT_PREDICTION_BY_FORMULAS] = "formulas"};

/* A message size does not tell the block sizes of vector collectives. */
bool ct_prediction_covers(enum ct_collective collective)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    return collective < CT_MPI_COLLECTIVES && (about->has_size || !about->has_data);
}

void ct_cells_placing_add(struct ct_cells_placing *placing, const struct ct_cell_key *key)
{
    placing->has_other_nodes |= key->nodes > 1;
    if (key->ppn > placing->fullest)
        placing->fullest = key->ppn;
}

size_t ct_cells_ppn(const struct ct_cells_placing *placing)
{
    return placing->has_other_nodes ? placing->fullest : CT_ONE_NODE;
}

/* --- the description of a run --- */

/* "evaluation/loggp", "formulas/loggp", or "vote/hockney=1,loggp=2,plogp=1". */
static void write_kind(const struct ct_prediction *prediction, struct ct_text *text)
{
    size_t asked = 0;
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        asked += prediction->weights[kind] > 0;
    ct_text_append(text, asked > 1                                      ? "vote/"
                         : prediction->way == CT_PREDICTION_BY_FORMULAS ? "formulas/"
                                                                        : "evaluation/");
    for (int kind = 0, written = 0; kind < CT_COMMUNICATION_MODELS; kind++) {
        char number[CT_NUMBER_TEXT];
        if (prediction->weights[kind] <= 0)
            continue;
        ct_text_append(text, "%s%s", written++ ? "," : "", ct_communication_model_names[kind]);
        if (asked > 1)
            ct_text_append(text, "=%s", ct_number_format(prediction->weights[kind], number));
    }
}

int ct_prediction_check(const struct ct_prediction *prediction, size_t most_ranks, const char *file,
                        struct ct_error *error)
{
    const bool one_node = most_ranks <= prediction->ppn;
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        if (prediction->weights[kind] > 0 &&
            !ct_model_link(prediction->model, (enum ct_communication_model)kind, one_node))
            return ct_fail(error, CT_E_INPUT,
                           "%s: no %s parameters for messages %s nodes; measure with colltune fit%s", file,
                           ct_communication_model_titles[kind], one_node ? "within" : "between",
                           one_node ? "" : " on two nodes");
    return CT_OK;
}

int ct_prediction_describe(const struct ct_prediction *prediction, const char *file, struct ct_error *error,
                           struct ct_run_description *description)
{
    char checksum[CT_CHECKSUM_TEXT], numbers[3][CT_NUMBER_TEXT];
    struct ct_text kind = {0};
    int status = ct_file_checksum(file, error, checksum);
    if (status != CT_OK)
        return status;
    write_kind(prediction, &kind);
    status = kind.failed
                 ? CT_E_MEMORY
                 : ct_run_describe("predicted", prediction->model->name, "global", kind.data, description);
    ct_text_free(&kind);
    if (status == CT_OK && prediction->ppn > 1 && ct_link_is_known(&prediction->model->links[CT_LINK_NODE]))
        status = ct_run_set_node_channel(description, prediction->model->node_channel);
    const struct {
        const char *name, *value;
    } properties[] = {
        {"model.file", file},
        {"model.sha256", checksum},
        {"prediction.by", ct_prediction_way_names[prediction->way]},
        {"prediction.segments", ct_segment_way_names[prediction->segments]},
        {"prediction.ppn", ct_number_format((double)prediction->ppn, numbers[0])},
        {"prediction.messages", ct_number_format((double)prediction->most_messages, numbers[1])},
        {"prediction.seconds", ct_number_format(prediction->most_seconds, numbers[2])},
        {"prediction.links", prediction->shares_links ? "shared" : NULL}};
    description->launches = 1;
    description->least_repetitions = description->most_repetitions = 1;
    for (size_t i = 0; status == CT_OK && i < sizeof properties / sizeof properties[0]; i++)
        if (properties[i].value)
            status = ct_run_add_property(description, properties[i].name, properties[i].value);
    return status;
}

/* --- the operation --- */

bool ct_prediction_use_operation(const struct ct_run *run, struct ct_model *model, const char **ret_operation,
                                 const char **ret_type)
{
    *ret_operation = "sum";
    *ret_type = "double";
    for (size_t i = 0; i < run->sample_count; i++) {
        const size_t operation = run->samples[i].operation, type = run->samples[i].datatype;
        if (operation >= run->word_count || type >= run->word_count || !run->words[operation][0])
            continue;
        *ret_operation = run->words[operation];
        *ret_type = run->words[type];
        break;
    }
    return ct_model_use_work(model, *ret_operation, *ret_type) ||
           (strcmp(*ret_operation, "sum") == 0 && strcmp(*ret_type, "double") == 0);
}
