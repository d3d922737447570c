/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_MAP_H
#define CT_LEARNERS_C45_MAP_H

#include "learners/c45/c45_data.h"
#include "learners/learn_features.h"

/* Decision maps as cases of C4.5. Each cell with a best method is a case, and its class is that method.
 * Features are continuous attributes. With several maps, the collective is one more attribute, discrete with
 * a value for each map in order, and classes are written without their collective. */
struct ct_c45_map {
    struct ct_c45_names names;
    struct ct_c45_cases cases;
    struct ct_feature_columns columns; /* attribute a is column a */
    size_t *values; /* [case][columns.count]; the cases have them only in single precision */
    float *weights; /* by case, as ct_c45_map_weigh() says; NULL: all cases count alike */
};

/* allowed[i] is by method of maps[i]; NULL: all. The columns' set must live as long as the result. CT_OK;
 * CT_E_INPUT if no allowed method was measured in any cell; CT_E_MEMORY, CT_E_LIMIT. Caller frees with
 * ct_c45_map_free(). */
int ct_c45_map_make(const struct ct_map *maps, size_t count, const struct ct_feature_columns *columns,
                    const bool *const *allowed, struct ct_error *error, struct ct_c45_map *ret_c45);

/* Weighs each case by what a wrong choice loses there: the mean slowdown of the methods that are best in
 * other cells, each counted as often as it is best. The mean weight is 1, the least one CT_C45_LEAST_WEIGHT.
 * `maps` and `allowed` are those that the cases were made from. CT_OK, CT_E_MEMORY. */
int ct_c45_map_weigh(const struct ct_map *maps, size_t count, const bool *const *allowed,
                     struct ct_c45_map *c45);
#define CT_C45_LEAST_WEIGHT 0.01f

void ct_c45_map_free(struct ct_c45_map *c45);

#endif
