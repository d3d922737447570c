/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks on each node meet, then the lowest ones of all nodes do, then those on each node again: only
 * P / n ranks, with n on a node, load the network.
 *
 * Source: Kielmann, Hofman, Bal, Plaat, Bhoedjang 1999 (MagPIe: two levels); Karonis, de Supinski, Foster,
 *         Gropp, Lusk, Bresnahan 2000 (any number of them).
 * Cost:   2 T_intra(n) + T_inter(P / n), by dissemination (2 ceil(log2 n) + ceil(log2 (P / n))) alpha.
 * Memory: none. */
#include "algorithms/registry.h"
#include "algorithms/two_level.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_levels levels = ct_levels_of(plan, call, &ct_barrier_two_level);
    static const enum ct_level order[] = {CT_LEVEL_INTRA, CT_LEVEL_INTER, CT_LEVEL_INTRA};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        ct_level_build(&levels, order[i], CT_COLLECTIVE_BARRIER, (struct ct_view){0}, (struct ct_call){0});
}

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

const struct ct_descriptor ct_barrier_two_level = {
    .text = "barrier on each node, among one rank of each, on each again",
    .source = "Kielmann et al. 1999; Karonis et al. 2000",
    .cost = "2 T_intra(n) + T_inter(P / n)",
    .sends = {"2 * lg(n) + lg(P / n)", "0", "2 * P * lg(n) + P / n * lg(P / n)", "0"},
    .constraints = CT_CONSTRAINT_NODES_KNOWN,
    .parameters = {&intra, &inter},
    .build = build,
};
