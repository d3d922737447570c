/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/registry.h"

#include <stdlib.h>

/* Broadcasts from the root to every rank, but each goes wrong at one message size. */

enum { CRASH_AT = 8, HANG_AT = 1024, WRONG_AT = 64 };

static void linear(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->rank != call->root)
        ct_receive(plan, call->root, CT_BUFFER_RECV, 0, call->count);
    for (int peer = 0; call->rank == call->root && peer < call->size; peer++)
        if (peer != call->root)
            ct_send(plan, peer, CT_BUFFER_RECV, 0, call->count);
}

static void build_crash(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->count == CRASH_AT && call->rank == call->size - 1)
        abort();
    linear(plan, call);
}

/* Two ranks wait for each other: that one alone waits for the other is found out, once that has left the
 * call.
 */
static void build_hang(struct ct_plan *plan, const struct ct_call *call)
{
    const int last = call->root == call->size - 1 ? 0 : call->size - 1;
    linear(plan, call);
    if (call->count != HANG_AT || (call->rank != last && call->rank != call->root))
        return;
    ct_round_end(plan);
    ct_receive_token(plan, call->rank == last ? call->root : last);
}

static void build_wrong(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->count != WRONG_AT)
        linear(plan, call);
}

const struct ct_descriptor ct_bcast_test_crash = {.text = "crashes", .build = build_crash};
const struct ct_descriptor ct_bcast_test_hang = {.text = "hangs", .build = build_hang};
const struct ct_descriptor ct_bcast_test_wrong = {.text = "is wrong", .build = build_wrong};
