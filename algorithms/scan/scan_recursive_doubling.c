/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k each rank sends what it has combined to the rank 2^k further on, so that every sum covers twice
 * as many ranks, up to its own. No sum is sent where it is not needed, as in an exchange between pairs.
 * Memory: scan: m; exscan: 2 m. */
#include "algorithms/descriptor.h"
#include "algorithms/scan/scan_prefix.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_prefix prefix = ct_prefix_begin(plan, call, call->descriptor == &ct_exscan_recursive_doubling);
    long rank = call->rank, size = call->size;
    for (long distance = 1; distance < size; distance *= 2) {
        if (rank + distance < size)
            ct_send(plan, (int)(rank + distance), prefix.sum, 0, call->count);
        if (rank >= distance)
            ct_prefix_receive(plan, &prefix, (int)(rank - distance), rank + 2 * distance < size);
        else
            ct_round_end(plan);
    }
}

const struct ct_descriptor ct_scan_recursive_doubling = {
    .text = "in step k each rank sends its sum 2^k ranks further on",
    .source = "Kogge and Stone 1973; Sanders and Traeff 2006; Pjesivac-Grbovic 2007, section 4.1.2, table "
              "4.11 (binomial)",
    .cost = "ceil(log2 P) (alpha + m (beta + gamma))",
    .build = build,
};

const struct ct_descriptor ct_exscan_recursive_doubling = {
    .text = "in step k each rank sends its sum 2^k ranks further on",
    .source = "Kogge and Stone 1973; Sanders and Traeff 2006; Pjesivac-Grbovic 2007, section 4.1.2, table "
              "4.11 (binomial)",
    .cost = "ceil(log2 P) (alpha + m (beta + 2 gamma))",
    .build = build,
};
