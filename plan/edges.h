/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_EDGES_H
#define CT_PLAN_EDGES_H

#include "plan/collective.h"

#include <stdbool.h>
#include <stddef.h>

/* Edges of a sparse exchange: a rank, one to which it sends, and how much. */

struct ct_edge {
    int from;
    int to;
    size_t length; /* in units */
};

/* The mean of the edges' lengths; 1 where it is 0. */
double ct_edges_mean(const struct ct_edge *edges, size_t count);

/* Bytes of an edge in measured and predicted calls of a sparse collective with such a message size. In forms
 * whose lengths differ, `mean` (ct_edges_mean()) stands for the message size; in an allgatherv, where a rank
 * sends one block to all, the blocks of ranks are alternately half as long and half as long again. */
size_t ct_edge_bytes(enum ct_collective collective, const struct ct_edge *edge, double mean,
                     size_t msg_bytes);

/* Gives an edge of length 1 this length, and others as many times more; or, if `uneven`, all edges lengths
 * around it, some of them 0. A length that does not fit becomes SIZE_MAX. */
void ct_edges_lengthen(struct ct_edge *edges, size_t count, size_t length, bool uneven);

#endif
