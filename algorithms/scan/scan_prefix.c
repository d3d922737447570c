/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/scan/scan_prefix.h"

struct ct_prefix ct_prefix_begin(struct ct_plan *plan, const struct ct_call *call, bool exclusive)
{
    bool is_first = call->rank == 0, is_last = call->rank == call->size - 1;
    struct ct_prefix prefix = {.call = call, .exclusive = exclusive, .sum = ct_input(call)};

    /* where order does not count, what comes first is combined where it came in */
    if (!exclusive && !call->in_place && (is_first || !call->commutative))
        ct_copy(plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, call->count);
    /* the result comes to lie where the input, which others need, is */
    if (exclusive && call->in_place && !is_first && !is_last) {
        prefix.sum = prefix.total = ct_temporary(plan, call->count);
        ct_copy(plan, prefix.total, 0, CT_BUFFER_RECV, 0, call->count);
        ct_round_end(plan);
    }
    return prefix;
}

/* The first data into exscan's result. */
static void receive_result(struct ct_plan *plan, struct ct_prefix *prefix, int peer, bool is_sent)
{
    size_t n = prefix->call->count;
    ct_receive(plan, peer, CT_BUFFER_RECV, 0, n);
    if (is_sent && !prefix->total) {
        prefix->total = ct_temporary(plan, n);
        ct_copy(plan, prefix->total, 0, CT_BUFFER_SEND, 0, n);
    }
    ct_round_end(plan);
    if (is_sent)
        ct_reduce(plan, prefix->total, 0, CT_BUFFER_RECV, 0, n);
    prefix->sum = prefix->total;
}

/* The first data of a scan, to which the input is then added in the wrong order. */
static void receive_and_add_input(struct ct_plan *plan, struct ct_prefix *prefix, int peer)
{
    size_t n = prefix->call->count;
    ct_receive(plan, peer, CT_BUFFER_RECV, 0, n);
    ct_round_end(plan);
    ct_reduce(plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, n);
    prefix->sum = CT_BUFFER_RECV;
}

static void receive_more(struct ct_plan *plan, struct ct_prefix *prefix, int peer, bool is_sent)
{
    size_t n = prefix->call->count;
    if (!prefix->spare)
        prefix->spare = ct_temporary(plan, n);
    ct_receive(plan, peer, prefix->spare, 0, n);
    ct_round_end(plan);
    ct_reduce(plan, CT_BUFFER_RECV, 0, prefix->spare, 0, n);
    if (prefix->exclusive && is_sent)
        ct_reduce(plan, prefix->total, 0, prefix->spare, 0, n);
    prefix->sum = prefix->exclusive ? prefix->total : CT_BUFFER_RECV;
}

void ct_prefix_receive(struct ct_plan *plan, struct ct_prefix *prefix, int peer, bool is_sent)
{
    const struct ct_call *call = prefix->call;
    if (!prefix->begun && prefix->exclusive)
        receive_result(plan, prefix, peer, is_sent);
    else if (!prefix->begun && call->commutative && !call->in_place)
        receive_and_add_input(plan, prefix, peer);
    else
        receive_more(plan, prefix, peer, is_sent);
    prefix->begun = true;
    ct_round_end(plan);
}
