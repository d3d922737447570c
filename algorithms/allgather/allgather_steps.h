/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALLGATHER_ALLGATHER_STEPS_H
#define CT_ALGORITHMS_ALLGATHER_ALLGATHER_STEPS_H

#include "algorithms/descriptor.h"

/* Allgathers in which every rank sends one block and receives one in each of P - 1 rounds. Blocks may differ
 * in length. Barriers may keep the ranks in step, where messages of different rounds would meet in the
 * network. */

/* Messages from one barrier to the next; 0 for none. */
extern const struct ct_parameter ct_barrier_every_parameter;
/* Ranks in a group, k. */
extern const struct ct_parameter ct_group_parameter;

struct ct_allgather_steps {
    struct ct_plan *plan;
    const struct ct_call *call;
    int held; /* the rank whose block is sent */
    int done; /* rounds */
};

/* Begins with this rank's own block, which is copied to its place. */
struct ct_allgather_steps ct_allgather_steps_begin(struct ct_plan *plan, const struct ct_call *call);

/* Sends the held block to `to` and receives from `from` the block of the rank `coming`; with a barrier where
 * it is due. All ranks make the same number of steps. */
void ct_allgather_step(struct ct_allgather_steps *steps, int to, int from, int coming);

/* The steps of k_shift, for any number of ranks and group. */
void ct_allgather_shift(struct ct_allgather_steps *steps, int group);

/* The group that the call asks for, at most all ranks. */
int ct_allgather_group(const struct ct_call *call);

#endif
