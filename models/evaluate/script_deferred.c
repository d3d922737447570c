/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/script_internal.h"

#include <string.h>

/* Deferred steps: what they are waited for by, and what may come in before. */

static struct ct_slot_holder *holder_of(struct ct_script *script, unsigned slot)
{
    size_t before = script->slot_capacity;
    if (ct_grow(&script->slots, &script->slot_capacity, (size_t)slot + 1, sizeof *script->slots) != CT_OK)
        return NULL;
    if (script->slot_capacity > before)
        memset(script->slots + before, 0, (script->slot_capacity - before) * sizeof *script->slots);
    return &script->slots[slot];
}

int ct_script_hold(struct ct_script *script, unsigned slot, enum ct_holds holds, size_t index)
{
    if (slot == CT_PLAN_END)
        return CT_OK;
    struct ct_slot_holder *holder = holder_of(script, slot);
    if (!holder)
        return CT_E_MEMORY;
    if (holder->holds != CT_HOLDS_NOTHING)
        return ct_fail(script->error, CT_E_ANSWER, "rank %d: slot %u still holds another step", script->rank,
                       slot);
    *holder = (struct ct_slot_holder){holds, index};
    script->slots_held++;
    return CT_OK;
}

int ct_script_expect(struct ct_script *script, const struct ct_step *step, uint32_t cost)
{
    size_t index = script->expected_count;
    if (!script->expected_from) {
        script->expected_from = ct_allocate((size_t)script->terms.size, sizeof *script->expected_from);
        if (!script->expected_from)
            return CT_E_MEMORY;
    }
    int status = ct_grow(&script->expected, &script->expected_capacity, index + 1, sizeof *script->expected);
    if (status != CT_OK)
        return status;
    script->expected[script->expected_count++] =
        (struct ct_expected){.cost = cost, .peer = step->peer, .slot = step->until};
    struct ct_expected_from *from = &script->expected_from[step->peer];
    if (from->first == 0)
        from->first = index + 1;
    else
        script->expected[from->last - 1].next = index + 1;
    from->last = index + 1;
    status = ct_script_hold(script, step->until, CT_HOLDS_EXPECTED, index);
    return status == CT_OK ? ct_action_add_number(script, CT_ACTION_EXPECT, 1) : status;
}

static int take_one(struct ct_script *script, struct ct_expected *expected)
{
    expected->taken = true;
    script->expected_from[expected->peer].first = expected->next;
    if (expected->slot != CT_PLAN_END)
        script->slots[expected->slot].holds = CT_HOLDS_TAKEN;
    while (script->expected_first < script->expected_count && script->expected[script->expected_first].taken)
        script->expected_first++;
    return ct_action_add(script, (struct ct_action){.kind = CT_ACTION_TAKE,
                                                    .is_expected = true,
                                                    .peer = (uint32_t)expected->peer,
                                                    .number = expected->cost});
}

int ct_script_take_expected(struct ct_script *script, int peer, size_t end)
{
    int status = CT_OK;
    if (!script->expected_from)
        return CT_OK;
    const struct ct_expected_from *from = &script->expected_from[peer];
    while (status == CT_OK && from->first > 0 && from->first <= end)
        status = take_one(script, &script->expected[from->first - 1]);
    return status;
}

int ct_script_await_slot(struct ct_script *script, unsigned slot)
{
    struct ct_slot_holder *holder =
        slot == CT_ROUND_END || slot == CT_PLAN_END ? NULL : holder_of(script, slot);
    if (!holder || holder->holds == CT_HOLDS_NOTHING)
        return ct_fail(script->error, CT_E_ANSWER, "rank %d: slot %u holds no step that is to be waited for",
                       script->rank, slot);
    int status = CT_OK;
    if (holder->holds == CT_HOLDS_SEND)
        status = ct_action_add_number(script, CT_ACTION_AWAIT, holder->index);
    else if (holder->holds == CT_HOLDS_EXPECTED)
        status = ct_script_take_expected(script, script->expected[holder->index].peer, holder->index + 1);
    holder->holds = CT_HOLDS_NOTHING;
    script->slots_held--;
    return status;
}
