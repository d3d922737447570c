/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_DATA_H
#define CT_BASE_DATA_H

#include "base/error.h"

/* Finds a file that is shipped beside the program: schemas, platforms. `name` is its path in the source tree,
 * "samples/run.rng". It is looked for below $COLLTUNE_DATA where that is set; else below
 * `../share/colltune` from the executable's folder where that exists; else in the source tree that the
 * program was built from. CT_OK; CT_E_SYSTEM with a line in `error` where it is not there; CT_E_MEMORY.
 * Caller frees *ret_path. */
int ct_data_path(const char *name, struct ct_error *error, char **ret_path);

#endif
