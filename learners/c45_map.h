/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_MAP_H
#define CT_LEARNERS_C45_MAP_H

#include "learners/c45/c45_data.h"
#include "learners/learn_features.h"

/* A decision map as cases of C4.5. Each cell with a best method is a case. Its class is that method, written
 * with its collective. The features that differ between cells are continuous attributes. */
struct ct_c45_map {
    struct ct_c45_names names;
    struct ct_c45_cases cases;
    struct ct_feature_matrix features; /* attribute a is numbers[a] */
    size_t *cells;                     /* by case: cell of the map */
    struct ct_method *methods;         /* by class */
};

/* `allowed` is by method of the map; NULL: all. `features` are as in ct_feature_matrix_make(). All must live
 * as long as the result. CT_OK; CT_E_INPUT if no allowed method was measured in any cell; CT_E_MEMORY,
 * CT_E_LIMIT. Caller frees with ct_c45_map_free(). */
int ct_c45_map_make(const struct ct_map *map, const struct ct_learn_features *features, const bool *allowed,
                    struct ct_error *error, struct ct_c45_map *ret_c45);
void ct_c45_map_free(struct ct_c45_map *c45);

#endif
