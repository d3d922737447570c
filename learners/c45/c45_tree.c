/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_tree.h"
#include "base/memory.h"

#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

struct ct_c45_block {
    struct ct_c45_block *next;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

/* A block with room for so many bytes; NULL without memory. */
static struct ct_c45_block *block_for(struct ct_c45_pool *pool, size_t bytes)
{
    const size_t least = 65536 - sizeof(struct ct_c45_block);
    struct ct_c45_block *block = pool->blocks;
    size_t size = bytes > least ? bytes : least, whole;
    if (block && block->size - block->used >= bytes)
        return block;
    if (!ct_add(size, sizeof *block, &whole) || !(block = calloc(1, whole)))
        return NULL;
    block->size = size;
    block->next = pool->blocks;
    return pool->blocks = block;
}

void *ct_c45_take(struct ct_c45_pool *pool, size_t count, size_t size)
{
    const size_t unit = alignof(max_align_t);
    size_t bytes;
    struct ct_c45_block *block = NULL;
    if (ct_multiply(count, size, &bytes) && ct_add(bytes, unit - 1, &bytes))
        block = block_for(pool, bytes -= bytes % unit);
    if (!block) {
        pool->failed = true;
        return NULL;
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

/* --- nodes --- */

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

void ct_c45_make_leaf(struct ct_c45_node *node)
{
    node->test = CT_C45_LEAF;
    node->branch_count = 0;
    node->branches = NULL;
    node->branch_of = NULL;
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

/* --- classifying --- */

static void vote(const struct ct_c45_node *node, const struct ct_c45_cases *cases, size_t index, float weight,
                 size_t classes, float *votes)
{
    while (node->test != CT_C45_LEAF && !ct_c45_is_unknown(node, cases, index)) {
        size_t branch = ct_c45_branch(node, cases, index);
        if (branch == node->branch_count)
            break;
        node = node->branches[branch];
    }
    if (node->test != CT_C45_LEAF) {
        for (size_t b = 0; b < node->branch_count; b++)
            vote(node->branches[b], cases, index, (weight * node->branches[b]->items) / node->items, classes,
                 votes);
    } else if (node->items > 0) {
        for (size_t c = 0; c < classes; c++)
            if (node->distribution[c] > 0)
                votes[c] += (weight * node->distribution[c]) / node->items;
    } else {
        votes[node->best] += weight;
    }
}

uint16_t ct_c45_first_best(const float *weights, size_t classes)
{
    size_t best = 0;
    assert(classes > 0);
    for (size_t c = 1; c < classes; c++)
        if (weights[c] > weights[best])
            best = c;
    return (uint16_t)best;
}

uint16_t ct_c45_classify(const struct ct_c45_node *root, const struct ct_c45_cases *cases, size_t index,
                         size_t classes, float *votes)
{
    for (size_t c = 0; c < classes; c++)
        votes[c] = 0;
    vote(root, cases, index, 1, classes, votes);
    return ct_c45_first_best(votes, classes);
}
