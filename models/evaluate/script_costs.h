/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_SCRIPT_COSTS_H
#define CT_MODELS_EVALUATE_SCRIPT_COSTS_H

#include "models/evaluate/message_cost.h"

#include <stdbool.h>
#include <stdint.h>

/* The costs of the messages of scripts, and their local work, by number, so that an action is small. Sizes
 * recur: the latest numbers are found again by their hash. A size that is not found gets a new number. */

enum { CT_NUMBERS_KEPT = 256 };

/* All zeroes to begin with; memory is kept from call to call. */
struct ct_script_costs {
    const struct ct_link *links[CT_LINK_KINDS];
    enum ct_communication_model model;
    bool has_overhead; /* costs are those of ct_message_cost_of_overhead() */

    struct ct_message_cost *messages; /* by number; the same may have several */
    size_t message_count, message_capacity;
    uint32_t message_numbers[CT_LINK_KINDS][CT_NUMBERS_KEPT]; /* by hash: 1 + the latest number */
    size_t last_bytes; /* of the last look-up, if there are any messages */
    enum ct_link_kind last_link;
    uint32_t last_message;

    double *works; /* seconds, by number; the same may have several */
    size_t work_count, work_capacity;
    uint32_t work_numbers[CT_NUMBERS_KEPT];
    uint32_t last_work;
};

void ct_script_costs_free(struct ct_script_costs *costs);

/* Forgets all numbers. `links` are those of messages between different nodes, and within one. */
void ct_script_costs_begin(struct ct_script_costs *costs, const struct ct_link *const links[CT_LINK_KINDS],
                           enum ct_communication_model model, bool has_overhead);

/* The number of a message's cost, or of some work, that the last look-up had not. CT_OK, CT_E_MEMORY,
 * CT_E_LIMIT. */
int ct_script_costs_find_message(struct ct_script_costs *costs, enum ct_link_kind link, size_t bytes,
                                 uint32_t *ret_number);
int ct_script_costs_find_work(struct ct_script_costs *costs, double seconds, uint32_t *ret_number);

/* The number of the cost of a message. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
static inline int ct_script_costs_of_message(struct ct_script_costs *costs, enum ct_link_kind link,
                                             size_t bytes, uint32_t *ret_number)
{
    if (bytes != costs->last_bytes || link != costs->last_link || costs->message_count == 0)
        return ct_script_costs_find_message(costs, link, bytes, ret_number);
    *ret_number = costs->last_message;
    return CT_OK;
}

/* The number of some work. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
static inline int ct_script_costs_of_work(struct ct_script_costs *costs, double seconds, uint32_t *ret_number)
{
    if (costs->work_count == 0 || costs->works[costs->last_work] != seconds)
        return ct_script_costs_find_work(costs, seconds, ret_number);
    *ret_number = costs->last_work;
    return CT_OK;
}

#endif
