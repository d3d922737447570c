/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_C45_PLAIN_C45_H
#define CT_TESTS_C45_PLAIN_C45_H

#include "learners/c45/c45.h"

/* C4.5 written step by step as its description has it, without anything that makes it quick: cases lie in an
 * array, each sum runs over it, the quicksort is the plain one. */

struct plain_node {
    enum ct_c45_test test;
    size_t best, attribute, branch_count;
    float items, errors, cut;
    float *distribution;
    struct plain_node **branches;
    bool (*sets)[64]; /* subsets: by branch, then value */
};

enum { PLAIN_VALUES_MAX = 63 };

/* Grows a tree, of which *ret_grown is a copy, and prunes it, but for the tidying of sets. All of it lives as
 * long as the pool. */
void plain_learn(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                 const struct ct_c45_options *options, struct ct_c45_pool *pool,
                 struct plain_node **ret_grown, struct plain_node **ret_pruned);

#endif
