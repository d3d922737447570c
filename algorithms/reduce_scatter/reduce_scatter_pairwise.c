/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k each rank sends the rank k further on the part that is for it, and receives data for its own part
 * from the rank k before it, which it combines while the messages of the next step are on their way: all but
 * the last m gamma may be hidden.
 * Memory: two parts; in place three. */
#include "algorithms/descriptor.h"
#include "plan/parts.h"

struct pairwise {
    const struct ct_call *call;
    const struct ct_parts *parts;
    unsigned input;
    unsigned sum;       /* what came in the first step, to begin with */
    unsigned pieces[2]; /* what comes in the others, in turn */
};

/* Adds what came in step k, or the rank's own data to that of the first. */
static void combine(struct ct_plan *plan, const struct pairwise *pair, int k)
{
    const struct ct_call *call = pair->call;
    if (k == 1)
        ct_reduce(plan, pair->sum, 0, pair->input, ct_part_begin(pair->parts, call->rank), call->count);
    else if (k > 1)
        ct_reduce(plan, pair->sum, 0, pair->pieces[k % 2], 0, call->count);
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->size == 1) {
        if (!call->in_place)
            ct_copy(plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, call->count);
        return;
    }
    const struct ct_parts parts = ct_parts_of(plan, call->send_counts, call->size, call->count);
    struct pairwise pair = {.call = call,
                            .parts = &parts,
                            .input = ct_input(call),
                            .sum = call->in_place ? ct_temporary(plan, call->count) : CT_BUFFER_RECV};
    for (int k = 1; k < call->size; k++) {
        int to = ct_actual(call->rank, k, call->size), from = ct_virtual(call->rank, k, call->size);
        if (k == 2 || k == 3)
            pair.pieces[k % 2] = ct_temporary(plan, call->count);
        ct_receive(plan, from, k == 1 ? pair.sum : pair.pieces[k % 2], 0, call->count);
        ct_send_parts(plan, to, pair.input, &parts, to, to + 1);
        combine(plan, &pair, k - 1);
        ct_round_end(plan);
    }
    combine(plan, &pair, call->size - 1);
    if (pair.sum != CT_BUFFER_RECV) /* only now is all of it sent */
        ct_copy(plan, CT_BUFFER_RECV, 0, pair.sum, 0, call->count);
}

const struct ct_descriptor ct_reduce_scatter_pairwise = {
    .text = "in step k each rank sends the rank k further on its part",
    .source = "Thakur, Rabenseifner, Gropp 2005 (pairwise exchange)",
    .cost = "(P - 1) (alpha + m beta) + (P - 1) m gamma",
    .constraints = CT_CONSTRAINT_COMMUTATIVE,
    .build = build,
};
