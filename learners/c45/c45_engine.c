/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_engine.h"
#include "base/memory.h"
#include "learners/c45/c45_columns.h"

const struct ct_c45_options ct_c45_standard = {.least = 2, .confidence = 25};

/* The known numbers of an attribute, sorted. */
static int sort_numbers(struct ct_c45_engine *engine, size_t attribute)
{
    const float *numbers = engine->cases->columns[attribute].numbers;
    float *sorted = ct_c45_take(&engine->room, engine->cases->count, sizeof *sorted);
    uint32_t *places = engine->spare_order;
    size_t count = 0;
    for (size_t i = 0; i < engine->cases->count; i++)
        if (numbers[i] == numbers[i])
            places[count++] = (uint32_t)i;
    if (!sorted || ct_c45_rank(numbers, places, count, places) != CT_OK)
        return CT_E_MEMORY;
    for (size_t i = 0; i < count; i++)
        sorted[i] = numbers[places[i]];
    engine->sorted[attribute] = sorted;
    engine->sorted_counts[attribute] = count;
    return engine->columns ? ct_c45_columns_fill(engine, attribute, places) : CT_OK;
}

/* Values of an attribute, the unknown one included; at least 2, as continuous attributes need counts below
 * and above a cut. */
static size_t most_values(const struct ct_c45_names *names)
{
    size_t most = 2;
    for (size_t a = 0; a < names->attribute_count; a++)
        if (names->attributes[a].trained + 1 > most)
            most = names->attributes[a].trained + 1;
    return most;
}

/* Whether every attribute has many values. */
static bool all_many_valued(const struct ct_c45_names *names, size_t cases)
{
    for (size_t a = 0; a < names->attribute_count; a++)
        if (names->attributes[a].kind != CT_C45_IGNORED &&
            (double)names->attributes[a].trained < 0.3 * (double)cases)
            return false;
    return true;
}

static int make_attributes(struct ct_c45_engine *engine)
{
    for (size_t a = 0; a < engine->names->attribute_count; a++) {
        const struct ct_c45_attribute *attribute = &engine->names->attributes[a];
        if (attribute->kind == CT_C45_DISCRETE)
            engine->blocks[a] = ct_c45_take(&engine->room, attribute->trained + 1, sizeof **engine->blocks);
        else if (attribute->kind == CT_C45_CONTINUOUS && sort_numbers(engine, a) != CT_OK)
            return CT_E_MEMORY;
    }
    return engine->room.failed ? CT_E_MEMORY : CT_OK;
}

int ct_c45_engine_make(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                       const struct ct_c45_options *options, bool ordered, struct ct_c45_engine *engine)
{
    const size_t attributes = names->attribute_count, values = most_values(names), count = cases->count;
    size_t frequencies;
    *engine = (struct ct_c45_engine){
        .names = names, .cases = cases, .options = options, .classes = names->classes.count};
    if (!ct_multiply(values, engine->classes, &frequencies))
        return CT_E_MEMORY;
    struct ct_c45_pool *room = &engine->room;
    engine->many_valued = options->subsets || all_many_valued(names, count);
    engine->order = ct_c45_take(room, count, sizeof *engine->order);
    engine->weights = ct_c45_take(room, count, sizeof *engine->weights);
    engine->keys = ct_c45_take(room, count, sizeof *engine->keys);
    engine->gains = ct_c45_take(room, count, sizeof *engine->gains);
    engine->labels = ct_c45_take(room, count, sizeof *engine->labels);
    engine->items = ct_c45_take(room, count, sizeof *engine->items);
    engine->spare = ct_c45_take(room, count, sizeof *engine->spare);
    engine->spare_order = ct_c45_take(room, count, sizeof *engine->spare_order);
    engine->sorted = ct_c45_take(room, attributes, sizeof *engine->sorted);
    engine->sorted_counts = ct_c45_take(room, attributes, sizeof *engine->sorted_counts);
    engine->tested = ct_c45_take(room, attributes, sizeof *engine->tested);
    engine->merits = ct_c45_take(room, attributes, sizeof *engine->merits);
    engine->blocks = ct_c45_take(room, attributes, sizeof *engine->blocks);
    engine->frequencies = ct_c45_take(room, frequencies, sizeof *engine->frequencies);
    engine->totals = ct_c45_take(room, values, sizeof *engine->totals);
    engine->entropies = ct_c45_take(room, values, sizeof *engine->entropies);
    engine->products = ct_c45_take(room, values, sizeof *engine->products);
    engine->terms = ct_c45_take(room, 2 * engine->classes, sizeof *engine->terms);
    engine->votes = ct_c45_take(room, engine->classes, sizeof *engine->votes);
    if (room->failed)
        return CT_E_MEMORY;
    for (size_t i = 0; i < count; i++)
        engine->order[i] = (uint32_t)i;
    ct_c45_engine_reset(engine);
    if (cases->complete && !cases->weights && !ordered && ct_c45_columns_make(engine) != CT_OK)
        return CT_E_MEMORY;
    return make_attributes(engine);
}

void ct_c45_engine_reset(struct ct_c45_engine *engine)
{
    const float *weights = engine->cases->weights;
    engine->all_known = !weights;
    for (size_t i = 0; i < engine->cases->count; i++)
        engine->weights[i] = weights ? weights[engine->order[i]] : 1;
}

void ct_c45_engine_free(struct ct_c45_engine *engine)
{
    ct_c45_pool_free(&engine->room);
    *engine = (struct ct_c45_engine){0};
}

int ct_c45_fail(int status, struct ct_error *error)
{
    if (status == CT_E_LIMIT)
        return ct_fail(error, status, "the tree has a path of more than %d tests", CT_C45_DEPTH_MAX);
    return status == CT_OK ? status : ct_fail(error, status, "out of memory");
}
