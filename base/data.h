/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_DATA_H
#define CT_BASE_DATA_H

#include "base/error.h"

/* Finds a shipped file: a schema, a platform, a source. `name` is its path in the source tree,
 * "samples/run.rng", or in the build, "library.list". The folders searched are $COLLTUNE_DATA if that is set;
 * else `../share/colltune` and the library folder, from the executable's folder, if these exist; else the
 * source tree and the build. CT_OK; CT_E_SYSTEM with a line in `error` if it is missing; CT_E_MEMORY. Caller
 * frees *ret_path. */
int ct_data_path(const char *name, struct ct_error *error, char **ret_path);

#endif
