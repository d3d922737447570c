/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_SCRIPT_H
#define CT_MODELS_EVALUATE_SCRIPT_H

#include "models/evaluate/script_costs.h"
#include "plan/plan.h"

#include <stdint.h>

/* A rank's plan as the evaluation carries it out: a sequence of actions, each receive at the place where the
 * rank waits for it. Buffers and offsets are gone; peers and costs remain. The scripts of half a million
 * ranks must fit into memory, so an action is small and refers to its cost by number. */

enum ct_action_kind {
    CT_ACTION_SEND,      /* to `peer`; `number` of the cost */
    CT_ACTION_TAKE,      /* from `peer`; `number` of the cost */
    CT_ACTION_POST,      /* the receives of a round are posted */
    CT_ACTION_EXPECT,    /* `number` messages may arrive from now on while the rank waits for others */
    CT_ACTION_WORK,      /* `number` of the work */
    CT_ACTION_REMEMBER,  /* the end of the last send, under `number` */
    CT_ACTION_AWAIT,     /* the end of the send that is remembered under `number` */
    CT_ACTION_AWAIT_SENT /* all sends up to here */
};

enum { CT_PEER_BITS = 24 };

struct ct_action {
    uint32_t kind : 4;
    uint32_t is_posted : 1;   /* of CT_ACTION_TAKE: CT_ACTION_POST has posted the receive */
    uint32_t is_expected : 1; /* of CT_ACTION_TAKE: CT_ACTION_EXPECT has announced the message */
    uint32_t is_last : 1;     /* of CT_ACTION_TAKE: all sends up to here are waited for, too */
    uint32_t peer : CT_PEER_BITS;
    uint32_t number;
};

_Static_assert(sizeof(struct ct_action) == 8, "actions are many");

/* The context in which plans are read. */
struct ct_script_terms {
    int size;                                   /* ranks */
    size_t unit_bytes;                          /* of a plan's units */
    const struct ct_link *links[CT_LINK_KINDS]; /* between different nodes, within one */
    const int *node_of;                         /* by rank; NULL: all ranks count as on different nodes */
    enum ct_communication_model model;
    double gamma;         /* seconds per byte reduced */
    double delta;         /* seconds per byte copied */
    size_t most_messages; /* in all scripts together */
    bool notes_posting;   /* CT_ACTION_POST is wanted */
};

struct ct_expected;
struct ct_expected_from;
struct ct_slot_holder;

/* All zeroes to begin with; memory is kept from script to script. */
struct ct_script {
    struct ct_action *actions;
    size_t count;
    size_t capacity;

    /* Of all scripts since ct_scripts_begin(). */
    struct ct_script_costs costs;
    size_t messages; /* sent */
    size_t bytes;

    struct ct_script_terms terms;
    int rank;
    struct ct_error *error;

    struct ct_expected *expected; /* deferred receives, from `expected_first` on in the order of posting */
    size_t expected_first, expected_count, expected_capacity;
    struct ct_expected_from *expected_from; /* by rank; NULL until there are any */
    struct ct_slot_holder *slots;           /* by number */
    size_t slot_capacity;
    size_t slots_held;
    bool sends_at_end;
};

void ct_script_free(struct ct_script *script);

/* Scripts for the ranks of another call follow. CT_OK; CT_E_LIMIT for more ranks than there can be. */
int ct_scripts_begin(struct ct_script *script, const struct ct_script_terms *terms, struct ct_error *error);

/* The script of a rank: begun, added to round by round from what its plan holds (a plan's drain may call it),
 * and ended. CT_OK; CT_E_ANSWER where the plan is wrong, CT_E_LIMIT beyond the messages allowed, both with a
 * line in the error; CT_E_MEMORY. */
void ct_script_begin(struct ct_script *script, int rank);
int ct_script_add(struct ct_script *script, const struct ct_plan *plan);
int ct_script_end(struct ct_script *script);

#endif
