/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/action_store.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct ct_action_chunk {
    struct ct_action *actions;
    size_t used, capacity;
    size_t users;
    size_t next; /* 1 + the index of the next reusable chunk; 0: none */
};

/* A quarter of a megabyte: scripts of some hundred ranks. */
enum { CHUNK_ACTIONS = 1 << 15 };

void ct_action_store_free(struct ct_action_store *store)
{
    for (size_t i = 0; i < store->count; i++)
        free(store->chunks[i].actions);
    free(store->chunks);
    *store = (struct ct_action_store){0};
}

static void set_idle(struct ct_action_store *store, size_t chunk)
{
    store->chunks[chunk].used = store->chunks[chunk].users = 0;
    store->chunks[chunk].next = store->idle;
    store->idle = chunk + 1;
}

void ct_action_store_clear(struct ct_action_store *store)
{
    store->current = store->idle = 0;
    for (size_t i = store->count; i-- > 0;)
        set_idle(store, i);
}

/* Makes an unused chunk with room for at least `count` actions the current one. */
static int open_chunk(struct ct_action_store *store, size_t count)
{
    if (store->idle == 0) {
        if (store->count >= UINT32_MAX)
            return CT_E_LIMIT;
        int status = ct_grow(&store->chunks, &store->capacity, store->count + 1, sizeof *store->chunks);
        if (status != CT_OK)
            return status;
        store->chunks[store->count] = (struct ct_action_chunk){0};
        set_idle(store, store->count++);
    }
    struct ct_action_chunk *chunk = &store->chunks[store->idle - 1];
    size_t need = count > CHUNK_ACTIONS ? count : CHUNK_ACTIONS;
    if (chunk->capacity < need) {
        free(chunk->actions);
        chunk->actions = ct_allocate(need, sizeof *chunk->actions);
        chunk->capacity = chunk->actions ? need : 0;
        if (!chunk->actions)
            return CT_E_MEMORY;
    }
    store->current = store->idle;
    store->idle = chunk->next;
    return CT_OK;
}

int ct_action_store_keep(struct ct_action_store *store, const struct ct_action *actions, size_t count,
                         const struct ct_action **ret_kept, uint32_t *ret_chunk)
{
    const struct ct_action_chunk *current = store->current ? &store->chunks[store->current - 1] : NULL;
    if (!current || current->capacity - current->used < count) {
        if (current && current->users == 0)
            set_idle(store, store->current - 1);
        int status = open_chunk(store, count);
        if (status != CT_OK)
            return status;
    }
    struct ct_action_chunk *chunk = &store->chunks[store->current - 1];
    struct ct_action *kept = chunk->actions + chunk->used;
    memcpy(kept, actions, count * sizeof *kept);
    chunk->used += count;
    chunk->users++;
    *ret_kept = kept;
    *ret_chunk = (uint32_t)(store->current - 1);
    return CT_OK;
}

void ct_action_store_release(struct ct_action_store *store, uint32_t chunk)
{
    assert(chunk < store->count && store->chunks[chunk].users > 0);
    if (--store->chunks[chunk].users > 0)
        return;
    if (chunk + (size_t)1 == store->current)
        store->chunks[chunk].used = 0;
    else
        set_idle(store, chunk);
}
