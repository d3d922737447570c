/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_DATA_H
#define CT_BASE_DATA_H

#include "base/error.h"

/* Finds a shipped data file: a schema, a platform. `name` is its path in the source tree, "samples/run.rng".
 * It is searched in $COLLTUNE_DATA if that is set; else in `../share/colltune` from the executable's folder
 * if that exists; else in the source tree of the build. CT_OK; CT_E_SYSTEM with a line in `error` if it is
 * missing; CT_E_MEMORY. Caller frees *ret_path. */
int ct_data_path(const char *name, struct ct_error *error, char **ret_path);

#endif
