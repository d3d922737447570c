/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45/c45_columns.h"
#include "base/memory.h"
#include "learners/c45/c45_information.h"

#include <stdlib.h>
#include <string.h>

/* --- sorting --- */

struct ranked {
    uint32_t key;
    uint32_t place;
};

/* Whole numbers in the order of the single ones; both zeroes are the same. */
static uint32_t key_of(float number)
{
    const uint32_t sign = 0x80000000u;
    uint32_t bits;
    number += 0.0f;
    memcpy(&bits, &number, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, PASSES = 3 };

/* One pass of a sort by digits, from the last on; it keeps the order of equal ones. */
static void sort_digit(const struct ranked *from, struct ranked *to, size_t count, int shift)
{
    size_t next[DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++)
        next[from[i].key >> shift & (DIGITS - 1)]++;
    for (size_t d = 0; d < DIGITS; d++) {
        size_t here = next[d];
        next[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++)
        to[next[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

int ct_c45_rank(const float *numbers, const uint32_t *places, size_t count, uint32_t *ret_order)
{
    struct ranked *from = ct_allocate(count, sizeof *from), *to = ct_allocate(count, sizeof *to);
    if (!from || !to) {
        free(from);
        free(to);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        from[i] = (struct ranked){key_of(numbers[places[i]]), places[i]};
    for (int pass = 0; pass < PASSES; pass++) {
        sort_digit(from, to, count, pass * DIGIT_BITS);
        struct ranked *other = from;
        from = to;
        to = other;
    }
    for (size_t i = 0; i < count; i++)
        ret_order[i] = from[i].place;
    free(from);
    free(to);
    return CT_OK;
}

/* --- columns --- */

static int make_column(struct ct_c45_engine *engine, size_t attribute)
{
    struct ct_c45_columns *columns = engine->columns;
    const struct ct_c45_cases *cases = engine->cases;
    const float *numbers = cases->columns[attribute].numbers;
    struct ct_c45_place *places = ct_allocate(cases->count, sizeof *places);
    float *sorted = ct_allocate(cases->count, sizeof *sorted);
    columns->places[attribute] = places;
    engine->sorted[attribute] = sorted;
    engine->sorted_counts[attribute] = cases->count;
    if (!places || !sorted ||
        ct_c45_rank(numbers, engine->order, cases->count, columns->spare_order) != CT_OK)
        return CT_E_MEMORY;
    for (size_t i = 0; i < cases->count; i++) {
        uint32_t index = columns->spare_order[i];
        places[i] = (struct ct_c45_place){numbers[index], index, cases->classes[index]};
        sorted[i] = numbers[index];
    }
    return CT_OK;
}

int ct_c45_columns_make(struct ct_c45_engine *engine)
{
    const size_t count = engine->cases->count, attributes = engine->names->attribute_count;
    struct ct_c45_columns *columns = engine->columns = ct_allocate(1, sizeof *columns);
    if (!columns)
        return CT_E_MEMORY;
    columns->places = ct_allocate(attributes, sizeof *columns->places);
    columns->spare = ct_allocate(count, sizeof *columns->spare);
    columns->spare_order = ct_allocate(count, sizeof *columns->spare_order);
    columns->branches = ct_allocate(count, sizeof *columns->branches);
    columns->products = ct_allocate(count + 1, sizeof *columns->products);
    columns->lefts = ct_allocate(count, sizeof *columns->lefts);
    columns->below = ct_allocate(engine->classes, sizeof *columns->below);
    columns->above = ct_allocate(engine->classes, sizeof *columns->above);
    if (!columns->places || !columns->spare || !columns->spare_order || !columns->branches ||
        !columns->products || !columns->lefts || !columns->below || !columns->above)
        return CT_E_MEMORY;
    for (size_t n = 0; n <= count; n++)
        columns->products[n] = (double)n * ct_c45_log((float)n);
    int status = CT_OK;
    for (size_t a = 0; status == CT_OK && a < attributes; a++)
        if (engine->names->attributes[a].kind == CT_C45_CONTINUOUS)
            status = make_column(engine, a);
    return status;
}

void ct_c45_columns_free(struct ct_c45_engine *engine)
{
    struct ct_c45_columns *columns = engine->columns;
    if (!columns)
        return;
    for (size_t a = 0; columns->places && a < engine->names->attribute_count; a++)
        free(columns->places[a]);
    free(columns->places);
    free(columns->spare);
    free(columns->spare_order);
    free(columns->branches);
    free(columns->products);
    free(columns->lefts);
    free(columns->below);
    free(columns->above);
    free(columns);
    engine->columns = NULL;
}

/* --- splitting --- */

static void split_order(struct ct_c45_engine *engine, size_t from, size_t to, size_t *next)
{
    struct ct_c45_columns *columns = engine->columns;
    for (size_t i = from; i < to; i++) {
        uint32_t index = engine->order[i];
        columns->spare_order[next[columns->branches[index]]++] = index;
    }
    memcpy(engine->order + from, columns->spare_order + from, (to - from) * sizeof *engine->order);
}

static void split_places(struct ct_c45_columns *columns, struct ct_c45_place *places, size_t from, size_t to,
                         size_t *next)
{
    for (size_t i = from; i < to; i++)
        columns->spare[next[columns->branches[places[i].index]]++] = places[i];
    memcpy(places + from, columns->spare + from, (to - from) * sizeof *places);
}

/* From ends to begins: of each branch the end of the one before it. */
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
