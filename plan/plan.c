/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/plan.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_AT_FIRST = 64, ROUNDS_AT_FIRST = 32 };

/* A block of memory, of which tables are taken one after another. */
struct ct_scratch {
    struct ct_scratch *before;
    size_t room; /* in bytes */
    size_t used;
    max_align_t memory[];
};

static void free_scratch(struct ct_scratch *scratch)
{
    while (scratch) {
        struct ct_scratch *before = scratch->before;
        free(scratch);
        scratch = before;
    }
}

void ct_plan_reset(struct ct_plan *plan)
{
    plan->step_count = 0;
    plan->round_begin = 0;
    plan->round_count = 0;
    plan->buffer_count = CT_BUFFER_TEMPORARY;
    plan->window = 0;
    plan->view = NULL;
    plan->status = CT_OK;
    plan->free_slot_count = 0;
    plan->slot_count = 0;
    if (plan->scratch) { /* keeps the last block, the largest */
        free_scratch(plan->scratch->before);
        plan->scratch->before = NULL;
        plan->scratch->used = 0;
    }
}

void ct_plan_free(struct ct_plan *plan)
{
    free(plan->steps);
    free(plan->rounds);
    free(plan->free_slots);
    free_scratch(plan->scratch);
    *plan = (struct ct_plan){0};
}

int ct_plan_copy(const struct ct_plan *plan, struct ct_plan *ret_copy)
{
    assert(plan->status == CT_OK && plan->round_begin == plan->step_count);
    struct ct_step *steps = ct_allocate(plan->step_count ? plan->step_count : 1, sizeof *steps);
    struct ct_round *rounds = ct_allocate(plan->round_count ? plan->round_count : 1, sizeof *rounds);
    if (!steps || !rounds) {
        free(steps);
        free(rounds);
        return CT_E_MEMORY;
    }
    if (plan->step_count > 0) /* an empty plan may have no memory */
        memcpy(steps, plan->steps, plan->step_count * sizeof *steps);
    if (plan->round_count > 0)
        memcpy(rounds, plan->rounds, plan->round_count * sizeof *rounds);
    *ret_copy = (struct ct_plan){.steps = steps,
                                 .step_count = plan->step_count,
                                 .step_capacity = plan->step_count,
                                 .round_begin = plan->step_count,
                                 .rounds = rounds,
                                 .round_count = plan->round_count,
                                 .round_capacity = plan->round_count,
                                 .buffer_count = plan->buffer_count};
    memcpy(ret_copy->temporary, plan->temporary, sizeof plan->temporary);
    return CT_OK;
}

struct ct_plan *ct_plan_clone(const struct ct_plan *plan)
{
    assert(plan->status == CT_OK && plan->round_begin == plan->step_count);
    size_t step_bytes, round_bytes, bytes;
    struct ct_plan *clone;
    if (!ct_multiply(plan->step_count, sizeof *plan->steps, &step_bytes) ||
        !ct_multiply(plan->round_count, sizeof *plan->rounds, &round_bytes) ||
        !ct_add(step_bytes, round_bytes, &bytes) || !ct_add(bytes, sizeof *clone, &bytes) ||
        !(clone = malloc(bytes)))
        return NULL;
    *clone = (struct ct_plan){.steps = (struct ct_step *)(clone + 1),
                              .step_count = plan->step_count,
                              .round_begin = plan->step_count,
                              .round_count = plan->round_count,
                              .buffer_count = plan->buffer_count};
    clone->rounds = (struct ct_round *)(clone->steps + plan->step_count);
    memcpy(clone->temporary, plan->temporary, sizeof plan->temporary);
    if (step_bytes > 0) /* an empty plan may have no memory */
        memcpy(clone->steps, plan->steps, step_bytes);
    if (round_bytes > 0)
        memcpy(clone->rounds, plan->rounds, round_bytes);
    return clone;
}

int ct_plan_scale(const struct ct_plan *one, size_t factor, struct ct_plan *plan)
{
    ct_plan_reset(plan);
    int status = ct_grow(&plan->steps, &plan->step_capacity, one->step_count, sizeof *plan->steps);
    if (status == CT_OK)
        status = ct_grow(&plan->rounds, &plan->round_capacity, one->round_count, sizeof *plan->rounds);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < one->step_count; i++) {
        struct ct_step *step = &plan->steps[i];
        *step = one->steps[i];
        step->offset *= factor;
        step->n *= factor;
        step->other_offset *= factor;
    }
    for (size_t i = 0; i < one->round_count; i++)
        plan->rounds[i] = one->rounds[i];
    for (unsigned i = CT_BUFFER_TEMPORARY; i < one->buffer_count; i++)
        plan->temporary[i] = one->temporary[i] * factor;
    plan->step_count = plan->round_begin = one->step_count;
    plan->round_count = one->round_count;
    plan->buffer_count = one->buffer_count;
    return CT_OK;
}

int ct_plan_finish(struct ct_plan *plan)
{
    ct_round_end(plan);
    return plan->status;
}

static void fail(struct ct_plan *plan, int status)
{
    if (plan->status == CT_OK)
        plan->status = status;
}

static bool make_room(struct ct_plan *plan)
{
    size_t need = plan->step_count ? plan->step_count + 1 : STEPS_AT_FIRST;
    int status = ct_grow(&plan->steps, &plan->step_capacity, need, sizeof *plan->steps);
    if (status != CT_OK)
        fail(plan, status);
    return status == CT_OK;
}

static inline struct ct_step *add_step(struct ct_plan *plan)
{
    if (plan->step_count == plan->step_capacity && !make_room(plan))
        return NULL;
    return &plan->steps[plan->step_count++];
}

/* The slice as the outermost plan sees it. */
static struct ct_slice seen_from_outside(const struct ct_view *view, struct ct_slice slice)
{
    for (; view; view = view->outer) {
        if (slice.buffer < CT_BUFFER_TEMPORARY) {
            const size_t *blocks = view->map[slice.buffer].blocks;
            assert(blocks || slice.block == 0 || view->map[slice.buffer].buffer == slice.buffer);
            slice.offset += view->map[slice.buffer].offset;
            if (blocks) {
                slice.offset += blocks[slice.block];
                slice.block = 0;
            }
            slice.buffer = view->map[slice.buffer].buffer;
        }
    }
    return slice;
}

static int peer_from_outside(const struct ct_view *view, int peer)
{
    for (; view; view = view->outer)
        if (view->peers)
            peer = view->peers[peer];
    return peer;
}

static unsigned take_slot(struct ct_plan *plan)
{
    if (plan->free_slot_count > 0)
        return plan->free_slots[--plan->free_slot_count];
    if (plan->slot_count + 1 == CT_PLAN_END) {
        fail(plan, CT_E_LIMIT);
        return 0;
    }
    return ++plan->slot_count;
}

/* `slice` is passed by pointer for speed: every message of every call comes through here. */
static inline struct ct_step *add_message(struct ct_plan *plan, enum ct_step_kind kind, int peer,
                                          const struct ct_slice *slice)
{
    struct ct_step *step = add_step(plan);
    struct ct_slice outside;
    if (!step)
        return NULL;
    assert(slice->buffer < CT_BUFFERS_MAX);
    if (plan->view) {
        outside = seen_from_outside(plan->view, *slice);
        slice = &outside;
        peer = peer_from_outside(plan->view, peer);
    }
    *step = (struct ct_step){kind,          .buffer = slice->buffer & (CT_BUFFERS_MAX - 1),
                             .peer = peer,  .offset = slice->offset,
                             .n = slice->n, .block = slice->block};
    return step;
}

unsigned ct_post(struct ct_plan *plan, enum ct_step_kind kind, int peer, struct ct_slice slice,
                 enum ct_deferral deferral)
{
    if (slice.n == 0)
        return 0;
    struct ct_step *step = add_message(plan, kind, peer, &slice);
    if (!step || deferral == CT_DEFERRAL_IN_ROUND)
        return 0;
    step->until = deferral == CT_DEFERRAL_LATER ? take_slot(plan) & CT_PLAN_END : CT_PLAN_END;
    return deferral == CT_DEFERRAL_LATER ? step->until : 0;
}

void ct_send_token(struct ct_plan *plan, int peer)
{
    add_message(plan, CT_STEP_SEND, peer, &(struct ct_slice){.buffer = CT_BUFFER_RECV});
}

void ct_receive_token(struct ct_plan *plan, int peer)
{
    add_message(plan, CT_STEP_RECEIVE, peer, &(struct ct_slice){.buffer = CT_BUFFER_RECV});
}

void ct_wait(struct ct_plan *plan, unsigned slot)
{
    if (slot == 0)
        return;
    assert(slot < CT_PLAN_END);
    struct ct_step *step = add_step(plan);
    if (!step)
        return;
    *step = (struct ct_step){.kind = CT_STEP_WAIT, .until = slot & CT_PLAN_END};
    int status = ct_grow(&plan->free_slots, &plan->free_slot_capacity, plan->free_slot_count + 1,
                         sizeof *plan->free_slots);
    if (status != CT_OK)
        fail(plan, status);
    else
        plan->free_slots[plan->free_slot_count++] = (uint16_t)slot;
}

static inline void add_local(struct ct_plan *plan, enum ct_step_kind kind, const struct ct_slice *to,
                             const struct ct_slice *from)
{
    struct ct_slice to_outside, from_outside;
    assert(from->buffer < CT_BUFFERS_MAX && to->buffer < CT_BUFFERS_MAX);
    assert(from->block == to->block || from->block == 0 || to->block == 0);
    if (from->n == 0)
        return;
    struct ct_step *step = add_step(plan);
    if (!step)
        return;
    if (plan->view) {
        to_outside = seen_from_outside(plan->view, *to);
        from_outside = seen_from_outside(plan->view, *from);
        to = &to_outside;
        from = &from_outside;
    }
    *step = (struct ct_step){kind,
                             .buffer = from->buffer & (CT_BUFFERS_MAX - 1),
                             .other = to->buffer & (CT_BUFFERS_MAX - 1),
                             .peer = (int32_t)(from->block ? from->block : to->block),
                             .offset = from->offset,
                             .n = from->n,
                             .other_offset = to->offset};
}

void ct_copy_slice(struct ct_plan *plan, struct ct_slice to, struct ct_slice from)
{
    add_local(plan, CT_STEP_COPY, &to, &from);
}

void ct_copy(struct ct_plan *plan, unsigned to, size_t to_offset, unsigned from, size_t from_offset, size_t n)
{
    add_local(plan, CT_STEP_COPY, &(struct ct_slice){.buffer = to, .offset = to_offset},
              &(struct ct_slice){.buffer = from, .offset = from_offset, .n = n});
}

void ct_reduce(struct ct_plan *plan, unsigned to, size_t to_offset, unsigned from, size_t from_offset,
               size_t n)
{
    add_local(plan, CT_STEP_REDUCE, &(struct ct_slice){.buffer = to, .offset = to_offset},
              &(struct ct_slice){.buffer = from, .offset = from_offset, .n = n});
}

unsigned ct_temporary(struct ct_plan *plan, size_t n)
{
    if (plan->buffer_count == CT_BUFFERS_MAX) {
        fail(plan, CT_E_LIMIT);
        return CT_BUFFER_TEMPORARY;
    }
    plan->temporary[plan->buffer_count] = n;
    return plan->buffer_count++;
}

/* Sees to it that the last block has so many bytes left. Blocks at least double. */
static bool add_scratch(struct ct_plan *plan, size_t bytes)
{
    size_t room = plan->scratch ? plan->scratch->room : 0, all;
    if (plan->scratch && bytes <= room - plan->scratch->used)
        return true;
    room = bytes > 2 * room ? bytes : 2 * room;
    struct ct_scratch *scratch = ct_add(room, sizeof *scratch, &all) ? malloc(all) : NULL;
    if (!scratch)
        return false;
    *scratch = (struct ct_scratch){.before = plan->scratch, .room = room};
    plan->scratch = scratch;
    return true;
}

void *ct_scratch(struct ct_plan *plan, size_t count, size_t size)
{
    size_t bytes;
    if (!ct_multiply(count, size, &bytes) || !ct_add(bytes, sizeof(max_align_t) - 1, &bytes) ||
        !add_scratch(plan, bytes -= bytes % sizeof(max_align_t))) {
        fail(plan, CT_E_MEMORY);
        return NULL;
    }
    void *memory = (char *)plan->scratch->memory + plan->scratch->used;
    plan->scratch->used += bytes;
    return memset(memory, 0, bytes);
}

void ct_window(struct ct_plan *plan, unsigned window)
{
    plan->window = window;
}

void ct_round_close(struct ct_plan *plan)
{
    assert(plan->step_count > plan->round_begin);
    assert(!plan->rounds || plan->round_capacity > 0); /* a clone is not written on */
    if (plan->round_count == plan->round_capacity) {
        size_t need = plan->round_count ? plan->round_count + 1 : ROUNDS_AT_FIRST;
        int status = ct_grow(&plan->rounds, &plan->round_capacity, need, sizeof *plan->rounds);
        if (status != CT_OK) {
            fail(plan, status);
            return;
        }
    }
    plan->rounds[plan->round_count++] = (struct ct_round){.end = plan->step_count, .window = plan->window};
    plan->round_begin = plan->step_count;
    plan->window = 0;
    if (plan->drain && plan->step_count >= plan->drain_at && plan->status == CT_OK) {
        plan->status = plan->drain(plan, plan->drain_context);
        plan->step_count = 0;
        plan->round_begin = 0;
        plan->round_count = 0;
    }
}

void ct_view_enter(struct ct_plan *plan, struct ct_view *view)
{
    ct_round_end(plan);
    view->outer = plan->view;
    plan->view = view;
}

void ct_view_leave(struct ct_plan *plan)
{
    assert(plan->view);
    ct_round_end(plan);
    plan->view = plan->view->outer;
}
