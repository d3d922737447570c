/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MODEL_CODE_H
#define CT_CODEGEN_MODEL_CODE_H

#include "base/text.h"
#include "models/model.h"
#include "plan/collective.h"

/* A decision function that asks the model itself, call by call: the machine's parameters and the closed
 * formulas are compiled in. Source: Pjesivac-Grbovic 2007, section 5.2.3. */

/* Appends a C99 file for one collective. `source` is the model's file, `checksum` the SHA-256 of that. CT_OK;
 * CT_E_INPUT with a line in `error` if the machine has no parameters of that model, or the collective has no
 * formulas; CT_E_MEMORY. */
int ct_model_code_write(const struct ct_model *model, const char *source, const char *checksum,
                        enum ct_communication_model kind, enum ct_collective collective,
                        struct ct_error *error, struct ct_text *text);

#endif
