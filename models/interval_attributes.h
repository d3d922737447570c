/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_INTERVAL_ATTRIBUTES_H
#define CT_MODELS_INTERVAL_ATTRIBUTES_H

#include "base/xml.h"
#include "models/model.h"

/* The attributes `low` and `high` of elements that have a confidence interval. `name` is the file's. CT_OK;
 * CT_E_INPUT with a line in `error`; CT_E_MEMORY. */
int ct_interval_read(const char *name, const xmlNode *node, struct ct_error *error,
                     struct ct_interval *interval);

/* Appends them, each behind a blank. */
void ct_interval_write(const struct ct_interval *interval, struct ct_text *text);

#endif
