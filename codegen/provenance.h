/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_PROVENANCE_H
#define CT_CODEGEN_PROVENANCE_H

#include "decision/table.h"

/* Appends text from outside as printable ASCII, changed so that it neither begins nor ends a C comment and
 * has no trigraph. */
void ct_harmless_append(const char *words, struct ct_text *text);

/* Appends the provenance of the table, each line after `prefix`: runs with checksums, learners and penalties.
 * The text is safe within C comments, see ct_harmless_append(). */
void ct_provenance_write(const struct ct_table *table, const char *prefix, struct ct_text *text);

/* Appends the lines of `lines`, each after `prefix`, safe within C comments. */
void ct_lines_write(const struct ct_text *lines, const char *prefix, struct ct_text *text);

#endif
