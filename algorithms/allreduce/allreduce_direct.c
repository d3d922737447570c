/* SPDX-License-Identifier: BSD-3-Clause */
/* The data is divided into P parts. Each rank receives its part from all others at once, combines it in rank
 * order and sends the result to all at once: as much data as in the ring, but only two latencies where the
 * network carries all messages at the same time.
 * Memory: (P - 2) / P m, in place (P - 1) / P m. */
#include "algorithms/descriptor.h"
#include "plan/parts.h"

struct direct {
    const struct ct_call *call;
    struct ct_parts parts;
    unsigned input;
    unsigned others; /* temporary: the others' data for this rank's part, by rank, without this rank's */
    size_t begin;    /* this rank's part */
    size_t length;
    bool ends_in_result; /* the last rank's data, which the others' are combined into, lies in CT_BUFFER_RECV
                          */
};

static size_t place_of(const struct direct *direct, int rank)
{
    return (size_t)(rank < direct->call->rank ? rank : rank - 1) * direct->length;
}

static void receive_from(struct ct_plan *plan, const struct direct *direct, int peer)
{
    if (peer == direct->call->size - 1 && direct->ends_in_result)
        ct_receive(plan, peer, CT_BUFFER_RECV, direct->begin, direct->length);
    else
        ct_receive(plan, peer, direct->others, place_of(direct, peer), direct->length);
}

static void exchange(struct ct_plan *plan, const struct direct *direct)
{
    const struct ct_call *call = direct->call;
    for (int k = 1; k < call->size; k++) {
        int to = ct_actual(call->rank, k, call->size);
        receive_from(plan, direct, ct_virtual(call->rank, k, call->size));
        ct_send_parts(plan, to, direct->input, &direct->parts, to, to + 1);
    }
    if (call->rank == call->size - 1 && !call->in_place)
        ct_copy(plan, CT_BUFFER_RECV, direct->begin, CT_BUFFER_SEND, direct->begin, direct->length);
    ct_round_end(plan);
}

/* From the highest rank down, which keeps the order. */
static void combine(struct ct_plan *plan, const struct direct *direct)
{
    const struct ct_call *call = direct->call;
    int last = call->size - 1;
    unsigned sum = direct->ends_in_result ? CT_BUFFER_RECV : direct->others;
    size_t at = direct->ends_in_result ? direct->begin : place_of(direct, last);
    for (int rank = last - 1; rank >= 0; rank--) {
        if (rank == call->rank)
            ct_reduce(plan, sum, at, direct->input, direct->begin, direct->length);
        else
            ct_reduce(plan, sum, at, direct->others, place_of(direct, rank), direct->length);
    }
    if (!direct->ends_in_result)
        ct_copy(plan, CT_BUFFER_RECV, direct->begin, sum, at, direct->length);
    ct_round_end(plan);
}

static void spread(struct ct_plan *plan, const struct direct *direct)
{
    const struct ct_call *call = direct->call;
    for (int k = 1; k < call->size; k++) {
        int from = ct_virtual(call->rank, k, call->size);
        ct_receive_parts(plan, from, CT_BUFFER_RECV, &direct->parts, from, from + 1);
        ct_send(plan, ct_actual(call->rank, k, call->size), CT_BUFFER_RECV, direct->begin, direct->length);
    }
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    bool is_last = call->rank == call->size - 1;
    struct direct direct = {.call = call,
                            .parts = ct_parts_dealt(call->count, call->size),
                            .input = ct_input(call),
                            .ends_in_result = is_last || !call->in_place};
    direct.begin = ct_part_begin(&direct.parts, call->rank);
    direct.length = ct_parts_length(&direct.parts, call->rank, call->rank + 1);
    size_t kept = (size_t)call->size - (is_last || !direct.ends_in_result ? 1 : 2);
    if (kept > 0 && direct.length > 0)
        direct.others = ct_temporary(plan, kept * direct.length);
    exchange(plan, &direct);
    combine(plan, &direct);
    spread(plan, &direct);
}

const struct ct_descriptor ct_allreduce_direct = {
    .text = "each rank receives its part from all at once, combines it and sends it to all",
    .source = "Rabenseifner 2004 (scatter-reduce and allgather of large vectors, both direct)",
    .cost = "2 (alpha + (P - 1) / P m beta) + (P - 1) / P m gamma",
    .build = build,
};
