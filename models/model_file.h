/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_MODEL_FILE_H
#define CT_MODELS_MODEL_FILE_H

#include "base/text.h"
#include "models/model.h"

#include <stdbool.h>

/* Models as XML files, with the schema models/model.rng. models/systems/ holds those of the literature. */

/* CT_OK; CT_E_INPUT with file, line and what was expected; CT_E_SYSTEM, CT_E_MEMORY. Caller frees with
 * ct_model_free(). */
int ct_model_read(const char *path, struct ct_error *error, struct ct_model *ret_model);

/* The same from text that is there already; `name` is what errors call it. */
int ct_model_parse(const char *text, size_t length, const char *name, struct ct_error *error,
                   struct ct_model *ret_model);

/* Is it an XML file whose root element is that of a model? Nothing else is looked at. */
bool ct_model_is_file(const char *path);

/* Makes the file, whole or not at all. CT_OK; CT_E_INPUT where it exists, or where ct_model_read() would
 * refuse it; CT_E_SYSTEM, CT_E_MEMORY. */
int ct_model_write(const char *path, const struct ct_model *model, struct ct_error *error);

/* Appends the XML. */
void ct_model_format(const struct ct_model *model, struct ct_text *text);

#endif
