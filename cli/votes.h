/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_VOTES_H
#define CT_CLI_VOTES_H

#include "base/error.h"
#include "models/parameters.h"

#include <stdbool.h>

/* The option --vote: models that vote, with weights. */

/* Reads "hockney=1,loggp=2"; a weight that is left out is 1, that of other models 0. CT_OK; CT_E_INPUT with a
 * line in `error` that names the option. */
int ct_votes_read(const char *option, const char *word, struct ct_error *error,
                  double ret_weights[CT_COMMUNICATION_MODELS]);

/* Is any weight above 0? */
bool ct_votes_are_given(const double weights[CT_COMMUNICATION_MODELS]);

#endif
