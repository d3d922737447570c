/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_HASH_H
#define CT_BASE_HASH_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hash table from keys to indices of an array that the caller keeps: open addressing, linear probing, at
 * most half full. All zeroes is an empty table. */
struct ct_hash_table {
    struct ct_hash_slot *slots;
    unsigned bits; /* of the capacity; 0 as long as there are no slots */
    size_t count;
    uint32_t round; /* slots of earlier rounds are empty: clearing costs nothing */
};

/* 64-bit FNV-1a, continued from `hash` (0 begins a new one). For agreement and tables, not for checksums of
 * files. (Fowler, Noll, Vo; draft-eastlake-fnv.) */
uint64_t ct_hash(uint64_t hash, const void *bytes, size_t length);

/* The index that was added under the key; SIZE_MAX where there is none. Keys are exact: for strings give a
 * hash as key and `equal`, which tells whether the element at `index` is the one sought; NULL elsewhere. */
size_t ct_hash_find(const struct ct_hash_table *table, uint64_t key,
                    bool (*equal)(const void *sought, size_t index), const void *sought);

/* Adds an index under a key that ct_hash_find() did not find. CT_OK, CT_E_LIMIT, CT_E_MEMORY. */
int ct_hash_add(struct ct_hash_table *table, uint64_t key, size_t index);

/* Empties the table and keeps its memory. */
void ct_hash_clear(struct ct_hash_table *table);
void ct_hash_free(struct ct_hash_table *table);

#endif
