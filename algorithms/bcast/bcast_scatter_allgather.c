/* SPDX-License-Identifier: BSD-3-Clause */
/* The root scatters the data as P parts down a binomial tree; then an allgather by recursive doubling gives
 * all parts to all ranks. Where P is not a power of two, the first ranks form pairs for both, and in the end
 * the even one of a pair sends the whole to the odd one. Parts that a rank has from the scatter are not sent
 * to it again. Parts may be empty, so any count will do. */
#include "algorithms/bcast/bcast.h"
#include "algorithms/descriptor.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_allgather_parts group = ct_bcast_parts(call);
    ct_bcast_scatter(plan, &group, ct_allgather_folded(call->size));
    ct_allgather_parts_double(plan, &group, 0);
}

const struct ct_descriptor ct_bcast_scatter_allgather = {
    .text = "binomial scatter of parts, then allgather by recursive doubling",
    .source = "Thakur, Rabenseifner, Gropp 2005 (van de Geijn's broadcast)",
    .cost = "2 log2 P alpha + 2 (P - 1) / P m beta; alpha + m beta more where P is not a power of two",
    .build = build,
};
