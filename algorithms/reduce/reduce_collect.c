/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/reduce/reduce_collect.h"

/* The number of the member that a rank is; -1 where it is none. */
static int member_of(const struct ct_halving_group *group, int rank)
{
    int place = rank - group->begin, member = place < 2 * group->pairs ? place / 2 : place - group->pairs;
    return member < group->size && ct_halving_peer(group, member) == rank ? member : -1;
}

void ct_reduce_collect(struct ct_plan *plan, const struct ct_call *call, const struct ct_halving_group *group,
                       bool is_member, struct ct_halving_sum *sum)
{
    int top = member_of(group, call->root), member = group->rank;
    bool stands_in = top < 0;
    if (stands_in)
        top = 0;
    if (call->rank == call->root && stands_in) {
        sum->held = sum->home;
        sum->first = 0;
        sum->last = 1;
        member = top;
        ct_halving_receive(plan, ct_halving_peer(group, top), sum, sum->held, 0, 1);
        ct_round_end(plan);
    } else if (!is_member) {
        return;
    } else if (member == top && stands_in) {
        ct_halving_send(plan, call->root, sum, sum->held, 0, 1);
        return;
    }
    for (int distance = group->size / 2; distance > 0; distance /= 2) {
        int partner = member ^ distance;
        if ((member ^ top) & distance) {
            int peer = partner == top ? call->root : ct_halving_peer(group, partner);
            ct_halving_send(plan, peer, sum, sum->held, sum->first, sum->last);
            return;
        }
        int width = sum->last - sum->first, added = ct_halving_widen(sum, partner < member);
        ct_halving_receive(plan, ct_halving_peer(group, partner), sum, sum->held, added, added + width);
        ct_round_end(plan);
    }
}
