/* SPDX-License-Identifier: BSD-3-Clause */
/* A binomial reduce to rank 0, then a binomial bcast of the result from there: a plan made of two plans.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.10.
 * Cost:   2 ceil(log2 P) n_s (alpha + m_s beta) + ceil(log2 P) m gamma, with n_s segments of m_s bytes.
 * Memory: that of reduce/binomial. */
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_call inner = *call;
    inner.root = 0;

    /* in a reduce only the root can be in place: elsewhere our input, in RECV, is what the reduce sends */
    struct ct_view reduce = {.map = {{call->in_place ? CT_RECV : CT_SEND, 0}, {CT_RECV, 0}}};
    inner.in_place = call->in_place && call->rank == 0;
    ct_view_enter(plan, &reduce);
    reduce_binomial.build(plan, &inner);
    ct_view_leave(plan);

    struct ct_view bcast = {.map = {{CT_SEND, 0}, {CT_RECV, 0}}};
    inner.in_place = false;
    ct_view_enter(plan, &bcast);
    bcast_binomial.build(plan, &inner);
    ct_view_leave(plan);
}

const struct ct_algorithm allreduce_reduce_bcast = {
    .name = "reduce_bcast",
    .collective = CT_ALLREDUCE,
    .text = "binomial reduce to rank 0, then binomial bcast",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "2 ceil(log2 P) n_s (alpha + m_s beta) + ceil(log2 P) m gamma",
    .sends = {"lg(P) * S", "lg(P) * m", "2 * (P - 1) * S", "2 * (P - 1) * m"},
    .parameters = {&ct_segment_parameter},
    .build = build,
};
