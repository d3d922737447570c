/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_IMPORT_H
#define CT_SAMPLES_IMPORT_IMPORT_H

#include "samples/import/import_format.h"
#include "samples/import/import_make_run.h"

/* Results of other benchmarks as a run. Each row of theirs, which is a mean over many repetitions, becomes
 * one sample. Readers are strict: one flaw in one file, and nothing is written. docs/importing.md says how
 * the sizes that they print are converted. */

/* All formats, ended by NULL. */
extern const struct ct_import_format *const ct_import_formats[];
/* The format of that name; NULL where there is none. */
const struct ct_import_format *ct_import_find(const char *name);

/* Reads all sources and makes one run of them, whole or not at all. CT_OK; CT_E_INPUT with file, line and
 * what was expected, also where the folder exists, a file is given twice or holds nothing to import;
 * CT_E_SYSTEM; CT_E_MEMORY. */
int ct_import(const struct ct_import_format *format, const struct ct_import_request *request,
              struct ct_error *error, struct ct_import_summary *ret_summary);

/* Reads a text as one source. It is changed: `text[length]` is a NUL and may be written to, as all before it.
 * CT_OK; CT_E_INPUT, also where it holds no results at all; CT_E_MEMORY. */
int ct_import_read(const struct ct_import_format *format, const struct ct_import_request *request,
                   const struct ct_import_source *source, char *text, size_t length, struct ct_error *error,
                   struct ct_import_results *results);

#endif
