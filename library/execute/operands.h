/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_OPERANDS_H
#define CT_LIBRARY_EXECUTE_OPERANDS_H

#include "plan/collective.h"
#include "plan/plan.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* The arguments of a collective, as MPI has them. */

/* MPI 4 has two forms of each collective with counts, which ranks may mix in one call: MPI_Bcast counts in
 * int, the large-count form MPI_Bcast_c in MPI_Count. */
#define CT_HAS_LARGE_FORMS (MPI_VERSION >= 4)

/* The form with the widest counts. */
#if CT_HAS_LARGE_FORMS
#define CT_WIDE(name) name##_c
typedef MPI_Count ct_wide_count;
#else
#define CT_WIDE(name) name
typedef int ct_wide_count;
#endif

/* One of the two buffers. */
struct ct_side {
    void *buffer; /* may be MPI_IN_PLACE where MPI allows it; NULL if there is none */
    size_t count; /* elements of a block, or of the whole buffer; see ct_is_count() */
    MPI_Datatype type;
    /* v and w forms: by rank or neighbor, read by ct_side_count() and ct_side_displacement(); else NULL */
    const void *counts;        /* of int; in the large-count form of MPI_Count */
    const void *displacements; /* of int or MPI_Aint; NULL in reduce_scatter */
    const MPI_Datatype *types; /* w forms; else NULL */
    bool is_large;             /* of the large-count form, as the other side then is, too */
    bool has_large_places;     /* displacements are of MPI_Aint although counts are of int */
};

/* Is it a count? A negative one of MPI's has become a huge one. */
static inline bool ct_is_count(size_t count)
{
    return count <= PTRDIFF_MAX;
}

/* The count of one block of a v or w form. */
static inline size_t ct_side_count(const struct ct_side *side, size_t block)
{
    return side->is_large ? (size_t)((const MPI_Count *)side->counts)[block]
                          : (size_t)((const int *)side->counts)[block];
}

/* Are the displacements of MPI_Aint? */
static inline bool ct_side_has_large_places(const struct ct_side *side)
{
    return side->is_large || side->has_large_places;
}

/* The displacement of one block of a v or w form: in extents, in w forms in bytes. */
static inline MPI_Aint ct_side_displacement(const struct ct_side *side, size_t block)
{
    return ct_side_has_large_places(side) ? ((const MPI_Aint *)side->displacements)[block]
                                          : ((const int *)side->displacements)[block];
}

/* bcast uses `recv` alone. In reductions `recv` holds count (reduce_scatter: counts) and type at every rank,
 * and of `send` only the buffer is used. */
struct ct_operands {
    struct ct_side send;
    struct ct_side recv;
    MPI_Op op;
    int root;
    /* The class of an error that this rank sees in them and that others are to notice: it sends no data, so
     * that they do. MPI_SUCCESS if there is none. */
    int own_code;
};

/* Are they of a v or w form? */
static inline bool ct_has_arrays(const struct ct_operands *operands)
{
    return operands->send.counts || operands->recv.counts;
}

/* Do type and counts of the side (CT_BUFFER_SEND, CT_BUFFER_RECV) mean anything at this rank? `elsewhere`:
 * the collective has a root, and this is another rank. */
static inline bool ct_is_typed_side(const struct ct_collective_description *about, unsigned which,
                                    bool elsewhere, const struct ct_side *side)
{
    if (!about->has_data || side->buffer == MPI_IN_PLACE)
        return false;
    if (which == CT_BUFFER_SEND)
        return about->input[elsewhere] != CT_CONTENTS_NOTHING && !about->one_buffer && !about->reduces;
    return about->reduces || about->result[elsewhere] != CT_CONTENTS_NOTHING;
}

/* Is the input overwritten by the result, so that a copy of it must be sent? */
static inline bool ct_is_saved_input(const struct ct_collective_description *about,
                                     const struct ct_operands *operands)
{
    return about->in_place == CT_IN_PLACE_INPUT_SAVED && operands->send.buffer == MPI_IN_PLACE;
}

/* The side whose counts are the lengths of the input's parts. */
static inline const struct ct_side *ct_parts_side(const struct ct_collective_description *about,
                                                  const struct ct_operands *operands)
{
    return about->reduces || ct_is_saved_input(about, operands) ? &operands->recv : &operands->send;
}

/* The type of a side's block, and its count of elements of that type. */
static inline MPI_Datatype ct_side_type(const struct ct_side *side, size_t block)
{
    return side->types ? side->types[block] : side->type;
}

static inline size_t ct_side_elements(const struct ct_side *side, size_t block)
{
    return side->counts ? ct_side_count(side, block) : side->count;
}

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
