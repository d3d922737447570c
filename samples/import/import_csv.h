/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_IMPORT_CSV_H
#define CT_SAMPLES_IMPORT_IMPORT_CSV_H

#include "samples/import/import_format.h"

/* Results in CSV, whose columns a map explains. */

extern const struct ct_import_format ct_import_csv;

#endif
