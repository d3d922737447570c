/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH's module mpi_f08 calls those MPI functions that have no buffers by their PMPI_ names. Here those that
 * the tuned library takes over are called by their MPI_ names. */
#include "library/colltuned.h"
#include "library/mpi/backend_mpi.h"

#if CT_MPICH

#include <stdlib.h>

/* TYPE(MPI_Comm) holds the handle of C. `error` is NULL where the caller leaves it out. */
COLLTUNED_API void mpi_init_f08_(int *error);
COLLTUNED_API void mpi_init_thread_f08_(const int *required, int *provided, int *error);
COLLTUNED_API void mpi_barrier_f08_(const MPI_Fint *comm, int *error);
COLLTUNED_API void mpi_comm_set_errhandler_f08_(const MPI_Fint *comm, const MPI_Fint *handler, int *error);

static void end_with(int code, int *error)
{
    if (error)
        *error = code;
}

/* Its MPI_Wait calls PMPI_Wait, which does not move our calls. So non-blocking collectives stay native. */
static void keep_nonblocking_native(void)
{
    unsetenv("COLLTUNE_NONBLOCKING");
}

void mpi_init_f08_(int *error)
{
    keep_nonblocking_native();
    end_with(MPI_Init(NULL, NULL), error);
}

void mpi_init_thread_f08_(const int *required, int *provided, int *error)
{
    keep_nonblocking_native();
    end_with(MPI_Init_thread(NULL, NULL, *required, provided), error);
}

void mpi_barrier_f08_(const MPI_Fint *comm, int *error)
{
    end_with(MPI_Barrier(MPI_Comm_f2c(*comm)), error);
}

void mpi_comm_set_errhandler_f08_(const MPI_Fint *comm, const MPI_Fint *handler, int *error)
{
    end_with(MPI_Comm_set_errhandler(MPI_Comm_f2c(*comm), MPI_Errhandler_f2c(*handler)), error);
}

#else

/* ISO C wants a declaration in every file. */
typedef int ct_fortran_mpich_nothing;

#endif
