/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_KNOWN_CALL_H
#define CT_LIBRARY_KNOWN_CALL_H

#include "library/operands.h"
#include "library/tuner.h"

/* What was found out about a call: its description and the method decided on. Each communicator keeps a few,
 * so that a call that repeats one is neither described nor decided again. Only calls with predefined types
 * and operations repeat: their handles mean the same for good, while the handle of a derived type may come
 * back as another type. Counts of v and w forms lie in arrays whose contents may change, so these never
 * repeat. */

/* The arguments that a call is known by. */
struct ct_known_side {
    bool is_used;     /* at this rank: a side that is not used may hold anything */
    bool is_in_place; /* then count and type mean nothing */
    size_t count;
    MPI_Datatype type;
};

struct ct_known_call {
    bool repeats; /* the arguments below stand for this description and this choice */
    enum ct_collective collective;
    int root;
    MPI_Op op; /* of reductions */
    struct ct_known_side send;
    struct ct_known_side recv;
    struct ct_call call;
    struct ct_choice choice;
};

/* The entries of a communicator, each for the calls of a few collectives, roots and sizes: the last one that
 * came by. */
enum { CT_KNOWN_CALLS = 16 };

/* The number of the entry for a call. */
static inline unsigned ct_known_call_number(enum ct_collective collective, const struct ct_operands *operands)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    /* Where there is a root, the count of a data mover may mean nothing at this rank. */
    bool has_count = about->reduces || about->one_buffer || !about->has_root;
    return ((unsigned)collective * 5 + (unsigned)operands->root +
            (has_count ? (unsigned)operands->recv.count : 0)) %
           CT_KNOWN_CALLS;
}

static inline bool ct_is_known_side(const struct ct_known_side *known, const struct ct_side *side)
{
    if (known->is_in_place != (side->buffer == MPI_IN_PLACE))
        return false;
    return !known->is_used || known->is_in_place ||
           (known->count == side->count && known->type == side->type);
}

/* Is `known` about this call? */
static inline bool ct_is_known_call(const struct ct_known_call *known, enum ct_collective collective,
                                    const struct ct_operands *operands)
{
    return known->repeats && known->collective == collective && known->root == operands->root &&
           ct_is_known_side(&known->recv, &operands->recv) &&
           ct_is_known_side(&known->send, &operands->send) &&
           (!ct_collectives[collective].reduces || known->op == operands->op);
}

/* Describes the call, decides on its method, and notes the arguments. False, and *ret_known repeats nothing,
 * if the arguments are wrong or cannot be described: the call must be native, so that the MPI library reports
 * what is wrong. Not inline: the registers that it needs would be saved in calls that repeat, too. */
__attribute__((noinline)) bool ct_know_call(enum ct_collective collective, const struct ct_operands *operands,
                                            struct ct_channel *channel, enum ct_agreement agreement,
                                            struct ct_known_call *ret_known);

#endif
