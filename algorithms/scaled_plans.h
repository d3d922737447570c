/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_SCALED_PLANS_H
#define CT_ALGORITHMS_SCALED_PLANS_H

#include "algorithms/method.h"

/* Plans of calls that differ in their count alone. As long as a method does not divide the data, these are
 * the same but for scale: all lengths and places are multiplied. So they need not be written anew. */

/* Those of one method. */
struct ct_scaled_plan {
    struct ct_method method; /* algorithm NULL: there is none */
    size_t most;             /* up to this count its plans are `one`, but for scale; 0: none is */
    struct ct_plan *one;     /* of one unit */
};

/* Those of the methods that calls change between as their counts do. All zeroes is empty. */
enum { CT_SCALED_PLANS = 4 };
struct ct_scaled_plans {
    struct ct_scaled_plan of[CT_SCALED_PLANS];
    unsigned absent; /* calls by methods that have none */
};

/* Is `plan` the one of one unit, with all lengths and places multiplied? */
bool ct_is_scaled_plan(const struct ct_plan *one, const struct ct_plan *plan, size_t factor);

/* Writes the method's plan for this call, which differs from those for which `plans` has been used in its
 * count alone, and has no blocks of different lengths. False if it must be written as others are: the method
 * divides the data, or the plan is long, or there is no memory.
 *
 * Plans are only compared for some counts, to find out up to which they differ in scale alone: a method that
 * divides data from some count on divides more than that, too. */
bool ct_scaled_plan_write(struct ct_scaled_plans *plans, const struct ct_method *method,
                          const struct ct_call *call, struct ct_plan *plan);

void ct_scaled_plans_free(struct ct_scaled_plans *plans);

#endif
