/* SPDX-License-Identifier: BSD-3-Clause */
/* The data crosses to each node once: among the heads of the nodes, the root being that of its own, then on
 * each node. Both are broadcasts by other algorithms.
 *
 * Source: Kielmann, Hofman, Bal, Plaat, Bhoedjang 1999 (MagPIe: two levels); Karonis, de Supinski, Foster,
 *         Gropp, Lusk, Bresnahan 2000 (any number of them).
 * Cost:   T_inter(P / n, m) + T_intra(n, m), with n ranks on a node.
 * Memory: that of the two. */
#include "algorithms/registry.h"
#include "algorithms/two_level.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_levels levels = ct_levels_of(plan, call, &ct_bcast_two_level);
    const struct ct_view view = {.map = {{.buffer = CT_BUFFER_SEND}, {.buffer = CT_BUFFER_RECV}}};
    ct_level_build(&levels, CT_LEVEL_INTER, CT_COLLECTIVE_BCAST, view,
                   (struct ct_call){.count = call->count});
    ct_level_build(&levels, CT_LEVEL_INTRA, CT_COLLECTIVE_BCAST, view,
                   (struct ct_call){.count = call->count});
}

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

const struct ct_descriptor ct_bcast_two_level = {
    .text = "bcast among one rank of each node, then on each",
    .source = "Kielmann et al. 1999; Karonis et al. 2000",
    .cost = "T_inter(P / n, m) + T_intra(n, m)",
    .sends = {"(lg(P / n) + lg(n)) * S", "(lg(P / n) + lg(n)) * m", "(P - 1) * S", "(P - 1) * m"},
    .constraints = CT_CONSTRAINT_NODES_KNOWN,
    .parameters = {&intra, &inter, &ct_segment_parameter},
    .build = build,
};
