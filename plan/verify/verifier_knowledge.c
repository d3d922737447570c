/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_knowledge.h"
#include "base/memory.h"

#include <string.h>

/* The ranks that a rank can know to have entered a barrier: knowledge leaves with a message when its send is
 * posted and arrives when its receive has been waited for. With any later or earlier times broken barriers
 * would pass. */

enum { WORD_BITS = 64 };

int ct_knowledge_reset(struct ct_knowledge *knowledge, int size)
{
    size_t words = ((size_t)size + WORD_BITS - 1) / WORD_BITS, all;
    if (!ct_multiply(words, (size_t)size, &all))
        return CT_E_LIMIT;
    int status = ct_grow(&knowledge->ranks, &knowledge->ranks_capacity, all, sizeof *knowledge->ranks);
    if (status != CT_OK)
        return status;
    memset(knowledge->ranks, 0, all * sizeof *knowledge->ranks);
    for (size_t rank = 0; rank < (size_t)size; rank++)
        knowledge->ranks[rank * words + rank / WORD_BITS] |= UINT64_C(1) << rank % WORD_BITS;
    knowledge->words = words;
    knowledge->carried_count = 0;
    knowledge->idle_count = 0;
    return CT_OK;
}

/* Index 0 means nothing carried: sets are numbered from 1. */
static uint64_t *carried_set(const struct ct_knowledge *knowledge, uint32_t carried)
{
    return knowledge->carried + (size_t)(carried - 1) * knowledge->words;
}

int ct_knowledge_send(struct ct_knowledge *knowledge, int rank, uint32_t *ret_carried)
{
    uint32_t carried;
    if (knowledge->idle_count > 0) {
        carried = knowledge->idle[--knowledge->idle_count];
    } else {
        size_t need;
        if (!ct_multiply((size_t)knowledge->carried_count + 1, knowledge->words, &need))
            return CT_E_LIMIT;
        int status =
            ct_grow(&knowledge->carried, &knowledge->carried_capacity, need, sizeof *knowledge->carried);
        if (status == CT_OK)
            status = ct_grow(&knowledge->idle, &knowledge->idle_capacity,
                             (size_t)knowledge->carried_count + 1, sizeof *knowledge->idle);
        if (status != CT_OK)
            return status;
        carried = ++knowledge->carried_count;
    }
    memcpy(carried_set(knowledge, carried), knowledge->ranks + (size_t)rank * knowledge->words,
           knowledge->words * sizeof *knowledge->carried);
    *ret_carried = carried;
    return CT_OK;
}

void ct_knowledge_receive(struct ct_knowledge *knowledge, int rank, uint32_t carried)
{
    uint64_t *known = knowledge->ranks + (size_t)rank * knowledge->words;
    const uint64_t *fresh = carried_set(knowledge, carried);
    for (size_t i = 0; i < knowledge->words; i++)
        known[i] |= fresh[i];
    knowledge->idle[knowledge->idle_count++] = carried;
}

int ct_knowledge_lacks(const struct ct_knowledge *knowledge, int rank, int size)
{
    const uint64_t *known = knowledge->ranks + (size_t)rank * knowledge->words;
    int other = 0;
    while (other < size && known[other / WORD_BITS] >> other % WORD_BITS & 1)
        other++;
    return other;
}
