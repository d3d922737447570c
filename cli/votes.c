/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/votes.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/option_choices.h"
#include "models/model.h"

#include <stdio.h>
#include <string.h>

/* The model of that name; CT_COMMUNICATION_MODELS: none. */
static int find_model(const char *name, size_t length)
{
    int kind = 0;
    while (kind < CT_COMMUNICATION_MODELS && (strlen(ct_communication_model_names[kind]) != length ||
                                              strncmp(ct_communication_model_names[kind], name, length) != 0))
        kind++;
    return kind;
}

int ct_votes_read(const struct ct_option *option, const char *word, void *settings, struct ct_error *error)
{
    double weights[CT_COMMUNICATION_MODELS] = {0};
    for (const char *item = word; item; item = strchr(item, ',') ? strchr(item, ',') + 1 : NULL) {
        const size_t length = strcspn(item, "=,"), whole = strcspn(item, ",");
        const int kind = find_model(item, length);
        char number[32] = "1";
        if (kind == CT_COMMUNICATION_MODELS)
            return ct_fail(error, CT_E_INPUT, "--%s '%.80s': unknown model '%.*s'; expected %s, %s or %s",
                           option->name, word, (int)length, item, ct_communication_model_names[0],
                           ct_communication_model_names[1], ct_communication_model_names[2]);
        if (weights[kind] > 0)
            return ct_fail(error, CT_E_INPUT, "--%s '%.80s': %s is given twice", option->name, word,
                           ct_communication_model_names[kind]);
        if (item[length] == '=')
            snprintf(number, sizeof number, "%.*s", (int)(whole - length - 1), item + length + 1);
        if (ct_number_parse(number, &weights[kind]) != CT_OK || weights[kind] <= 0)
            return ct_fail(error, CT_E_INPUT, "--%s '%.80s': expected a weight above 0 after '%.*s='",
                           option->name, word, (int)length, item);
    }
    memcpy((char *)settings + option->offset, weights, sizeof weights);
    return CT_OK;
}

bool ct_votes_are_given(const double weights[CT_COMMUNICATION_MODELS])
{
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        if (weights[kind] > 0)
            return true;
    return false;
}

int ct_votes_check(const double weights[CT_COMMUNICATION_MODELS], const struct ct_arguments *arguments,
                   struct ct_error *error)
{
    return ct_votes_are_given(weights) && ct_is_given(arguments, "cost-model")
               ? ct_fail(error, CT_E_INPUT, "--vote: cannot be combined with --cost-model")
               : CT_OK;
}

int ct_voting_model_read(const char *file, const double weights[CT_COMMUNICATION_MODELS], int cost_model,
                         struct ct_error *error, struct ct_voting_model *ret_model)
{
    struct ct_model *model = &ret_model->model;
    int status = ct_model_read(file, error, model);
    if (status != CT_OK)
        return status;
    ret_model->origin =
        (struct ct_model_origin){.model = model, .file = file, .checksum = ret_model->checksum};
    if (ct_votes_are_given(weights))
        memcpy(ret_model->origin.weights, weights, sizeof ret_model->origin.weights);
    else
        ret_model->origin.weights[ct_cost_model(cost_model, model, !ct_model_has_network(model))] = 1;
    status = ct_file_checksum(file, error, ret_model->checksum);
    if (status != CT_OK)
        ct_model_free(model);
    return status;
}
