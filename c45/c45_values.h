/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_C45_C45_VALUES_H
#define CT_C45_C45_VALUES_H

#include "learners/c45_decide.h"

/* The whole numbers that stand in files of C4.5, exactly: by attribute, as struct ct_c45_meaning has them.
 * Of continuous attributes those of a .data text (NULL: none), of discrete ones what their values are. The
 * text is sound otherwise. CT_OK; CT_E_INPUT with file, line and what was expected; CT_E_MEMORY. Caller frees
 * with ct_c45_values_free(). */
int ct_c45_values_read(const struct ct_c45_names *names, const char *data, size_t length, const char *file,
                       struct ct_error *error, struct ct_c45_values **ret_values);
void ct_c45_values_free(struct ct_c45_values *values, size_t count);

#endif
