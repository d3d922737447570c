/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_TOOLCHAIN_H
#define CT_MEASURE_BACKEND_TOOLCHAIN_H

#include "base/error.h"

#include <stddef.h>

/* The MPI libraries of this machine: their compilers and launchers, and compiling our sources for them. */

struct ct_mpi {
    char *name;     /* "mpich", "openmpi", "smpi"; "mpi" for any other */
    char *version;  /* as its mpi.h tells */
    char *cc;       /* compiler wrapper */
    char *launcher; /* mpiexec or smpirun; NULL where none was found */
};

/* Finds an MPI: by name (mpich, openmpi, smpi) or, `name` NULL, by the compiler wrapper `cc` or else the
 * default, MPICH. What the wrapper's mpi.h defines decides which MPI it is, not the wrapper's name. CT_OK;
 * CT_E_INPUT (unknown name, or `cc` is of another MPI than `name`); CT_E_SYSTEM with a line in `error` that
 * names the package to install. Caller frees with ct_mpi_free(). */
int ct_mpi_find(const char *name, const char *cc, struct ct_error *error, struct ct_mpi *ret_mpi);
void ct_mpi_free(struct ct_mpi *mpi);

/* What to compile. */
struct ct_compilation {
    const char *list; /* "library" or "benchmark": NAME.list in the build or data folder */
    const char *const
        *extra;         /* further source files, flags or libraries (full paths), NULL at the end; or NULL */
    const char *output; /* file to make */
};

/* Compiles and links a program of all files of the list for this MPI. */
int ct_mpi_compile_program(const struct ct_mpi *mpi, const struct ct_compilation *what,
                           struct ct_error *error);
/* The same, kept in the user's cache folder under a name made of compiler and sources, and compiled only
 * where it is not there yet. *ret_program is its path, freed by the caller. */
int ct_mpi_program(const struct ct_mpi *mpi, const char *list, struct ct_error *error, char **ret_program);
/* Compiles objects once and makes both `stem`.so and `stem`.a (only .a for smpi). `output` is the stem. */
int ct_mpi_compile_library(const struct ct_mpi *mpi, const struct ct_compilation *what,
                           struct ct_error *error);

#endif
