/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_RUNS_H
#define CT_PLAN_VERIFY_VERIFIER_RUNS_H

#include "plan/verify/verifier_verdict.h"

#include <stdbool.h>
#include <stdint.h>

/* A buffer as the verifier sees it: the origin of its contents, as a sorted array of runs of positions with
 * the same origin. So the cost of a verification depends on slices, never on their lengths. */

struct ct_run {
    size_t start;        /* first position; the run ends where the next one begins */
    size_t shift;        /* unit of the input that it stems from, minus position, modulo 2^64 */
    uint64_t sum;        /* of the keys of the ranks whose input is in it, modulo 2^64 */
    uint64_t expression; /* hash of how they were combined, blind to commuting */
    int32_t low, high;   /* first and last rank in it where order counts; else 0 */
    bool defined;
    bool used; /* read since it was stored; input counts as read */
};

struct ct_run_array {
    struct ct_run *runs;
    size_t count;
    size_t capacity;
};

struct ct_cells {
    struct ct_run_array array; /* covers all positions; empty where the length is 0 */
    size_t length;
};

/* The flaw and its position, where the status is CT_E_ANSWER. */
struct ct_fault {
    enum ct_flaw flaw;
    size_t where;
};

/* A number that represents a rank in sums: any set of ranks that is lost or doubled changes a sum. */
uint64_t ct_rank_key(int rank);

/* All functions below return CT_OK, CT_E_MEMORY, or CT_E_ANSWER with *ret_fault; ranges must lie within the
 * cells. `patch` is scratch memory. */

/* Nothing is defined in `length` positions. */
int ct_cells_reset(struct ct_cells *cells, size_t length);

/* Puts `rank`'s units from `unit` on at [begin, begin + n); `ordered` where the order of ranks counts. */
int ct_cells_input(struct ct_cells *cells, size_t begin, size_t n, int rank, size_t unit, bool ordered,
                   struct ct_run_array *patch);

/* All of it must be defined; it counts as used from now on. */
int ct_cells_read(struct ct_cells *cells, size_t begin, size_t n, struct ct_run_array *patch,
                  struct ct_fault *ret_fault);

/* Stores what `from` holds; nothing stored there before may be lost unread. */
int ct_cells_store(struct ct_cells *to, size_t to_begin, const struct ct_cells *from, size_t from_begin,
                   size_t n, struct ct_run_array *patch, struct ct_fault *ret_fault);

/* to = from op to: both the same units, and, where `ordered`, `from`'s ranks just before `to`'s. */
int ct_cells_reduce(struct ct_cells *to, size_t to_begin, struct ct_cells *from, size_t from_begin, size_t n,
                    bool ordered, struct ct_run_array *patch, struct ct_fault *ret_fault);

/* The run that holds `position`. */
const struct ct_run *ct_cells_at(const struct ct_cells *cells, size_t position);

/* Where the run ends. */
size_t ct_run_end(const struct ct_cells *cells, const struct ct_run *run);

#endif
