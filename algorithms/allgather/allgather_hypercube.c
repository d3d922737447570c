/* SPDX-License-Identifier: BSD-3-Clause */
/* As allgather/recursive_doubling, but not in the last steps: with `direct` of them left, ranks form groups
 * of 2^direct, in which all have different blocks. Each sends what it has to all others of its group at once.
 * These messages are of the same data, so that it is copied to the network's memory once, if there is such.
 * Memory: none; P m where lengths differ. */
#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/descriptor.h"

static const struct ct_parameter direct_parameter = {
    "direct",     "last steps in which ranks send to all that are left", "3", .least = 2, .most = 30,
    .standard = 3};

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_allgather_parts group = ct_allgather_packed(plan, call);
    ct_allgather_parts_double(plan, &group, (int)ct_value(call, &direct_parameter));
    ct_round_end(plan);
    if (group.buffer != CT_BUFFER_RECV)
        ct_allgather_unpack(plan, call, &group, 0);
}

const struct ct_descriptor ct_allgather_hypercube = {
    .text = "recursive doubling, but ranks send directly to all that are left in the last steps",
    .source = "Kumar 2005, section 3.1.5",
    .cost = "(log2 P - z + 2^z - 1) alpha + (P - 1) m beta with z direct steps; 2 alpha and P m beta more "
            "where P is not a power of two",
    .parameters = {&direct_parameter},
    .build = build,
};
