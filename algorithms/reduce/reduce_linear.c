/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks send to the root. It combines each segment from the highest rank down, in rank order, while the
 * next data arrive.
 * Memory: at most two segments, at the root; m more where it is in place, order counts and it is not the
 * highest rank. */
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

struct gathering {
    const struct ct_call *call;
    struct ct_segments segments;
    size_t others; /* ranks that send */
    unsigned sum;
    size_t in_sum; /* 1: the first data are received there; 0: it holds our own data from the start */
    unsigned blocks;
    size_t block_count; /* at most two, into which the others are received in turn */
};

/* Arrivals are numbered: all ranks' first segments, then all second ones. */
static size_t segment_of(const struct gathering *root, size_t arrival)
{
    return arrival / root->others;
}

/* Is it received into the sum? */
static bool goes_to_sum(const struct gathering *root, size_t arrival)
{
    return arrival % root->others < root->in_sum;
}

/* The highest rank but for the root is first. */
static int sender(const struct gathering *root, size_t arrival)
{
    int rank = root->call->size - 1 - (int)(arrival % root->others);
    return rank > root->call->root ? rank : rank - 1;
}

static size_t block_offset(const struct gathering *root, size_t arrival)
{
    return arrival % root->block_count * root->segments.length;
}

static void receive(struct ct_plan *plan, const struct gathering *root, size_t arrival)
{
    if (arrival >= root->others * root->segments.count)
        return;
    const size_t s = segment_of(root, arrival), length = ct_segment_length(&root->segments, s);
    if (goes_to_sum(root, arrival))
        ct_receive(plan, sender(root, arrival), root->sum, ct_segment_offset(&root->segments, s), length);
    else
        ct_receive(plan, sender(root, arrival), root->blocks, block_offset(root, arrival), length);
}

static void combine_all(struct ct_plan *plan, const struct gathering *root)
{
    const struct ct_call *call = root->call;
    unsigned input = ct_input(call);
    /* so many come before our own */
    const size_t above = call->commutative ? 1 : (size_t)(call->size - 1 - call->root);
    receive(plan, root, 0);
    ct_round_end(plan);
    for (size_t i = 0; i < root->others * root->segments.count; i++) {
        const size_t s = segment_of(root, i), offset = ct_segment_offset(&root->segments, s);
        const size_t length = ct_segment_length(&root->segments, s);
        receive(plan, root, i + 1);
        if (!goes_to_sum(root, i))
            ct_reduce(plan, root->sum, offset, root->blocks, block_offset(root, i), length);
        if (root->in_sum && i % root->others + 1 == above)
            ct_reduce(plan, root->sum, offset, input, offset, length);
        ct_round_end(plan);
    }
}

/* Neighbouring arrivals need two blocks, unless one of them goes to the sum or is none. */
static size_t blocks_needed(const struct gathering *root)
{
    const size_t in_blocks = root->others - root->in_sum;
    return in_blocks == 0 || root->segments.count == 0                         ? 0
           : in_blocks == 1 && (root->in_sum > 0 || root->segments.count == 1) ? 1
                                                                               : 2;
}

static void send(struct ct_plan *plan, const struct ct_call *call, const struct ct_segments *segments)
{
    for (size_t s = 0; s < segments->count; s++) {
        ct_send(plan, call->root, CT_BUFFER_SEND, ct_segment_offset(segments, s),
                ct_segment_length(segments, s));
        if (s + 1 < segments->count)
            ct_round_end(plan);
    }
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct gathering root = {.call = call,
                             .segments = ct_call_segments(call, call->count),
                             .others = (size_t)call->size - 1,
                             .sum = CT_BUFFER_RECV};
    if (call->rank != call->root) {
        send(plan, call, &root.segments);
        return;
    }
    const bool is_highest = call->root == call->size - 1;
    const bool begins_with_own = call->commutative ? call->in_place || root.others == 0 : is_highest;
    root.in_sum = begins_with_own ? 0 : 1;
    if (begins_with_own && !call->in_place)
        ct_copy(plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, call->count);
    if (!begins_with_own && call->in_place)
        root.sum = ct_temporary(plan, call->count);
    root.block_count = blocks_needed(&root);
    if (root.block_count > 0)
        root.blocks = ct_temporary(plan, root.block_count * root.segments.length);
    combine_all(plan, &root);
    if (root.sum != CT_BUFFER_RECV)
        ct_copy(plan, CT_BUFFER_RECV, 0, root.sum, 0, call->count);
}

const struct ct_descriptor ct_reduce_linear = {
    .text = "all ranks send to the root, which combines from the highest rank down",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.8 (flat tree)",
    .cost = "(P - 1) n_s (alpha + m_s (beta + gamma))",
    .parameters = {&ct_unswept_segment_parameter},
    .build = build,
};
