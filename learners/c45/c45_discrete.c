/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_discrete.h"
#include "learners/c45/c45_information.h"
#include "learners/c45/c45_order.h"

#include <assert.h>
#include <string.h>

/* Sums that both kinds of tests need. */
struct counts {
    float known;         /* weight of the cases whose value is known */
    float unknown_share; /* of the weight of all cases */
    float base;          /* information of the classes of the known cases */
};

/* From engine->frequencies and engine->totals; `weight` is that of all cases. */
static struct counts count_base(const struct ct_c45_engine *engine, size_t values, float weight)
{
    struct counts counts = {.known = weight - engine->totals[0], .unknown_share = engine->totals[0] / weight};
    double sum = 0;
    for (size_t c = 0; c < engine->classes; c++) {
        float of_class = 0;
        for (size_t v = 1; v <= values; v++)
            of_class += engine->frequencies[v * engine->classes + c];
        sum += (double)of_class * ct_c45_log(of_class);
    }
    double known = (double)counts.known;
    counts.base = (float)((known * ct_c45_log(counts.known) - sum) / known);
    return counts;
}

/* Fills engine->frequencies and engine->totals by value; at 0 are the unknown ones. */
static struct counts count_values(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to)
{
    const uint16_t *column = engine->cases->columns[attribute].values;
    const size_t classes = engine->classes, values = engine->names->attributes[attribute].trained;
    for (size_t i = 0; i < (values + 1) * classes; i++)
        engine->frequencies[i] = 0;
    for (size_t i = from; i < to; i++) {
        uint32_t index = engine->order[i];
        engine->frequencies[column[index] * classes + engine->cases->classes[index]] += engine->weights[i];
    }
    for (size_t v = 0; v <= values; v++) {
        engine->totals[v] = 0;
        for (size_t c = 0; c < classes; c++)
            engine->totals[v] += engine->frequencies[v * classes + c];
    }
    return count_base(engine, values, ct_c45_weight(engine, from, to));
}

/* --- a branch for each value --- */

void ct_c45_judge_values(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to)
{
    struct ct_c45_merit *merit = &engine->merits[attribute];
    const size_t values = engine->names->attributes[attribute].trained;
    struct counts counts = count_values(engine, attribute, from, to);
    float weight = ct_c45_weight(engine, from, to);
    *merit = (struct ct_c45_merit){.gain = CT_C45_NO_GAIN};
    merit->insufficient = weight <= engine->totals[0];
    if (merit->insufficient)
        return;
    const struct ct_c45_split split = {.totals = engine->totals + 1,
                                       .frequencies = engine->frequencies + engine->classes,
                                       .parts = values,
                                       .classes = engine->classes,
                                       .known = counts.known,
                                       .unknown_share = counts.unknown_share,
                                       .base = counts.base,
                                       .least = (float)engine->options->least};
    merit->gain = ct_c45_split_gain(&split);
    merit->information = ct_c45_entropy(engine->totals, values + 1) / weight;
}

/* --- subsets ---
 *
 * One branch for several values: at first each value is a block of its own; then two blocks at a time are
 * merged as long as the criterion does not get worse. */

/* Block b, from 1 on, has totals[b] and frequencies[b * classes]; at 0 are the unknown values. */
struct blocks {
    struct ct_c45_engine *engine;
    uint16_t *block_of; /* by value */
    size_t values;
    size_t count;
    struct counts counts;
    float weight;
};

/* What a partition is worth. */
struct value {
    float gain;
    float information;
    float worth;
};

static float *frequencies_of(const struct blocks *blocks, size_t block)
{
    return blocks->engine->frequencies + block * blocks->engine->classes;
}

/* Keeps the terms that a block adds to the sums of value_of(). */
static void weigh(const struct blocks *blocks, size_t block)
{
    struct ct_c45_engine *engine = blocks->engine;
    engine->entropies[block] = ct_c45_entropy(frequencies_of(blocks, block), engine->classes);
    engine->products[block] = (double)engine->totals[block] * ct_c45_log(engine->totals[block]);
}

/* Two blocks to be merged; the last block then takes the place of the second. */
struct pair {
    size_t first, second; /* 0: no blocks */
    float total, entropy; /* of both together */
    double product;
};

static struct pair merged(const struct blocks *blocks, size_t first, size_t second)
{
    const struct ct_c45_engine *engine = blocks->engine;
    const float *a = frequencies_of(blocks, first), *b = frequencies_of(blocks, second);
    struct pair pair = {.first = first, .second = second};
    for (size_t c = 0; c < engine->classes; c++)
        engine->votes[c] = a[c] + b[c];
    pair.entropy = ct_c45_entropy(engine->votes, engine->classes);
    pair.total = engine->totals[first] + engine->totals[second];
    pair.product = (double)pair.total * ct_c45_log(pair.total);
    return pair;
}

/* The value of the partition in which the pair is merged. Sums run in the order of the blocks. */
static struct value value_of(const struct blocks *blocks, const struct pair *pair, float least)
{
    const struct ct_c45_engine *engine = blocks->engine;
    const struct counts *counts = &blocks->counts;
    const size_t count = blocks->count - (pair->first > 0);
    float left = 0, total = engine->totals[0];
    float sum = (float)((double)total * ct_c45_log(total));
    size_t large = 0;
    for (size_t place = 1; place <= count; place++) {
        size_t block = place == pair->second ? blocks->count : place;
        bool both = place == pair->first;
        float weight = both ? pair->total : engine->totals[block];
        large += weight >= least;
        left += both ? pair->entropy : engine->entropies[block];
        sum = (float)((double)sum + (both ? pair->product : engine->products[block]));
        total += weight;
    }
    struct value value = {.gain = CT_C45_NO_GAIN};
    if (counts->known != 0 && large >= 2)
        value.gain = (1 - counts->unknown_share) * (counts->base - left / counts->known);
    value.information = (float)((double)total * ct_c45_log(total) - (double)sum) / blocks->weight;
    value.worth =
        ct_c45_worth(value.information, value.gain, (float)CT_C45_EPSILON, engine->options->gain_alone);
    return value;
}

static struct value value_now(const struct blocks *blocks)
{
    return value_of(blocks, &(struct pair){0}, 1);
}

static void copy_block(const struct blocks *blocks, size_t to, size_t from)
{
    struct ct_c45_engine *engine = blocks->engine;
    memmove(frequencies_of(blocks, to), frequencies_of(blocks, from),
            engine->classes * sizeof *engine->frequencies);
    engine->totals[to] = engine->totals[from];
    engine->entropies[to] = engine->entropies[from];
    engine->products[to] = engine->products[from];
}

static void merge(struct blocks *blocks, size_t first, size_t second)
{
    struct ct_c45_engine *engine = blocks->engine;
    float *sum = frequencies_of(blocks, first);
    const float *other = frequencies_of(blocks, second);
    assert(0 < first && first < second && second <= blocks->count);
    for (size_t c = 0; c < engine->classes; c++)
        sum[c] += other[c];
    engine->totals[first] += engine->totals[second];
    weigh(blocks, first);
    copy_block(blocks, second, blocks->count);
    for (size_t v = 1; v <= blocks->values; v++) {
        if (blocks->block_of[v] == second)
            blocks->block_of[v] = (uint16_t)first;
        else if (blocks->block_of[v] == blocks->count)
            blocks->block_of[v] = (uint16_t)second;
    }
    blocks->count--;
}

/* Makes a block for every value that occurs; other values are in no block. */
static void begin(struct blocks *blocks)
{
    const float present = 0.5f;
    blocks->count = 0;
    for (size_t v = 1; v <= blocks->values; v++) {
        blocks->block_of[v] = 0;
        if (!(blocks->engine->totals[v] > present))
            continue;
        blocks->block_of[v] = (uint16_t)++blocks->count;
        copy_block(blocks, blocks->count, v);
        weigh(blocks, blocks->count);
    }
}

static bool is_pure(const struct blocks *blocks, size_t block, size_t class)
{
    return !((double)frequencies_of(blocks, block)[class] < (double)blocks->engine->totals[block] - 0.1);
}

/* Merges blocks that have the same single class; returns whether there were any. */
static bool merge_pure(struct blocks *blocks)
{
    bool any = false;
    for (size_t first = 1; first < blocks->count; first++) {
        size_t class = 0;
        while (class + 1 < blocks->engine->classes && (double)frequencies_of(blocks, first)[class] < 0.1)
            class ++;
        if (!is_pure(blocks, first, class))
            continue;
        for (size_t second = first + 1; second <= blocks->count;) {
            if (is_pure(blocks, second, class)) {
                merge(blocks, first, second);
                any = true;
            } else {
                second++;
            }
        }
    }
    return any;
}

/* The number of blocks that are large enough for a branch. If they are fewer than three, the largest block,
 * *ret_barred, must not grow. */
static size_t count_large(const struct blocks *blocks, size_t *ret_barred)
{
    const float *totals = blocks->engine->totals, least = (float)blocks->engine->options->least;
    size_t large = 0, largest = 1;
    for (size_t b = 1; b <= blocks->count; b++) {
        large += totals[b] >= least;
        if (totals[b] > totals[largest])
            largest = b;
    }
    *ret_barred = large >= 3 ? 0 : largest;
    return large;
}

/* The best pair to merge; `first` is 0 if there is none. */
static struct pair best_pair(const struct blocks *blocks, size_t large, size_t barred, float least_gain,
                             struct value *ret_value)
{
    struct pair best = {0};
    struct value value = {.gain = CT_C45_NO_GAIN};
    bool any = blocks->engine->options->gain_alone || large < 2;
    for (size_t first = 1; first < blocks->count; first++) {
        for (size_t second = first + 1; second <= blocks->count; second++) {
            if (first == barred || second == barred)
                continue;
            struct pair pair = merged(blocks, first, second);
            struct value tried = value_of(blocks, &pair, 1);
            if (!(tried.gain >= least_gain && value.gain < least_gain) && !(tried.worth >= value.worth) &&
                !(best.first == 0 && any))
                continue;
            best = pair;
            value = tried;
        }
    }
    *ret_value = value;
    return best;
}

/* Merges pairs; returns the value of the partition in the end. */
static struct value merge_pairs(struct blocks *blocks, struct value value)
{
    const bool gain_alone = blocks->engine->options->gain_alone;
    const float least_gain = value.gain / 2;
    while (blocks->count > 2) {
        size_t barred, large = count_large(blocks, &barred);
        struct value next;
        struct pair pair = best_pair(blocks, large, barred, least_gain, &next);
        bool worse = (double)next.worth < (double)value.worth + 1e-5 ||
                     (next.worth == value.worth && next.gain < value.gain);
        if (pair.first == 0 || (!gain_alone && large >= 2 && worse))
            break;
        merge(blocks, pair.first, pair.second);
        value = next;
    }
    return value;
}

/* Values that do not occur form the last block. Returns how many blocks there are. */
static size_t append_missing(const struct blocks *blocks)
{
    size_t count = blocks->count;
    for (size_t v = 1; v <= blocks->values; v++) {
        if (blocks->block_of[v] == 0) {
            count = blocks->count + 1;
            blocks->block_of[v] = (uint16_t)count;
        }
    }
    return count;
}

void ct_c45_judge_subsets(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to)
{
    struct ct_c45_merit *merit = &engine->merits[attribute];
    struct blocks blocks = {.engine = engine,
                            .block_of = engine->blocks[attribute],
                            .values = engine->names->attributes[attribute].trained,
                            .counts = count_values(engine, attribute, from, to),
                            .weight = ct_c45_weight(engine, from, to)};
    *merit = (struct ct_c45_merit){.gain = CT_C45_NO_GAIN};
    merit->insufficient = (double)blocks.counts.known < CT_C45_EPSILON;
    if (merit->insufficient)
        return;
    blocks.count = blocks.values;
    for (size_t v = 1; v <= blocks.values; v++)
        weigh(&blocks, v);
    struct value value = value_now(&blocks);
    begin(&blocks);
    if (merge_pure(&blocks))
        value = value_now(&blocks);
    value = merge_pairs(&blocks, value);
    if (value.worth <= 0)
        return;
    /* until here one case was enough for a branch; now the option holds */
    merit->gain = value_of(&blocks, &(struct pair){0}, (float)engine->options->least).gain;
    merit->information = value.information;
    merit->blocks = append_missing(&blocks);
}
