/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/shown_calls.h"

void ct_shown_add(struct ct_shown_calls *own, unsigned place, struct ct_call_count *count)
{
    struct ct_shown_count *shown = &own->counts[place];
    count->left = &shown->left;
    ct_call_count_leave(count);
    atomic_store_explicit(&shown->set_label, ct_set_label(count->key), memory_order_release);
}

bool ct_shown_has_left(const struct ct_shown_calls *theirs, const struct ct_lane_call *call)
{
    const struct ct_shown_count *shown = theirs->counts;
    uint64_t set_label;
    for (int i = 0; i < CT_SHOWN_SETS &&
                    (set_label = atomic_load_explicit(&shown[i].set_label, memory_order_acquire)) != 0;
         i++)
        if (set_label == (call->label & ~call->numbers)) {
            const uint32_t left = atomic_load_explicit(&shown[i].left, memory_order_acquire);
            return ct_compare_calls(ct_call_label(set_label, left), call->label, call->numbers) !=
                   CT_CALL_PAST;
        }
    return false;
}
