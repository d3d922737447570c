/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_PARTS_H
#define CT_PLAN_PARTS_H

#include "plan/call.h"
#include "plan/shapes.h"

/* A vector made of one part for each rank, laid end to end: parts of equal length, `n` units divided as
 * evenly as possible, or any lengths. Part i lies at [ct_part_begin(i), ct_part_begin(i + 1)); consecutive
 * parts are one slice. */
struct ct_parts {
    size_t length;    /* of a part */
    size_t longer;    /* the first so many are longer by one */
    const size_t *at; /* or where each begins, and the end; then the others mean nothing */
};

/* Parts of `length` units each. */
static inline struct ct_parts ct_parts_equal(size_t length)
{
    return (struct ct_parts){.length = length};
}

/* n units divided among `count` ranks. */
static inline struct ct_parts ct_parts_dealt(size_t n, int count)
{
    return (struct ct_parts){.length = n / (size_t)count, .longer = n % (size_t)count};
}

/* Parts of these lengths; `counts` NULL: all of `length`. The table lies in the plan's scratch memory; where
 * there is none the plan fails and the parts are equal. */
struct ct_parts ct_parts_of(struct ct_plan *plan, const size_t *counts, int count, size_t length);

static inline size_t ct_part_begin(const struct ct_parts *parts, int i)
{
    size_t index = (size_t)i;
    if (parts->at)
        return parts->at[index];
    return index * parts->length + (index < parts->longer ? index : parts->longer);
}

/* Units in parts [first, last). */
static inline size_t ct_parts_length(const struct ct_parts *parts, int first, int last)
{
    assert(first <= last);
    return ct_part_begin(parts, last) - ct_part_begin(parts, first);
}

/* Units in the longest of `count` parts. */
size_t ct_parts_longest(const struct ct_parts *parts, int count);

/* Parts [first, last) of the vector in `buffer`. */
static inline void ct_send_parts(struct ct_plan *plan, int peer, unsigned buffer,
                                 const struct ct_parts *parts, int first, int last)
{
    ct_send(plan, peer, buffer, ct_part_begin(parts, first), ct_parts_length(parts, first, last));
}

static inline void ct_receive_parts(struct ct_plan *plan, int peer, unsigned buffer,
                                    const struct ct_parts *parts, int first, int last)
{
    ct_receive(plan, peer, buffer, ct_part_begin(parts, first), ct_parts_length(parts, first, last));
}

#endif
