/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_order.h"
#include "base/sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- sums --- */

float ct_c45_weight(const struct ct_c45_engine *engine, size_t from, size_t to)
{
    assert(from <= to);
    if (engine->all_known)
        return (float)(to - from);
    float sum = 0;
    for (size_t i = from; i < to; i++)
        sum += engine->weights[i];
    return sum;
}

void ct_c45_distribute(const struct ct_c45_engine *engine, size_t from, size_t to, float *ret_frequencies)
{
    for (size_t c = 0; c < engine->classes; c++)
        ret_frequencies[c] = 0;
    for (size_t i = from; i < to; i++)
        ret_frequencies[engine->cases->classes[engine->order[i]]] += engine->weights[i];
}

void ct_c45_scale(struct ct_c45_engine *engine, size_t from, size_t to, float factor)
{
    for (size_t i = from; i < to; i++)
        engine->weights[i] *= factor;
}

void ct_c45_unscale(struct ct_c45_engine *engine, size_t from, size_t to, float factor)
{
    for (size_t i = from; i < to; i++)
        engine->weights[i] /= factor;
}

/* --- parting --- */

void ct_c45_swap(struct ct_c45_engine *engine, size_t a, size_t b)
{
    uint32_t index = engine->order[a];
    float weight = engine->weights[a];
    engine->order[a] = engine->order[b];
    engine->weights[a] = engine->weights[b];
    engine->order[b] = index;
    engine->weights[b] = weight;
}

size_t ct_c45_part_unknown(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t from,
                           size_t to)
{
    for (size_t i = from; i < to; i++)
        if (ct_c45_is_unknown(node, engine->cases, engine->order[i]))
            ct_c45_swap(engine, from++, i);
    return from;
}

size_t ct_c45_part_branch(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t branch,
                          size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (ct_c45_branch(node, engine->cases, engine->order[i]) == branch)
            ct_c45_swap(engine, from++, i);
    return from;
}

/* --- sorting ---
 *
 * Equal numbers must come out in the order in which the quicksort of C4.5 Release 8 leaves them, because sums
 * of fractional weights run in that order. Its pivot is the last number. */

static void swap_items(struct ct_c45_item *items, size_t a, size_t b)
{
    struct ct_c45_item item = items[a];
    items[a] = items[b];
    items[b] = item;
}

/* The quicksort leaves an ascending range as it is. */
static bool ascends(const struct ct_c45_item *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (items[i].key < items[i - 1].key)
            return false;
    return true;
}

/* Brings the numbers below the last one to the front, and those above it to the end; *ret_low is where the
 * first end, *ret_high where the others begin. */
static void part(struct ct_c45_item *items, size_t count, size_t *ret_low, size_t *ret_high)
{
    const float pivot = items[count - 1].key;
    size_t middle = 0, low;
    for (size_t i = 0; i + 1 < count; i++) {
        struct ct_c45_item item = items[i], first = items[middle];
        bool is_low = item.key <= pivot; /* no branch: it could not be predicted */
        items[i] = is_low ? first : item;
        items[middle] = is_low ? item : first;
        middle += is_low;
    }
    low = middle;
    for (size_t i = middle; i-- > 0;)
        if (items[i].key == pivot)
            swap_items(items, --low, i);
    swap_items(items, middle, count - 1);
    *ret_low = low;
    *ret_high = middle + 1;
}

static int compare_items(const void *a, const void *b)
{
    const struct ct_c45_item *left = a, *right = b;
    return CT_COMPARE(left->key, right->key);
}

/* Where all numbers differ, every sort gives the same order. False, and nothing has changed, if some are
 * equal. */
static bool sort_different(struct ct_c45_item *items, size_t count, struct ct_c45_item *spare)
{
    memcpy(spare, items, count * sizeof *items);
    qsort(spare, count, sizeof *spare, compare_items);
    for (size_t i = 1; i < count; i++)
        if (spare[i].key == spare[i - 1].key)
            return false;
    memcpy(items, spare, count * sizeof *items);
    return true;
}

/* Pivots that part little are likely to be followed by more of them, as in falling numbers, and would take
 * quadratic time; most such ranges have no equal numbers. */
static void sort_items(struct ct_c45_item *items, size_t count, struct ct_c45_item *spare)
{
    enum { POOR_MAX = 8, POOR_SHARE = 16 };
    size_t poor = 0, tried = SIZE_MAX;
    while (count > 1 && !ascends(items, count)) {
        size_t low, high;
        if (poor >= POOR_MAX && count < tried / 2) {
            if (sort_different(items, count, spare))
                return;
            tried = count;
        }
        part(items, count, &low, &high);
        size_t above = count - high, large = low > above ? low : above;
        assert(low < high && high <= count);
        /* recursion into the smaller range only keeps it shallow */
        sort_items(low > above ? items + high : items, low > above ? above : low, spare);
        poor = count - large <= count / POOR_SHARE ? poor + 1 : 0;
        items += low > above ? 0 : high;
        count = large;
    }
}

void ct_c45_sort_keys(struct ct_c45_engine *engine, size_t from, size_t to)
{
    struct ct_c45_item *items = engine->items;
    const size_t count = to - from;
    uint32_t *order = engine->order + from;
    float *keys = engine->keys + from, *weights = engine->weights + from, *old_weights = engine->gains;
    for (size_t i = 0; i < count; i++)
        items[i] = (struct ct_c45_item){keys[i], (uint32_t)i};
    if (ascends(items, count))
        return;
    sort_items(items, count, engine->spare);
    memcpy(old_weights, weights, count * sizeof *weights);
    memcpy(engine->spare_order, order, count * sizeof *order);
    for (size_t i = 0; i < count; i++) {
        keys[i] = items[i].key;
        weights[i] = old_weights[items[i].place];
        order[i] = engine->spare_order[items[i].place];
    }
}

void ct_c45_sort(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to)
{
    const float *numbers = engine->cases->columns[attribute].numbers;
    for (size_t i = from; i < to; i++)
        engine->keys[i] = numbers[engine->order[i]];
    ct_c45_sort_keys(engine, from, to);
}
