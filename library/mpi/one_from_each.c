/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi/one_from_each.h"

int ct_one_from_each(int own, int *ret_all, MPI_Comm comm)
{
    enum { ROOT = 0 };
    int size;
    int code = PMPI_Comm_size(comm, &size);
    if (code == MPI_SUCCESS)
        code = PMPI_Gather(&own, 1, MPI_INT, ret_all, 1, MPI_INT, ROOT, comm);
    return code == MPI_SUCCESS ? PMPI_Bcast(ret_all, size, MPI_INT, ROOT, comm) : code;
}
