/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MPI_PREDEFINED_OPS_H
#define CT_LIBRARY_MPI_PREDEFINED_OPS_H

#include <mpi.h>
#include <stdbool.h>

/* The predefined operations and the predefined types (MPI 4.0, sections 6.9.2 and 6.9.4). */

/* Is it one of the predefined operations that collectives take? */
bool ct_is_predefined_op(MPI_Op op);

/* What elements of a predefined type are to operations that the standard allows for it. Logicals and bytes of
 * C are unsigned. Fortran's logicals, pairs and addresses (MPI_AINT, MPI_OFFSET, MPI_COUNT), which MPI
 * libraries may take for unsigned, are something else. */
enum ct_number {
    CT_NUMBER_OTHER,
    CT_NUMBER_SIGNED,
    CT_NUMBER_UNSIGNED,
    CT_NUMBER_FLOATING,
    CT_NUMBER_COMPLEX
};
enum ct_number ct_number_of(MPI_Datatype type);

/* Does the standard allow the predefined operation for the type? */
bool ct_op_takes(MPI_Op op, MPI_Datatype type);

/* Has the reduction the same result in whatever order elements are combined? Those of integers, logicals and
 * bytes have; minima and maxima of floating-point numbers may differ in signs of zeros. */
bool ct_is_exact_reduction(MPI_Op op, MPI_Datatype type);

#endif
