/* SPDX-License-Identifier: BSD-3-Clause */
/* A barrier among the ranks on each node, then among the lowest ranks of all nodes, then on each node again.
 * Only P / n ranks use the network. */
#include "algorithms/descriptor.h"
#include "algorithms/two_level.h"

static const struct ct_parameter intra = {
    .name = "intra",
    .text = "barrier among the ranks on a node",
    .standard_name = "dissemination",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_BARRIER},
    .sweep = "dissemination,linear",
};

static const struct ct_parameter inter = {
    .name = "inter",
    .text = "barrier among one rank of each node",
    .standard_name = "dissemination",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_BARRIER},
    .sweep = "dissemination",
};

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_levels levels = ct_levels_of(plan, call, &intra, &inter);
    static const enum ct_level order[] = {CT_LEVEL_INTRA, CT_LEVEL_INTER, CT_LEVEL_INTRA};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        ct_level_build(&levels, order[i], CT_COLLECTIVE_BARRIER, (struct ct_view){0}, (struct ct_call){0});
}

const struct ct_descriptor ct_barrier_two_level = {
    .text = "barrier on each node, among one rank of each node, on each node again",
    .source = "Kielmann et al. 1999 (MagPIe); Karonis et al. 2000",
    .cost = "2 T_intra(n) + T_inter(P / n)",
    .constraints = CT_CONSTRAINT_NODES_KNOWN,
    .parameters = {&intra, &inter},
    .build = build,
};
