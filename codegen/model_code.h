/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MODEL_CODE_H
#define CT_CODEGEN_MODEL_CODE_H

#include "algorithms/method.h"
#include "base/text.h"
#include "models/model.h"
#include "plan/collective.h"

/* A decision function that asks the model itself, call by call: the machine's parameters and the closed
 * formulas are compiled in. Source: Pjesivac-Grbovic 2007, section 5.2.3. */

/* Where a model comes from, and which kinds of its parameters vote. */
struct ct_model_origin {
    const struct ct_model *model;
    const char *file;
    const char *checksum;                    /* SHA-256 of the file */
    double weights[CT_COMMUNICATION_MODELS]; /* above 0 of those that vote; one alone decides */
};

/* Has the collective formulas, so that a model can decide it? */
bool ct_model_decides(enum ct_collective collective);

/* The methods that its function tries, by their numbers. CT_OK or CT_E_MEMORY; caller frees *ret_methods. */
int ct_model_methods(enum ct_collective collective, struct ct_method **ret_methods, size_t *ret_count);

/* Who decides: "the loggp model", or "a vote of hockney=1, plogp=2". */
void ct_model_voters_write(const struct ct_model_origin *origin, struct ct_text *text);

/* Appends a C99 file for one collective that ct_model_decides(). CT_OK; CT_E_INPUT with a line in `error` if
 * the machine has no parameters of a model that votes, or the collective has no formulas; CT_E_MEMORY. */
int ct_model_code_write(const struct ct_model_origin *origin, enum ct_collective collective,
                        struct ct_error *error, struct ct_text *text);

#endif
