/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_SCRIPT_INTERNAL_H
#define CT_MODELS_EVALUATE_SCRIPT_INTERNAL_H

#include "base/memory.h"
#include "models/evaluate/script.h"

/* What the script's files share. */

/* A deferred receive that has been posted. */
struct ct_expected {
    uint32_t cost; /* by number */
    int32_t peer;
    uint16_t slot; /* CT_PLAN_END: none */
    bool taken;
    size_t next; /* the next of that peer: 1 + its index; 0 where there is none */
};

/* Of one peer: 1 + the index of the first and the last that are expected. */
struct ct_expected_from {
    size_t first, last;
};

enum ct_holds { CT_HOLDS_NOTHING, CT_HOLDS_SEND, CT_HOLDS_EXPECTED, CT_HOLDS_TAKEN };

struct ct_slot_holder {
    enum ct_holds holds;
    size_t index; /* of what is expected; of a send the number that it is remembered under */
};

/* Their number fits into 32 bits. */
#define CT_ACTIONS_MAX (UINT32_MAX / 2)

static inline int ct_action_add(struct ct_script *script, struct ct_action action)
{
    if (script->count == script->capacity) {
        if (script->count >= CT_ACTIONS_MAX)
            return CT_E_LIMIT;
        int status = ct_grow(&script->actions, &script->capacity, script->count + 1, sizeof *script->actions);
        if (status != CT_OK)
            return status;
    }
    script->actions[script->count++] = action;
    return CT_OK;
}

static inline int ct_action_add_number(struct ct_script *script, enum ct_action_kind kind, size_t number)
{
    return ct_action_add(script, (struct ct_action){.kind = kind, .number = (uint32_t)number});
}

/* --- script_numbers.c --- */

/* ct_script_cost() where the last message cost something else. */
int ct_script_find_cost(struct ct_script *script, enum ct_link_kind link, size_t bytes, uint32_t *ret_number);

/* The number of what a message with that peer costs. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
static inline int ct_script_cost(struct ct_script *script, int peer, size_t bytes, uint32_t *ret_number)
{
    const int *node_of = script->terms.node_of;
    enum ct_link_kind link =
        node_of && node_of[script->rank] == node_of[peer] ? CT_LINK_NODE : CT_LINK_NETWORK;
    if (bytes != script->last_bytes || link != script->last_link || script->cost_count == 0)
        return ct_script_find_cost(script, link, bytes, ret_number);
    *ret_number = script->last_cost;
    return CT_OK;
}
/* ct_script_work() where the last piece took another time. */
int ct_script_find_work(struct ct_script *script, double seconds, uint32_t *ret_number);

/* The number of a piece of work. */
static inline int ct_script_work(struct ct_script *script, double seconds, uint32_t *ret_number)
{
    if (script->work_count == 0 || script->works[script->last_work] != seconds)
        return ct_script_find_work(script, seconds, ret_number);
    *ret_number = script->last_work;
    return CT_OK;
}

/* --- script_deferred.c --- */

/* The slot, if it is one, holds that from now on. */
int ct_script_hold(struct ct_script *script, unsigned slot, enum ct_holds holds, size_t index);
/* A deferred receive is posted. */
int ct_script_expect(struct ct_script *script, const struct ct_step *step, uint32_t cost);
/* Takes in what is expected of the peer, up to before that index: what it has sent before, comes in before.
 */
int ct_script_take_expected(struct ct_script *script, int peer, size_t end);
int ct_script_await_slot(struct ct_script *script, unsigned slot);

#endif
