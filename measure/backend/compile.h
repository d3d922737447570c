/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_COMPILE_H
#define CT_MEASURE_BACKEND_COMPILE_H

#include "base/progress.h"
#include "measure/backend/toolchain.h"

#include <stdbool.h>

/* Compiles colltune's MPI sources with the compiler wrapper of an MPI. */

struct ct_compilation {
    const char *list;         /* "library", "benchmark", ...: NAME.list in the build or data folder */
    const char *const *extra; /* further sources, flags or libraries (full paths), NULL at the end; or NULL */
    const char *output;       /* file to make; of a library without its ending */
    bool library; /* make `output`.so and `output`.a (for smpi only .a) of the same objects, not a program */
};

/* Compiles and links all files of the list. The compilers are ended if the watch (may be NULL) is stopped;
 * no file is left behind on failure, except `output`. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line in `error`;
 * CT_E_STOPPED, CT_E_MEMORY. */
int ct_mpi_compile(const struct ct_mpi *mpi, const struct ct_compilation *what, const struct ct_watch *watch,
                   struct ct_error *error);
/* Makes a program that is kept in the user's cache folder: it is compiled again, with a notice before, only
 * if compiler or sources have changed. *ret_program is its path, freed by the caller. Errors as above. */
int ct_mpi_program(const struct ct_mpi *mpi, const char *list, const struct ct_watch *watch,
                   struct ct_error *error, char **ret_program);

/* The path in the cache folder of what is made of the sources for an MPI; it changes with either. CT_OK, or
 * an error as above. Caller frees *ret_path. */
int ct_mpi_cached(const struct ct_mpi *mpi, const char *what, struct ct_error *error, char **ret_path);

/* The user's cache folder for colltune, which is made if it does not exist: in XDG_CACHE_HOME, else in HOME,
 * else in /tmp. CT_OK; CT_E_SYSTEM with a line in `error` where it cannot be made or written; CT_E_MEMORY.
 * Caller frees *ret_folder. */
int ct_cache_folder(struct ct_error *error, char **ret_folder);

#endif
