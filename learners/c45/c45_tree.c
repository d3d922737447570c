/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_tree.h"
#include "base/memory.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct ct_c45_block {
    struct ct_c45_block *next;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

void *ct_c45_take(struct ct_c45_pool *pool, size_t count, size_t size)
{
    const size_t least = 65536 - sizeof(struct ct_c45_block), unit = alignof(max_align_t);
    size_t bytes, whole;
    if (!ct_multiply(count, size, &bytes) || !ct_add(bytes, unit - 1, &bytes))
        return NULL;
    bytes -= bytes % unit;
    struct ct_c45_block *block = pool->blocks;
    if (!block || block->size - block->used < bytes) {
        size_t room = bytes > least ? bytes : least;
        if (!ct_add(room, sizeof *block, &whole) || !(block = calloc(1, whole)))
            return NULL;
        block->size = room;
        block->next = pool->blocks;
        pool->blocks = block;
    }
    void *taken = block->bytes + block->used;
    block->used += bytes;
    return taken;
}

void ct_c45_pool_free(struct ct_c45_pool *pool)
{
    while (pool->blocks) {
        struct ct_c45_block *next = pool->blocks->next;
        free(pool->blocks);
        pool->blocks = next;
    }
    *pool = (struct ct_c45_pool){0};
}

struct ct_c45_node *ct_c45_leaf_make(struct ct_c45_pool *pool, uint16_t best, float items, float errors,
                                     const float *distribution, size_t classes)
{
    struct ct_c45_node *node = ct_c45_take(pool, 1, sizeof *node);
    float *copy = ct_c45_take(pool, classes, sizeof *copy);
    if (!node || !copy)
        return NULL;
    memcpy(copy, distribution, classes * sizeof *copy);
    *node = (struct ct_c45_node){
        .test = CT_C45_LEAF, .best = best, .items = items, .errors = errors, .distribution = copy};
    return node;
}

struct ct_c45_node *ct_c45_node_copy(struct ct_c45_pool *pool, const struct ct_c45_node *node, size_t classes)
{
    struct ct_c45_node *copy =
        ct_c45_leaf_make(pool, node->best, node->items, node->errors, node->distribution, classes);
    if (!copy || node->test == CT_C45_LEAF)
        return copy;
    float *distribution = copy->distribution;
    *copy = *node;
    copy->distribution = distribution;
    copy->branches = ct_c45_take(pool, node->branch_count, sizeof *copy->branches);
    if (!copy->branches)
        return NULL;
    for (size_t v = 0; v < node->branch_count; v++)
        if (!(copy->branches[v] = ct_c45_node_copy(pool, node->branches[v], classes)))
            return NULL;
    return copy;
}

size_t ct_c45_size(const struct ct_c45_node *node)
{
    size_t size = 1;
    for (size_t v = 0; v < node->branch_count; v++)
        size += ct_c45_size(node->branches[v]);
    return size;
}
