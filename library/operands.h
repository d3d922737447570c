/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_OPERANDS_H
#define CT_LIBRARY_OPERANDS_H

#include <mpi.h>
#include <stddef.h>

/* The arguments of a collective, as MPI has them. */

/* One of the two buffers. */
struct ct_side {
    void *buffer; /* may be MPI_IN_PLACE where MPI allows it; NULL if there is none */
    size_t count; /* elements of a block, or of the whole buffer */
    MPI_Datatype type;
    /* v and w forms: by rank; else NULL */
    const int *counts;
    const int *displacements;  /* in extents, in w forms in bytes; NULL in reduce_scatter */
    const MPI_Datatype *types; /* w forms; else NULL */
};

/* bcast uses `recv` alone. In reductions `recv` holds count (reduce_scatter: counts) and type at every rank,
 * and of `send` only the buffer is used. */
struct ct_operands {
    struct ct_side send;
    struct ct_side recv;
    MPI_Op op;
    int root;
};

/* The operands of a reduction of `count` elements. */
static inline struct ct_operands ct_reduction(const void *send, void *recv, size_t count, MPI_Datatype type,
                                              MPI_Op op, int root)
{
    return (struct ct_operands){.send = {.buffer = (void *)send},
                                .recv = {.buffer = recv, .count = count, .type = type},
                                .op = op,
                                .root = root};
}

/* The operands of a bcast. */
static inline struct ct_operands ct_broadcast(void *buffer, size_t count, MPI_Datatype type, int root)
{
    return (struct ct_operands){.recv = {.buffer = buffer, .count = count, .type = type}, .root = root};
}

#endif
