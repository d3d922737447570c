/* SPDX-License-Identifier: BSD-3-Clause */
/* A reduce to rank 0, then a bcast of the result from there, by any algorithms: a plan made of two plans.
 * Memory: that of both. */
#include "algorithms/descriptor.h"
#include "algorithms/inner_plan.h"
#include "algorithms/shared_parameters.h"

static const struct ct_parameter reduce_parameter = {
    .name = "reduce",
    .text = "how the data are combined at rank 0",
    .standard_name = "binomial",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_REDUCE},
    .sweep = "binomial,pipeline",
};

static const struct ct_parameter bcast_parameter = {
    .name = "bcast",
    .text = "how the result is spread",
    .standard_name = "binomial",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_BCAST},
    .sweep = "binomial,pipeline",
};

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_call inner = *call;
    inner.root = 0;

    /* in a reduce only the root can be in place: elsewhere our input, in RECV, is what the reduce sends */
    struct ct_view reduce = {.map = {{ct_input(call), 0}, {CT_BUFFER_RECV, 0}}};
    inner.in_place = call->in_place && call->rank == 0;
    ct_view_enter(plan, &reduce);
    ct_inner_build(plan, call, ct_inner_descriptor(call, &reduce_parameter, CT_COLLECTIVE_REDUCE), &inner);
    ct_view_leave(plan);

    struct ct_view bcast = {.map = {{CT_BUFFER_SEND, 0}, {CT_BUFFER_RECV, 0}}};
    inner.in_place = false;
    ct_view_enter(plan, &bcast);
    ct_inner_build(plan, call, ct_inner_descriptor(call, &bcast_parameter, CT_COLLECTIVE_BCAST), &inner);
    ct_view_leave(plan);
}

const struct ct_descriptor ct_allreduce_reduce_bcast = {
    .text = "reduce to rank 0, then bcast, each by any algorithm",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.10",
    .cost = "2 ceil(log2 P) n_s (alpha + m_s beta) + ceil(log2 P) m gamma",
    .parameters = {&ct_segment_parameter, &reduce_parameter, &bcast_parameter},
    .build = build,
};
