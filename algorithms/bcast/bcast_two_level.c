/* SPDX-License-Identifier: BSD-3-Clause */
/* The data are sent to each node once: a broadcast among the heads of the nodes, the root being the head of
 * its own, then one on each node. Both are broadcasts by other algorithms. */
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"
#include "algorithms/two_level.h"

static const struct ct_parameter intra = {
    .name = "intra",
    .text = "bcast among the ranks on a node",
    .standard_name = "binomial",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_BCAST},
    .sweep = "binomial,linear",
};

static const struct ct_parameter inter = {
    .name = "inter",
    .text = "bcast among one rank of each node",
    .standard_name = "binomial",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_BCAST},
    .sweep = "binomial,pipeline",
};

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_levels levels = ct_levels_of(plan, call, &intra, &inter);
    const struct ct_view view = {.map = {{.buffer = CT_BUFFER_SEND}, {.buffer = CT_BUFFER_RECV}}};
    ct_level_build(&levels, CT_LEVEL_INTER, CT_COLLECTIVE_BCAST, view,
                   (struct ct_call){.count = call->count});
    ct_level_build(&levels, CT_LEVEL_INTRA, CT_COLLECTIVE_BCAST, view,
                   (struct ct_call){.count = call->count});
}

const struct ct_descriptor ct_bcast_two_level = {
    .text = "bcast among one rank of each node, then on each node",
    .source = "Kielmann et al. 1999 (MagPIe); Karonis et al. 2000",
    .cost = "T_inter(P / n, m) + T_intra(n, m)",
    .constraints = CT_CONSTRAINT_NODES_KNOWN,
    .parameters = {&intra, &inter, &ct_segment_parameter},
    .build = build,
};
