/* SPDX-License-Identifier: BSD-3-Clause */
/* A token travels twice around the ring, from rank 0 back to rank 0. After the first tour all ranks are known
 * to have entered; the second tour tells them so. */
#include "algorithms/descriptor.h"
#include "plan/shapes.h"

static void receive(struct ct_plan *plan, const struct ct_call *call)
{
    ct_receive_token(plan, ct_virtual(call->rank, 1, call->size));
    ct_round_end(plan);
}

static void send(struct ct_plan *plan, const struct ct_call *call)
{
    ct_send_token(plan, ct_actual(call->rank, 1, call->size));
    ct_round_end(plan);
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->size == 1)
        return;
    for (int tour = 0; tour < 2; tour++) {
        if (call->rank > 0)
            receive(plan, call);
        send(plan, call);
        if (call->rank == 0)
            receive(plan, call);
    }
}

const struct ct_descriptor ct_barrier_double_ring = {
    .text = "a token travels twice around the ring",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.2",
    .cost = "2 P alpha",
    .build = build,
};
