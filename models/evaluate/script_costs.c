/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/script_costs.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void ct_script_costs_free(struct ct_script_costs *costs)
{
    free(costs->messages);
    free(costs->works);
    *costs = (struct ct_script_costs){0};
}

void ct_script_costs_begin(struct ct_script_costs *costs, const struct ct_link *const links[CT_LINK_KINDS],
                           enum ct_communication_model model, bool has_overhead)
{
    memcpy(costs->links, links, sizeof costs->links);
    costs->model = model;
    costs->has_overhead = has_overhead;
    costs->message_count = 0;
    costs->work_count = 0;
    memset(costs->message_numbers, 0, sizeof costs->message_numbers);
    memset(costs->work_numbers, 0, sizeof costs->work_numbers);
}

static size_t hash_of(uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 56) % CT_NUMBERS_KEPT;
}

int ct_script_costs_find_message(struct ct_script_costs *costs, enum ct_link_kind link, size_t bytes,
                                 uint32_t *ret_number)
{
    uint32_t *kept = &costs->message_numbers[link][hash_of(bytes)];
    if (*kept == 0 || costs->messages[*kept - 1].bytes != bytes) {
        if (costs->message_count >= UINT32_MAX)
            return CT_E_LIMIT;
        int status = ct_grow(&costs->messages, &costs->message_capacity, costs->message_count + 1,
                             sizeof *costs->messages);
        if (status != CT_OK)
            return status;
        costs->messages[costs->message_count++] =
            (costs->has_overhead ? ct_message_cost_of_overhead : ct_message_cost_of)(costs->links[link],
                                                                                     costs->model, bytes);
        *kept = (uint32_t)costs->message_count;
    }
    costs->last_bytes = bytes;
    costs->last_link = link;
    costs->last_message = *ret_number = *kept - 1;
    return CT_OK;
}

int ct_script_costs_find_work(struct ct_script_costs *costs, double seconds, uint32_t *ret_number)
{
    uint64_t key;
    memcpy(&key, &seconds, sizeof key);
    uint32_t *kept = &costs->work_numbers[hash_of(key)];
    if (*kept == 0 || costs->works[*kept - 1] != seconds) {
        if (costs->work_count >= UINT32_MAX)
            return CT_E_LIMIT;
        int status =
            ct_grow(&costs->works, &costs->work_capacity, costs->work_count + 1, sizeof *costs->works);
        if (status != CT_OK)
            return status;
        costs->works[costs->work_count++] = seconds;
        *kept = (uint32_t)costs->work_count;
    }
    costs->last_work = *ret_number = *kept - 1;
    return CT_OK;
}
