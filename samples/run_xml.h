/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_RUN_XML_H
#define CT_SAMPLES_RUN_XML_H

#include "base/text.h"
#include "samples/run_description.h"

/* run.xml as text, and back; `name` is what errors call it. The caller frees the result with
 * ct_run_description_free(). */
void ct_run_description_write(const struct ct_run_description *description, struct ct_text *text);
int ct_run_description_read(const char *text, size_t length, const char *name, struct ct_error *error,
                            struct ct_run_description *ret_description);

/* Appends the properties as elements, for run.xml and for tables. */
void ct_properties_write(const struct ct_property *properties, size_t count, struct ct_text *text);

#endif
