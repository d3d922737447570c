/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_ACTION_STORE_H
#define CT_MODELS_EVALUATE_ACTION_STORE_H

#include "models/evaluate/script.h"

/* The actions of waiting ranks, in large chunks. A chunk is reused when all ranks whose actions it has are
 * done. So hundreds of thousands of ranks need few allocations, and the memory of one call serves the next.
 */

struct ct_action_chunk;

/* All zeroes to begin with. */
struct ct_action_store {
    struct ct_action_chunk *chunks;
    size_t count, capacity;
    size_t current; /* 1 + the index of the chunk that is being filled; 0: none */
    size_t idle;    /* 1 + the index of the first reusable chunk; 0: none */
};

void ct_action_store_free(struct ct_action_store *store);

/* Forgets all actions, but keeps the memory. */
void ct_action_store_clear(struct ct_action_store *store);

/* Keeps a copy of `count` actions until the chunk *ret_chunk has been released as often as it was returned.
 * CT_OK, CT_E_MEMORY or CT_E_LIMIT. */
int ct_action_store_keep(struct ct_action_store *store, const struct ct_action *actions, size_t count,
                         const struct ct_action **ret_kept, uint32_t *ret_chunk);

/* One of the ranks with actions in that chunk is done. */
void ct_action_store_release(struct ct_action_store *store, uint32_t chunk);

#endif
