/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_KNOWN_CALLS_H
#define CT_LIBRARY_KNOWN_CALLS_H

#include "library/decide/known_call.h"

/* The entries of a communicator. A call may be in one of four places, so that calls between which a program
 * alternates rarely displace each other. */
enum {
    CT_KNOWN_CALLS_BITS = 3,
    CT_KNOWN_CALLS_PLACES = 4,
    CT_KNOWN_CALLS = CT_KNOWN_CALLS_PLACES << CT_KNOWN_CALLS_BITS
};

/* A number of the call, mostly of it alone. Arrays count by where they lie: programs that alternate between
 * patterns mostly have arrays for each of them. */
static inline uint32_t ct_known_call_tag(enum ct_collective collective, const struct ct_operands *operands)
{
    const uint32_t counts = (uint32_t)operands->recv.count + (uint32_t)operands->send.count * 2;
    const uint32_t arrays =
        (uint32_t)(uintptr_t)operands->recv.counts * 3 + (uint32_t)(uintptr_t)operands->send.counts * 5;
    const uint32_t handles = (uint32_t)(uintptr_t)operands->recv.type + (uint32_t)(uintptr_t)operands->op * 8;
    return ((uint32_t)collective * 5 + (uint32_t)operands->root + counts + arrays + handles) *
           UINT32_C(0x9e3779b1);
}

static inline struct ct_known_call *ct_known_call_places(struct ct_known_call *known, uint32_t tag)
{
    return &known[(size_t)(tag >> (32 - CT_KNOWN_CALLS_BITS)) * CT_KNOWN_CALLS_PLACES];
}

/* The entry of this call, if there is one, or else of another. */
static inline struct ct_known_call *ct_known_call_find(struct ct_known_call *known,
                                                       enum ct_collective collective,
                                                       const struct ct_operands *operands)
{
    const uint32_t tag = ct_known_call_tag(collective, operands);
    struct ct_known_call *place = ct_known_call_places(known, tag), *last = place + CT_KNOWN_CALLS_PLACES - 1;
    while (place->tag != tag && place != last)
        place++;
    return place;
}

/* The entry of this call, or else the one that it takes over. */
struct ct_known_call *ct_known_call_entry(struct ct_known_call *known, enum ct_collective collective,
                                          const struct ct_operands *operands);

/* Frees what calls have left in the entries of a communicator. */
void ct_known_calls_free(struct ct_known_call *known);

#endif
