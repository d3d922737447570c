/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_PRELOAD_H
#define CT_CLI_PRELOAD_H

#include "measure/backend/preload_variables.h"

/* Applications that are started with a tuned library preloaded. */

/* The variables that put the library of a built prefix before what is preloaded already. CT_OK; CT_E_INPUT
 * where the prefix has no library, or the loader cannot take its path; CT_E_MEMORY. Caller frees with
 * ct_preload_variables_free(). */
int ct_preload_make(const char *prefix, struct ct_error *error, struct ct_preload_variables *ret_variables);

/* Fails because the command has not loaded the library. Returns CT_E_ANSWER. */
int ct_preload_fail_unused(const char *command, struct ct_error *error);

#endif
