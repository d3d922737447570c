/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/reduce_scatter/reduce_scatter_halving.h"

struct ct_halving_group ct_halving_group_of(int rank, int size)
{
    int members = ct_power_of_two_below(size), pairs = size - members;
    return (struct ct_halving_group){
        .size = members, .rank = rank < 2 * pairs ? rank / 2 : rank - pairs, .pairs = pairs};
}

struct ct_halving_sum ct_halving_sum_of(const struct ct_call *call, const struct ct_parts *parts, int pieces,
                                        bool gets_result)
{
    struct ct_halving_sum sum = {.parts = parts,
                                 .last = pieces,
                                 .ordered = !call->commutative,
                                 .is_input = !call->in_place,
                                 .held.buffer = ct_input(call)};
    if (gets_result)
        sum.home.buffer = CT_BUFFER_RECV;
    if (gets_result && !call->in_place)
        sum.spare.buffer = CT_BUFFER_RECV;
    return sum;
}

struct ct_halving_sum ct_halving_sum_of_parts(const struct ct_call *call, const struct ct_parts *parts,
                                              const struct ct_halving_group *group)
{
    return (struct ct_halving_sum){.parts = parts,
                                   .pairs = group->pairs,
                                   .last = group->size,
                                   .ordered = !call->commutative,
                                   .is_input = true,
                                   .held.buffer = ct_input(call)};
}

static size_t offset_in(struct ct_halving_place place, const struct ct_halving_sum *sum, int piece)
{
    return ct_halving_piece(sum, piece) - place.begin;
}

void ct_halving_send(struct ct_plan *plan, int peer, const struct ct_halving_sum *sum,
                     struct ct_halving_place place, int first, int last)
{
    ct_send(plan, peer, place.buffer, offset_in(place, sum, first), ct_halving_length(sum, first, last));
}

void ct_halving_receive(struct ct_plan *plan, int peer, const struct ct_halving_sum *sum,
                        struct ct_halving_place place, int first, int last)
{
    ct_receive(plan, peer, place.buffer, offset_in(place, sum, first), ct_halving_length(sum, first, last));
}

static void copy_held(struct ct_plan *plan, const struct ct_halving_sum *sum, struct ct_halving_place to)
{
    ct_copy(plan, to.buffer, offset_in(to, sum, sum->first), sum->held.buffer,
            offset_in(sum->held, sum, sum->first), ct_halving_length(sum, sum->first, sum->last));
}

/* There is a spare place. */
static void make_room(struct ct_plan *plan, struct ct_halving_sum *sum)
{
    if (!sum->spare.buffer)
        sum->spare =
            (struct ct_halving_place){ct_temporary(plan, ct_halving_length(sum, sum->first, sum->last)),
                                      ct_halving_piece(sum, sum->first)};
}

/* The first half of taking: receives into the spare place. */
static void let_in(struct ct_plan *plan, struct ct_halving_sum *sum, int peer, bool peer_first)
{
    make_room(plan, sum);
    if (sum->is_input && sum->ordered && peer_first) { /* the input must become the second operand */
        copy_held(plan, sum, sum->spare);
        sum->held = sum->spare;
        sum->spare.buffer = 0;
        sum->is_input = false;
        make_room(plan, sum);
    }
    ct_halving_receive(plan, peer, sum, sum->spare, sum->first, sum->last);
}

/* The second half: one of the two places is the second operand and gets the sum, the other is spare. */
static void combine(struct ct_plan *plan, struct ct_halving_sum *sum, bool peer_first)
{
    struct ct_halving_place held = sum->held, came = sum->spare;
    bool into_held = sum->ordered ? peer_first : !sum->is_input && came.buffer != sum->home.buffer;
    struct ct_halving_place to = into_held ? held : came, from = into_held ? came : held;
    ct_reduce(plan, to.buffer, offset_in(to, sum, sum->first), from.buffer, offset_in(from, sum, sum->first),
              ct_halving_length(sum, sum->first, sum->last));
    ct_round_end(plan);
    sum->held = to;
    sum->spare = sum->is_input ? (struct ct_halving_place){0} : from;
    sum->is_input = false;
    if (!sum->home.buffer)
        sum->home = to;
}

void ct_halving_take(struct ct_plan *plan, struct ct_halving_sum *sum, int peer)
{
    let_in(plan, sum, peer, false);
    ct_round_end(plan);
    combine(plan, sum, false);
}

/* The lower rank of a pair stays: its own sum may then be the first operand, and the input is not copied. */
bool ct_halving_fold(struct ct_plan *plan, const struct ct_call *call, const struct ct_halving_group *group,
                     struct ct_halving_sum *sum)
{
    if (!ct_halving_is_member(group, call->rank)) {
        ct_halving_send(plan, call->rank - 1, sum, sum->held, sum->first, sum->last);
        ct_round_end(plan);
        return false;
    }
    if (group->rank < group->pairs)
        ct_halving_take(plan, sum, call->rank + 1);
    return true;
}

static void swap_halves(struct ct_plan *plan, const struct ct_halving_group *group, int partner,
                        struct ct_halving_sum *sum)
{
    int first = sum->first, last = sum->last, middle = first + (last - first) / 2;
    int peer = ct_halving_peer(group, partner);
    bool upper = partner < group->rank;
    struct ct_halving_place held = sum->held;
    sum->first = upper ? middle : first;
    sum->last = upper ? last : middle;
    if (sum->last - sum->first == 1 && sum->home.buffer && sum->home.buffer != held.buffer)
        sum->spare = sum->home; /* let the last sum come out there */
    let_in(plan, sum, peer, upper);
    ct_halving_send(plan, peer, sum, held, upper ? first : middle, upper ? middle : last);
    ct_round_end(plan);
    combine(plan, sum, upper);
}

void ct_halving_halve(struct ct_plan *plan, const struct ct_halving_group *group,
                      enum ct_halving_meeting meeting, struct ct_halving_sum *sum)
{
    for (int near = 1, far = group->size / 2; far > 0; near *= 2, far /= 2)
        swap_halves(plan, group, group->rank ^ (meeting == CT_HALVING_NEAR_FIRST ? near : far), sum);
}

int ct_halving_mirror(int member, int size)
{
    int mirrored = 0;
    for (; size > 1; size /= 2, member /= 2)
        mirrored = mirrored * 2 + member % 2;
    return mirrored;
}

void ct_halving_settle(struct ct_plan *plan, struct ct_halving_sum *sum)
{
    if (sum->held.buffer == sum->home.buffer)
        return;
    copy_held(plan, sum, sum->home);
    ct_round_end(plan);
    sum->held = sum->home;
}

int ct_halving_widen(struct ct_halving_sum *sum, bool before)
{
    int width = sum->last - sum->first, added = before ? sum->first - width : sum->last;
    sum->first = before ? added : sum->first;
    sum->last = sum->first + 2 * width;
    return added;
}

void ct_halving_double(struct ct_plan *plan, const struct ct_halving_group *group, struct ct_halving_sum *sum)
{
    for (int distance = group->size / 2; distance > 0; distance /= 2) {
        int partner = group->rank ^ distance, peer = ct_halving_peer(group, partner);
        int first = sum->first, last = sum->last, added = ct_halving_widen(sum, partner < group->rank);
        ct_halving_receive(plan, peer, sum, sum->held, added, added + last - first);
        ct_halving_send(plan, peer, sum, sum->held, first, last);
        ct_round_end(plan);
    }
}

void ct_halving_hand_out(struct ct_plan *plan, const struct ct_call *call,
                         const struct ct_halving_group *group, const struct ct_parts *parts,
                         const struct ct_halving_sum *sum, int counterpart)
{
    int peer = ct_halving_peer(group, counterpart);
    if (peer != call->rank)
        ct_receive(plan, peer, CT_BUFFER_RECV, 0, call->count);
    if (!ct_halving_is_member(group, call->rank))
        return;
    size_t offset = offset_in(sum->held, sum, sum->first);
    for (int part = peer; part <= peer + (counterpart < group->pairs); part++) {
        size_t n = ct_parts_length(parts, part, part + 1);
        if (part != call->rank)
            ct_send(plan, part, sum->held.buffer, offset, n);
        else if (sum->held.buffer != CT_BUFFER_RECV)
            ct_copy(plan, CT_BUFFER_RECV, 0, sum->held.buffer, offset, n);
        offset += n;
    }
}

void ct_halving_reduce_scatter(struct ct_plan *plan, const struct ct_call *call,
                               enum ct_halving_meeting meeting)
{
    const struct ct_halving_group group = ct_halving_group_of(call->rank, call->size);
    const struct ct_parts parts = ct_parts_of(plan, call->send_counts, call->size, call->count);
    bool mirrors = meeting == CT_HALVING_NEAR_FIRST;
    int piece = mirrors ? ct_halving_mirror(group.rank, group.size) : group.rank;
    struct ct_halving_sum sum = ct_halving_sum_of_parts(call, &parts, &group);
    if (piece == group.rank && piece >= group.pairs)
        sum.home = (struct ct_halving_place){CT_BUFFER_RECV, ct_part_begin(&parts, call->rank)};
    if (ct_halving_fold(plan, call, &group, &sum))
        ct_halving_halve(plan, &group, meeting, &sum);
    ct_halving_hand_out(plan, call, &group, &parts, &sum, piece);
}
