/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/script_internal.h"

#include <stdlib.h>
#include <string.h>

void ct_script_free(struct ct_script *script)
{
    free(script->actions);
    free(script->costs);
    free(script->works);
    free(script->expected);
    free(script->expected_from);
    free(script->slots);
    *script = (struct ct_script){0};
}

int ct_scripts_begin(struct ct_script *script, const struct ct_script_terms *terms, struct ct_error *error)
{
    if (terms->size >= 1 << CT_PEER_BITS)
        return ct_fail(error, CT_E_LIMIT, "%d ranks: expected fewer than %d", terms->size, 1 << CT_PEER_BITS);
    script->terms = *terms;
    script->error = error;
    script->messages = 0;
    script->bytes = 0;
    script->cost_count = 0;
    script->work_count = 0;
    memset(script->cost_numbers, 0, sizeof script->cost_numbers);
    memset(script->work_numbers, 0, sizeof script->work_numbers);
    free(script->expected_from);
    script->expected_from = NULL;
    return CT_OK;
}

void ct_script_begin(struct ct_script *script, int rank)
{
    script->rank = rank;
    script->count = 0;
    script->expected_first = 0;
    script->expected_count = 0;
    if (script->slots_held > 0)
        memset(script->slots, 0, script->slot_capacity * sizeof *script->slots);
    script->slots_held = 0;
    script->sends_at_end = false;
}

int ct_script_end(struct ct_script *script)
{
    int status = CT_OK;
    for (size_t i = script->expected_first; status == CT_OK && i < script->expected_count; i++)
        if (script->expected[i].slot == CT_PLAN_END)
            status = ct_script_take_expected(script, script->expected[i].peer, i + 1);
    for (size_t slot = 0; status == CT_OK && script->slots_held > 0 && slot < script->slot_capacity; slot++)
        if (script->slots[slot].holds != CT_HOLDS_NOTHING)
            return ct_fail(script->error, CT_E_ANSWER, "rank %d: slot %zu is never waited for", script->rank,
                           slot);
    return status == CT_OK && script->sends_at_end ? ct_action_add_number(script, CT_ACTION_AWAIT_SENT, 0)
                                                   : status;
}
