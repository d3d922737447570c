/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_ADAPTED_CALLS_H
#define CT_LIBRARY_ADAPTED_CALLS_H

#include "library/decide/known_call.h"

/* COLLTUNE_ADAPT: the calls of a communicator whose methods are chosen while the application runs, by
 * adaptation.h. Calls that are alike are a class: those of one collective, with sizes between two powers of
 * two, and with rank 0 or another one as their root. All ranks see this alike, and count alike.
 *
 * The ranks agree on times by messages that travel while the application goes on: an agreement begins in one
 * call and is taken in a later one, at numbers that all ranks know. Calls of all classes count for this, so
 * that it does not depend on a class that is never called again. No class waits for the agreement of another
 * one: what holds for a class that is called alone holds for each of several. */
struct ct_adapted_calls;

/* Makes them for a channel that has a communicator to itself and outlives them. NULL without memory. */
struct ct_adapted_calls *ct_adapted_calls_make(struct ct_channel *channel);
/* Frees them, and keeps what was learned; NULL is allowed. Waits for an agreement that is under way. */
void ct_adapted_calls_free(struct ct_adapted_calls *calls);

/* Returns the class of a call, which is valid as long as `calls`; NULL if the method is certain: where it is
 * forced, where nothing is decided, where only one applies, where results depend on the method, or where a
 * communicator has had calls of very many classes. Equal on all ranks, which ask in the same order. `calls`
 * may be NULL. */
struct ct_adapted_class *ct_adapted_class_of(struct ct_adapted_calls *calls, enum ct_collective collective,
                                             const struct ct_known_call *known);

/* A call of a class. */
struct ct_adapted_call {
    struct ct_choice *choice; /* what carries it out */
    bool is_alone; /* no other takes turns with it, so it may take the short way of an earlier call */
    bool is_timed;
    double begun;
};

/* Counts a call that repeats `known`, nothing of which is timed or agreed on, as of most calls once a choice
 * is settled. Returns the choice by whose short way it is carried out. NULL, without counting it: it must be
 * begun and ended. */
struct ct_choice *ct_adapted_call_pass(const struct ct_known_call *known);
/* Chooses what carries the call out, and begins to time it. Returns an MPI error code. */
int ct_adapted_call_begin(const struct ct_known_call *known, struct ct_adapted_call *ret_call);
/* Counts the call when it has ended. Returns an MPI error code. */
int ct_adapted_call_end(const struct ct_known_call *known, const struct ct_adapted_call *call);

#endif
