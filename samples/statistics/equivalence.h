/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_EQUIVALENCE_H
#define CT_SAMPLES_STATISTICS_EQUIVALENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which methods of a cell are as good as its best one, and which surely are not. */

enum ct_standing {
    CT_STANDING_UNMEASURED, /* here, or failed */
    CT_STANDING_BEST,       /* the least estimate */
    CT_STANDING_EQUIVALENT, /* surely less than the margin away from the best */
    CT_STANDING_UNDECIDED,  /* neither is sure */
    CT_STANDING_WORSE,      /* surely slower than the best, and not surely within the margin */
    CT_STANDINGS
};

/* By enum: "", "best", "equivalent", "undecided", "worse". */
extern const char *const ct_standing_names[CT_STANDINGS];

/* The standard margin, as a fraction of the best one's time, and the level of what "surely" means. */
#define CT_MARGIN      0.05
#define CT_SURE_ENOUGH 0.05

/* One launch's samples of a method. */
struct ct_launch_median {
    uint32_t launch;
    size_t count;
    double median; /* seconds */
};

/* All that a cell knows of a method. */
struct ct_evidence {
    double estimate; /* seconds */
    const struct ct_launch_median *launches;
    size_t launch_count;   /* 0: not measured, or failed */
    const double *samples; /* of the last launch, rising */
    size_t sample_count;
};

/* Settles each method's standing; *ret_standings is by method. CT_OK or CT_E_MEMORY.
 *
 * The ratio of a method's time to the best one's is tested twice: is it less than 1 + margin and more than
 * its reciprocal (two one-sided tests), and is it more than 1? Where the best has several launches these are
 * the units, and the methods that have the same launches are tested by ct_launch_test(). Where it has one,
 * ct_order_test() takes the samples, and what is found holds for that launch alone. Methods that allow
 * neither stay undecided.
 *
 * Of all statements of one kind in a cell, none is wrong with a probability of 95 %: Holm's correction (1979,
 * Scandinavian Journal of Statistics 6, 65-70) for the methods tested against one best, at a level that is
 * divided by the number of methods because chance has a say in which of them comes out best.
 *
 * `exact`: times are computed and not measured, so estimates are compared as they are: worse is who takes
 * more than 1 + margin times the best one's. */
int ct_judge(const struct ct_evidence *methods, size_t count, double margin, bool exact,
             enum ct_standing *ret_standings);

#endif
