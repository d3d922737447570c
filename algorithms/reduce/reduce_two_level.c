/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks on each node reduce to its head, the root being the head of its own; then the heads reduce to the
 * root. Both are reductions by other algorithms. Ranks on a node need not be consecutive, so operations must
 * commute.
 * Memory: m at heads other than the root, and that of the two. */
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"
#include "algorithms/two_level.h"

static const struct ct_parameter intra = {
    .name = "intra",
    .text = "reduce among the ranks on a node",
    .standard_name = "binomial",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_REDUCE},
    .sweep = "binomial,linear",
};

static const struct ct_parameter inter = {
    .name = "inter",
    .text = "reduce among one rank of each node",
    .standard_name = "binomial",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_REDUCE},
    .sweep = "binomial,pipeline",
};

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_levels levels = ct_levels_of(plan, call, &intra, &inter);
    bool is_root = call->rank == call->root;
    unsigned input = ct_input(call), sum = input;
    if (levels.groups[CT_LEVEL_INTRA].size > 1) {
        if (levels.is_head)
            sum = is_root ? CT_BUFFER_RECV : ct_temporary(plan, call->count);
        ct_level_build(&levels, CT_LEVEL_INTRA, CT_COLLECTIVE_REDUCE,
                       (struct ct_view){.map = {{.buffer = input}, {.buffer = sum}}},
                       (struct ct_call){.count = call->count, .in_place = call->in_place});
    }
    ct_level_build(&levels, CT_LEVEL_INTER, CT_COLLECTIVE_REDUCE,
                   (struct ct_view){.map = {{.buffer = sum}, {.buffer = CT_BUFFER_RECV}}},
                   (struct ct_call){.count = call->count, .in_place = is_root && sum == CT_BUFFER_RECV});
}

const struct ct_descriptor ct_reduce_two_level = {
    .text = "reduce on each node, then among one rank of each node",
    .source = "Kielmann et al. 1999 (MagPIe); Karonis et al. 2000",
    .cost = "T_intra(n, m) + T_inter(P / n, m)",
    .constraints = CT_CONSTRAINT_NODES_KNOWN | CT_CONSTRAINT_COMMUTATIVE,
    .parameters = {&intra, &inter, &ct_segment_parameter},
    .build = build,
};
