/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_SHORT_REDUCTION_H
#define CT_LIBRARY_EXECUTE_SHORT_REDUCTION_H

#include <mpi.h>
#include <stddef.h>

/* Reductions of a few elements, as PMPI_Reduce_local() carries them out: that takes some 200 instructions in
 * MPICH, more than all else that is done with a short message. */

/* to = from op to, for n elements. */
typedef void ct_short_reduction(const void *from, void *to, size_t n);

/* Returns the one for a predefined operation and type, whose elements have so many bytes. NULL where there is
 * none: for pairs, Fortran's logicals, addresses, long double, extremes of unsigned integers, and products of
 * complex numbers. */
ct_short_reduction *ct_short_reduction_of(MPI_Op op, MPI_Datatype type, size_t bytes);

#endif
