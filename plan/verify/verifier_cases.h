/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_CASES_H
#define CT_PLAN_VERIFY_VERIFIER_CASES_H

#include "plan/verify/verifier.h"

/* The calls for which an algorithm is verified, derived from its description: roots, counts around the
 * communicator's size, in place and not, operations that commute and that do not, and parameter values that
 * make one segment, two, three, five, ragged last ones and segments of one unit. Of all that the less the
 * more ranks there are; beyond 256 only methods whose messages are of the order of P log P are verified.
 * Sparse collectives are tried with the patterns of verifier_patterns.h, up to 16 ranks each with all counts,
 * beyond with one of them, which changes from size to size. */

struct ct_cases {
    const struct ct_algorithm *algorithm;
    int size;
    const size_t *counts; /* instead of the standard ones; NULL */
    size_t count_count;
};

/* Called for every case to which the algorithm applies, with call->rank 0 and without call->values. Another
 * result than CT_OK ends the visit and is passed on. */
typedef int ct_case_visitor(const struct ct_method *method, const struct ct_call *call, void *context);

/* Cases that are passed over. */
struct ct_cases_skipped {
    size_t by_constraints; /* the algorithm does not apply */
    size_t by_messages;    /* it sends too many for so many ranks */
};

/* *ret_skipped is not touched on failure. */
int ct_cases_visit(const struct ct_cases *cases, ct_case_visitor *visit, void *context,
                   struct ct_cases_skipped *ret_skipped);

struct ct_cases_totals {
    size_t cases;
    struct ct_cases_skipped skipped;
    size_t steps;
    size_t messages;
};

/* The case that could not be verified. */
struct ct_case_failure {
    struct ct_method method;
    struct ct_call call;             /* without values, counts and nodes */
    char nodes[CT_NODES_TEXT];       /* of each rank; empty where they do not matter */
    int ppn;                         /* on each node where they are blocks that follow one another; else 0 */
    bool uneven;                     /* ranks had counts of their own */
    char pattern[CT_NEIGHBORS_TEXT]; /* of sparse collectives; else empty */
    struct ct_verdict verdict;
    struct ct_error error;
};

/* Verifies all cases and adds to *totals; stops at the first that cannot be verified: CT_E_ANSWER with
 * *ret_failure. CT_OK, CT_E_MEMORY. */
int ct_cases_verify(struct ct_verifier *verifier, const struct ct_cases *cases,
                    struct ct_cases_totals *totals, struct ct_case_failure *ret_failure);

#endif
