/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_CHOICES_H
#define CT_REPORT_CHOICES_H

#include "decision/map.h"
#include "decision/tree/tree.h"

/* One method for every cell of a map, and what that choice costs. */

struct ct_choices {
    size_t *methods;   /* by cell: index into the map's methods; SIZE_MAX where that one is not among them */
    double *seconds;   /* by cell: the median of that method; NAN where it was not measured */
    double *penalties; /* by cell; NAN where it or the best is not known */
    size_t count;
};

/* What the tree decides, as ct_score_choice() says; without a tree, this method in every cell; and without
 * either (SIZE_MAX), the best method of each cell. CT_OK or CT_E_MEMORY. Caller frees with ct_choices_free().
 */
int ct_choices_make(const struct ct_map *map, const struct ct_decision_tree *tree, size_t method,
                    struct ct_choices *ret_choices);
void ct_choices_free(struct ct_choices *choices);

/* How many times as fast as native: the geometric mean of t(native) / t(chosen) over the cells where both
 * were measured; NAN where there are none. `native` may be empty. */
double ct_choices_speed_up(const struct ct_choices *choices, const struct ct_choices *native);

#endif
