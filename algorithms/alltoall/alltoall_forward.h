/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALLTOALL_ALLTOALL_FORWARD_H
#define CT_ALGORITHMS_ALLTOALL_ALLTOALL_FORWARD_H

#include "algorithms/descriptor.h"
#include "plan/rank_grid.h"

/* Blocks of equal length travel through the grid, in one stage per dimension. All that a rank has for the
 * same neighbour is one message: few messages, which are longer.
 *
 * Before stage d a rank has, of a set of sources, the blocks for all destinations that share its digits below
 * d. The set is the same for each of these destinations, also where the grid has holes, so a rank finds it
 * without knowing the others' plans, and messages need no headers. A message is sorted by destination, and
 * there by source, in the order in which its sender has the sources. Without holes that is the order of
 * ranks; then the last stage delivers in place.
 *
 * Where there are more ranks than points (at most twice as many), the rank `points` further on is the partner
 * of a point: it hands its blocks over before the first stage and gets the others' after the last.
 *
 * Memory: P m for each dimension, once if it is only one. */
void ct_alltoall_forward(struct ct_plan *plan, const struct ct_call *call, const struct ct_rank_grid *grid);

#endif
