/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45_map.h"
#include "base/memory.h"
#include "decision/map.h"

#include <stdlib.h>
#include <string.h>

static int add_case(struct ct_c45_map *c45, const struct ct_map *map, size_t cell, size_t best)
{
    const struct ct_feature_matrix *features = &c45->features;
    char spelling[CT_METHOD_TEXT];
    uint16_t class;
    int status = ct_c45_cases_reserve(&c45->cases, &c45->names);
    if (status == CT_OK)
        status = ct_c45_words_number(&c45->names.classes,
                                     ct_method_format(&map->methods[best], true, spelling), &class);
    if (status != CT_OK)
        return status;
    c45->methods[class] = map->methods[best];
    for (size_t a = 0; a < features->count; a++)
        c45->cases.columns[a].numbers[c45->cases.count] = (float)features->values[cell * features->count + a];
    c45->cases.classes[c45->cases.count] = class;
    c45->cells[c45->cases.count] = cell;
    c45->cases.count++;
    return CT_OK;
}

static int fill(const struct ct_map *map, const struct ct_learn_features *features, const bool *allowed,
                struct ct_c45_map *c45)
{
    int status = ct_feature_matrix_make(map, features, &c45->features);
    c45->cells = ct_allocate(map->cell_count, sizeof *c45->cells);
    c45->methods = ct_allocate(map->method_count, sizeof *c45->methods);
    if (status == CT_OK && (!c45->cells || !c45->methods))
        status = CT_E_MEMORY;
    for (size_t a = 0; status == CT_OK && a < c45->features.count; a++) {
        const char *name = ct_feature_name(c45->features.set, c45->features.numbers[a]);
        status = ct_c45_names_add(&c45->names, name, strlen(name), CT_C45_CONTINUOUS);
    }
    for (size_t cell = 0; status == CT_OK && cell < map->cell_count; cell++) {
        size_t best = ct_map_best_method(map, &cell, 1, allowed);
        if (best != SIZE_MAX)
            status = add_case(c45, map, cell, best);
    }
    return status;
}

int ct_c45_map_make(const struct ct_map *map, const struct ct_learn_features *features, const bool *allowed,
                    struct ct_error *error, struct ct_c45_map *ret_c45)
{
    struct ct_c45_map c45 = {.cases.complete = true};
    const char *collective = ct_collectives[map->collective].name;
    int status = fill(map, features, allowed, &c45);
    if (status == CT_E_LIMIT)
        ct_fail(error, status, "%s: more than %d cells", collective, CT_C45_CASES_MAX);
    else if (status != CT_OK)
        ct_fail(error, status, "out of memory");
    else if (c45.cases.count == 0)
        status = ct_fail(error, CT_E_INPUT, "no allowed method of %s was measured in any cell", collective);
    if (status == CT_OK)
        *ret_c45 = c45;
    else
        ct_c45_map_free(&c45);
    return status;
}

void ct_c45_map_free(struct ct_c45_map *c45)
{
    ct_feature_matrix_free(&c45->features);
    ct_c45_cases_free(&c45->cases);
    ct_c45_names_free(&c45->names);
    free(c45->cells);
    free(c45->methods);
    *c45 = (struct ct_c45_map){0};
}
