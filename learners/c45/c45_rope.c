/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_rope.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A number, and what lies left and right of it; ropes are known by their topmost number, 0 is the empty one.
 */
struct strand {
    uint32_t left, right;
    uint32_t size;
    float key, least, most;
    bool rises;
};

struct rope {
    struct strand *strands; /* by place from 1 on; strand 0 is empty */
    uint32_t seed;
};

/* --- ropes --- */

static void update(struct rope *rope, uint32_t top)
{
    struct strand *here = &rope->strands[top];
    const struct strand *left = &rope->strands[here->left], *right = &rope->strands[here->right];
    here->size = left->size + 1 + right->size;
    here->least = here->most = here->key;
    here->rises = true;
    if (left->size > 0) {
        here->least = left->least < here->least ? left->least : here->least;
        here->most = left->most > here->most ? left->most : here->most;
        here->rises = left->rises && left->most <= here->key;
    }
    if (right->size > 0) {
        here->rises = here->rises && right->rises && here->key <= right->least;
        here->least = right->least < here->least ? right->least : here->least;
        here->most = right->most > here->most ? right->most : here->most;
    }
}

/* A balanced rope of the places from..to - 1. */
static uint32_t build(struct rope *rope, uint32_t from, uint32_t to)
{
    if (from == to)
        return 0;
    uint32_t middle = from + (to - from) / 2;
    rope->strands[middle].left = build(rope, from, middle);
    rope->strands[middle].right = build(rope, middle + 1, to);
    update(rope, middle);
    return middle;
}

/* Either top may be that of both, by lot, as often as it has strands: that keeps ropes balanced. */
static uint32_t join(struct rope *rope, uint32_t first, uint32_t second)
{
    if (first == 0 || second == 0)
        return first + second;
    struct strand *a = &rope->strands[first], *b = &rope->strands[second];
    rope->seed = rope->seed * 1664525u + 1013904223u;
    if ((uint64_t)rope->seed * (a->size + b->size) >> 32 < a->size) {
        a->right = join(rope, a->right, second);
        update(rope, first);
        return first;
    }
    b->left = join(rope, first, b->left);
    update(rope, second);
    return second;
}

/* The first `count` of a rope, and the rest. */
static void cut(struct rope *rope, uint32_t top, uint32_t count, uint32_t *ret_first, uint32_t *ret_second)
{
    if (top == 0) {
        *ret_first = *ret_second = 0;
        return;
    }
    struct strand *here = &rope->strands[top];
    uint32_t left = rope->strands[here->left].size, inner;
    if (count <= left) {
        cut(rope, here->left, count, ret_first, &inner);
        here->left = inner;
        *ret_second = top;
    } else {
        cut(rope, here->right, count - left - 1, &inner, ret_second);
        here->right = inner;
        *ret_first = top;
    }
    update(rope, top);
}

/* Brings the first `count`, modulo the size, behind the others. */
static uint32_t rotate(struct rope *rope, uint32_t top, uint32_t count)
{
    uint32_t first, second;
    if (top == 0)
        return 0;
    cut(rope, top, count % rope->strands[top].size, &first, &second);
    return join(rope, second, first);
}

/* How many stand before the first number above the pivot, or before the first that is not. */
static uint32_t count_leading(const struct rope *rope, uint32_t top, float pivot, bool above)
{
    uint32_t count = 0;
    while (top != 0) {
        const struct strand *here = &rope->strands[top], *left = &rope->strands[here->left];
        bool ends_left = left->size > 0 && (above ? left->least <= pivot : left->most > pivot);
        if (!ends_left && (here->key > pivot) != above)
            return count + left->size;
        count += ends_left ? 0 : left->size + 1;
        top = ends_left ? here->left : here->right;
    }
    return count;
}

/* Of numbers that are at most the pivot: how many stand behind the last that equals it, or that does not. */
static uint32_t count_trailing(const struct rope *rope, uint32_t top, float pivot, bool equal)
{
    uint32_t count = 0;
    while (top != 0) {
        const struct strand *here = &rope->strands[top], *right = &rope->strands[here->right];
        bool ends_right = right->size > 0 && (equal ? right->least < pivot : !(right->most < pivot));
        if (!ends_right && (here->key < pivot) == equal)
            return count + right->size;
        count += ends_right ? 0 : right->size + 1;
        top = ends_right ? here->right : here->left;
    }
    return count;
}

/* --- the quicksort's moves --- */

/* Numbers at most the pivot keep their order; each that comes behind greater ones sends the first of these
 * behind the last. */
static void part(struct rope *rope, uint32_t top, float pivot, uint32_t *ret_below, uint32_t *ret_above)
{
    uint32_t below = 0, above = 0, run;
    while (top != 0) {
        uint32_t count = count_leading(rope, top, pivot, false);
        cut(rope, top, count, &run, &top);
        below = join(rope, below, run);
        above = rotate(rope, above, count);
        cut(rope, top, count_leading(rope, top, pivot, true), &run, &top);
        above = join(rope, above, run);
    }
    *ret_below = below;
    *ret_above = rotate(rope, above, 1); /* the pivot changes places with the first of them */
}

/* Seen from behind: each number that equals the pivot goes before those that do, and sends the last of the
 * smaller ones behind it to their front. */
static void part_equal(struct rope *rope, uint32_t top, float pivot, uint32_t *ret_below, uint32_t *ret_equal)
{
    uint32_t below = 0, equal = 0, run;
    while (top != 0) {
        uint32_t count = rope->strands[top].size - count_trailing(rope, top, pivot, false);
        cut(rope, top, count, &top, &run);
        below = join(rope, run, below);
        count = count_trailing(rope, top, pivot, true);
        cut(rope, top, top == 0 ? 0 : rope->strands[top].size - count, &top, &run);
        equal = join(rope, run, equal);
        if (below != 0)
            below = rotate(rope, below, rope->strands[below].size - count % rope->strands[below].size);
    }
    *ret_below = below;
    *ret_equal = equal;
}

/* --- sorting --- */

/* Writes the strands of a rope in order; returns the place behind the last. */
static uint32_t *lay_out(const struct rope *rope, uint32_t top, uint32_t *place)
{
    if (top == 0)
        return place;
    place = lay_out(rope, rope->strands[top].left, place);
    *place++ = top;
    return lay_out(rope, rope->strands[top].right, place);
}

/* Ranges still to be sorted; of two the smaller goes first, so that these are few. */
struct open_rope {
    uint32_t top;
    uint32_t *place;
};

enum { OPEN_MAX = 64 };

static void sort(struct rope *rope, uint32_t top, uint32_t *places)
{
    struct open_rope open[OPEN_MAX];
    size_t count = 0;
    open[count++] = (struct open_rope){top, places};
    while (count > 0) {
        struct open_rope here = open[--count];
        while (!rope->strands[here.top].rises) {
            uint32_t last, below, above, equal;
            cut(rope, here.top, rope->strands[here.top].size - 1, &here.top, &last);
            const float pivot = rope->strands[last].key;
            part(rope, here.top, pivot, &below, &above);
            part_equal(rope, below, pivot, &below, &equal);
            uint32_t low = rope->strands[below].size, high = rope->strands[above].size;
            uint32_t *behind = lay_out(rope, equal, here.place + low);
            *behind++ = last;
            const struct open_rope lower = {below, here.place}, upper = {above, behind};
            open[count++] = low < high ? upper : lower;
            here = low < high ? lower : upper;
        }
        lay_out(rope, here.top, here.place);
    }
}

/* Puts numbers, in `values`, as the strands stand in `places`. */
static void move_numbers(float *values, size_t count, const uint32_t *places, float *spare)
{
    memcpy(spare, values, count * sizeof *spare);
    for (size_t i = 0; i < count; i++)
        values[i] = spare[places[i] - 1];
}

int ct_c45_rope_sort(struct ct_c45_engine *engine, size_t from, size_t to)
{
    const size_t count = to - from;
    struct rope rope = {.strands = ct_allocate(count + 1, sizeof *rope.strands), .seed = 1};
    uint32_t *places = ct_allocate(count, sizeof *places), *order = ct_allocate(count, sizeof *order);
    float *spare = ct_allocate(count, sizeof *spare);
    int status = rope.strands && places && order && spare ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        rope.strands[0].rises = true;
        for (size_t i = 0; i < count; i++)
            rope.strands[i + 1].key = engine->keys[from + i];
        sort(&rope, build(&rope, 1, (uint32_t)count + 1), places);
        move_numbers(engine->keys + from, count, places, spare);
        move_numbers(engine->weights + from, count, places, spare);
        memcpy(order, engine->order + from, count * sizeof *order);
        for (size_t i = 0; i < count; i++)
            engine->order[from + i] = order[places[i] - 1];
    }
    free(rope.strands);
    free(places);
    free(order);
    free(spare);
    return status;
}
