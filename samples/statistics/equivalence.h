/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_EQUIVALENCE_H
#define CT_SAMPLES_STATISTICS_EQUIVALENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which methods of a cell are equivalent to its best one, and which are significantly slower. */

enum ct_standing {
    CT_STANDING_UNMEASURED, /* not measured here, or failed */
    CT_STANDING_BEST,       /* the least estimate */
    CT_STANDING_EQUIVALENT, /* significantly less than the equivalence margin away from the best */
    CT_STANDING_UNDECIDED,  /* neither is significant */
    CT_STANDING_WORSE,      /* significantly slower than the best, and not equivalent */
    CT_STANDINGS
};

/* By enum: "", "best", "equivalent", "undecided", "worse". */
extern const char *const ct_standing_names[CT_STANDINGS];

/* The standard equivalence margin, as a fraction of the best one's time, and the family-wise error rate. */
#define CT_MARGIN 0.05
#define CT_ALPHA  0.05

/* One job launch's samples of a method. */
struct ct_launch_median {
    uint32_t launch;
    size_t count;
    double median; /* seconds */
};

/* The measurements of a method in a cell. */
struct ct_evidence {
    double estimate; /* seconds */
    const struct ct_launch_median *launches;
    size_t launch_count;   /* 0: not measured, or failed */
    const double *samples; /* of the last job launch, sorted */
    size_t sample_count;
};

/* Decides each method's standing; *ret_standings is by method. CT_OK or CT_E_MEMORY.
 *
 * The ratio of a method's time to the best one's is tested twice: is it below 1 + margin and above its
 * reciprocal (two one-sided tests), and is it above 1? If the best method has several job launches, these are
 * the units, and methods that have the same job launches are tested by ct_launch_test(). If it has one,
 * ct_order_test() compares the samples, and the result holds for that job launch only. Methods that allow
 * neither test stay undecided.
 *
 * The family-wise error rate per cell is at most 5 % for each of the two questions: Holm's correction (1979,
 * Scandinavian Journal of Statistics 6, 65-70) for the methods that are tested against one best, at a level
 * divided by the number of methods, because the best one is itself chosen by the samples.
 *
 * `exact`: times are computed and not measured, so estimates are compared directly: worse is a method that
 * takes more than 1 + margin times the best one's time. */
int ct_judge(const struct ct_evidence *methods, size_t count, double margin, bool exact,
             enum ct_standing *ret_standings);

#endif
