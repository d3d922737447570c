/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_H
#define CT_LEARNERS_C45_C45_H

#include "learners/c45/c45_data.h"
#include "learners/c45/c45_tree.h"

/* C4.5 grows decision trees by gain ratio and prunes them by pessimistic errors (Quinlan 1993, C4.5: Programs
 * for Machine Learning, Morgan Kaufmann; Release 8: Quinlan 1996, Improved Use of Continuous Attributes in
 * C4.5, JAIR 4). Written from a description of what Release 8 does; it grows the same trees. */

struct ct_c45_options {
    bool subsets;      /* a branch may be for a set of values */
    bool gain_alone;   /* choose tests by gain, not by gain ratio */
    size_t least;      /* two branches of a test must have this many cases; 1 to CT_C45_LEAST_MAX */
    double confidence; /* of pruning, in percent: more than 0, at most 100; less prunes more */
    size_t trials; /* trees that are grown from windows, the best one is taken; 0: one tree from all cases */
    size_t window; /* cases in the first window; 0: C4.5's choice */
    size_t increment; /* cases that are added to a window at most; 0: C4.5's choice */
};

enum { CT_C45_LEAST_MAX = 1000000, CT_C45_TRIALS_MAX = 10000 };

/* 2 cases, 25 percent, no windows. */
extern const struct ct_c45_options ct_c45_standard;

/* Grows and prunes a tree; its memory is that of the pool, which is empty before. CT_OK; CT_E_LIMIT if a path
 * would have more than CT_C45_DEPTH_MAX tests; CT_E_MEMORY. */
int ct_c45_learn(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                 const struct ct_c45_options *options, struct ct_c45_pool *pool, struct ct_error *error,
                 struct ct_c45_node **ret_root);

#endif
