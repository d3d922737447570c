/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks are points of a grid. In each dimension a rank sends all that it has to those that differ in this
 * coordinate alone: some dims P^(1 / dims) messages instead of P - 1, and each block comes once. What a rank
 * has is a run of consecutive ranks' blocks, and lies in the result, unless the grid has holes (see
 * plan/rank_grid.h): then a few ranks have several runs, which are packed.
 * Memory: none where the grid is full; some P m at those few ranks; P m more where lengths differ. */
#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"
#include "plan/rank_grid.h"

struct stage {
    struct ct_plan *plan;
    const struct ct_allgather_parts *group;
    const struct ct_rank_grid *grid;
    int number;
    int *senders; /* those of this stage */
    int sender_count;
    int *sources; /* room for one rank's */
};

/* The end of the run of consecutive ranks that begins at i. */
static int run_end(const int *sources, int count, int i)
{
    int end = i + 1;
    while (end < count && sources[end] == sources[end - 1] + 1)
        end++;
    return end;
}

/* What `rank` has before this stage. */
static int find_sources(const struct stage *stage, int rank)
{
    return ct_rank_grid_sources(stage->grid, stage->grid->size, rank, stage->number, stage->sources);
}

static size_t length_of(const struct stage *stage, int count)
{
    size_t n = 0;
    for (int i = 0; i < count; i++)
        n += ct_parts_length(&stage->group->parts, stage->sources[i], stage->sources[i] + 1);
    return n;
}

/* Copies parts between their places and a packed message. */
static void copy_runs(const struct stage *stage, int count, unsigned packed, size_t at, bool unpack)
{
    const struct ct_allgather_parts *group = stage->group;
    for (int i = 0, end; i < count; i = end) {
        end = run_end(stage->sources, count, i);
        size_t begin = ct_part_begin(&group->parts, stage->sources[i]);
        size_t n = ct_part_begin(&group->parts, stage->sources[end - 1] + 1) - begin;
        if (unpack)
            ct_copy(stage->plan, group->buffer, begin, packed, at, n);
        else
            ct_copy(stage->plan, packed, at, group->buffer, begin, n);
        at += n;
    }
}

static bool is_one_run(const struct stage *stage, int count)
{
    return run_end(stage->sources, count, 0) == count;
}

/* What comes packed, in a buffer of its own; *ret_buffer is not used where there is nothing. */
static size_t packed_arrivals(const struct stage *stage)
{
    size_t n = 0;
    for (int i = 0; i < stage->sender_count; i++) {
        int count = find_sources(stage, stage->senders[i]);
        if (!is_one_run(stage, count))
            n += length_of(stage, count);
    }
    return n;
}

static void receive(const struct stage *stage, unsigned arriving)
{
    const struct ct_allgather_parts *group = stage->group;
    size_t at = 0;
    for (int i = 0; i < stage->sender_count; i++) {
        int count = find_sources(stage, stage->senders[i]);
        size_t n = length_of(stage, count);
        if (is_one_run(stage, count)) {
            ct_receive_parts(stage->plan, stage->senders[i], group->buffer, &group->parts, stage->sources[0],
                             stage->sources[count - 1] + 1);
        } else {
            ct_receive(stage->plan, stage->senders[i], arriving, at, n);
            at += n;
        }
    }
}

static void unpack(const struct stage *stage, unsigned arriving)
{
    size_t at = 0;
    for (int i = 0; i < stage->sender_count; i++) {
        int count = find_sources(stage, stage->senders[i]);
        if (is_one_run(stage, count))
            continue;
        copy_runs(stage, count, arriving, at, true);
        at += length_of(stage, count);
    }
}

/* To all receivers, the next one first. */
static void send_to_all(const struct stage *stage, struct ct_slice held)
{
    const struct ct_rank_grid *grid = stage->grid;
    int rank = stage->group->rank, d = stage->number, own = ct_rank_grid_digit(grid, rank, d);
    for (int step = 1; step < grid->length[d]; step++) {
        int point = ct_rank_grid_peer(grid, rank, d, (own + step) % grid->length[d]);
        if (point < grid->size || d + 1 < grid->dimensions)
            ct_send_slice(stage->plan, ct_rank_grid_hop(grid, rank, point, d), held);
    }
}

/* What this rank has, as one slice: packed where it is not. */
static struct ct_slice pack(const struct stage *stage)
{
    const struct ct_allgather_parts *group = stage->group;
    if (stage->number == 0)
        return group->own;
    int count = find_sources(stage, group->rank);
    struct ct_slice held = {.buffer = group->buffer,
                            .offset = ct_part_begin(&group->parts, stage->sources[0]),
                            .n = length_of(stage, count)};
    if (is_one_run(stage, count))
        return held;
    held.buffer = ct_temporary(stage->plan, held.n);
    held.offset = 0;
    copy_runs(stage, count, held.buffer, 0, false);
    ct_round_end(stage->plan);
    return held;
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_allgather_parts group = ct_allgather_packed(plan, call);
    struct ct_rank_grid grid = ct_rank_grid_make(call->size, (int)ct_value(call, &ct_dimensions_parameter));
    struct stage stage = {.plan = plan, .group = &group, .grid = &grid};
    stage.senders = ct_scratch(plan, 2 * (size_t)call->size, sizeof *stage.senders);
    stage.sources = ct_scratch(plan, (size_t)call->size, sizeof *stage.sources);
    if (!stage.senders || !stage.sources)
        return;
    ct_allgather_place_own(plan, &group, ct_allgather_part(&group, call->rank));
    for (int d = 0; d < grid.dimensions; d++) {
        stage.number = d;
        stage.sender_count = ct_rank_grid_senders(&grid, call->rank, d, stage.senders);
        struct ct_slice held = pack(&stage);
        size_t room = packed_arrivals(&stage);
        unsigned arriving = room > 0 ? ct_temporary(plan, room) : CT_BUFFER_RECV;
        receive(&stage, arriving);
        send_to_all(&stage, held);
        ct_round_end(plan);
        unpack(&stage, arriving);
    }
    if (group.buffer != CT_BUFFER_RECV)
        ct_allgather_unpack(plan, call, &group, 0);
}

const struct ct_descriptor ct_allgather_grid = {
    .text = "ranks send all they have along the dimensions of a grid",
    .source = "Kumar 2005, section 3.1 (2 and 3 dimensions, holes); Selvitopi and Aykanat 2019",
    .cost = "d (P^(1/d) - 1) alpha + (P - 1) m beta with d dimensions",
    .parameters = {&ct_dimensions_parameter},
    .build = build,
};
