/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank gathers all vectors and combines them alone, in rank order. They are gathered as in Bruck's
 * allgather: in step k each rank receives from the rank 2^k further on what that has so far, its own vector
 * and those that follow. This takes ceil(log2 P) messages one after the other and no reduction between them:
 * for tiny vectors.
 * Memory: P m. */
#include "algorithms/descriptor.h"
#include "plan/shapes.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    int size = call->size, last = size - 1;
    size_t n = call->count;
    unsigned input = ct_input(call);
    if (size == 1) {
        if (!call->in_place)
            ct_copy(plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, n);
        return;
    }
    unsigned all =
        ct_temporary(plan, (size_t)size * n); /* our own vector, then those of the following ranks */
    ct_copy(plan, all, 0, input, 0, n);
    ct_round_end(plan);
    for (int have = 1, coming; have < size; have += coming) {
        coming = have < size - have ? have : size - have;
        ct_receive(plan, ct_actual(call->rank, have, size), all, (size_t)have * n, (size_t)coming * n);
        ct_send(plan, ct_virtual(call->rank, have, size), all, 0, (size_t)coming * n);
        ct_round_end(plan);
    }
    if (!call->in_place || call->rank != last)
        ct_copy(plan, CT_BUFFER_RECV, 0, all, (size_t)ct_virtual(last, call->rank, size) * n, n);
    for (int rank = last - 1; rank >= 0; rank--)
        ct_reduce(plan, CT_BUFFER_RECV, 0, all, (size_t)ct_virtual(rank, call->rank, size) * n, n);
}

const struct ct_descriptor ct_allreduce_allgather_reduce = {
    .text = "every rank gathers all vectors and combines them alone",
    .source = "Open MPI, allreduce allgather_reduce; Bruck et al. 1997",
    .cost = "ceil(log2 P) alpha + (P - 1) m (beta + gamma)",
    .build = build,
};
