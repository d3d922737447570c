/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MODEL_LIBRARY_H
#define CT_CODEGEN_MODEL_LIBRARY_H

#include "codegen/model_code.h"

/* Appends the C file that connects the functions of ct_model_code_write() to the tuned library: it defines
 * ct_compiled_decisions (library/compiled.h). It includes decide_COLLECTIVE.c for their declarations, of all
 * collectives that ct_model_decides(). CT_OK or CT_E_MEMORY. */
int ct_model_library_write(const struct ct_model_origin *origin, struct ct_text *text);

#endif
