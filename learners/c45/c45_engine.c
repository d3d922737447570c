/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_engine.h"
#include "base/memory.h"
#include "learners/c45/c45_columns.h"

#include <stdlib.h>

const struct ct_c45_options ct_c45_standard = {.stem = "DF", .least = 2, .confidence = 25};

static int sort_numbers(struct ct_c45_engine *engine, size_t attribute)
{
    const float *numbers = engine->cases->columns[attribute].numbers;
    float *sorted = ct_allocate(engine->cases->count, sizeof *sorted);
    uint32_t *places = ct_allocate(engine->cases->count, sizeof *places);
    size_t count = 0;
    int status = sorted && places ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < engine->cases->count; i++)
        if (numbers[i] == numbers[i])
            places[count++] = (uint32_t)i;
    if (status == CT_OK)
        status = ct_c45_rank(numbers, places, count, places);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        sorted[i] = numbers[places[i]];
    free(places);
    engine->sorted[attribute] = sorted;
    engine->sorted_counts[attribute] = count;
    return status;
}

static int make_attribute(struct ct_c45_engine *engine, size_t index, bool has_columns)
{
    const struct ct_c45_attribute *attribute = &engine->names->attributes[index];
    if (attribute->kind == CT_C45_CONTINUOUS)
        return has_columns ? CT_OK : sort_numbers(engine, index);
    engine->blocks[index] = ct_allocate(attribute->trained + 1, sizeof **engine->blocks);
    return engine->blocks[index] ? CT_OK : CT_E_MEMORY;
}

/* By value, 0 included; two at least, for continuous attributes count what lies below a cut and above. */
static size_t most_values(const struct ct_c45_names *names)
{
    size_t most = 2;
    for (size_t a = 0; a < names->attribute_count; a++)
        if (names->attributes[a].trained + 1 > most)
            most = names->attributes[a].trained + 1;
    return most;
}

/* With subsets, or where all attributes have many values, these count for the average gain. */
static bool all_many_valued(const struct ct_c45_names *names, size_t cases)
{
    for (size_t a = 0; a < names->attribute_count; a++)
        if (names->attributes[a].kind != CT_C45_IGNORED &&
            (double)names->attributes[a].trained < 0.3 * (double)cases)
            return false;
    return true;
}

int ct_c45_engine_make(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                       const struct ct_c45_options *options, bool ordered, struct ct_c45_engine *engine)
{
    const size_t attributes = names->attribute_count, values = most_values(names);
    const bool has_columns = cases->complete && !ordered;
    size_t room;
    *engine = (struct ct_c45_engine){
        .names = names, .cases = cases, .options = options, .classes = names->classes.count};
    if (!ct_multiply(values, engine->classes, &room))
        return CT_E_MEMORY;
    engine->many_valued = options->subsets || all_many_valued(names, cases->count);
    engine->order = ct_allocate(cases->count, sizeof *engine->order);
    engine->weights = ct_allocate(cases->count, sizeof *engine->weights);
    engine->keys = ct_allocate(cases->count, sizeof *engine->keys);
    engine->gains = ct_allocate(cases->count, sizeof *engine->gains);
    engine->labels = ct_allocate(cases->count, sizeof *engine->labels);
    engine->items = ct_allocate(cases->count, sizeof *engine->items);
    engine->spare_order = ct_allocate(cases->count, sizeof *engine->spare_order);
    engine->sorted = ct_allocate(attributes, sizeof *engine->sorted);
    engine->sorted_counts = ct_allocate(attributes, sizeof *engine->sorted_counts);
    engine->tested = ct_allocate(attributes, sizeof *engine->tested);
    engine->merits = ct_allocate(attributes, sizeof *engine->merits);
    engine->blocks = ct_allocate(attributes, sizeof *engine->blocks);
    engine->frequencies = ct_allocate(room, sizeof *engine->frequencies);
    engine->totals = ct_allocate(values, sizeof *engine->totals);
    engine->entropies = ct_allocate(values, sizeof *engine->entropies);
    engine->products = ct_allocate(values, sizeof *engine->products);
    engine->terms = ct_allocate(2 * engine->classes, sizeof *engine->terms);
    engine->votes = ct_allocate(engine->classes, sizeof *engine->votes);
    if (!engine->order || !engine->weights || !engine->keys || !engine->gains || !engine->labels ||
        !engine->items || !engine->spare_order || !engine->sorted || !engine->sorted_counts ||
        !engine->tested || !engine->merits || !engine->blocks || !engine->frequencies || !engine->totals ||
        !engine->entropies || !engine->products || !engine->terms || !engine->votes)
        return CT_E_MEMORY;
    for (size_t a = 0; a < attributes; a++)
        if (make_attribute(engine, a, has_columns) != CT_OK)
            return CT_E_MEMORY;
    for (size_t i = 0; i < cases->count; i++)
        engine->order[i] = (uint32_t)i;
    ct_c45_engine_reset(engine);
    return has_columns ? ct_c45_columns_make(engine) : CT_OK;
}

void ct_c45_engine_reset(struct ct_c45_engine *engine)
{
    engine->all_known = true;
    for (size_t i = 0; i < engine->cases->count; i++)
        engine->weights[i] = 1;
}

void ct_c45_engine_free(struct ct_c45_engine *engine)
{
    for (size_t a = 0; a < engine->names->attribute_count; a++) {
        if (engine->sorted)
            free(engine->sorted[a]);
        if (engine->blocks)
            free(engine->blocks[a]);
    }
    ct_c45_columns_free(engine);
    free(engine->order);
    free(engine->weights);
    free(engine->keys);
    free(engine->gains);
    free(engine->labels);
    free(engine->items);
    free(engine->spare_order);
    free(engine->sorted);
    free(engine->sorted_counts);
    free(engine->tested);
    free(engine->merits);
    free(engine->blocks);
    free(engine->frequencies);
    free(engine->totals);
    free(engine->entropies);
    free(engine->products);
    free(engine->terms);
    free(engine->votes);
    *engine = (struct ct_c45_engine){0};
}
