/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_PREFIX_H
#define CT_CLI_PREFIX_H

#include "base/progress.h"
#include "codegen/model_code.h"
#include "decision/table.h"
#include "measure/backend/toolchain.h"

/* A folder with a tuned library as `colltune build` leaves it:
 *
 *     lib/libcolltuned.so, lib/libcolltuned.a (the simulator: .a alone)
 *     lib/pkgconfig/colltuned.pc  also says which MPI and compiler it is for
 *     include/colltuned.h         what programs may look at
 *     include/colltune_decisions.h  the decision functions, if it was built from a table,
 *     share/colltuned/table.xml     and that table;
 *     share/colltuned/model.xml     or the model that it was built from */

/* Builds the library for this MPI. Nothing is left behind on failure. CT_OK; CT_E_INPUT where the folder
 * holds a library already and `replace` is not set; CT_E_SYSTEM with a line in `error`; CT_E_STOPPED,
 * CT_E_MEMORY. */
int ct_prefix_build(const char *prefix, const struct ct_table *table, const struct ct_mpi *mpi, bool replace,
                    const struct ct_watch *watch, struct ct_error *error);

/* The same from a model, which decides in each call. CT_E_INPUT also if the model lacks parameters. */
int ct_prefix_build_model(const char *prefix, const struct ct_model_origin *origin, const struct ct_mpi *mpi,
                          bool replace, const struct ct_watch *watch, struct ct_error *error);

/* The compiler wrapper of the MPI that a built prefix is for. CT_OK; CT_E_INPUT where there is no tuned
 * library; CT_E_MEMORY. Caller frees *ret_cc. */
int ct_prefix_compiler(const char *prefix, struct ct_error *error, char **ret_cc);

#endif
