/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/native_call.h"
#include "library/mpi/backend_mpi.h"

#define CT_SMALL(name, lower) PMPI_##name
#define CT_LARGE(name, lower) PMPI_##name##_c
#define CT_MORE

/* Inline also where it is called, in files that are compiled with this one: a known collective needs no
 * switch. */
__attribute__((always_inline)) inline int ct_native_call(enum ct_collective collective,
                                                         const struct ct_operands *operands, MPI_Comm comm)
{
#include "library/mpi/mpi_calls.def"
}
