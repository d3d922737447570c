/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_FIT_PICTURE_H
#define CT_CLI_FIT_PICTURE_H

#include "models/model.h"

#include <stdio.h>

/* Prints a fitted model as tables: parameters with their intervals and errors, the corners of PLogP's curves,
 * and local work. */
void ct_fit_show(const struct ct_model *model, FILE *out);

#endif
