/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_FLOW_MOMENTS_H
#define CT_MODELS_EVALUATE_FLOW_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The moments of flows (flows.h), at most one of each, in the order of time. */

#define CT_NO_MOMENT UINT32_MAX

/* The begin or the end of the transfer of a message. */
struct ct_flow_moment {
    double time;
    uint32_t message; /* of moments at one time the earlier number comes first */
    uint32_t flow;
};

/* All zeroes has no moments. */
struct ct_flow_moments {
    struct ct_flow_moment *heap; /* the next one first */
    size_t count, capacity;
    uint32_t *places; /* by flow in the heap, or CT_NO_MOMENT */
    size_t place_capacity;
};

void ct_flow_moments_free(struct ct_flow_moments *moments);

/* There is one flow more, `flows` in all; it has no moment. CT_OK or CT_E_MEMORY. */
int ct_flow_moments_reserve(struct ct_flow_moments *moments, size_t flows);

/* Has the flow a moment? */
static inline bool ct_flow_moments_has(const struct ct_flow_moments *moments, uint32_t flow)
{
    return moments->places[flow] != CT_NO_MOMENT;
}

/* Adds the moment of the flow, or moves it. CT_OK or CT_E_MEMORY. */
int ct_flow_moments_set(struct ct_flow_moments *moments, uint32_t flow, uint32_t message, double time);

/* Removes the first moment; there is one. */
struct ct_flow_moment ct_flow_moments_take(struct ct_flow_moments *moments);

#endif
