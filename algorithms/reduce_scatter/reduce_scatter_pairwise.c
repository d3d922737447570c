/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k each rank sends the rank k further on the part that is for it, and gets one of its own part from
 * the rank k before, which it combines while the next step's messages are on their way.
 *
 * Source: Thakur, Rabenseifner, Gropp 2005 (pairwise exchange).
 * Cost:   (P - 1) (alpha + m beta) + (P - 1) m gamma, of which all but the last m gamma may be hidden.
 * Memory: two parts; in place three. */
#include "algorithms/parts.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_parts parts = ct_parts_of(plan, call->send_counts, call->size, call->count);
    unsigned input = call->in_place ? CT_RECV : CT_SEND, pieces[2] = {0}, sum = CT_RECV;
    if (call->size == 1 && !call->in_place)
        ct_copy(plan, CT_RECV, 0, CT_SEND, 0, call->count);
    if (call->size > 1 && call->in_place) /* CT_RECV is still to be sent from */
        sum = ct_temporary(plan, call->count);

    unsigned came = input; /* what is combined next */
    size_t offset = ct_part_begin(&parts, call->rank);
    for (int k = 1; k < call->size; k++) {
        int to = ct_actual(call->rank, k, call->size), from = ct_virtual(call->rank, k, call->size);
        if (k == 2 || k == 3)
            pieces[k % 2] = ct_temporary(plan, call->count);
        unsigned arriving = k == 1 ? sum : pieces[k % 2];
        ct_receive(plan, from, arriving, 0, call->count);
        ct_send_parts(plan, to, input, 0, &parts, to, to + 1);
        if (k > 1)
            ct_reduce(plan, sum, 0, came, offset, call->count);
        ct_round_end(plan);
        if (k > 1) {
            came = arriving;
            offset = 0;
        }
    }
    if (call->size > 1)
        ct_reduce(plan, sum, 0, came, offset, call->count);
    if (sum != CT_RECV)
        ct_copy(plan, CT_RECV, 0, sum, 0, call->count);
}

const struct ct_algorithm reduce_scatter_pairwise = {
    .name = "pairwise",
    .collective = CT_REDUCE_SCATTER,
    .text = "in step k each rank sends the one k further on its part",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .cost = "(P - 1) (alpha + m beta) + (P - 1) m gamma",
    .sends = {"P - 1", "(P - 1) * m", "P * (P - 1)", "P * (P - 1) * m"},
    .constraints = CT_COMMUTATIVE,
    .build = build,
};

const struct ct_algorithm reduce_scatter_block_pairwise = {
    .name = "pairwise",
    .collective = CT_REDUCE_SCATTER_BLOCK,
    .text = "in step k each rank sends the one k further on its part",
    .source = "Thakur, Rabenseifner, Gropp 2005",
    .cost = "(P - 1) (alpha + m beta) + (P - 1) m gamma",
    .sends = {"P - 1", "(P - 1) * m", "P * (P - 1)", "P * (P - 1) * m"},
    .constraints = CT_COMMUTATIVE,
    .build = build,
};
