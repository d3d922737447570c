/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_GIVEN_TWICE_H
#define CT_SAMPLES_IMPORT_GIVEN_TWICE_H

#include "samples/import/import_request.h"

/* Is a file among them twice, in its name or in its text? Where texts are equal and another method, number of
 * ranks or place is said of each, both count. `inside` stands behind each path: "/samples.csv" of runs, or
 * "". CT_OK; CT_E_INPUT where one is; CT_E_SYSTEM where one cannot be read; CT_E_MEMORY. */
int ct_import_forbid_twice(const struct ct_import_source *sources, size_t count, const char *inside,
                           struct ct_error *error);

#endif
