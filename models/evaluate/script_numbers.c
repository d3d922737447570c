/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/script_internal.h"

#include <string.h>

/* Sizes recur: the latest numbers are found again by hash; what is not found gets a new one. */

static inline size_t hash_of(uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 56) % CT_NUMBERS_KEPT;
}

static int add_cost(struct ct_script *script, enum ct_link_kind link, size_t bytes)
{
    if (script->cost_count >= UINT32_MAX)
        return CT_E_LIMIT;
    int status =
        ct_grow(&script->costs, &script->cost_capacity, script->cost_count + 1, sizeof *script->costs);
    if (status == CT_OK)
        script->costs[script->cost_count++] =
            ct_message_cost_of(script->terms.links[link], script->terms.model, bytes);
    return status;
}

int ct_script_find_cost(struct ct_script *script, enum ct_link_kind link, size_t bytes, uint32_t *ret_number)
{
    uint32_t *kept = &script->cost_numbers[link][hash_of(bytes)];
    if (*kept == 0 || script->costs[*kept - 1].bytes != bytes) {
        int status = add_cost(script, link, bytes);
        if (status != CT_OK)
            return status;
        *kept = (uint32_t)script->cost_count;
    }
    script->last_bytes = bytes;
    script->last_link = link;
    script->last_cost = *ret_number = *kept - 1;
    return CT_OK;
}

static int add_work(struct ct_script *script, double seconds)
{
    if (script->work_count >= UINT32_MAX)
        return CT_E_LIMIT;
    int status =
        ct_grow(&script->works, &script->work_capacity, script->work_count + 1, sizeof *script->works);
    if (status == CT_OK)
        script->works[script->work_count++] = seconds;
    return status;
}

int ct_script_find_work(struct ct_script *script, double seconds, uint32_t *ret_number)
{
    uint64_t key;
    memcpy(&key, &seconds, sizeof key);
    uint32_t *kept = &script->work_numbers[hash_of(key)];
    if (*kept == 0 || script->works[*kept - 1] != seconds) {
        int status = add_work(script, seconds);
        if (status != CT_OK)
            return status;
        *kept = (uint32_t)script->work_count;
    }
    script->last_work = *ret_number = *kept - 1;
    return CT_OK;
}
