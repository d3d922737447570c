/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/contexts.h"

enum { WORD_BITS = 64 };

static uint64_t bit_of(unsigned context)
{
    return (uint64_t)1 << context % WORD_BITS;
}

unsigned ct_context_take(struct ct_contexts *contexts)
{
    for (int i = 0; i < CT_LANE_CONTEXTS; i++) {
        unsigned context = atomic_fetch_add(&contexts->next, 1) % (CT_LANE_CONTEXTS - 1) + 1;
        uint64_t bit = bit_of(context), before = atomic_fetch_or(&contexts->in_use[context / WORD_BITS], bit);
        if (!(before & bit))
            return context;
    }
    return CT_NO_CONTEXT;
}

void ct_context_give_back(struct ct_contexts *contexts, unsigned context)
{
    if (context != CT_NO_CONTEXT)
        atomic_fetch_and(&contexts->in_use[context / WORD_BITS], ~bit_of(context));
}
