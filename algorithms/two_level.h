/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_TWO_LEVEL_H
#define CT_ALGORITHMS_TWO_LEVEL_H

#include "algorithms/descriptor.h"

/* Shared by algorithms on two levels: ranks on a node work among themselves (intra), and one of each node,
 * its head, with the other heads (inter). A parameter for each level names the algorithm that does the
 * work. */

enum ct_level { CT_LEVEL_INTRA, CT_LEVEL_INTER, CT_LEVELS };

/* Ranks that call a collective together. */
struct ct_group {
    const int *ranks; /* in the communicator, by rank in the group */
    int size;
    int rank; /* ours in the group; -1: we are not in it */
    int root; /* on a node its head; of the heads that on the root's node */
};

struct ct_levels {
    struct ct_plan *plan;
    const struct ct_call *call;
    const struct ct_parameter *parameters[CT_LEVELS];
    struct ct_group groups[CT_LEVELS]; /* the ranks on our node; the heads by node */
    int node;                          /* ours */
    bool is_head;
};

/* The head of a node is the call's root or, on other nodes, the lowest rank. The call's nodes are known. */
struct ct_levels ct_levels_of(struct ct_plan *plan, const struct ct_call *call,
                              const struct ct_parameter *intra, const struct ct_parameter *inter);

/* Tables by node for calls among heads: how much there is for all ranks on a node, and where it begins, with
 * `one` unit count for each rank. In scratch memory; false where there is none, the plan having failed. */
bool ct_level_tables(const struct ct_levels *levels, size_t one, const size_t **ret_counts,
                     const size_t **ret_begins);

/* Writes the work of a group by the algorithm that is named for its level; nothing where we are not in it.
 * `view` says what the inner SEND and RECV are, `inner` gives in_place, count and counts. */
void ct_level_build(const struct ct_levels *levels, enum ct_level level, enum ct_collective collective,
                    struct ct_view view, struct ct_call inner);

#endif
