/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45_map.h"
#include "base/memory.h"
#include "decision/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int name_attributes(const struct ct_map *maps, size_t count, struct ct_c45_map *c45)
{
    static const char collective[] = "collective";
    const struct ct_feature_columns *columns = &c45->columns;
    uint16_t number;
    for (size_t a = 0; a < columns->count; a++) {
        const char *name = ct_feature_name(columns->set, columns->numbers[a]);
        int status = ct_c45_names_add(&c45->names, name, strlen(name), CT_C45_CONTINUOUS);
        if (status != CT_OK)
            return status;
    }
    if (count == 1)
        return CT_OK;
    int status = ct_c45_names_add(&c45->names, collective, strlen(collective), CT_C45_DISCRETE);
    struct ct_c45_attribute *attribute = c45->names.attributes + columns->count;
    for (size_t i = 0; status == CT_OK && i < count; i++, attribute->trained = i)
        status = ct_c45_words_number(&attribute->values, ct_collectives[maps[i].collective].name, &number);
    return status;
}

/* Adds a cell of maps[place]. */
static int add_case(struct ct_c45_map *c45, size_t place, const struct ct_cell *cell,
                    const struct ct_method *best)
{
    const size_t count = c45->columns.count;
    const struct ct_features call = ct_key_features(&cell->key);
    const bool is_joint = c45->names.attribute_count > count;
    struct ct_c45_cases *cases = &c45->cases;
    size_t *values = c45->values + cases->count * count;
    char spelling[CT_METHOD_TEXT];
    int status = ct_c45_cases_reserve(cases, &c45->names);
    if (status != CT_OK)
        return status;
    status = ct_c45_words_number(&c45->names.classes, ct_method_format(best, !is_joint, spelling),
                                 &cases->classes[cases->count]);
    if (status != CT_OK)
        return status;
    ct_feature_columns_take(&c45->columns, &call, values);
    for (size_t a = 0; a < count; a++)
        cases->columns[a].numbers[cases->count] = (float)values[a];
    if (is_joint)
        cases->columns[count].values[cases->count] = (uint16_t)(place + 1);
    cases->count++;
    return CT_OK;
}

static int fill(const struct ct_map *maps, size_t count, const bool *const *allowed, struct ct_c45_map *c45)
{
    size_t cells = 0, room;
    for (size_t i = 0; i < count; i++)
        cells += maps[i].cell_count;
    if (!ct_multiply(cells, c45->columns.count, &room))
        return CT_E_MEMORY;
    c45->values = ct_allocate(room, sizeof *c45->values);
    if (!c45->values)
        return CT_E_MEMORY;
    int status = name_attributes(maps, count, c45);
    for (size_t i = 0; i < count; i++)
        for (size_t cell = 0; status == CT_OK && cell < maps[i].cell_count; cell++) {
            size_t best = ct_map_best_method(&maps[i], &cell, 1, allowed[i]);
            if (best != SIZE_MAX)
                status = add_case(c45, i, &maps[i].cells[cell], &maps[i].methods[best]);
        }
    return status;
}

int ct_c45_map_make(const struct ct_map *maps, size_t count, const struct ct_feature_columns *columns,
                    const bool *const *allowed, struct ct_error *error, struct ct_c45_map *ret_c45)
{
    struct ct_c45_map c45 = {.cases.complete = true, .columns = *columns};
    const char *of = count == 1 ? " of " : "",
               *name = count == 1 ? ct_collectives[maps->collective].name : "";
    int status = fill(maps, count, allowed, &c45);
    if (status == CT_E_LIMIT)
        ct_fail(error, status, "more than %d cells%s%s", CT_C45_CASES_MAX, of, name);
    else if (status != CT_OK)
        ct_fail(error, status, "out of memory");
    else if (c45.cases.count == 0)
        status = ct_fail(error, CT_E_INPUT, "no allowed method%s%s was measured in any cell", of, name);
    if (status == CT_OK)
        *ret_c45 = c45;
    else
        ct_c45_map_free(&c45);
    return status;
}

/* How often each method of the map is the best allowed one; `ret_best` gets it by cell, SIZE_MAX for none. */
static void count_best(const struct ct_map *map, const bool *allowed, size_t *ret_counts, size_t *ret_best)
{
    for (size_t cell = 0; cell < map->cell_count; cell++) {
        ret_best[cell] = ct_map_best_method(map, &cell, 1, allowed);
        if (ret_best[cell] != SIZE_MAX)
            ret_counts[ret_best[cell]]++;
    }
}

/* The mean slowdown of wrong choices in a cell. */
static double loss_of(const struct ct_map *map, const struct ct_cell *cell, size_t best, const size_t *counts)
{
    const double least = cell->methods[best].median;
    double sum = 0, weight = 0;
    for (size_t m = 0; m < map->method_count; m++) {
        if (m == best || counts[m] == 0 || cell->methods[m].count == 0)
            continue;
        sum += (double)counts[m] * (cell->methods[m].median / least - 1);
        weight += (double)counts[m];
    }
    return weight > 0 ? sum / weight : 0;
}

int ct_c45_map_weigh(const struct ct_map *maps, size_t count, const bool *const *allowed,
                     struct ct_c45_map *c45)
{
    float *weights = ct_allocate(c45->cases.count, sizeof *weights);
    double sum = 0;
    size_t next = 0;
    int status = weights ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        const struct ct_map *map = &maps[i];
        size_t *counts = ct_allocate(map->method_count, sizeof *counts);
        size_t *best = ct_allocate(map->cell_count, sizeof *best);
        if (counts && best)
            count_best(map, allowed[i], counts, best);
        else
            status = CT_E_MEMORY;
        for (size_t cell = 0; status == CT_OK && cell < map->cell_count; cell++)
            if (best[cell] != SIZE_MAX) {
                double loss = loss_of(map, &map->cells[cell], best[cell], counts);
                sum += loss;
                weights[next++] = (float)loss;
            }
        free(counts);
        free(best);
    }
    if (status != CT_OK) {
        free(weights);
        return status;
    }
    assert(next == c45->cases.count);
    for (size_t i = 0; i < next; i++) {
        float weight = sum > 0 ? (float)((double)weights[i] * (double)next / sum) : 1;
        weights[i] = weight > CT_C45_LEAST_WEIGHT ? weight : CT_C45_LEAST_WEIGHT;
    }
    c45->cases.weights = c45->weights = weights;
    return CT_OK;
}

void ct_c45_map_free(struct ct_c45_map *c45)
{
    free(c45->weights);
    ct_c45_cases_free(&c45->cases);
    ct_c45_names_free(&c45->names);
    free(c45->values);
    *c45 = (struct ct_c45_map){0};
}
