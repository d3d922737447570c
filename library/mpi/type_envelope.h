/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MPI_TYPE_ENVELOPE_H
#define CT_LIBRARY_MPI_TYPE_ENVELOPE_H

#include <mpi.h>
#include <stdbool.h>

/* How a datatype was made (MPI 4.0, section 5.1.13). */
struct ct_type_envelope {
    int combiner;
    bool is_predefined; /* it must not be freed, and its handle stands for it for good */
    bool has_contents;  /* PMPI_Type_get_contents() tells them: it was made without large counts */
};

/* Also of types made with large counts, for which PMPI_Type_get_envelope() is an error. Returns an MPI error
 * code. */
int ct_type_envelope(MPI_Datatype type, struct ct_type_envelope *ret_envelope);

#endif
