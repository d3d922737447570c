/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_VOTES_H
#define CT_CLI_VOTES_H

#include "base/checksum.h"
#include "base/error.h"
#include "base/option.h"
#include "codegen/model_code.h"
#include "models/model_file.h"

#include <stdbool.h>

struct ct_arguments;

/* The option --vote: models that vote, with weights. */

/* Reads "hockney=1,loggp=2" into the weights, double[CT_COMMUNICATION_MODELS], at the option's offset in the
 * settings; a weight that is left out is 1, that of other models 0. CT_OK; CT_E_INPUT with a line in `error`
 * that names the option. */
int ct_votes_read(const struct ct_option *option, const char *word, void *settings, struct ct_error *error);

/* Is any weight above 0? */
bool ct_votes_are_given(const double weights[CT_COMMUNICATION_MODELS]);

/* Weights and --cost-model exclude one another. CT_OK; CT_E_INPUT with a line in `error`. */
int ct_votes_check(const double weights[CT_COMMUNICATION_MODELS], const struct ct_arguments *arguments,
                   struct ct_error *error);

/* A model file from which code is made. */
struct ct_voting_model {
    struct ct_model model;
    char checksum[CT_CHECKSUM_TEXT];
    struct ct_model_origin origin; /* of the two; so this is not to be copied */
};

/* Reads the file. If no weight is above 0, the model that --cost-model names decides alone. CT_OK; else a
 * line in `error`, and nothing is to be freed. The caller frees what was read with ct_model_free(&model). */
int ct_voting_model_read(const char *file, const double weights[CT_COMMUNICATION_MODELS], int cost_model,
                         struct ct_error *error, struct ct_voting_model *ret_model);

#endif
