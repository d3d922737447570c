/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k ranks 2^k apart swap all they have combined and combine it. Where P is not a power of two, the
 * first ranks pair up before and after: the even one of a pair hands its data to the odd one and gets the
 * result. Ranks combined together are always neighbours, so order holds.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.10; floor(log2 P) + 2 steps where P is no power of
 * two. Cost:   floor(log2 P) (+ 2) (alpha + m (beta + gamma)).
 * Memory: m; 2 m where the operation does not
 * commute. */
#include "algorithms/registry.h"
#include "algorithms/shapes.h"

struct sum {
    const struct ct_call *call;
    unsigned held;  /* what has been combined so far; the input at first */
    unsigned spare; /* where the partner's comes in; 0 where there is none yet */
};

static unsigned spare(struct ct_plan *plan, const struct sum *sum)
{
    return sum->spare ? sum->spare : ct_temporary(plan, sum->call->count);
}

/* held = held op spare, or spare op held where the partner's ranks come first. The input is never written. */
static void combine(struct ct_plan *plan, struct sum *sum, bool partner_first)
{
    size_t n = sum->call->count;
    bool partner_may_lead = partner_first || sum->call->commutative;
    if (sum->held == CT_SEND && partner_first && !sum->call->commutative) {
        sum->held = ct_temporary(plan, n);
        ct_copy(plan, sum->held, 0, CT_SEND, 0, n);
    }
    if (sum->held != CT_SEND && partner_may_lead) {
        ct_reduce(plan, sum->held, 0, sum->spare, 0, n);
    } else {
        ct_reduce(plan, sum->spare, 0, sum->held, 0, n);
        unsigned before = sum->held;
        sum->held = sum->spare;
        sum->spare = before == CT_SEND ? 0 : before;
    }
    ct_round_end(plan);
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    int power = ct_power_of_two_below(call->size), folded = call->size - power;
    bool in_pair = call->rank < 2 * folded;
    size_t n = call->count;
    struct sum sum = {
        .call = call, .held = call->in_place ? CT_RECV : CT_SEND, .spare = call->in_place ? 0 : CT_RECV};

    if (in_pair && call->rank % 2 == 0) {
        ct_send(plan, call->rank + 1, sum.held, 0, n);
        ct_round_end(plan);
        ct_receive(plan, call->rank + 1, CT_RECV, 0, n);
        return;
    }
    if (in_pair) {
        sum.spare = spare(plan, &sum);
        ct_receive(plan, call->rank - 1, sum.spare, 0, n);
        ct_round_end(plan);
        combine(plan, &sum, true);
    }
    int rank = in_pair ? call->rank / 2 : call->rank - folded;
    for (int distance = 1; distance < power; distance *= 2) {
        int partner = rank ^ distance;
        int peer = partner < folded ? 2 * partner + 1 : partner + folded;
        sum.spare = spare(plan, &sum);
        ct_receive(plan, peer, sum.spare, 0, n);
        ct_send(plan, peer, sum.held, 0, n);
        ct_round_end(plan);
        combine(plan, &sum, partner < rank);
    }
    if (sum.held != CT_RECV) {
        ct_copy(plan, CT_RECV, 0, sum.held, 0, n);
        ct_round_end(plan);
    }
    if (in_pair)
        ct_send(plan, call->rank - 1, CT_RECV, 0, n);
}

const struct ct_algorithm allreduce_recursive_doubling = {
    .name = "recursive_doubling",
    .collective = CT_ALLREDUCE,
    .text = "in step k ranks 2^k apart swap and combine all they have",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "floor(log2 P) (+ 2) (alpha + m (beta + gamma))",
    .sends = {"lg(P) + odd(P)", "(lg(P) + odd(P)) * m", "P * (lg(P) + odd(P))", "P * (lg(P) + odd(P)) * m"},
    .build = build,
};
