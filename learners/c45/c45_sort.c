/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_rope.h"

/* Cases that weigh less than 1 are summed in the order they have, so their sort must leave equal numbers in
 * the very order that C4.5 Release 8 leaves them in: that of its quicksort, which takes the last number for
 * the pivot. What it moves is kept, how it goes about it is not: */

struct range {
    size_t from, to;
};

/* Of two ranges the smaller is sorted first, so that so many are open at most. */
enum { OPEN_MAX = 64 };

static void swap(struct ct_c45_engine *engine, size_t a, size_t b)
{
    float key = engine->keys[a];
    engine->keys[a] = engine->keys[b];
    engine->keys[b] = key;
    ct_c45_swap(engine, a, b);
}

/* A range that does not fall is left as it is. Seeing that at once saves the quadratic time that a last
 * number takes for a pivot where it is the greatest; where other orders would take long, ropes do not. */
static bool rises(const float *keys, struct range range)
{
    for (size_t i = range.from + 1; i < range.to; i++)
        if (keys[i] < keys[i - 1])
            return false;
    return true;
}

/* Numbers below the pivot, then those equal to it, then those above: the ranges of the first and last. */
static void part(struct ct_c45_engine *engine, struct range range, struct range *ret_below,
                 struct range *ret_above)
{
    const float *keys = engine->keys;
    const float pivot = keys[range.to - 1];
    size_t middle = range.from;
    for (size_t i = range.from; i < range.to - 1; i++) {
        if (keys[i] > pivot)
            continue;
        if (middle != i)
            swap(engine, middle, i);
        middle++;
    }
    size_t low = middle; /* behind what is not known to be equal */
    for (size_t i = middle; i > range.from; i--) {
        if (keys[i - 1] != pivot)
            continue;
        low--;
        if (low != i - 1)
            swap(engine, low, i - 1);
    }
    swap(engine, middle, range.to - 1);
    *ret_below = (struct range){range.from, low};
    *ret_above = (struct range){middle + 1, range.to};
}

/* Places to look at: some times n log n, which good pivots need. */
static size_t work_allowed(size_t count)
{
    enum { TIMES = 8 };
    size_t bits = 1;
    while (bits < OPEN_MAX - 1 && count >> bits)
        bits++;
    return TIMES * count * bits;
}

void ct_c45_sort(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to)
{
    const float *numbers = engine->cases->columns[attribute].numbers;
    struct range open[OPEN_MAX];
    size_t count = 0, work = 0;
    const size_t most_work = work_allowed(to - from);
    for (size_t i = from; i < to; i++)
        engine->keys[i] = numbers[engine->order[i]];
    open[count++] = (struct range){from, to};
    while (count > 0) {
        struct range range = open[--count], below, above;
        while (range.to - range.from > 1 && !rises(engine->keys, range)) {
            work += range.to - range.from;
            if (work > most_work && ct_c45_rope_sort(engine, range.from, range.to) == CT_OK)
                break;
            part(engine, range, &below, &above);
            bool below_first = below.to - below.from < above.to - above.from;
            open[count++] = below_first ? above : below;
            range = below_first ? below : above;
        }
    }
}
