/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_CHOICES_H
#define CT_REPORT_CHOICES_H

#include "decision/map.h"
#include "decision/tree/tree.h"

/* Which method somebody takes in every cell of a map, and what that costs. */

struct ct_choices {
    size_t *methods;   /* by cell: index into the map's methods; SIZE_MAX where that one is not among them */
    double *seconds;   /* by cell: the median of that method; NAN where it was not measured */
    double *penalties; /* by cell; NAN where it or the best is not known */
    size_t count;
};

/* All of these: CT_OK or CT_E_MEMORY. Caller frees with ct_choices_free(). */

/* What the tree decides, as ct_score_choice() says. */
int ct_choices_of_tree(const struct ct_map *map, const struct ct_decision_tree *tree,
                       struct ct_choices *ret_choices);
/* One method everywhere. */
int ct_choices_of_method(const struct ct_map *map, size_t method, struct ct_choices *ret_choices);
/* The best method of every cell. */
int ct_choices_of_best(const struct ct_map *map, struct ct_choices *ret_choices);
void ct_choices_free(struct ct_choices *choices);

/* How many times as fast as native: the geometric mean of t(native) / t(chosen) over the cells where both
 * were measured; NAN where there are none. `native` may be empty. */
double ct_choices_speed_up(const struct ct_choices *choices, const struct ct_choices *native);

#endif
