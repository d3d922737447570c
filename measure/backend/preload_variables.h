/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_PRELOAD_VARIABLES_H
#define CT_MEASURE_BACKEND_PRELOAD_VARIABLES_H

#include "base/error.h"

enum { CT_PRELOAD_VARIABLES = 2 };

/* Assignments to environment variables that preload a shared library. */
struct ct_preload_variables {
    char *entries[CT_PRELOAD_VARIABLES + 1]; /* ended by NULL */
    const char *word; /* what stands for the library in LD_PRELOAD: the path, or its end */
};

/* Puts the library before what the environment preloads already. Names in LD_PRELOAD are separated by blanks
 * and colons. So a library whose path has a blank is named there without its folder, which LD_LIBRARY_PATH
 * gets: there names are separated by colons and semicolons. A path without a slash is left to the loader to
 * find. CT_OK; CT_E_INPUT where the path has a separator of both; CT_E_MEMORY. Caller frees with
 * ct_preload_variables_free(). */
int ct_preload_variables_make(const char *path, struct ct_error *error, struct ct_preload_variables *ret);
void ct_preload_variables_free(struct ct_preload_variables *variables);

#endif
