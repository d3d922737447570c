/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_OPTION_CHOICES_H
#define CT_CLI_OPTION_CHOICES_H

#include "base/option.h"
#include "models/model.h"
#include "plan/collective.h"

/* Choices of several commands (base/option.h): text, csv; the collectives, then "all" (CT_COLLECTIVES); the
 * communication models, then "auto" (CT_COMMUNICATION_MODELS): the last that a file has. */
const char *ct_format_choice(size_t index);
const char *ct_collective_choice(size_t index);
const char *ct_model_choice(size_t index);

/* The option --cost-model, of settings with a member `int cost_model`. */
#define CT_COST_MODEL_OPTION(settings)                                                                       \
    {                                                                                                        \
        "cost-model", 0, "NAME", CT_OPTION_CHOICE, offsetof(settings, cost_model),                           \
            .usual = "auto", .choice = ct_model_choice,                                                      \
            .text = "use this communication model; auto takes the last of "                                  \
                    "these that the file has"                                                                \
    }

/* The communication model that was chosen, or for "auto" ct_model_last(). */
enum ct_communication_model ct_cost_model(int choice, const struct ct_model *model, bool one_node);

#endif
