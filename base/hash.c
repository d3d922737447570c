/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/hash.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

enum { BITS_AT_FIRST = 6, BITS_MOST = 8 * sizeof(size_t) - 6 };

struct ct_hash_slot {
    uint64_t key;
    size_t index;
    uint32_t round; /* 1 + the table's when it was filled */
};

uint64_t ct_hash(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    if (hash == 0)
        hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Neighbouring keys come apart (Knuth 1998, The Art of Computer Programming, volume 3, section 6.4). */
static size_t home(uint64_t key, unsigned bits)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

static bool is_filled(const struct ct_hash_table *table, size_t place)
{
    return table->slots[place].round == table->round + 1;
}

size_t ct_hash_find(const struct ct_hash_table *table, uint64_t key,
                    bool (*equal)(const void *sought, size_t index), const void *sought)
{
    if (table->bits == 0)
        return SIZE_MAX;
    size_t mask = ((size_t)1 << table->bits) - 1;
    for (size_t at = home(key, table->bits); is_filled(table, at); at = (at + 1) & mask)
        if (table->slots[at].key == key && (!equal || equal(sought, table->slots[at].index)))
            return table->slots[at].index;
    return SIZE_MAX;
}

static void put(struct ct_hash_table *table, uint64_t key, size_t index)
{
    size_t mask = ((size_t)1 << table->bits) - 1, at = home(key, table->bits);
    while (is_filled(table, at))
        at = (at + 1) & mask;
    table->slots[at] = (struct ct_hash_slot){.key = key, .index = index, .round = table->round + 1};
}

static int grow(struct ct_hash_table *table)
{
    struct ct_hash_table larger = {.bits = table->bits > 0 ? table->bits + 1 : BITS_AT_FIRST,
                                   .count = table->count};
    if (larger.bits > BITS_MOST)
        return CT_E_LIMIT;
    larger.slots = ct_allocate((size_t)1 << larger.bits, sizeof *larger.slots);
    if (!larger.slots)
        return CT_E_MEMORY;
    size_t capacity = table->bits > 0 ? (size_t)1 << table->bits : 0;
    for (size_t i = 0; i < capacity; i++)
        if (is_filled(table, i))
            put(&larger, table->slots[i].key, table->slots[i].index);
    free(table->slots);
    *table = larger;
    return CT_OK;
}

int ct_hash_add(struct ct_hash_table *table, uint64_t key, size_t index)
{
    assert(index != SIZE_MAX);
    if (table->bits == 0 || table->count >= (size_t)1 << (table->bits - 1)) {
        int status = grow(table);
        if (status != CT_OK)
            return status;
    }
    put(table, key, index);
    table->count++;
    return CT_OK;
}

void ct_hash_clear(struct ct_hash_table *table)
{
    table->count = 0;
    if (table->round < UINT32_MAX - 1)
        table->round++;
    else
        ct_hash_free(table);
}

void ct_hash_free(struct ct_hash_table *table)
{
    free(table->slots);
    *table = (struct ct_hash_table){0};
}
