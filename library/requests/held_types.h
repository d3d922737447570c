/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_HELD_TYPES_H
#define CT_LIBRARY_HELD_TYPES_H

#include "library/execute/operands.h"
#include "plan/collective.h"

/* The datatypes of a call that has begun. A program may free a datatype or an operation as soon as it has
 * begun a non-blocking call with it, or made a persistent one (MPI 4.0, sections 5.1.9 and 6.9.5). So such a
 * call works with types of its own. Predefined types cannot be freed and stay as they are. */
struct ct_held_types {
    MPI_Datatype types[2];   /* of CT_BUFFER_SEND and CT_BUFFER_RECV; MPI_DATATYPE_NULL where none */
    MPI_Datatype *tables[2]; /* w forms: by block; else NULL */
    size_t blocks[2];        /* of a table */
};

/* Can all that the call works with be kept? Operations of the user's cannot: MPI has no copies of them. A
 * call with one must be native, as it then is at all ranks. */
bool ct_can_be_held(enum ct_collective collective, const struct ct_operands *operands);

/* Makes types of its own for the operands and puts them in their place. The operands are sound
 * (ct_arguments_are_sound()) and those of rank `rank`, with so many blocks on each side; types that mean
 * nothing there stay as they are. Returns an MPI error code; after an error the operands are what they were.
 * Owned by the caller, to be released when the call is complete and will not begin again. */
int ct_types_hold(enum ct_collective collective, int rank, const size_t blocks[2],
                  struct ct_operands *operands, struct ct_held_types *ret_held);
void ct_held_types_release(struct ct_held_types *held);

#endif
