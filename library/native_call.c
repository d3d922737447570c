/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/executor.h"

#define CT_MPI(name) PMPI_##name
#include "library/mpi_calls.def"

int ct_native_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
    return ct_mpi_calls[collective](operands, comm);
}
