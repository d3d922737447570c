/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks on each node reduce to the lowest, the lowest ones allreduce among themselves, then each
 * broadcasts the result on its node: three calls of other algorithms. Ranks on a node need not be
 * consecutive, so operations must commute.
 * Memory: that of the three. */
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"
#include "algorithms/two_level.h"

static const struct ct_parameter intra = {
    .name = "intra",
    .text = "reduce and bcast among the ranks on a node",
    .standard_name = "binomial",
    .inner_count = 2,
    .inner = {CT_COLLECTIVE_REDUCE, CT_COLLECTIVE_BCAST},
    .sweep = "binomial,linear",
};

static const struct ct_parameter inter = {
    .name = "inter",
    .text = "allreduce among one rank of each node",
    .standard_name = "recursive_doubling",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_ALLREDUCE},
    .sweep = "recursive_doubling,ring",
};

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_levels levels = ct_levels_of(plan, call, &intra, &inter);
    unsigned input = ct_input(call), sum = input;
    struct ct_call inner = {.count = call->count};
    if (levels.groups[CT_LEVEL_INTRA].size > 1) {
        sum = CT_BUFFER_RECV;
        inner.in_place = call->in_place && levels.is_head;
        ct_level_build(&levels, CT_LEVEL_INTRA, CT_COLLECTIVE_REDUCE,
                       (struct ct_view){.map = {{.buffer = input}, {.buffer = sum}}}, inner);
    }
    inner.in_place = sum == CT_BUFFER_RECV;
    ct_level_build(&levels, CT_LEVEL_INTER, CT_COLLECTIVE_ALLREDUCE,
                   (struct ct_view){.map = {{.buffer = sum}, {.buffer = CT_BUFFER_RECV}}}, inner);
    inner.in_place = false;
    ct_level_build(&levels, CT_LEVEL_INTRA, CT_COLLECTIVE_BCAST,
                   (struct ct_view){.map = {{.buffer = CT_BUFFER_SEND}, {.buffer = CT_BUFFER_RECV}}}, inner);
}

const struct ct_descriptor ct_allreduce_two_level = {
    .text = "reduce on each node, allreduce among one rank of each node, bcast on each node",
    .source = "Kielmann et al. 1999 (MagPIe); Karonis et al. 2000",
    .cost = "T_reduce(n, m) + T_allreduce(P / n, m) + T_bcast(n, m)",
    .constraints = CT_CONSTRAINT_NODES_KNOWN | CT_CONSTRAINT_COMMUTATIVE,
    .parameters = {&intra, &inter, &ct_segment_parameter},
    .build = build,
};
