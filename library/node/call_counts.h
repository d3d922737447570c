/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_CALL_COUNTS_H
#define CT_LIBRARY_NODE_CALL_COUNTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The blocking calls that this rank has begun, by the ordered set of ranks that take part. All ranks of a set
 * count alike, since they call its collectives in one order, on whatever communicators. The number goes into
 * the labels of messages, so that what an erroneous call leaves behind is known from messages of later calls.
 * A count lasts as long as the process, since communicators of a set come and go. */
struct ct_call_count {
    struct ct_call_count *next;
    uint64_t key;    /* of the set */
    uint32_t number; /* calls begun; it wraps */
    uint32_t told;   /* the number up to which the other ranks know that this rank has left the calls */
    _Atomic uint32_t *left; /* where the ranks of the node see the number of the latest call that this one has
                               left, see ct_node_show_count(); NULL: nowhere */
    /* The set, as long as a channel joins its ranks; else NULL. They are numbered as by the node. */
    const int *ranks;
    int size;
};

enum { CT_CALL_BUCKETS = 64, CT_CALL_COUNTS_RESERVED = 64 };
struct ct_call_counts {
    struct ct_call_count *buckets[CT_CALL_BUCKETS];
    struct ct_call_count reserved[CT_CALL_COUNTS_RESERVED]; /* that need no memory */
    unsigned used;                                          /* of them */
};

/* Labels of these messages: two bits, a part of the key, and the number of the call above the 8 bits that
 * labels leave free. Sets with the same part would spoil each other's calls: of a thousand sets that a rank
 * is in, two have it once in 500,000 programs. */
enum { CT_CALL_NUMBERS = 1 << 16, CT_SET_SHIFT = 24, CT_SET_BITS = 38 };
static inline uint64_t ct_set_label(uint64_t key)
{
    return (uint64_t)3 << (CT_SET_SHIFT + CT_SET_BITS) | key >> (64 - CT_SET_BITS) << CT_SET_SHIFT;
}
static inline bool ct_is_set_label(uint64_t label)
{
    return label >> (CT_SET_SHIFT + CT_SET_BITS) == 3;
}

/* The label of messages of a call. */
static inline uint64_t ct_call_label(uint64_t set_label, uint32_t number)
{
    return set_label | (uint64_t)(number % CT_CALL_NUMBERS) << 8;
}
/* That of the latest call. */
static inline uint64_t ct_count_label(const struct ct_call_count *count)
{
    return ct_call_label(ct_set_label(count->key), count->number);
}

/* This rank has left the calls that are counted: all that they send is there. */
static inline void ct_call_count_leave(struct ct_call_count *count)
{
    if (count->left)
        atomic_store_explicit(count->left, count->number, memory_order_release);
}

/* No count is shown to other ranks any more: the memory in which they see it goes. */
void ct_call_counts_hide(struct ct_call_counts *counts);

/* The count of a set; made if there is none. NULL without memory. */
struct ct_call_count *ct_call_count_of(struct ct_call_counts *counts, uint64_t key);

/* When is the call whose messages have this label? It must be a set's. */
enum ct_call_time { CT_CALL_PAST, CT_CALL_LATEST, CT_CALL_TO_COME, CT_CALL_UNKNOWN };
enum ct_call_time ct_call_time_of(const struct ct_call_counts *counts, uint64_t label);

/* The same of two labels that differ in the bits of `numbers` alone, by which calls are counted: is the call
 * of the first before that of the second, the same, or after it? */
static inline enum ct_call_time ct_compare_calls(uint64_t label, uint64_t latest, uint64_t numbers)
{
    const uint64_t ahead = (label - latest) & numbers;
    return ahead == 0 ? CT_CALL_LATEST : ahead <= numbers / 2 ? CT_CALL_TO_COME : CT_CALL_PAST;
}

#endif
