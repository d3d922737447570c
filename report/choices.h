/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_CHOICES_H
#define CT_REPORT_CHOICES_H

#include "decision/score.h"
#include "report/places.h"

/* One method for every place of a map, and what that choice costs where it was measured. */

/* The methods that a section of the page speaks of: those of the map, then those that only tables have. */
struct ct_method_list {
    struct ct_method *items;
    size_t count;
};

struct ct_choices {
    size_t *methods;   /* by place: index into the methods; SIZE_MAX where nothing is chosen */
    double *seconds;   /* by place: the median of that method; NAN where it was not measured */
    double *bounds[2]; /* by place: its confidence interval; NAN as above */
    double *penalties; /* by place; NAN where it or the best is not known */
    size_t count;      /* of places */
};

/* What the tree decides everywhere; without a tree, this method in every cell; and without either
 * (SIZE_MAX), the best method of each cell. Methods of the tree that are new are appended to the list; it is
 * the caller's. CT_OK or CT_E_MEMORY. Caller frees with ct_choices_free(). */
int ct_choices_make(const struct ct_map *map, const struct ct_places *places,
                    const struct ct_decision_tree *tree, size_t method, struct ct_method_list *methods,
                    struct ct_choices *ret_choices);
void ct_choices_free(struct ct_choices *choices);

/* The slowdowns, over the first `cells` places. CT_OK, CT_E_MEMORY. */
int ct_choices_penalty(const struct ct_choices *choices, size_t cells, struct ct_penalty *ret_penalty);

/* How many times as fast as native: the geometric mean of t(native) / t(chosen) over the places where both
 * were measured; NAN where there are none. `native` may be empty. */
double ct_choices_speed_up(const struct ct_choices *choices, const struct ct_choices *native);

#endif
