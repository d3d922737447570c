/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/c45/plain_c45.h"
#include "learners/c45/c45_information.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define EPSILON 0.001
static const float no_gain = (float)-EPSILON;

enum { VALUES = PLAIN_VALUES_MAX + 1, CLASSES = 8, ATTRIBUTES = 8 };

struct plain {
    const struct ct_c45_names *names;
    const struct ct_c45_cases *cases;
    const struct ct_c45_options *options;
    struct ct_c45_pool *pool;
    size_t classes;
    size_t *order;
    float *weights;
    bool all_known;
    size_t tested[ATTRIBUTES];
    float gains[ATTRIBUTES], informations[ATTRIBUTES], low[ATTRIBUTES], high[ATTRIBUTES];
    bool sets[ATTRIBUTES][VALUES][VALUES]; /* by attribute, then branch from 1 on */
    size_t set_counts[ATTRIBUTES];
    float frequencies[VALUES][CLASSES], totals[VALUES];
    float known, unknown_share, base;
    struct ct_c45_confidence confidence;
};

/* --- cases --- */

static bool is_discrete(const struct plain *plain, size_t attribute)
{
    return plain->names->attributes[attribute].kind == CT_C45_DISCRETE;
}

static size_t value_of(const struct plain *plain, size_t attribute, size_t i)
{
    return plain->cases->columns[attribute].values[plain->order[i]];
}

static float number_of(const struct plain *plain, size_t attribute, size_t i)
{
    return plain->cases->columns[attribute].numbers[plain->order[i]];
}

static size_t class_of(const struct plain *plain, size_t i)
{
    return plain->cases->classes[plain->order[i]];
}

static void swap(struct plain *plain, size_t a, size_t b)
{
    size_t index = plain->order[a];
    float weight = plain->weights[a];
    plain->order[a] = plain->order[b];
    plain->weights[a] = plain->weights[b];
    plain->order[b] = index;
    plain->weights[b] = weight;
}

static float weigh(const struct plain *plain, size_t from, size_t to)
{
    float sum = 0;
    for (size_t i = from; i < to; i++)
        sum += plain->weights[i];
    return plain->all_known ? (float)(to - from) : sum;
}

/* Whether case i goes down the branch; SIZE_MAX is for those whose value is unknown. */
static bool takes(const struct plain *plain, const struct plain_node *node, size_t branch, size_t i)
{
    bool discrete = is_discrete(plain, node->attribute);
    if (branch == SIZE_MAX)
        return discrete ? value_of(plain, node->attribute, i) == 0
                        : isnan(number_of(plain, node->attribute, i));
    if (node->test == CT_C45_THRESHOLD)
        return (number_of(plain, node->attribute, i) <= node->cut) == (branch == 0);
    size_t value = value_of(plain, node->attribute, i);
    return node->test == CT_C45_VALUES ? value == branch + 1 : node->sets[branch][value];
}

static size_t part(struct plain *plain, const struct plain_node *node, size_t branch, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (takes(plain, node, branch, i))
            swap(plain, from++, i);
    return from;
}

static void sort(struct plain *plain, size_t attribute, long first, long last)
{
    if (first >= last)
        return;
    float pivot = number_of(plain, attribute, (size_t)last);
    long middle = first;
    for (long i = first; i < last; i++)
        if (number_of(plain, attribute, (size_t)i) <= pivot)
            swap(plain, (size_t)middle++, (size_t)i);
    long low = middle - 1;
    for (long i = middle - 1; i >= first; i--)
        if (number_of(plain, attribute, (size_t)i) == pivot)
            swap(plain, (size_t)low--, (size_t)i);
    sort(plain, attribute, first, low);
    swap(plain, (size_t)middle, (size_t)last);
    sort(plain, attribute, middle + 1, last);
}

/* --- merits --- */

static float split_gain(const struct plain *plain, size_t parts, float least)
{
    size_t large = 0;
    float left = 0;
    for (size_t v = 1; v <= parts; v++)
        large += plain->totals[v] >= least;
    if (plain->known == 0 || large < 2)
        return no_gain;
    for (size_t v = 1; v <= parts; v++)
        left += ct_c45_entropy(plain->frequencies[v], plain->classes);
    return (1 - plain->unknown_share) * (plain->base - left / plain->known);
}

static float worth_of(const struct plain *plain, float information, float gain, float floor)
{
    return ct_c45_worth(information, gain, floor, plain->options->gain_alone);
}

static void judge_continuous(struct plain *plain, size_t attribute, size_t from, size_t to)
{
    float weight = weigh(plain, from, to), unknown = 0, low = 0, least = (float)plain->options->least;
    size_t tries = 0, best = SIZE_MAX;
    memset(plain->frequencies, 0, sizeof plain->frequencies);
    for (size_t i = from; i < to; i++)
        if (isnan(number_of(plain, attribute, i))) {
            plain->frequencies[0][class_of(plain, i)] += plain->weights[i];
            swap(plain, from++, i);
        }
    for (size_t c = 0; c < plain->classes; c++)
        unknown += plain->frequencies[0][c];
    plain->known = weight - unknown;
    plain->unknown_share = (float)(1.0 - (double)(plain->known / weight));
    if (plain->known < 2 * least)
        return;
    sort(plain, attribute, (long)from, (long)to - 1);
    for (size_t i = from; i < to; i++)
        plain->frequencies[2][class_of(plain, i)] += plain->weights[i];
    plain->base = ct_c45_entropy(plain->frequencies[2], plain->classes) / plain->known;
    float side = (float)(0.10 * (double)plain->known / (double)plain->classes);
    side = side <= least ? least : side > 25 ? 25 : side;
    float *gains = ct_c45_take(plain->pool, 2 * to, sizeof *gains), *informations = gains + to, most = 0;
    for (size_t i = from; i + 1 < to; i++) {
        gains[i] = no_gain;
        plain->frequencies[1][class_of(plain, i)] += plain->weights[i];
        plain->frequencies[2][class_of(plain, i)] -= plain->weights[i];
        low += plain->weights[i];
        if (low < side || low > plain->known - side ||
            !((double)number_of(plain, attribute, i) < (double)number_of(plain, attribute, i + 1) - 1e-5))
            continue;
        plain->totals[0] = unknown;
        plain->totals[1] = low;
        plain->totals[2] = plain->known - low;
        gains[i] = split_gain(plain, 2, least);
        informations[i] = ct_c45_entropy(plain->totals, 3) / weight;
        tries++;
    }
    float cost = (float)(ct_c45_log((float)tries) / (double)weight);
    for (size_t i = from; i + 1 < to; i++)
        if (gains[i] - cost > most) {
            most = gains[i] - cost;
            best = i;
        }
    if (best == SIZE_MAX)
        return;
    plain->gains[attribute] = most;
    plain->informations[attribute] = informations[best];
    plain->low[attribute] = number_of(plain, attribute, best);
    plain->high[attribute] = number_of(plain, attribute, best + 1);
}

static void count(struct plain *plain, size_t attribute, size_t values, size_t from, size_t to)
{
    float weight = weigh(plain, from, to);
    double sum = 0;
    memset(plain->frequencies, 0, sizeof plain->frequencies);
    for (size_t i = from; i < to; i++)
        plain->frequencies[value_of(plain, attribute, i)][class_of(plain, i)] += plain->weights[i];
    for (size_t v = 0; v <= values; v++) {
        plain->totals[v] = 0;
        for (size_t c = 0; c < plain->classes; c++)
            plain->totals[v] += plain->frequencies[v][c];
    }
    plain->unknown_share = plain->totals[0] / weight;
    plain->known = weight - plain->totals[0];
    for (size_t c = 0; c < plain->classes; c++) {
        float in_class = 0;
        for (size_t v = 1; v <= values; v++)
            in_class += plain->frequencies[v][c];
        sum += (double)in_class * ct_c45_log(in_class);
    }
    plain->base = (float)(((double)plain->known * ct_c45_log(plain->known) - sum) / (double)plain->known);
}

static void judge_values(struct plain *plain, size_t attribute, size_t values, size_t from, size_t to)
{
    float weight = weigh(plain, from, to);
    count(plain, attribute, values, from, to);
    if (weight <= plain->totals[0])
        return;
    plain->gains[attribute] = split_gain(plain, values, (float)plain->options->least);
    plain->informations[attribute] = ct_c45_entropy(plain->totals, values + 1) / weight;
}

static void merge(struct plain *plain, bool sets[][VALUES], size_t *blocks, size_t a, size_t b)
{
    for (size_t c = 0; c < plain->classes; c++)
        plain->frequencies[a][c] += plain->frequencies[b][c];
    plain->totals[a] += plain->totals[b];
    for (size_t v = 0; v < VALUES; v++)
        sets[a][v] |= sets[b][v];
    memmove(plain->frequencies[b], plain->frequencies[*blocks], sizeof plain->frequencies[b]);
    plain->totals[b] = plain->totals[*blocks];
    memmove(sets[b], sets[*blocks], sizeof sets[b]);
    --*blocks;
}

static bool is_pure(const struct plain *plain, size_t block, size_t class)
{
    return !((double)plain->frequencies[block][class] < (double)plain->totals[block] - 0.1);
}

static void judge_subsets(struct plain *plain, size_t attribute, size_t values, size_t from, size_t to)
{
    static struct plain before;
    bool(*sets)[VALUES] = plain->sets[attribute], any_missing = false, merged = false;
    const float weight = weigh(plain, from, to), floor = (float)EPSILON;
    size_t blocks = 0;
    count(plain, attribute, values, from, to);
    if ((double)plain->known < EPSILON)
        return;
    float gain = split_gain(plain, values, 1),
          information = ct_c45_entropy(plain->totals, values + 1) / weight;
    float worth = worth_of(plain, information, gain, floor);
    memset(sets, 0, sizeof plain->sets[attribute]);
    for (size_t v = 1; v <= values; v++) {
        bool is_there = (double)plain->totals[v] > 0.5;
        sets[is_there ? ++blocks : 0][v] = true;
        any_missing |= !is_there;
        if (is_there) {
            plain->totals[blocks] = plain->totals[v];
            memmove(plain->frequencies[blocks], plain->frequencies[v], sizeof plain->frequencies[v]);
        }
    }
    for (size_t a = 1; a < blocks; a++) {
        size_t class = 0;
        while (class + 1 < plain->classes && (double)plain->frequencies[a][class] < 0.1)
            class ++;
        for (size_t b = a + 1; is_pure(plain, a, class) && b <= blocks;) {
            bool both = is_pure(plain, b, class);
            merged |= both;
            if (both)
                merge(plain, sets, &blocks, a, b);
            else
                b++;
        }
    }
    if (merged) {
        gain = split_gain(plain, blocks, 1);
        information = ct_c45_entropy(plain->totals, blocks + 1) / weight;
        worth = worth_of(plain, information, gain, floor);
    }
    const float least_gain = gain / 2;
    while (blocks > 2) {
        size_t reasonable = 0, barred = 1, best_a = 0, best_b = 0;
        float best_worth = 0, best_gain = no_gain, best_information = 0;
        for (size_t b = 1; b <= blocks; b++) {
            reasonable += plain->totals[b] >= (float)plain->options->least;
            if (plain->totals[b] > plain->totals[barred])
                barred = b;
        }
        if (reasonable >= 3)
            barred = 0;
        for (size_t a = 1; a < blocks; a++)
            for (size_t b = a + 1; b <= blocks; b++) {
                if (a == barred || b == barred)
                    continue;
                memcpy(before.frequencies, plain->frequencies, sizeof before.frequencies);
                memcpy(before.totals, plain->totals, sizeof before.totals);
                memcpy(before.sets[0], sets, sizeof before.sets[0]);
                merge(plain, sets, &blocks, a, b);
                float g = split_gain(plain, blocks, 1);
                float i = ct_c45_entropy(plain->totals, blocks + 1) / weight;
                float w = worth_of(plain, i, g, floor);
                blocks++;
                memcpy(plain->frequencies, before.frequencies, sizeof before.frequencies);
                memcpy(plain->totals, before.totals, sizeof before.totals);
                memcpy(sets, before.sets[0], sizeof before.sets[0]);
                if ((g >= least_gain && best_gain < least_gain) || w >= best_worth ||
                    (best_a == 0 && (plain->options->gain_alone || reasonable < 2))) {
                    best_worth = w;
                    best_gain = g;
                    best_information = i;
                    best_a = a;
                    best_b = b;
                }
            }
        bool worse = (double)best_worth < (double)worth + 1e-5 || (best_worth == worth && best_gain < gain);
        if (best_a == 0 || (!plain->options->gain_alone && reasonable >= 2 && worse))
            break;
        worth = best_worth;
        gain = best_gain;
        information = best_information;
        merge(plain, sets, &blocks, best_a, best_b);
    }
    if (worth <= 0)
        return;
    plain->gains[attribute] = split_gain(plain, blocks, (float)plain->options->least);
    plain->informations[attribute] = information;
    if (any_missing)
        memcpy(sets[++blocks], sets[0], sizeof sets[0]);
    plain->set_counts[attribute] = blocks;
}

/* --- growing --- */

static struct plain_node *make_leaf(struct plain *plain, size_t best, float items, float errors,
                                    const float *distribution)
{
    struct plain_node *node = ct_c45_take(plain->pool, 1, sizeof *node);
    node->best = best;
    node->items = items;
    node->errors = errors;
    node->distribution = ct_c45_take(plain->pool, CLASSES, sizeof(float));
    memcpy(node->distribution, distribution, plain->classes * sizeof(float));
    return node;
}

static size_t choose(const struct plain *plain)
{
    size_t counted = 0, best = SIZE_MAX;
    float sum = 0, most = no_gain;
    /* there is always a continuous attribute: without subsets, attributes with many values do not count */
    for (size_t a = 0; a < plain->names->attribute_count; a++)
        if ((double)plain->gains[a] > -EPSILON &&
            (!is_discrete(plain, a) || plain->options->subsets ||
             (double)plain->names->attributes[a].trained < 0.3 * (double)plain->cases->count)) {
            sum += plain->gains[a];
            counted++;
        }
    float average = counted > 0 ? sum / (float)counted : 1e6f;
    for (size_t a = 0; a < plain->names->attribute_count; a++) {
        float worth = worth_of(plain, plain->informations[a], plain->gains[a], average);
        if ((double)plain->gains[a] > -EPSILON && worth > most) {
            most = worth;
            best = a;
        }
    }
    return best;
}

static void make_test(struct plain *plain, size_t attribute, struct plain_node *node)
{
    node->attribute = attribute;
    node->branch_count = 2;
    node->test = CT_C45_THRESHOLD;
    if (plain->set_counts[attribute] > 0) {
        node->test = CT_C45_SUBSETS;
        node->branch_count = plain->set_counts[attribute];
        node->sets = ct_c45_take(plain->pool, node->branch_count, sizeof *node->sets);
        memcpy(node->sets, plain->sets[attribute][1], node->branch_count * sizeof *node->sets);
    } else if (is_discrete(plain, attribute)) {
        node->test = CT_C45_VALUES;
        node->branch_count = plain->names->attributes[attribute].trained;
    } else {
        float middle = (plain->low[attribute] + plain->high[attribute]) / 2;
        if (!(middle < plain->high[attribute]))
            middle = plain->low[attribute];
        node->cut = -INFINITY;
        for (size_t i = 0; i < plain->cases->count; i++)
            if (number_of(plain, attribute, i) <= middle && number_of(plain, attribute, i) > node->cut)
                node->cut = number_of(plain, attribute, i);
    }
    node->branches = ct_c45_take(plain->pool, node->branch_count, sizeof(struct plain_node *));
}

static void judge(struct plain *plain, size_t attribute, size_t from, size_t to)
{
    const size_t values = plain->names->attributes[attribute].trained;
    plain->gains[attribute] = no_gain;
    plain->informations[attribute] = 0;
    plain->set_counts[attribute] = 0;
    if (!is_discrete(plain, attribute))
        judge_continuous(plain, attribute, from, to);
    else if (plain->options->subsets && values > 2)
        judge_subsets(plain, attribute, values, from, to);
    else if (plain->tested[attribute] == 0)
        judge_values(plain, attribute, values, from, to);
}

static struct plain_node *grow(struct plain *plain, size_t from, size_t to)
{
    float weight = weigh(plain, from, to), sums[CLASSES] = {0};
    size_t best = 0;
    for (size_t i = from; i < to; i++)
        sums[class_of(plain, i)] += plain->weights[i];
    for (size_t c = 1; c < plain->classes; c++)
        best = sums[c] > sums[best] ? c : best;
    struct plain_node *node = make_leaf(plain, best, weight, weight - sums[best], sums);
    if (sums[best] == weight || weight < (float)(2 * plain->options->least))
        return node;
    for (size_t a = 0; a < plain->names->attribute_count; a++)
        judge(plain, a, from, to);
    size_t attribute = choose(plain);
    if (attribute == SIZE_MAX)
        return node;
    make_test(plain, attribute, node);
    bool all_known = plain->all_known;
    size_t known = part(plain, node, SIZE_MAX, from, to);
    float known_weight = weight - weigh(plain, from, known);
    plain->all_known &= known == from;
    plain->tested[attribute]++;
    node->errors = 0;
    for (size_t b = 0; b < node->branch_count; b++) {
        size_t end = part(plain, node, b, known, to);
        if (end == known) {
            node->branches[b] = make_leaf(plain, best, 0, 0, sums);
            continue;
        }
        float factor = weigh(plain, known, end) / known_weight;
        for (size_t i = from; i < known; i++)
            plain->weights[i] *= factor;
        node->branches[b] = grow(plain, from, end);
        node->errors += node->branches[b]->errors;
        part(plain, node, SIZE_MAX, from, end);
        for (size_t i = from; i < known; i++)
            plain->weights[i] /= factor;
    }
    plain->tested[attribute]--;
    plain->all_known = all_known;
    if ((double)node->errors >= (double)(weight - sums[best]) - EPSILON) {
        node->test = CT_C45_LEAF;
        node->branch_count = 0;
    }
    return node;
}

/* --- pruning --- */

static struct plain_node *copy(struct plain *plain, const struct plain_node *node)
{
    struct plain_node *result = make_leaf(plain, node->best, node->items, node->errors, node->distribution);
    float *distribution = result->distribution;
    *result = *node;
    result->distribution = distribution;
    result->branches = ct_c45_take(plain->pool, node->branch_count, sizeof(struct plain_node *));
    for (size_t b = 0; b < node->branch_count; b++)
        result->branches[b] = copy(plain, node->branches[b]);
    return result;
}

static float estimate(struct plain *plain, struct plain_node *node, size_t from, size_t to, bool update)
{
    float weight = weigh(plain, from, to), sums[CLASSES] = {0}, tree = 0, most = 0;
    size_t best = node->best, largest = 0;
    for (size_t i = from; i < to; i++)
        sums[class_of(plain, i)] += plain->weights[i];
    for (size_t c = 0; c < plain->classes; c++)
        best = sums[c] > sums[best] ? c : best;
    float wrong = weight - sums[best];
    float leaf = wrong + ct_c45_added_errors(&plain->confidence, weight, wrong);
    if (update) {
        node->items = weight;
        node->best = best;
        memcpy(node->distribution, sums, plain->classes * sizeof(float));
    }
    if (node->test == CT_C45_LEAF) {
        if (update)
            node->errors = leaf;
        return leaf;
    }
    bool all_known = plain->all_known;
    size_t known = part(plain, node, SIZE_MAX, from, to);
    float known_weight = weigh(plain, known, to);
    plain->all_known &= known == from;
    for (size_t b = 0; b < node->branch_count; b++) {
        size_t end = part(plain, node, b, known, to);
        if (end == known)
            continue;
        float factor = weigh(plain, known, end) / known_weight;
        largest = factor >= most ? b : largest;
        most = factor >= most ? factor : most;
        for (size_t i = from; i < known; i++)
            plain->weights[i] *= factor;
        tree += estimate(plain, node->branches[b], from, end, update);
        part(plain, node, SIZE_MAX, from, end);
        for (size_t i = from; i < known; i++)
            plain->weights[i] /= factor;
    }
    plain->all_known = all_known;
    if (!update)
        return tree;
    struct plain_node *child = node->branches[largest];
    float branch = estimate(plain, child, from, to, false);
    node->errors = tree;
    if ((double)leaf <= (double)branch + 0.1 && (double)leaf <= (double)tree + 0.1) {
        node->test = CT_C45_LEAF;
        node->branch_count = 0;
        node->errors = leaf;
    } else if ((double)branch <= (double)tree + 0.1) {
        estimate(plain, child, from, to, true);
        *node = *child;
    }
    return node->errors;
}

void plain_learn(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                 const struct ct_c45_options *options, struct ct_c45_pool *pool,
                 struct plain_node **ret_grown, struct plain_node **ret_pruned)
{
    struct plain *plain = ct_c45_take(pool, 1, sizeof *plain);
    assert_true(names->classes.count <= CLASSES && names->attribute_count <= ATTRIBUTES);
    *plain = (struct plain){.names = names,
                            .cases = cases,
                            .options = options,
                            .pool = pool,
                            .classes = names->classes.count,
                            .all_known = true,
                            .confidence = ct_c45_confidence_of((float)options->confidence / 100)};
    plain->order = ct_c45_take(pool, cases->count, sizeof *plain->order);
    plain->weights = ct_c45_take(pool, cases->count, sizeof *plain->weights);
    for (size_t i = 0; i < cases->count; i++) {
        plain->order[i] = i;
        plain->weights[i] = 1;
    }
    *ret_pruned = grow(plain, 0, cases->count);
    *ret_grown = copy(plain, *ret_pruned);
    for (size_t i = 0; i < cases->count; i++)
        plain->weights[i] = 1;
    plain->all_known = true;
    estimate(plain, *ret_pruned, 0, cases->count, true);
}
