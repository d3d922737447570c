/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45_together.h"
#include "base/memory.h"
#include "base/sort.h"
#include "decision/map.h"
#include "learners/c45_decide.h"
#include "learners/c45_learner.h"

#include <stdlib.h>
#include <string.h>

static const char attribute_name[] = "collective";

/* A collective's part. */
struct part {
    const struct ct_map *map;
    bool *allowed;
};

struct together {
    const struct ct_learn_settings *settings;
    const struct ct_learn_features *features;
    struct ct_error *error;
    struct part parts[CT_COLLECTIVES];
    size_t part_count;
    struct ct_c45_names names; /* the features, then the collective; classes without their collective */
    struct ct_c45_cases cases;
    struct ct_c45_values values[CT_FEATURES_MAX]; /* by feature, rising at last */
};

static int out_of_memory(const struct together *together)
{
    return ct_fail(together->error, CT_E_MEMORY, "out of memory");
}

/* --- cases --- */

static int add_part(struct together *together, const struct ct_map *map)
{
    struct part *part = &together->parts[together->part_count++];
    part->map = map;
    return ct_learn_allowed(map, together->settings->exclude, together->error, &part->allowed);
}

static int add_word(struct ct_c45_words *words, const char *word, uint16_t *ret_number)
{
    size_t number = ct_c45_words_find(words, word, strlen(word));
    int status = CT_OK;
    if (number == SIZE_MAX) {
        number = words->count;
        status = ct_c45_words_add(words, word, strlen(word));
    }
    *ret_number = (uint16_t)number;
    return status;
}

static int add_case(struct together *together, size_t part, const struct ct_cell *cell,
                    const struct ct_method *best)
{
    const struct ct_learn_features *features = together->features;
    struct ct_c45_cases *cases = &together->cases;
    const struct ct_features known = ct_key_features(&cell->key);
    char spelling[CT_METHOD_TEXT];
    int status = ct_c45_cases_reserve(cases, &together->names);
    if (status == CT_OK)
        status = add_word(&together->names.classes, ct_method_format(best, false, spelling),
                          &cases->classes[cases->count]);
    if (status != CT_OK)
        return out_of_memory(together);
    for (size_t a = 0; a < features->count; a++) {
        size_t value = ct_feature_value(&features->set, features->numbers[a], &known);
        cases->columns[a].numbers[cases->count] = (float)value;
        together->values[a].values[together->values[a].count++] = value;
    }
    cases->columns[features->count].values[cases->count++] = (uint16_t)(part + 1);
    return CT_OK;
}

static int add_cases(struct together *together)
{
    int status = CT_OK;
    for (size_t p = 0; p < together->part_count; p++) {
        const struct part *part = &together->parts[p];
        for (size_t c = 0; status == CT_OK && c < part->map->cell_count; c++) {
            size_t best = ct_map_best_method(part->map, &c, 1, part->allowed);
            if (best != SIZE_MAX)
                status = add_case(together, p, &part->map->cells[c], &part->map->methods[best]);
        }
    }
    return status;
}

/* Attributes, and room for their values. */
static int begin_names(struct together *together)
{
    const struct ct_learn_features *features = together->features;
    struct ct_c45_names *names = &together->names;
    size_t cells = 0;
    uint16_t number;
    int status = CT_OK;
    for (size_t p = 0; p < together->part_count; p++)
        cells += together->parts[p].map->cell_count;
    for (size_t a = 0; status == CT_OK && a < features->count; a++) {
        const char *name = ct_feature_name(&features->set, features->numbers[a]);
        status = ct_c45_names_add(names, name, strlen(name), CT_C45_CONTINUOUS);
        together->values[a].values = ct_allocate(cells, sizeof *together->values[a].values);
        if (!together->values[a].values)
            status = CT_E_MEMORY;
    }
    if (status == CT_OK)
        status = ct_c45_names_add(names, attribute_name, strlen(attribute_name), CT_C45_DISCRETE);
    for (size_t p = 0; status == CT_OK && p < together->part_count; p++)
        status = add_word(&names->attributes[features->count].values,
                          ct_collectives[together->parts[p].map->collective].name, &number);
    if (status != CT_OK)
        return out_of_memory(together);
    names->attributes[features->count].trained = together->part_count;
    return CT_OK;
}

static int make_cases(struct together *together, const struct ct_map *maps, size_t count)
{
    int status = CT_OK;
    together->cases.complete = true;
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = add_part(together, &maps[i]);
    if (status == CT_OK)
        status = begin_names(together);
    if (status == CT_OK)
        status = add_cases(together);
    if (status == CT_OK && together->cases.count == 0)
        status = ct_fail(together->error, CT_E_INPUT, "no allowed method was measured");
    for (size_t a = 0; status == CT_OK && a < together->features->count; a++)
        qsort(together->values[a].values, together->values[a].count, sizeof(size_t), ct_compare_sizes);
    return status;
}

/* --- a tree for each --- */

/* By class, the method of this collective; without an algorithm where that has none, or may not choose it. */
static struct ct_method *methods_of(const struct together *together, const struct part *part)
{
    const struct ct_c45_words *classes = &together->names.classes;
    struct ct_method *methods = ct_allocate(classes->count, sizeof *methods), method;
    for (size_t c = 0; methods && c < classes->count; c++) {
        if (ct_method_parse(classes->words[c], part->map->collective, NULL, &method) != CT_OK)
            continue;
        size_t index = ct_map_find_method(part->map, &method);
        if (index != SIZE_MAX && part->allowed[index])
            methods[c] = method;
    }
    return methods;
}

static int cut_tree(const struct together *together, size_t place, const struct ct_c45_node *root,
                    struct ct_decision_tree *ret_tree)
{
    const struct part *part = &together->parts[place];
    struct ct_method *methods = methods_of(together, part);
    size_t best = ct_map_best_method(part->map, NULL, part->map->cell_count, part->allowed), doubtful;
    const char *name = ct_collectives[part->map->collective].name;
    if (!methods)
        return out_of_memory(together);
    struct ct_c45_meaning meaning = {.collective = part->map->collective,
                                     .set = &together->features->set,
                                     .numbers = together->features->numbers,
                                     .methods = methods,
                                     .classes = together->names.classes.count,
                                     .values = together->values,
                                     .has_constant = true,
                                     .constant = together->features->count,
                                     .constant_value = place + 1};
    int status = CT_OK;
    if (best == SIZE_MAX)
        status =
            ct_fail(together->error, CT_E_INPUT, "no allowed method of %s was measured in any cell", name);
    else
        meaning.usual = part->map->methods[best];
    if (status == CT_OK)
        status = ct_c45_decide(root, &meaning, together->error, &doubtful, ret_tree);
    if (status == CT_OK && ct_learn_fill_fallback(ret_tree, part->map, part->allowed) != CT_OK)
        status = out_of_memory(together);
    free(methods);
    return status;
}

static void end(struct together *together)
{
    for (size_t p = 0; p < together->part_count; p++)
        free(together->parts[p].allowed);
    for (size_t a = 0; a < together->features->count; a++)
        free(together->values[a].values);
    ct_c45_cases_free(&together->cases);
    ct_c45_names_free(&together->names);
}

int ct_c45_learn_joint(const struct ct_map *maps, size_t count, const struct ct_learn_settings *settings,
                       struct ct_error *error, struct ct_decision_tree *const *ret_trees)
{
    struct together together = {.settings = settings, .features = &settings->features, .error = error};
    const struct ct_c45_options options = ct_c45_learn_options(settings);
    struct ct_decision_tree trees[CT_COLLECTIVES] = {0};
    struct ct_c45_pool pool = {0};
    struct ct_c45_node *root;
    int status = make_cases(&together, maps, count);
    if (status == CT_OK)
        status = ct_c45_learn(&together.names, &together.cases, &options, &pool, error, &root);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        if (ret_trees[i])
            status = cut_tree(&together, i, root, &trees[i]);
    for (size_t i = 0; i < count; i++)
        if (status == CT_OK && ret_trees[i])
            *ret_trees[i] = trees[i];
        else
            ct_tree_free(&trees[i]);
    ct_c45_pool_free(&pool);
    end(&together);
    return status;
}
