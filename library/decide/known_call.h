/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_KNOWN_CALL_H
#define CT_LIBRARY_KNOWN_CALL_H

#include "library/decide/arguments.h"
#include "library/decide/tuner.h"

#include <stdlib.h>

/* What was found out about a call: its description and the method decided on. Each communicator keeps a few,
 * so that a call that repeats one is neither described nor decided again. The handle of a derived type may
 * come back as something else, but the library learns when it is freed. That of an operation may come back as
 * one that does not commute, so the MPI library is asked. Counts, places and types of v and w forms lie in
 * arrays whose contents may change, so they are compared. */

struct ct_scaled_plans;

/* Copies of the arrays of a v or w form, and the lengths of blocks that they stand for. */
struct ct_known_arrays;

struct ct_known_call {
    uint32_t tag;                  /* mostly of one call alone; 0: free */
    unsigned turn;                 /* of the first of four places: which one is taken over next */
    enum ct_collective collective; /* CT_COLLECTIVES: this is no call that may repeat */
    unsigned version;              /* of `shorter_by` */
    bool has_derived;              /* types, which last while ct_layouts_forgotten() is `forgotten` */
    unsigned forgotten;
    bool has_own_op; /* an operation of the program's, which is asked about each time */
    /* The arguments as they came, with the buffers of the last call. Those that mean nothing at this rank
     * mostly repeat with the others. */
    struct ct_operands operands;
    struct ct_alias alias;
    bool is_cut; /* the call ends with MPI_ERR_TRUNCATE at this rank, see arguments.h */
    struct ct_call call;
    struct ct_choice *choice;
    struct ct_scaled_plans *plans; /* of calls that differ in counts alone; NULL: the call may repeat */
    /* How it is carried out by a choice, as long as that stands for the same method, where calls are neither
     * recorded nor compared. */
    struct ct_short_call shorter;
    const struct ct_choice *shorter_by; /* that choice: the one above, or another that adapted calls take */
    struct ct_adapted_class *adapted;   /* the calls that are adapted together; NULL: the choice is certain */
    bool is_plain;                  /* the choice is certain, and no type or operation must be asked about */
    struct ct_known_arrays *arrays; /* kept from call to call; NULL before there are any */
};

static inline bool ct_is_like_side(const struct ct_side *known, const struct ct_side *side)
{
    return known->count == side->count && known->type == side->type;
}

/* Are the arrays of a v or w form those of `known`? Asked of calls whose other arguments are. */
bool ct_is_known_arrays(const struct ct_known_call *known, const struct ct_operands *operands);

/* The same arrays may lie elsewhere. */
static inline void ct_known_call_set_arrays(struct ct_known_call *known, const struct ct_operands *operands)
{
    known->operands.send.counts = operands->send.counts;
    known->operands.send.displacements = operands->send.displacements;
    known->operands.send.types = operands->send.types;
    known->operands.recv.counts = operands->recv.counts;
    known->operands.recv.displacements = operands->recv.displacements;
    known->operands.recv.types = operands->recv.types;
}

/* Does the call repeat `known`, and so its method, but for arrays and if derived types last? MPI_IN_PLACE is
 * not compared: methods do not depend on it. `reduces` is what the collective's description says; it is a
 * constant where this function is inline in that of a collective. */
static inline bool ct_is_known_method(const struct ct_known_call *known, enum ct_collective collective,
                                      bool reduces, const struct ct_operands *operands)
{
    const struct ct_operands *other = &known->operands;
    return known->collective == collective && other->root == operands->root &&
           ct_is_like_side(&other->recv, &operands->recv) &&
           (reduces ? other->op == operands->op : ct_is_like_side(&other->send, &operands->send));
}

static inline bool ct_is_like_address(const void *known, const void *address)
{
    return (known == NULL) == (address == NULL) && (known == MPI_IN_PLACE) == (address == MPI_IN_PLACE);
}

/* Has a call that repeats the method of `known` its description, too, with these buffers, and are they as
 * sound? Mostly they are the same. */
static inline bool ct_is_known_description(const struct ct_known_call *known, const void *send,
                                           const void *recv)
{
    const void *other_send = known->operands.send.buffer, *other_recv = known->operands.recv.buffer;
    if (known->has_derived && known->forgotten != ct_layouts_forgotten())
        return false;
    return (send == other_send && recv == other_recv) ||
           (ct_is_like_address(other_send, send) && ct_is_like_address(other_recv, recv) &&
            !ct_is_aliased(&known->alias, send, recv));
}

/* Does the call go straight to the MPI library? The benchmark puts other methods into the choice of a known
 * call, so this is asked of the choice each time. */
static inline bool ct_is_passed_on(const struct ct_known_call *known)
{
    return known->choice->is_passed_on && !known->adapted;
}

/* Can it be carried out by this choice by what was found out about the way of an earlier call? */
static inline bool ct_has_short_way(const struct ct_known_call *known, const struct ct_choice *choice)
{
    return ct_short_call_is_kept(&known->shorter) && known->shorter_by == choice &&
           known->version == choice->version;
}

/* Describes the call, made in this mode, and decides on its method; no call repeats it yet. False if the
 * arguments are wrong or cannot be described: the call must be native, so that the MPI library reports what
 * is wrong. */
bool ct_know_call(enum ct_collective collective, enum ct_call_mode mode, const struct ct_operands *operands,
                  struct ct_channel *channel, enum ct_agreement agreement, struct ct_known_call *known);

/* Lets later calls repeat the call that is known, if its arguments allow it. Its tables are then its own,
 * valid until it is known as another call. */
void ct_known_call_keep(struct ct_known_call *known, enum ct_collective collective,
                        struct ct_channel *channel);

/* Takes the operands of a call like it. */
void ct_known_call_set_operands(struct ct_known_call *known, enum ct_collective collective,
                                const struct ct_operands *operands);

/* Can calls be measured that differ from it in counts and places of blocks alone? Asked of a call that is
 * kept and whose blocks have lengths of their own. Not where they have types of their own, or elements no
 * bytes. */
bool ct_known_call_may_be_measured(const struct ct_known_call *known);

/* Measures the blocks of such a call. They are those of `known` then; the rest of its description is not.
 * False: there are too many bytes to be counted, or counts are missing. */
bool ct_known_call_measure(struct ct_known_call *known, enum ct_collective collective,
                           const struct ct_operands *operands);

/* Frees what calls have left in the entry. */
static inline void ct_known_call_free(struct ct_known_call *known)
{
    ct_short_call_free(&known->shorter);
    free(known->arrays);
}

#endif
