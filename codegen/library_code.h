/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_LIBRARY_CODE_H
#define CT_CODEGEN_LIBRARY_CODE_H

#include "decision/table.h"

/* Appends the member of ct_compiled_decisions that says in these lines where the decisions come from, and
 * names the sources of the library. Ranks whose libraries differ in it leave all collectives native. */
void ct_library_provenance_write(const char *lines, struct ct_text *text);

/* Appends the C file that connects the generated header, included as `header`, to the tuned library: it
 * defines ct_compiled_decisions (library/compiled.h). */
void ct_library_code_write(const struct ct_table *table, const char *header, struct ct_text *text);

#endif
