/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_LAYOUT_H
#define CT_LIBRARY_EXECUTE_LAYOUT_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* How elements of a datatype lie in memory. */
struct ct_layout {
    size_t size;          /* bytes of its signature */
    MPI_Aint extent;      /* from one element to the next */
    MPI_Aint true_lb;     /* where its data begins, from the address given */
    MPI_Aint true_extent; /* and how far it reaches */
    bool contiguous; /* n elements are their n * size bytes of signature, in order, from the address given */
    bool predefined; /* the type can never be freed, so its handle stands for this layout for good */
    bool lasts;      /* its handle stands for this layout while ct_layouts_forgotten() stays the same */
};

/* How many derived types whose layouts were found have been freed: their handles may come back as other
 * types. */
unsigned ct_layouts_forgotten(void);

/* Finds the layout, which is kept with a derived type. Sizes alone do not prove contiguity: an indexed type
 * may swap its parts. Types that repeat another one show it by how they were made; others, if they are not
 * large, are tried with numbered bytes; the rest counts as not contiguous. Errors are raised on `comm`.
 * Returns an MPI error code. */
int ct_layout_find(MPI_Datatype type, MPI_Comm comm, struct ct_layout *ret_layout);

#endif
