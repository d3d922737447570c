/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_columns.h"
#include "base/memory.h"
#include "base/sort.h"
#include "learners/c45/c45_continuous.h"
#include "learners/c45/c45_information.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- sorting --- */

/* A whole number for each number, in the same order; -0 and 0 are equal. */
static uint32_t key_of(float number)
{
    const uint32_t sign = 0x80000000u;
    uint32_t bits;
    number += 0.0f;
    memcpy(&bits, &number, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

struct ranked {
    uint64_t key; /* of the number, above its turn: equal numbers keep their order */
    uint32_t place;
};

static int compare_ranked(const void *a, const void *b)
{
    return CT_COMPARE(((const struct ranked *)a)->key, ((const struct ranked *)b)->key);
}

int ct_c45_rank(const float *numbers, const uint32_t *places, size_t count, uint32_t *ret_order)
{
    struct ranked *ranked = ct_allocate(count, sizeof *ranked);
    if (!ranked)
        return CT_E_MEMORY;
    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){(uint64_t)key_of(numbers[places[i]]) << 32 | i, places[i]};
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < count; i++)
        ret_order[i] = ranked[i].place;
    free(ranked);
    return CT_OK;
}

/* --- columns --- */

int ct_c45_columns_make(struct ct_c45_engine *engine)
{
    const size_t count = engine->cases->count, attributes = engine->names->attribute_count;
    struct ct_c45_pool *room = &engine->room;
    struct ct_c45_columns *columns = engine->columns = ct_c45_take(room, 1, sizeof *columns);
    if (!columns)
        return CT_E_MEMORY;
    columns->places = ct_c45_take(room, attributes, sizeof *columns->places);
    columns->spare = ct_c45_take(room, count, sizeof *columns->spare);
    columns->branches = ct_c45_take(room, count, sizeof *columns->branches);
    columns->products = ct_c45_take(room, count + 1, sizeof *columns->products);
    columns->lefts = ct_c45_take(room, count, sizeof *columns->lefts);
    columns->below = ct_c45_take(room, engine->classes, sizeof *columns->below);
    columns->above = ct_c45_take(room, engine->classes, sizeof *columns->above);
    if (room->failed)
        return CT_E_MEMORY;
    for (size_t n = 0; n <= count; n++)
        columns->products[n] = (double)n * ct_c45_log((float)n);
    return CT_OK;
}

int ct_c45_columns_fill(struct ct_c45_engine *engine, size_t attribute, const uint32_t *order)
{
    const struct ct_c45_cases *cases = engine->cases;
    const float *numbers = cases->columns[attribute].numbers;
    struct ct_c45_place *places = ct_c45_take(&engine->room, cases->count, sizeof *places);
    if (!places)
        return CT_E_MEMORY;
    for (size_t i = 0; i < cases->count; i++)
        places[i] = (struct ct_c45_place){numbers[order[i]], order[i], cases->classes[order[i]]};
    engine->columns->places[attribute] = places;
    return CT_OK;
}

/* --- splitting --- */

static void split_order(struct ct_c45_engine *engine, size_t from, size_t to, size_t *next)
{
    struct ct_c45_columns *columns = engine->columns;
    for (size_t i = from; i < to; i++) {
        uint32_t index = engine->order[i];
        engine->spare_order[next[columns->branches[index]]++] = index;
    }
    memcpy(engine->order + from, engine->spare_order + from, (to - from) * sizeof *engine->order);
}

static void split_places(struct ct_c45_columns *columns, struct ct_c45_place *places, size_t from, size_t to,
                         size_t *next)
{
    for (size_t i = from; i < to; i++)
        columns->spare[next[columns->branches[places[i].index]]++] = places[i];
    memcpy(places + from, columns->spare + from, (to - from) * sizeof *places);
}

/* Turns the end of each branch into its begin, which is the end of the branch before it. */
static void rewind_to_begins(size_t *next, size_t branches, size_t from)
{
    memmove(next + 1, next, (branches - 1) * sizeof *next);
    next[0] = from;
}

void ct_c45_columns_split(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t from,
                          size_t to, size_t *ret_ends)
{
    struct ct_c45_columns *columns = engine->columns;
    memset(ret_ends, 0, node->branch_count * sizeof *ret_ends);
    for (size_t i = from; i < to; i++) {
        size_t branch = ct_c45_branch(node, engine->cases, engine->order[i]);
        columns->branches[engine->order[i]] = (uint16_t)branch;
        assert(branch < node->branch_count);
        ret_ends[branch]++;
    }
    for (size_t b = 0, place = from; b < node->branch_count; b++)
        ret_ends[b] = place += ret_ends[b];
    for (size_t a = 0; a < engine->names->attribute_count; a++) {
        if (!columns->places[a] || (node->test == CT_C45_THRESHOLD && a == node->attribute))
            continue;
        rewind_to_begins(ret_ends, node->branch_count, from);
        split_places(columns, columns->places[a], from, to, ret_ends);
    }
    rewind_to_begins(ret_ends, node->branch_count, from);
    split_order(engine, from, to, ret_ends);
}

/* --- the best cut ---
 *
 * What each cut leaves of the information is first computed in double precision, each value from the one
 * before it. Only the cuts that might be best within rounding are then computed as Release 8 rounds. */

/* The numbers of cases below a cut for which both parts are large enough. */
struct bounds {
    size_t first, last;
};

static struct bounds bounds_of(float least, size_t count)
{
    struct bounds bounds = {(size_t)ceilf(least), count};
    while (bounds.last > 0 && (float)bounds.last > (float)count - least)
        bounds.last--;
    if (bounds.first < 1)
        bounds.first = 1;
    if (bounds.last >= count)
        bounds.last = count - 1;
    return bounds;
}

static void begin_counts(struct ct_c45_engine *engine, const float *distribution)
{
    for (size_t c = 0; c < engine->classes; c++) {
        engine->columns->below[c] = 0;
        engine->columns->above[c] = (size_t)distribution[c];
    }
}

/* Puts the approximate information that each cut leaves into columns->lefts, the least into *ret_least;
 * returns how many cuts there are. */
static size_t sketch(struct ct_c45_engine *engine, const struct ct_c45_place *places, size_t count,
                     struct bounds bounds, double *ret_least)
{
    struct ct_c45_columns *columns = engine->columns;
    const double *products = columns->products;
    size_t *below = columns->below, *above = columns->above, tries = 0;
    double sum = 0, least = INFINITY;
    for (size_t c = 0; c < engine->classes; c++)
        sum += products[above[c]];
    for (size_t low = 1; low <= bounds.last; low++) {
        const struct ct_c45_place *place = &places[low - 1];
        size_t under = below[place->class]++, over = above[place->class]--;
        sum += (products[under + 1] - products[under]) - (products[over] - products[over - 1]);
        if (low < bounds.first)
            continue;
        double left = INFINITY;
        if ((double)place[0].number < (double)place[1].number - 1e-5) {
            left = products[low] + products[count - low] - sum;
            tries++;
        }
        columns->lefts[low] = left;
        least = left < least ? left : least;
    }
    *ret_least = least;
    return tries;
}

/* ct_c45_entropy() of whole numbers whose sum is `total`. */
static float entropy(const struct ct_c45_engine *engine, const size_t *counts, size_t total)
{
    const double *products = engine->columns->products;
    float sum = 0;
    for (size_t c = 0; c < engine->classes; c++)
        sum = (float)((double)sum + products[counts[c]]);
    return (float)(products[total] - (double)sum);
}

/* A bound on the error of the sketch: each sum in single precision is rounded once for each class and a few
 * times more, by half a unit in the last place of at most all information; and gains that differ by a few
 * units become equal. The bound is generous by a factor of two. */
static double doubt(const struct ct_c45_engine *engine, size_t count)
{
    const double unit = 1.0 / (1 << 24);
    return (2 * (double)(engine->classes + 8) + 32) * unit * engine->columns->products[count];
}

/* The number of cases below the first of the best cuts; 0 if none is worth its price. */
static size_t best_of(struct ct_c45_engine *engine, const struct ct_c45_place *places, size_t count,
                      struct bounds bounds, double most_left, float base, float price, float *ret_gain)
{
    struct ct_c45_columns *columns = engine->columns;
    const float known = (float)count;
    size_t best = 0;
    *ret_gain = 0;
    for (size_t low = 1; low <= bounds.last; low++) {
        columns->below[places[low - 1].class]++;
        columns->above[places[low - 1].class]--;
        if (low < bounds.first || !(columns->lefts[low] <= most_left))
            continue;
        float left = entropy(engine, columns->below, low);
        left += entropy(engine, columns->above, count - low);
        float gain = base - left / known;
        gain -= price;
        if (gain > *ret_gain) {
            *ret_gain = gain;
            best = low;
        }
    }
    return best;
}

void ct_c45_judge_column(struct ct_c45_engine *engine, size_t attribute, const float *distribution,
                         size_t from, size_t to)
{
    const struct ct_c45_place *places = engine->columns->places[attribute] + from;
    const size_t count = to - from;
    const float known = (float)count;
    double least;
    if (!((double)places[0].number < (double)places[count - 1].number - 1e-5))
        return;
    struct bounds bounds = bounds_of(ct_c45_least_part(engine, known), count);
    begin_counts(engine, distribution);
    size_t tries = sketch(engine, places, count, bounds, &least);
    if (tries == 0)
        return;
    float base = ct_c45_entropy(distribution, engine->classes) / known, gain;
    float price = (float)(ct_c45_log((float)tries) / (double)known);
    begin_counts(engine, distribution);
    size_t best = best_of(engine, places, count, bounds, least + doubt(engine, count), base, price, &gain);
    if (best == 0)
        return;
    float totals[3] = {0, (float)best, known - (float)best};
    engine->merits[attribute] = (struct ct_c45_merit){.gain = gain,
                                                      .information = ct_c45_entropy(totals, 3) / known,
                                                      .low = places[best - 1].number,
                                                      .high = places[best].number};
}
