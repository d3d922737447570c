/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_VALUES_H
#define CT_PLAN_VERIFY_VERIFIER_VALUES_H

#include "algorithms/method.h"

/* The roots, counts and parameter values for which algorithms are verified. There are fewer of them the more
 * ranks there are: the work of a case grows with the ranks, the number of possible errors does not. */

enum { CT_VALUES_MAX = 80 };

/* Distinct values. */
struct ct_values {
    size_t items[CT_VALUES_MAX];
    size_t count;
};

/* How much is tried up to a number of ranks. */
struct ct_density {
    int size_most;
    bool all_roots;      /* else four, or two where there are few of everything */
    bool all_cuts;       /* into segments, also of one unit; else into five at most */
    bool few;            /* of everything */
    size_t from_least;   /* so many values of a number that is not a size, in addition to those that a sweep
                            tries */
    size_t combinations; /* most of parameter values in one call; the next call tries others */
    size_t messages;     /* methods that send more than so many times P log2 P messages are passed over; 0:
                            none is */
};

/* The density for that many ranks. */
const struct ct_density *ct_density_of(int size);

struct ct_values ct_roots_tried(enum ct_collective collective, int size);
struct ct_values ct_counts_tried(enum ct_collective collective, int size);

/* Values of a parameter for that call. CT_OK, CT_E_MEMORY. */
int ct_parameter_tried(const struct ct_parameter *parameter, const struct ct_call *call,
                       struct ct_values *ret_values);

/* Gives a call of all ranks in a v or w form counts of each rank's own: all as long as call->count, or around
 * it, many of them 0. `tables` keeps them: 2 * size * size where each rank has a block for each other, else
 * size. */
void ct_block_counts(enum ct_collective collective, struct ct_call *call, bool uneven, size_t *tables);

#endif
