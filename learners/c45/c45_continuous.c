/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_continuous.h"
#include "learners/c45/c45_information.h"
#include "learners/c45/c45_order.h"

/* Moves the cases with an unknown value to the front and adds up their weights by class; returns the place
 * behind them. The numbers of the others are in engine->keys. */
static size_t set_aside(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to,
                        float *frequencies)
{
    const float *numbers = engine->cases->columns[attribute].numbers;
    for (size_t i = from; i < to; i++) {
        uint32_t index = engine->order[i];
        engine->keys[i] = numbers[index];
        if (engine->keys[i] == engine->keys[i])
            continue;
        frequencies[engine->cases->classes[index]] += engine->weights[i];
        engine->keys[i] = engine->keys[from];
        ct_c45_swap(engine, from++, i);
    }
    return from;
}

/* Like ct_c45_distribute(); fills engine->labels, too. */
static void label(struct ct_c45_engine *engine, size_t from, size_t to, float *ret_frequencies)
{
    for (size_t c = 0; c < engine->classes; c++)
        ret_frequencies[c] = 0;
    for (size_t i = from; i < to; i++) {
        engine->labels[i] = engine->cases->classes[engine->order[i]];
        ret_frequencies[engine->labels[i]] += engine->weights[i];
    }
}

float ct_c45_least_part(const struct ct_c45_engine *engine, float known)
{
    const float most = 25;
    float least = (float)(0.10 * (double)known / (double)engine->classes);
    if (least <= (float)engine->options->least)
        return (float)engine->options->least;
    return least > most ? most : least;
}

/* ct_c45_entropy() of the weights by class on one side of a cut. Terms of classes whose weight has not
 * changed since the last call are kept. */
static float side_entropy(const float *weights, size_t classes, struct ct_c45_term *terms)
{
    float sum = 0, total = 0;
    for (size_t c = 0; c < classes; c++) {
        if (weights[c] != terms[c].weight)
            terms[c] = (struct ct_c45_term){weights[c], (double)weights[c] * ct_c45_log(weights[c])};
        sum = (float)((double)sum + terms[c].product);
        total += weights[c];
    }
    return (float)((double)total * ct_c45_log(total) - (double)sum);
}

/* ct_c45_split_gain() of the two sides. */
static float cut_gain(const struct ct_c45_engine *engine, const struct ct_c45_split *split)
{
    const size_t classes = engine->classes;
    if (split->known == 0 || !(split->totals[0] >= split->least) || !(split->totals[1] >= split->least))
        return CT_C45_NO_GAIN;
    float left = side_entropy(split->frequencies, classes, engine->terms);
    left += side_entropy(split->frequencies + classes, classes, engine->terms + classes);
    return (1 - split->unknown_share) * (split->base - left / split->known);
}

/* Puts the gain of the cut behind each place into engine->gains; returns how many cuts were tried.
 * `frequencies` are those below a cut, none at first, then those above. */
static size_t try_cuts(struct ct_c45_engine *engine, struct ct_c45_split *split, float *frequencies,
                       size_t from, size_t to)
{
    const float least = ct_c45_least_part(engine, split->known);
    const float *keys = engine->keys;
    float *below = frequencies, *above = frequencies + engine->classes;
    float totals[2] = {0, 0};
    size_t tries = 0;
    split->totals = totals;
    for (size_t c = 0; c < 2 * engine->classes; c++)
        engine->terms[c] = (struct ct_c45_term){0};
    for (size_t i = from; i + 1 < to; i++) {
        uint16_t class = engine->labels[i];
        below[class] += engine->weights[i];
        above[class] -= engine->weights[i];
        totals[0] += engine->weights[i];
        totals[1] = split->known - totals[0];
        if (totals[0] < least)
            continue;
        if (totals[0] > split->known - least)
            break;
        if ((double)keys[i] < (double)keys[i + 1] - 1e-5) {
            engine->gains[i] = cut_gain(engine, split);
            tries++;
        }
    }
    split->totals = NULL;
    return tries;
}

/* The weight of the cases up to the cut, summed in the order in which the cuts were tried. */
static float weight_below(const struct ct_c45_engine *engine, size_t from, size_t place)
{
    float sum = 0;
    for (size_t i = from; i <= place; i++)
        sum += engine->weights[i];
    return sum;
}

/* The first of the best cuts after the price is taken off; `to` if none is worth it. */
static size_t best_cut(const struct ct_c45_engine *engine, size_t from, size_t to, float price,
                       float *ret_gain)
{
    size_t best = to;
    *ret_gain = 0;
    for (size_t i = from; i + 1 < to; i++) {
        float gain = engine->gains[i] - price;
        if (gain > *ret_gain) {
            *ret_gain = gain;
            best = i;
        }
    }
    return best;
}

void ct_c45_judge_continuous(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to)
{
    struct ct_c45_merit *merit = &engine->merits[attribute];
    const size_t classes = engine->classes;
    float *below = engine->frequencies, *above = below + classes;
    *merit = (struct ct_c45_merit){.gain = CT_C45_NO_GAIN};
    float weight = ct_c45_weight(engine, from, to), unknown = 0;
    for (size_t c = 0; c < classes; c++)
        below[c] = 0;
    size_t first = set_aside(engine, attribute, from, to, below);
    for (size_t c = 0; c < classes; c++)
        unknown += below[c];
    struct ct_c45_split split = {.frequencies = below, .parts = 2, .classes = classes};
    split.known = weight - unknown;
    split.unknown_share = (float)(1.0 - (double)(split.known / weight));
    split.least = (float)engine->options->least;
    merit->insufficient = split.known < (float)(2 * engine->options->least);
    if (merit->insufficient)
        return;
    ct_c45_sort_keys(engine, first, to);
    label(engine, first, to, above);
    for (size_t c = 0; c < classes; c++)
        below[c] = 0;
    split.base = ct_c45_entropy(above, classes) / split.known;
    for (size_t i = first; i < to; i++)
        engine->gains[i] = CT_C45_NO_GAIN;
    size_t tries = try_cuts(engine, &split, below, first, to);
    float gain;
    size_t best = best_cut(engine, first, to, (float)(ct_c45_log((float)tries) / (double)weight), &gain);
    if (best == to)
        return;
    float low = weight_below(engine, first, best);
    float totals[3] = {unknown, low, split.known - low};
    *merit = (struct ct_c45_merit){.gain = gain,
                                   .information = ct_c45_entropy(totals, 3) / weight,
                                   .low = engine->keys[best],
                                   .high = engine->keys[best + 1]};
}
