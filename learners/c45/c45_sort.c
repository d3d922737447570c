/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_sort.h"
#include "learners/c45/c45_engine.h"

#include <string.h>

static void swap(struct ct_c45_item *items, size_t a, size_t b)
{
    struct ct_c45_item item = items[a];
    items[a] = items[b];
    items[b] = item;
}

/* A range that does not fall is left as it is; most end that way. */
static bool rises(const struct ct_c45_item *items, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (items[i].key < items[i - 1].key)
            return false;
    return true;
}

size_t ct_c45_part_equal(struct ct_c45_item *items, size_t count, float pivot)
{
    size_t low = count; /* behind what is not known to be equal */
    for (size_t i = count; i-- > 0;)
        if (items[i].key == pivot)
            swap(items, --low, i);
    return low;
}

/* Numbers below the pivot, then those equal to it, then those above: where the first end and the last begin.
 */
static void part(struct ct_c45_item *items, size_t count, size_t *ret_low, size_t *ret_high)
{
    const float pivot = items[count - 1].key;
    size_t middle = 0;
    bool any_equal = false;
    for (size_t i = 0; i + 1 < count; i++) {
        struct ct_c45_item item = items[i], first = items[middle];
        bool is_low = item.key <= pivot;
        items[i] = is_low ? first : item;
        items[middle] = is_low ? item : first;
        middle += is_low;
        any_equal |= item.key == pivot;
    }
    *ret_low = any_equal ? ct_c45_part_equal(items, middle, pivot) : middle;
    swap(items, middle, count - 1);
    *ret_high = middle + 1;
}

void ct_c45_sort_items(struct ct_c45_item *items, size_t count)
{
    enum { POOR_MAX = 4 }; /* pivots in a row that part little: then so will the next, most likely */
    size_t poor = 0;
    while (count > 1 && !rises(items, count)) {
        size_t low, high, from = 0, to;
        part(items, count, &low, &high);
        size_t above = count - high, large = low > above ? low : above;
        /* of two ranges the smaller is sorted first, so that the depth is a logarithm */
        ct_c45_sort_items(low > above ? items + high : items, low > above ? above : low);
        items += low > above ? 0 : high;
        to = large;
        poor = count - large <= count / CT_C45_PEEL_SHARE ? poor + 1 : 0;
        if (poor >= POOR_MAX)
            ct_c45_peel_items(items, large, &from, &to);
        items += from;
        count = to - from;
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
    if (rises(items, count))
        return;
    ct_c45_sort_items(items, count);
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
