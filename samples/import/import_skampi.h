/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_IMPORT_SKAMPI_H
#define CT_SAMPLES_IMPORT_IMPORT_SKAMPI_H

#include "samples/import/import_format.h"

/* Results of SKaMPI. */

extern const struct ct_import_format ct_import_skampi;

#endif
