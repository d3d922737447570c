/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/alltoall/alltoall_forward.h"
#include "algorithms/alltoall/alltoall_blocks.h"

/* Blocks that came together, by destination, and there by source. */
struct piece {
    const int *sources; /* in their order */
    int count;          /* of sources */
    int from;           /* the rank that sends it; this rank where it is its own */
    int stage;          /* it holds what this rank has before this stage: see destinations_of() */
    int missing;        /* a destination that is left out; -1 for none */
    unsigned buffer;
    size_t offset; /* in blocks */
};

struct forward {
    struct ct_plan *plan;
    const struct ct_call *call;
    const struct ct_rank_grid *grid;
    int partner; /* -1: none */

    struct piece *pieces; /* as they come: this rank's own, its partner's, then stage by stage */
    int begin[CT_RANK_GRID_DIMENSIONS_MAX + 2]; /* by stage: its first piece; those that it has at first have
                                                   stage 0, and what comes in stage d has stage d + 1 */
    const struct piece **order;                 /* those that are there, in the order of sources */
    int first, end;                             /* of `order` */

    unsigned leaving;
    unsigned arriving;
};

/* After so many stages the digits of a block's destination are those of its holder, modulo this. */
static int period(const struct forward *x, int stage)
{
    int last = x->grid->dimensions - 1;
    return stage <= last ? x->grid->stride[stage] : x->grid->stride[last] * x->grid->length[last];
}

/* How many destinations `rank` has blocks for before this stage. */
static int destinations_of(const struct forward *x, int rank, int stage)
{
    int every = period(x, stage);
    return (x->call->size - rank % every - 1) / every + 1;
}

/* Where, in blocks, those of a piece for a destination begin. */
static size_t place_in(const struct forward *x, const struct piece *piece, int destination)
{
    int index = destination / period(x, piece->stage);
    if (piece->missing >= 0 && destination > piece->missing)
        index--;
    return piece->offset + (size_t)index * (size_t)piece->count;
}

/* The rank that gets the message for those with this digit; -1 where there is none. */
static int receiver_of(const struct forward *x, int stage, int digit)
{
    int point = ct_rank_grid_peer(x->grid, x->call->rank, stage, digit);
    if (point >= x->grid->size && stage == x->grid->dimensions - 1)
        return -1;
    return ct_rank_grid_hop(x->grid, x->call->rank, point, stage);
}

/* Receives in the result itself what ends its journey here and lies as it does there. */
static bool is_delivered(const struct forward *x, const struct piece *piece)
{
    if (piece->stage < x->grid->dimensions || x->partner >= 0)
        return false;
    for (int i = 1; i < piece->count; i++)
        if (piece->sources[i] != piece->sources[0] + i)
            return false;
    return true;
}

/* A message that lies in one piece is sent from there. */
static bool is_packed(const struct forward *x, int receiver, int stage)
{
    return x->end - x->first > 1 || destinations_of(x, receiver, stage + 1) > 1;
}

/* What has come in this stage is there: those from lower ranks go before what was there, the others after
 * it. */
static void put_in_order(struct forward *x, int stage)
{
    int i = x->begin[stage], end = x->begin[stage + 1], lower = i;
    while (lower < end && x->pieces[lower].from < x->call->rank)
        lower++;
    for (int j = lower; j > i; j--)
        x->order[--x->first] = &x->pieces[j - 1];
    for (int j = lower; j < end; j++)
        x->order[x->end++] = &x->pieces[j];
}

/* Finds all pieces, and how much is packed and received at most. False where there is no memory. */
static bool prepare(struct forward *x)
{
    const struct ct_rank_grid *grid = x->grid;
    int rank = x->call->rank, size = x->call->size, most = 2;
    for (int d = 0; d < grid->dimensions; d++)
        most += 2 * (grid->length[d] - 1);
    int *senders = ct_scratch(x->plan, (size_t)most, sizeof *senders);
    int *sources = ct_scratch(x->plan, (size_t)size, sizeof *sources);
    x->pieces = ct_scratch(x->plan, (size_t)most, sizeof *x->pieces);
    x->order = ct_scratch(x->plan, 2 * (size_t)most, sizeof *x->order);
    if (!senders || !sources || !x->pieces || !x->order)
        return false;

    int count = 0;
    for (int source = rank; source < size; source += grid->size, sources++, count++) {
        *sources = source;
        x->pieces[count] = (struct piece){
            .sources = sources, .count = 1, .from = source, .missing = -1, .buffer = CT_BUFFER_SEND};
    }
    x->begin[1] = count;
    size_t room = 0;
    for (int d = 0; d < grid->dimensions; d++) {
        int n = ct_rank_grid_senders(grid, rank, d, senders);
        for (int i = 0; i < n; i++) {
            struct piece piece = {
                .sources = sources, .from = senders[i], .stage = d + 1, .missing = -1, .offset = room};
            piece.count = ct_rank_grid_sources(grid, size, piece.from, d, sources);
            sources += piece.count;
            if (!is_delivered(x, &piece))
                room += (size_t)piece.count * (size_t)destinations_of(x, rank, d + 1);
            x->pieces[count++] = piece;
        }
        x->begin[d + 2] = count;
    }
    x->arriving = ct_temporary(x->plan, room * x->call->count);
    x->first = x->end = most;
    return true;
}

/* How much a stage packs. */
static size_t packed_by(const struct forward *x, int stage)
{
    size_t sources = 0, packed = 0;
    for (int i = x->first; i < x->end; i++)
        sources += (size_t)x->order[i]->count;
    for (int digit = 0; digit < x->grid->length[stage]; digit++) {
        int receiver = receiver_of(x, stage, digit);
        if (receiver >= 0 && receiver != x->call->rank && is_packed(x, receiver, stage))
            packed += sources * (size_t)destinations_of(x, receiver, stage + 1);
    }
    return packed;
}

/* One temporary buffer serves all stages. Leaves `order` as it is before the first one. */
static void make_room(struct forward *x)
{
    int middle = x->first;
    size_t most = x->partner >= 0 ? (size_t)x->call->size - 1 : 0;
    for (int stage = 0; stage < x->grid->dimensions; stage++) {
        put_in_order(x, stage);
        size_t packed = packed_by(x, stage);
        if (packed > most)
            most = packed;
    }
    x->leaving = ct_temporary(x->plan, most * x->call->count);
    x->first = x->end = middle;
}

/* Copies what there is for `receiver` to `at` in the buffer of what leaves; returns its end. */
static size_t pack(const struct forward *x, int receiver, int stage, size_t at)
{
    size_t m = x->call->count;
    int every = period(x, stage + 1);
    for (int destination = receiver % every; destination < x->call->size; destination += every)
        for (int i = x->first; i < x->end; i++) {
            const struct piece *piece = x->order[i];
            size_t n = (size_t)piece->count;
            ct_copy(x->plan, x->leaving, at * m, piece->buffer, place_in(x, piece, destination) * m, n * m);
            at += n;
        }
    return at;
}

/* Copies the blocks of a piece for `destination`, by source, as a vector of all blocks but that of the rank
 * `without` (-1: of all). */
static void place(const struct forward *x, const struct piece *piece, int destination, unsigned to,
                  int without)
{
    size_t m = x->call->count, begin = place_in(x, piece, destination);
    for (int i = 0, end; i < piece->count; i = end) {
        int source = piece->sources[i];
        for (end = i + 1; end < piece->count && piece->sources[end] == source + end - i; end++)
            if (piece->sources[end] == without)
                break;
        size_t at = (size_t)source - (without >= 0 && source > without);
        if (source != without)
            ct_copy(x->plan, to, at * m, piece->buffer, (begin + (size_t)i) * m, (size_t)(end - i) * m);
    }
}

/* Copies to the result what has come in the stage before. */
static void deliver(const struct forward *x, int stage)
{
    for (int i = x->begin[stage]; i < x->begin[stage + 1]; i++)
        if (!is_delivered(x, &x->pieces[i]))
            place(x, &x->pieces[i], x->call->rank, CT_BUFFER_RECV, -1);
}

/* Beginning with the next digit, so that no rank is first in all lists. */
static int digit_after(const struct forward *x, int stage, int step)
{
    return (ct_rank_grid_digit(x->grid, x->call->rank, stage) + step) % x->grid->length[stage];
}

/* Packs what is sent in this stage, in a round of its own. */
static void pack_all(const struct forward *x, int stage)
{
    size_t at = 0;
    for (int step = 1; step < x->grid->length[stage]; step++) {
        int receiver = receiver_of(x, stage, digit_after(x, stage, step));
        if (receiver >= 0 && is_packed(x, receiver, stage))
            at = pack(x, receiver, stage, at);
    }
    ct_round_end(x->plan);
}

static void send(const struct forward *x, int stage)
{
    size_t m = x->call->count, at = 0;
    for (int step = 1; step < x->grid->length[stage]; step++) {
        int receiver = receiver_of(x, stage, digit_after(x, stage, step));
        if (receiver < 0)
            continue;
        if (!is_packed(x, receiver, stage)) {
            const struct piece *piece = x->order[x->first];
            int destination = receiver % period(x, stage + 1);
            ct_send(x->plan, receiver, piece->buffer, place_in(x, piece, destination) * m,
                    (size_t)piece->count * m);
            continue;
        }
        size_t n = 0;
        for (int i = x->first; i < x->end; i++)
            n += (size_t)x->order[i]->count;
        n *= (size_t)destinations_of(x, receiver, stage + 1);
        ct_send(x->plan, receiver, x->leaving, at * m, n * m);
        at += n;
    }
}

static void receive(struct forward *x, int stage)
{
    size_t m = x->call->count;
    for (int i = x->begin[stage + 1]; i < x->begin[stage + 2]; i++) {
        struct piece *piece = &x->pieces[i];
        size_t n = (size_t)piece->count * (size_t)destinations_of(x, x->call->rank, stage + 1);
        piece->buffer = x->arriving;
        if (is_delivered(x, piece))
            ct_receive(x->plan, piece->from, CT_BUFFER_RECV, (size_t)piece->sources[0] * m, n * m);
        else
            ct_receive(x->plan, piece->from, x->arriving, piece->offset * m, n * m);
    }
}

/* The partner's blocks come all but that for itself. */
static void take_over(struct forward *x)
{
    struct piece *piece = &x->pieces[1];
    size_t n = (size_t)x->call->size - 1, m = x->call->count;
    piece->buffer = ct_temporary(x->plan, n * m);
    piece->missing = x->partner;
    ct_receive(x->plan, x->partner, piece->buffer, 0, n * m);
    ct_round_end(x->plan);
}

static void hand_back(const struct forward *x)
{
    for (int i = x->first; i < x->end; i++)
        place(x, x->order[i], x->partner, x->leaving, x->partner);
    ct_round_end(x->plan);
    ct_send(x->plan, x->partner, x->leaving, 0, ((size_t)x->call->size - 1) * x->call->count);
}

/* Copies blocks as one vector, or that of the partner itself as the gap in it. */
static void close_gap(struct ct_plan *plan, const struct ct_call *call, unsigned packed, bool is_input)
{
    size_t m = call->count, before = (size_t)call->rank, after = (size_t)(call->size - 1 - call->rank);
    if (is_input) {
        ct_copy(plan, packed, 0, CT_BUFFER_SEND, 0, before * m);
        ct_copy(plan, packed, before * m, CT_BUFFER_SEND, (before + 1) * m, after * m);
    } else {
        ct_copy(plan, CT_BUFFER_RECV, 0, packed, 0, before * m);
        ct_copy(plan, CT_BUFFER_RECV, (before + 1) * m, packed, before * m, after * m);
    }
}

/* The part of a partner. The last rank's blocks for and from all others lie together. */
static void be_partner(struct ct_plan *plan, const struct ct_call *call, int point)
{
    size_t others = ((size_t)call->size - 1) * call->count;
    bool is_last = call->rank == call->size - 1;
    unsigned packed = is_last ? CT_BUFFER_SEND : ct_temporary(plan, others);
    if (!is_last)
        close_gap(plan, call, packed, true);
    ct_round_end(plan);
    ct_send(plan, point, packed, 0, others);
    ct_alltoall_own(plan, call);
    ct_round_end(plan);
    ct_receive(plan, point, is_last ? CT_BUFFER_RECV : packed, 0, others);
    ct_round_end(plan);
    if (!is_last)
        close_gap(plan, call, packed, false);
}

void ct_alltoall_forward(struct ct_plan *plan, const struct ct_call *call, const struct ct_rank_grid *grid)
{
    assert(call->size >= grid->size && call->size < 2 * grid->size);
    if (call->rank >= grid->size) {
        be_partner(plan, call, call->rank - grid->size);
        return;
    }
    int after = call->rank + grid->size;
    struct forward x = {.plan = plan, .call = call, .grid = grid, .partner = after < call->size ? after : -1};
    if (!prepare(&x))
        return;
    make_room(&x);
    if (x.partner >= 0)
        take_over(&x);
    for (int stage = 0; stage < grid->dimensions; stage++) {
        put_in_order(&x, stage);
        pack_all(&x, stage);
        receive(&x, stage);
        send(&x, stage);
        deliver(&x, stage);
        ct_round_end(plan);
    }
    deliver(&x, grid->dimensions);
    if (x.partner >= 0) {
        put_in_order(&x, grid->dimensions);
        hand_back(&x);
    }
}
