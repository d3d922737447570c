/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_TOOLCHAIN_H
#define CT_MEASURE_BACKEND_TOOLCHAIN_H

#include "base/error.h"

#include <stddef.h>

/* The MPI libraries of this machine: their compilers and launchers. */

struct ct_mpi {
    char *name;     /* "mpich", "openmpi", "smpi"; "mpi" for any other */
    char *version;  /* from its mpi.h */
    char *cc;       /* compiler wrapper */
    char *compiler; /* the command line that it runs, as far as it shows it; else empty */
    char *launcher; /* mpiexec or smpirun; NULL where none was found */
};

/* Finds an MPI: by name (mpich, openmpi, smpi), or if `name` is NULL, by the compiler wrapper `cc`, or if
 * both are NULL, MPICH. The macros of the wrapper's mpi.h decide which MPI it is, not the wrapper's name.
 * CT_OK; CT_E_INPUT (unknown name, or `cc` belongs to another MPI than `name`); CT_E_SYSTEM with a line in
 * `error` that names the package to install, or the compiler that does not work. Caller frees with
 * ct_mpi_free(). */
int ct_mpi_find(const char *name, const char *cc, struct ct_error *error, struct ct_mpi *ret_mpi);
/* The name of a known MPI, the default first; NULL behind the last. */
const char *ct_mpi_choice(size_t index);

void ct_mpi_free(struct ct_mpi *mpi);

#endif
