/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_PRELOAD_H
#define CT_CLI_PRELOAD_H

#include "base/error.h"

/* Applications that are started with a tuned library preloaded. */

/* The assignment to LD_PRELOAD that puts the library of a built prefix before what is preloaded already.
 * CT_OK; CT_E_INPUT where the prefix has no library; CT_E_MEMORY. Caller frees *ret_assignment. */
int ct_preload_make(const char *prefix, struct ct_error *error, char **ret_assignment);

/* Fails because the command has not loaded the library. Returns CT_E_ANSWER. */
int ct_preload_fail_unused(const char *command, struct ct_error *error);

#endif
