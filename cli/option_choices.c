/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/option_choices.h"

const char *ct_format_choice(size_t index)
{
    static const char *const names[] = {"text", "csv", NULL};
    return names[index];
}

const char *ct_collective_choice(size_t index)
{
    return index < CT_COLLECTIVES ? ct_collectives[index].name : index == CT_COLLECTIVES ? "all" : NULL;
}

const char *ct_model_choice(size_t index)
{
    return index < CT_COMMUNICATION_MODELS    ? ct_communication_model_names[index]
           : index == CT_COMMUNICATION_MODELS ? "auto"
                                              : NULL;
}

enum ct_communication_model ct_cost_model(int choice, const struct ct_model *model, bool one_node)
{
    return choice < CT_COMMUNICATION_MODELS ? (enum ct_communication_model)choice
                                            : ct_model_last(model, one_node);
}
