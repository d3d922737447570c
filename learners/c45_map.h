/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_MAP_H
#define CT_LEARNERS_C45_MAP_H

#include "learners/c45/c45_data.h"
#include "learners/learn_features.h"

/* A decision map as C4.5 takes it: a case for each cell with a best method, the features that differ between
 * cells as continuous attributes, the methods that are best somewhere as classes, with their collective. */
struct ct_c45_map {
    struct ct_c45_names names;
    struct ct_c45_cases cases;
    struct ct_feature_matrix features; /* attribute a is numbers[a] */
    size_t *cells;                     /* by case: cell of the map */
    struct ct_method *methods;         /* by class */
};

/* `allowed` is by method of the map; NULL: all. Both and `features` (as ct_feature_matrix_make() takes them)
 * must live as long. CT_OK; CT_E_INPUT where no cell has a measured method that is allowed; CT_E_MEMORY,
 * CT_E_LIMIT. Caller frees with ct_c45_map_free(). */
int ct_c45_map_make(const struct ct_map *map, const struct ct_learn_features *features, const bool *allowed,
                    struct ct_error *error, struct ct_c45_map *ret_c45);
void ct_c45_map_free(struct ct_c45_map *c45);

#endif
