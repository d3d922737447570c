/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/call_counts.h"

#include <stdlib.h>

/* Labels tell the bucket, too. */
static unsigned bucket_of(uint64_t label)
{
    return (unsigned)(label >> CT_SET_SHIFT) % CT_CALL_BUCKETS;
}

struct ct_call_count *ct_call_count_of(struct ct_call_counts *counts, uint64_t key)
{
    struct ct_call_count **bucket = &counts->buckets[bucket_of(ct_set_label(key))], *count;
    for (count = *bucket; count; count = count->next)
        if (count->key == key)
            return count;
    count =
        counts->used < CT_CALL_COUNTS_RESERVED ? &counts->reserved[counts->used++] : malloc(sizeof *count);
    if (!count)
        return NULL;
    *count = (struct ct_call_count){.next = *bucket, .key = key};
    *bucket = count;
    return count;
}

enum ct_call_time ct_call_time_of(const struct ct_call_counts *counts, uint64_t label)
{
    enum { FORM_BITS = 8 };
    const uint64_t numbers = (uint64_t)(CT_CALL_NUMBERS - 1) << FORM_BITS;
    for (const struct ct_call_count *count = counts->buckets[bucket_of(label)]; count; count = count->next)
        if (ct_set_label(count->key) >> CT_SET_SHIFT == label >> CT_SET_SHIFT)
            return ct_compare_calls(label, (uint64_t)count->number << FORM_BITS, numbers);
    return CT_CALL_TO_COME; /* of a set that has not called yet */
}

void ct_call_counts_hide(struct ct_call_counts *counts)
{
    for (int i = 0; i < CT_CALL_BUCKETS; i++)
        for (struct ct_call_count *count = counts->buckets[i]; count; count = count->next)
            count->left = NULL;
}
