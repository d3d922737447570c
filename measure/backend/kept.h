/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_KEPT_H
#define CT_MEASURE_BACKEND_KEPT_H

#include "measure/backend/compile.h"

/* What is compiled once and kept in the user's cache folder. */

/* Makes a product of a list, but no CT_LIBRARY, and keeps it: it is compiled again, with a notice before,
 * only if compiler or sources have changed. A program is linked with the kept object `with`; NULL: with none.
 * *ret_path is its path, freed by the caller. Errors as of ct_mpi_compile(). */
int ct_mpi_keep(const struct ct_mpi *mpi, enum ct_product product, const char *list, const char *with,
                const struct ct_watch *watch, struct ct_error *error, char **ret_path);

/* The path in the cache folder, by name, of what is made of a list of sources for an MPI; it changes with
 * either. CT_OK, or an error as above. Caller frees *ret_path. */
int ct_mpi_kept(const struct ct_mpi *mpi, const char *list, const char *name, struct ct_error *error,
                char **ret_path);

/* The user's cache folder for colltune, which is made if it does not exist: in XDG_CACHE_HOME, else in HOME,
 * else in /tmp. CT_OK; CT_E_SYSTEM with a line in `error` where it cannot be made or written; CT_E_MEMORY.
 * Caller frees *ret_folder. */
int ct_cache_folder(struct ct_error *error, char **ret_folder);

/* Makes a new folder in the cache folder: ranks on other hosts find the programs there, and so see this
 * folder, too, while /tmp is each host's own. Errors as above. Caller frees *ret_folder and removes the
 * folder. */
int ct_shared_folder(struct ct_error *error, char **ret_folder);

#endif
