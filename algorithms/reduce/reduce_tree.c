/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/reduce/reduce_tree.h"
#include "algorithms/shared_parameters.h"

/* So many arrivals may be posted before the first of them is waited for. */
enum { AHEAD = 2 };
enum { PIECES = AHEAD + 2 }; /* those that arrive, one is combined, one leaves or holds the sum so far */

struct climb {
    const struct ct_call *call;
    const struct ct_tree *tree;
    struct ct_segments segments;
    int top;
    int above;      /* where sums go; -1 where they stay */
    unsigned input; /* never written, unless it holds the sums */
    bool sums_in_input;
    unsigned work;            /* pieces of a segment each, used in turn */
    size_t pieces;            /* how many */
    int in_pieces;            /* of so many children the data come in there, of the last in the result else */
    unsigned leaving[PIECES]; /* by piece: the slot of the send that reads it */
    size_t posted;            /* receives: every child's of a segment, then those of the next */
    unsigned arriving[AHEAD]; /* their slots, in turn */
    unsigned *returning;      /* slots of receives of the result, in turn; only where root and top differ */
    size_t returning_count;
};

static struct ct_slice segment_of(const struct climb *climb, unsigned buffer, size_t s)
{
    return (struct ct_slice){.buffer = buffer,
                             .offset = ct_segment_offset(&climb->segments, s),
                             .n = ct_segment_length(&climb->segments, s)};
}

static size_t piece_of(const struct climb *climb, size_t s, int child)
{
    return (s * (size_t)climb->in_pieces + (size_t)child) % climb->pieces;
}

/* Where a child's data come in. */
static struct ct_slice arrival(const struct climb *climb, size_t s, int child)
{
    struct ct_slice place = segment_of(climb, CT_BUFFER_RECV, s);
    if (child < climb->in_pieces) {
        place.buffer = climb->work;
        place.offset = piece_of(climb, s, child) * climb->segments.length;
    }
    return place;
}

/* Where the sum of our own data and those of the children up to `child` is; -1: just our own. */
static struct ct_slice sum_with(const struct climb *climb, size_t s, int child)
{
    return child < 0 || climb->sums_in_input ? segment_of(climb, climb->input, s) : arrival(climb, s, child);
}

static void await_departure(struct ct_plan *plan, struct climb *climb, size_t piece)
{
    if (climb->leaving[piece] == 0)
        return;
    ct_wait(plan, climb->leaving[piece]);
    climb->leaving[piece] = 0;
}

/* Posts the next receive, if there is one. */
static void receive_next(struct ct_plan *plan, struct climb *climb)
{
    size_t children = (size_t)climb->tree->child_count, s = climb->posted / children;
    int child = (int)(climb->posted % children);
    if (s == climb->segments.count)
        return;
    if (child < climb->in_pieces)
        await_departure(plan, climb, piece_of(climb, s, child));
    climb->arriving[climb->posted++ % AHEAD] =
        ct_post(plan, CT_STEP_RECEIVE, ct_actual(climb->tree->children[child], climb->top, climb->call->size),
                arrival(climb, s, child), CT_DEFERRAL_LATER);
}

/* Waits for the child's data of segment s. */
static void await_arrival(struct ct_plan *plan, const struct climb *climb, size_t s, int child)
{
    size_t number = s * (size_t)climb->tree->child_count + (size_t)child;
    ct_wait(plan, climb->arriving[number % AHEAD]);
}

/* The sum moves on to where the child's data are, so that order is kept and nothing is copied. */
static void combine(struct ct_plan *plan, const struct climb *climb, size_t s, int child)
{
    struct ct_slice sum = sum_with(climb, s, child - 1), arrived = arrival(climb, s, child);
    if (climb->sums_in_input)
        ct_reduce(plan, sum.buffer, sum.offset, arrived.buffer, arrived.offset, sum.n);
    else
        ct_reduce(plan, arrived.buffer, arrived.offset, sum.buffer, sum.offset, sum.n);
}

/* The sum goes up; the root, where it is not the top, makes ready for the result, which takes the place of
 * what a leaf in place sends. */
static void pass_up(struct ct_plan *plan, struct climb *climb, struct ct_slice sum, size_t s)
{
    int last = climb->tree->child_count - 1;
    size_t piece = last < 0 ? s % PIECES : piece_of(climb, s, last);
    bool is_last = s + 1 == climb->segments.count;
    bool makes_room = climb->returning && sum.buffer == CT_BUFFER_RECV;
    ct_round_end(plan);
    await_departure(plan, climb, piece); /* at a leaf, where no receive has done so */
    climb->leaving[piece] = ct_post(plan, CT_STEP_SEND, climb->above, sum,
                                    is_last || makes_room ? CT_DEFERRAL_IN_ROUND : CT_DEFERRAL_LATER);
    if (!climb->returning)
        return;
    if (makes_room)
        ct_round_end(plan);
    unsigned *slot = &climb->returning[s % climb->returning_count];
    ct_wait(plan, *slot);
    *slot =
        ct_post(plan, CT_STEP_RECEIVE, climb->top, segment_of(climb, CT_BUFFER_RECV, s), CT_DEFERRAL_LATER);
}

static void pass_on(struct ct_plan *plan, struct climb *climb, size_t s)
{
    struct ct_slice sum = sum_with(climb, s, climb->tree->child_count - 1);
    if (climb->above >= 0)
        pass_up(plan, climb, sum, s);
    else if (sum.buffer != CT_BUFFER_RECV)
        ct_copy(plan, CT_BUFFER_RECV, ct_segment_offset(&climb->segments, s), sum.buffer, sum.offset, sum.n);
}

static void settle(struct ct_plan *plan, struct climb *climb)
{
    ct_round_end(plan);
    for (size_t piece = 0; piece < PIECES; piece++)
        await_departure(plan, climb, piece);
    for (size_t i = 0; i < climb->returning_count; i++)
        ct_wait(plan, climb->returning[i]);
}

static int rank_above(const struct ct_call *call, const struct ct_tree *tree)
{
    if (tree->parent >= 0)
        return ct_actual(tree->parent, ct_reduce_top(call), call->size);
    return call->rank == call->root ? -1 : call->root;
}

/* The result follows what the root has sent by as many segments as there are hops to the top and back, of a
 * message and a reduction each. More need not be awaited at once. */
static void prepare_return(struct ct_plan *plan, struct climb *climb)
{
    climb->returning_count = 2 * (size_t)climb->call->size;
    if (climb->returning_count > climb->segments.count)
        climb->returning_count = climb->segments.count;
    climb->returning = ct_scratch(plan, climb->returning_count, sizeof *climb->returning);
}

static struct climb prepare(struct ct_plan *plan, const struct ct_call *call, const struct ct_tree *tree)
{
    struct climb climb = {
        .call = call,
        .tree = tree,
        .segments = ct_call_segments(call, call->count),
        .top = ct_reduce_top(call),
        .above = rank_above(call, tree),
        .input = ct_input(call),
        .in_pieces = tree->child_count,
    };
    climb.sums_in_input = climb.above < 0 && call->in_place && call->commutative;
    if (climb.above < 0 && !call->in_place && climb.in_pieces > 0)
        climb.in_pieces--;
    size_t used = (size_t)climb.in_pieces * climb.segments.count;
    climb.pieces = climb.sums_in_input ? PIECES - 1 : PIECES;
    if (used < climb.pieces)
        climb.pieces = used;
    if (used > 0)
        climb.work = ct_temporary(plan, climb.pieces * climb.segments.length);
    if (call->rank == call->root && climb.above >= 0)
        prepare_return(plan, &climb);
    return climb;
}

void ct_reduce_tree(struct ct_plan *plan, const struct ct_call *call, const struct ct_tree *tree)
{
    struct climb climb = prepare(plan, call, tree);
    if (plan->status != CT_OK)
        return;
    /* Never two from one child: the second would slow down the first. */
    for (int i = 0; i < tree->child_count && i < AHEAD; i++)
        receive_next(plan, &climb);
    for (size_t s = 0; s < climb.segments.count; s++) {
        for (int child = 0; child < tree->child_count; child++) {
            ct_round_end(plan);
            await_arrival(plan, &climb, s, child);
            receive_next(plan, &climb);
            combine(plan, &climb, s, child);
        }
        pass_on(plan, &climb, s);
    }
    settle(plan, &climb);
}
