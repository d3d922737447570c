/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/shortcut.h"
#include "base/memory.h"
#include "library/execute/near_messages.h"
#include "library/execute/rounds.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A step of the plan. Those of a round stand in the order in which rounds carry them out: messages that are
 * sent, messages that are received, local work. */
struct short_step {
    struct ct_lane *lane; /* of a message */
    int peer;
    size_t bytes;
    size_t n;       /* units */
    ptrdiff_t from; /* offsets in bytes; a message has one alone */
    ptrdiff_t to;
    uint8_t kind; /* enum ct_step_kind */
    uint8_t from_buffer;
    uint8_t to_buffer;
    uint8_t round;
    bool is_answered; /* it is sent, and the next step receives */
    uint16_t step;    /* of the plan */
};

struct ct_shortcut {
    unsigned count;
    unsigned buffer_count;
    bool reduces;
    size_t bytes[CT_BUFFERS_MAX]; /* of temporary buffers, by number */
    struct short_step steps[];
};

/* --- making --- */

static bool is_short_message(const struct ct_messages *messages, const struct ct_step *step,
                             size_t unit_bytes)
{
    const struct ct_lane *lane = ct_message_lane(messages, step->peer);
    return (step->kind == CT_STEP_SEND || step->kind == CT_STEP_RECEIVE) && step->until == CT_ROUND_END &&
           lane && step->n <= ct_lane_short_bytes(lane) / unit_bytes;
}

/* A round's window bounds nothing where messages are complete at once. */
static bool is_short_plan(const struct ct_messages *messages, const struct ct_plan *plan, size_t unit_bytes)
{
    if (!messages->node || !ct_node_is_quick(messages->node) || plan->step_count > CT_SHORTCUT_STEPS)
        return false;
    for (size_t i = 0; i < plan->step_count; i++)
        if (!ct_step_is_local(&plan->steps[i]) && !is_short_message(messages, &plan->steps[i], unit_bytes))
            return false;
    return true;
}

static struct short_step make_step(const struct ct_messages *messages, const struct ct_plan *plan, size_t i,
                                   size_t round, size_t unit_bytes)
{
    const struct ct_step *step = &plan->steps[i];
    return (struct short_step){
        .lane = ct_step_is_local(step) ? NULL : ct_message_lane(messages, step->peer),
        .peer = step->peer,
        .bytes = step->n * unit_bytes,
        .n = step->n,
        .from = (ptrdiff_t)(step->offset * unit_bytes),
        .to = (ptrdiff_t)((ct_step_is_local(step) ? step->other_offset : step->offset) * unit_bytes),
        .kind = (uint8_t)step->kind,
        .from_buffer = (uint8_t)step->buffer,
        .to_buffer = (uint8_t)(ct_step_is_local(step) ? step->other : step->buffer),
        .round = (uint8_t)round,
        .step = (uint16_t)i};
}

static void add_round(struct ct_shortcut *shortcut, const struct ct_messages *messages,
                      const struct ct_plan *plan, size_t round, size_t unit_bytes)
{
    enum { SENDS, RECEIVES, COPIES, KINDS };
    for (int kind = SENDS; kind < KINDS; kind++) {
        for (size_t i = round > 0 ? plan->rounds[round - 1].end : 0; i < plan->rounds[round].end; i++) {
            const struct ct_step *step = &plan->steps[i];
            int own = ct_step_is_local(step) ? COPIES : step->kind == CT_STEP_SEND ? SENDS : RECEIVES;
            if (own != kind)
                continue;
            struct short_step *made = &shortcut->steps[shortcut->count++];
            *made = make_step(messages, plan, i, round, unit_bytes);
            if (made->kind == CT_STEP_RECEIVE && made > shortcut->steps)
                made[-1].is_answered = made[-1].kind == CT_STEP_SEND;
        }
    }
}

struct ct_shortcut *ct_shortcut_make(const struct ct_messages *messages, const struct ct_plan *plan,
                                     size_t unit_bytes)
{
    if (!is_short_plan(messages, plan, unit_bytes))
        return NULL;
    struct ct_shortcut *shortcut = malloc(sizeof *shortcut + plan->step_count * sizeof shortcut->steps[0]);
    if (!shortcut)
        return NULL;
    *shortcut = (struct ct_shortcut){.buffer_count = plan->buffer_count};
    for (unsigned i = CT_BUFFER_TEMPORARY; i < plan->buffer_count; i++)
        if (plan->temporary[i] == 0)
            shortcut->bytes[i] = 1;
        else if (!ct_multiply(plan->temporary[i], unit_bytes, &shortcut->bytes[i]))
            shortcut->bytes[i] = SIZE_MAX; /* there is no such memory */
    for (size_t round = 0; round < plan->round_count; round++)
        add_round(shortcut, messages, plan, round, unit_bytes);
    assert(shortcut->count == plan->step_count);
    for (size_t i = 0; i < plan->step_count; i++)
        shortcut->reduces = shortcut->reduces || plan->steps[i].kind == CT_STEP_REDUCE;
    return shortcut;
}

void ct_shortcut_free(struct ct_shortcut *shortcut)
{
    free(shortcut);
}

/* Where the step's block begins in the buffer. */
static ptrdiff_t place_of(const struct ct_step *step, unsigned buffer, const MPI_Aint *const at[2])
{
    if (buffer >= CT_BUFFER_TEMPORARY || !at[buffer])
        return 0;
    return at[buffer][step->kind == CT_STEP_COPY ? (size_t)step->peer : step->block];
}

const struct ct_shortcut *ct_shortcut_place(const struct ct_shortcut *shortcut, const struct ct_plan *plan,
                                            const MPI_Aint *const at[2], struct ct_kept_memory *memory)
{
    const size_t bytes = sizeof *shortcut + shortcut->count * sizeof shortcut->steps[0];
    struct ct_shortcut *placed = (void *)ct_memory_reserve(memory, bytes);
    if (!placed)
        return NULL;
    memcpy(placed, shortcut, bytes);
    for (unsigned i = 0; i < placed->count; i++) {
        struct short_step *own = &placed->steps[i];
        const struct ct_step *step = &plan->steps[own->step];
        assert(step->kind != CT_STEP_REDUCE); /* in reductions no side has blocks with places */
        own->from += place_of(step, own->from_buffer, at);
        own->to += place_of(step, own->to_buffer, at);
    }
    return placed;
}

bool ct_shortcut_reduces(const struct ct_shortcut *shortcut)
{
    return shortcut->reduces;
}

/* --- running --- */

/* What an error has left goes first. */
__attribute__((always_inline)) inline bool ct_shortcut_may_begin(const struct ct_flight *flight)
{
    return ct_node_is_quick(flight->messages.node) && flight->messages.transfers.count == 0;
}

bool ct_shortcut_begin(struct ct_flight *flight, const struct ct_shortcut *shortcut)
{
    struct ct_messages *messages = &flight->messages;
    if (!ct_shortcut_may_begin(flight))
        return false;
    for (unsigned i = CT_BUFFER_TEMPORARY; i < shortcut->buffer_count; i++) {
        char *memory = ct_memory_reserve(&flight->temporary[i], shortcut->bytes[i]);
        if (!memory)
            return false;
        flight->buffers.base[i] = memory;
    }
    if (shortcut->buffer_count > flight->buffers_most)
        flight->buffers_most = shortcut->buffer_count;
    messages->code = MPI_SUCCESS;
    flight->short_step = 0;
    return true;
}

/* Sends that an error has left in the lane go first. */
static inline bool send(const struct ct_messages *messages, const struct short_step *step, const char *from)
{
    return step->lane->sends_pending == 0 &&
           ct_lane_send_short(step->lane, ct_message_label(messages, step->peer), from, step->bytes);
}

/* Ranks that exchange messages send theirs at about the same time. A look at once would come too early, and
 * take the line back from the other rank, which is about to write it. */
static inline void pause_before_look(const struct ct_lane *lane)
{
    if (lane->pauses)
        ct_pause();
}

/* A message with another label, or of another length, is for the long way. */
static inline bool receive(const struct ct_messages *messages, const struct short_step *step, char *to,
                           unsigned looks)
{
    for (unsigned passed = 1; !ct_ring_first(&step->lane->in); looks -= passed) {
        if (looks <= passed)
            return false;
        passed = ct_lane_pass_time(step->lane);
    }
    return ct_lane_receive_short(step->lane, ct_message_label(messages, step->peer), to, step->bytes);
}

bool ct_shortcut_run(struct ct_flight *flight, const struct ct_shortcut *shortcut,
                     ct_short_reduction *reduction, unsigned looks)
{
    struct ct_messages *messages = &flight->messages;
    const struct short_step *const begin = shortcut->steps, *const end = begin + shortcut->count;
    char *const *bases = flight->buffers.base;
    for (const struct short_step *step = begin + flight->short_step; step < end; step++) {
        const char *from = bases[step->from_buffer] + step->from;
        char *to = bases[step->to_buffer] + step->to;
        bool is_done = true;
        if (step->kind == CT_STEP_RECEIVE) {
            is_done = receive(messages, step, to, looks);
        } else if (step->kind == CT_STEP_SEND) {
            messages->sent += is_done = send(messages, step, from);
            if (step->is_answered)
                pause_before_look(step->lane);
        } else if (step->kind == CT_STEP_REDUCE) {
            reduction(from, to, step->n);
        } else {
            ct_lane_copy_short(to, from, step->bytes);
        }
        if (!is_done) {
            flight->short_step = (unsigned)(step - begin);
            return false;
        }
    }
    return true;
}

/* The messages of the round that are left are posted; then rounds do its local work and wait. */
int ct_shortcut_leave(struct ct_flight *flight, const struct ct_shortcut *shortcut,
                      const struct ct_plan *plan)
{
    const struct short_step *step = &shortcut->steps[flight->short_step];
    const struct short_step *const end = shortcut->steps + shortcut->count;
    const uint8_t round = step->round;
    flight->fuses = false;
    int code = ct_rounds_enter(flight, plan, round);
    for (; step < end && step->round == round && code == MPI_SUCCESS; step++)
        if (step->lane)
            code = ct_rounds_post(flight, &plan->steps[step->step]);
    return code;
}
