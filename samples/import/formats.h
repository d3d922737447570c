/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_FORMATS_H
#define CT_SAMPLES_IMPORT_FORMATS_H

#include "samples/import/import.h"

/* Each in its file import_NAME.c. */
extern const struct ct_import_format ct_import_osu, ct_import_imb, ct_import_csv;

#endif
