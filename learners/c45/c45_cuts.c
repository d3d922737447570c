/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_columns.h"
#include "learners/c45/c45_information.h"

#include <math.h>

/* The best cut of a sorted column. What a cut leaves of the information is first had in double precision,
 * each from the one before it; only cuts that rounding may take for the best are then computed as rounding
 * has it. */

/* Cuts behind places first - 1 up to last - 1 of a range, counted from its begin, leave both parts large. */
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

/* What all cuts leave, about; `*ret_least` is the least of that. Returns how many cuts there are. */
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

/* ct_c45_entropy() of whole numbers that sum up to `total`. */
static float entropy(const struct ct_c45_engine *engine, const size_t *counts, size_t total)
{
    const double *products = engine->columns->products;
    float sum = 0;
    for (size_t c = 0; c < engine->classes; c++)
        sum = (float)((double)sum + products[counts[c]]);
    return (float)(products[total] - (double)sum);
}

/* By how much the sketch may take the best cut for a worse one: each single sum is rounded once a class and
 * some times more, by half a unit in the last place of no more than all information; and gains that differ by
 * a few units become the same. Generous by a factor of two. */
static double doubt(const struct ct_c45_engine *engine, size_t count)
{
    const double unit = 1.0 / (1 << 24);
    return (2 * (double)(engine->classes + 8) + 32) * unit * engine->columns->products[count];
}

/* The first of the best cuts, by the cases below it; 0 where none is worth its price. */
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
