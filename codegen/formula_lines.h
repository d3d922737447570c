/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_FORMULA_LINES_H
#define CT_CODEGEN_FORMULA_LINES_H

/* The source of models/'s closed formulas, put here by embed_formulas: lines that end in a newline, NULL
 * behind the last. */

/* Types and functions that all rows use; needs math.h, stdbool.h and stddef.h. */
extern const char *const *const ct_formula_basics;

/* The rows, file by file; NULL behind the last. */
extern const char *const *const ct_formula_lines[];

#endif
