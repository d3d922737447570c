/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/rounds.h"
#include "base/memory.h"
#include "library/execute/channel_state.h"
#include "library/execute/message_errors.h"
#include "library/execute/messages.h"
#include "library/execute/near_messages.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/predefined_ops.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* Reserves memory for the temporary buffers that the plan has asked for since the last time. */
static int make_buffers(struct ct_flight *flight, const struct ct_plan *plan)
{
    for (; flight->buffers_ready < plan->buffer_count; flight->buffers_ready++) {
        unsigned buffer = flight->buffers_ready;
        size_t n = plan->temporary[buffer], bytes = 0;
        if (n > 0 && (!ct_multiply(n - 1, (size_t)flight->units.extent, &bytes) ||
                      !ct_add(bytes, (size_t)flight->layout.true_extent, &bytes)))
            return MPI_ERR_NO_MEM;
        char *memory = ct_memory_reserve(&flight->temporary[buffer], bytes ? bytes : 1);
        if (!memory)
            return MPI_ERR_NO_MEM;
        flight->buffers.base[buffer] = memory - flight->layout.true_lb;
        flight->buffers_most = buffer < flight->buffers_most ? flight->buffers_most : buffer + 1;
    }
    return MPI_SUCCESS;
}

/* `block` is used if the buffer is made of blocks. */
static char *address(const struct ct_flight *flight, unsigned buffer, size_t block, size_t offset)
{
    assert(buffer < CT_BUFFER_TEMPORARY || buffer < flight->buffers_ready);
    const struct ct_buffers *buffers = &flight->buffers;
    char *place = buffers->base[buffer] + (MPI_Aint)offset * flight->units.extent;
    return buffer < CT_BUFFER_TEMPORARY && buffers->at[buffer] ? place + buffers->at[buffer][block] : place;
}

/* The operand of a receive that reduces, but for the message and the destination; NULL if there is none. */
static const char *operand_of(const struct ct_flight *flight, const struct ct_step *step)
{
    return step->kind == CT_STEP_RECEIVE_UPPER ? address(flight, step->other, 0, step->other_offset) : NULL;
}

static int post(struct ct_flight *flight, const struct ct_step *step)
{
    if (ct_step_is_fused(step))
        return ct_near_message_reduce(&flight->messages, step, address(flight, step->buffer, 0, step->offset),
                                      operand_of(flight, step), &flight->units);
    return ct_message_post(&flight->messages, step, address(flight, step->buffer, step->block, step->offset),
                           &flight->units);
}

/* Copies between elements that have gaps: a message to this rank itself. */
static int copy_elements(struct ct_flight *flight, char *from, char *to, int n)
{
    struct ct_messages *messages = &flight->messages;
    int rank = ct_message_rank(messages, flight->channel->rank);
    return PMPI_Sendrecv(from, n, flight->units.type, rank, messages->tag, to, n, flight->units.type, rank,
                         messages->tag, messages->comm, MPI_STATUS_IGNORE);
}

/* Copies or reduces, in pieces that MPI's int counts can carry. */
static int work(struct ct_flight *flight, const struct ct_step *step)
{
    bool copies = step->kind == CT_STEP_COPY;
    size_t block = copies ? (size_t)step->peer : 0, bytes = step->n * flight->units.bytes;
    const size_t most = (size_t)(INT_MAX / flight->units.elements);
    char *from = address(flight, step->buffer, block, step->offset),
         *to = address(flight, step->other, block, step->other_offset);
    (copies ? ct_charge_copy : ct_charge_reduce)(bytes);
    if (copies && flight->layout.contiguous) {
        memcpy(to, from, bytes);
        return MPI_SUCCESS;
    }
    for (size_t left = step->n, n; left > 0; left -= n) {
        n = left < most ? left : most;
        int elements = (int)n * flight->units.elements;
        int code = copies ? copy_elements(flight, from, to, elements)
                          : PMPI_Reduce_local(from, to, elements, flight->units.type, flight->op);
        if (code != MPI_SUCCESS)
            return code;
        from += (MPI_Aint)n * flight->units.extent;
        to += (MPI_Aint)n * flight->units.extent;
    }
    return MPI_SUCCESS;
}

/* --- receives that reduce --- */

/* In pieces of a message, whose elements MPI's int counts can carry. */
static void combine_elements(void *context, const void *from, void *to, size_t bytes)
{
    struct ct_flight *flight = context;
    int code =
        PMPI_Reduce_local(from, to, (int)(bytes / flight->units.bytes), flight->units.type, flight->op);
    if (code != MPI_SUCCESS)
        ct_messages_keep_error(&flight->messages, code);
}

/* Types of the user's, and operations of the user's, may need all elements at a time. */
bool ct_rounds_fuse(struct ct_flight *flight)
{
    const struct ct_units *units = &flight->units;
    const struct ct_node *node = flight->messages.node;
    if (!node || !ct_node_fuses(node) || !units->contiguous || !flight->layout.predefined ||
        units->elements != 1 || units->bytes == 0 || CT_LINE % units->bytes != 0 ||
        !ct_is_predefined_op(flight->op))
        return false;
    flight->messages.reduction =
        (struct ct_reduction){.combine = combine_elements, .context = flight, .element = units->bytes};
    return true;
}

/* Messages of so many bytes are on their way in no time: MPI libraries keep them for their receiver. */
enum { SHORT = 4096 };

/* Finds the messages of a round, if one blocking exchange can carry them out, as in most rounds of short
 * calls. That costs less than posting and waiting. A rank that yields must wait itself; longer messages
 * travel during the local work. */
static bool find_exchange(const struct ct_flight *flight, const struct ct_step *steps, size_t count,
                          unsigned window, struct ct_exchange *ret_exchange)
{
    size_t longest = 0, messages = 0;
    if (!ct_messages_may_block(&flight->messages))
        return false;
    *ret_exchange = (struct ct_exchange){0};
    for (size_t i = 0; i < count; i++) {
        const struct ct_step *step = &steps[i];
        if (step->kind == CT_STEP_WAIT)
            return false;
        if (!ct_step_is_message(step))
            continue;
        int side = ct_step_is_receive(step);
        if (step->until != CT_ROUND_END || ret_exchange->steps[side])
            return false;
        ret_exchange->steps[side] = step;
        longest = step->n > longest ? step->n : longest;
        messages++;
    }
    return (window == 0 || window >= messages) &&
           longest * flight->units.bytes <= (size_t)(messages < count ? SHORT : CT_MESSAGE_WHOLE) &&
           ct_exchange_find_lanes(&flight->messages, &flight->units, ret_exchange);
}

static int exchange(struct ct_flight *flight, struct ct_exchange *exchange)
{
    char *addresses[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        const struct ct_step *step = exchange->steps[i];
        if (step)
            addresses[i] = address(flight, step->buffer, step->block, step->offset);
    }
    if (exchange->steps[CT_STEP_RECEIVE])
        exchange->operand = operand_of(flight, exchange->steps[CT_STEP_RECEIVE]);
    return ct_messages_exchange(&flight->messages, exchange, addresses, &flight->units);
}

static int run_local(struct ct_flight *flight, const struct ct_step *steps, size_t count)
{
    int code = MPI_SUCCESS;
    for (size_t i = 0; i < count && code == MPI_SUCCESS; i++)
        if (ct_step_is_local(&steps[i]))
            code = work(flight, &steps[i]);
    return code;
}

/* --- the parts of a round, in the order that plan.h defines, however its steps lie in the list. Each goes on
 * from the step at which it was left, and returns CT_PENDING if it must be left there. --- */

static int wait_for_deferred(struct ct_flight *flight, const struct ct_step *steps, size_t count,
                             unsigned window)
{
    (void)window;
    for (; flight->step < count; flight->step++) {
        const struct ct_step *step = &steps[flight->step];
        int code = step->kind == CT_STEP_WAIT ? ct_messages_wait_deferred(&flight->messages, step->until)
                                              : MPI_SUCCESS;
        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

static int post_messages(struct ct_flight *flight, const struct ct_step *steps, size_t count, unsigned window)
{
    if (flight->step == 0)
        flight->messages.groups = 0;
    for (; flight->step < count; flight->step++) {
        const struct ct_step *step = &steps[flight->step];
        if (!ct_step_is_message(step))
            continue;
        int code = window > 0 ? ct_messages_wait_window(&flight->messages, window) : MPI_SUCCESS;
        if (code == MPI_SUCCESS)
            code = post(flight, step);
        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

static int work_locally(struct ct_flight *flight, const struct ct_step *steps, size_t count, unsigned window)
{
    (void)window;
    return run_local(flight, steps, count);
}

static int wait_for_round(struct ct_flight *flight, const struct ct_step *steps, size_t count,
                          unsigned window)
{
    (void)steps;
    (void)count;
    (void)window;
    return ct_messages_wait_round(&flight->messages);
}

static int (*const parts[])(struct ct_flight *flight, const struct ct_step *steps, size_t count,
                            unsigned window) = {wait_for_deferred, post_messages, work_locally,
                                                wait_for_round};
enum { LOCAL = 2, PARTS = sizeof parts / sizeof parts[0] };

/* Not inline: short rounds need fewer registers. */
__attribute__((noinline)) static int run_parts(struct ct_flight *flight, const struct ct_step *steps,
                                               size_t count, unsigned window)
{
    for (; flight->part < PARTS; flight->part++) {
        int code = parts[flight->part](flight, steps, count, window);
        if (code != MPI_SUCCESS)
            return code;
        flight->step = 0;
    }
    flight->part = 0;
    return MPI_SUCCESS;
}

static int run_round(struct ct_flight *flight, const struct ct_step *steps, size_t count, unsigned window)
{
    struct ct_exchange messages;
    bool is_begun = flight->part > 0 || flight->step > 0;
    if (is_begun || !find_exchange(flight, steps, count, window, &messages))
        return run_parts(flight, steps, count, window);
    int code = exchange(flight, &messages);
    bool has_local = count > (size_t)(messages.steps[0] != NULL) + (messages.steps[1] != NULL);
    return code == MPI_SUCCESS && has_local ? run_local(flight, steps, count) : code;
}

void ct_rounds_begin(struct ct_flight *flight)
{
    flight->round = flight->step = 0;
    flight->part = 0;
}

int ct_rounds_enter(struct ct_flight *flight, const struct ct_plan *plan, size_t round)
{
    flight->round = round;
    flight->step = 0;
    flight->part = LOCAL;
    return flight->buffers_ready < plan->buffer_count ? make_buffers(flight, plan) : MPI_SUCCESS;
}

int ct_rounds_post(struct ct_flight *flight, const struct ct_step *step)
{
    return post(flight, step);
}

bool ct_rounds_receive_first(const struct ct_flight *flight, const struct ct_plan *plan)
{
    const struct ct_step *step = plan->steps;
    return plan->round_count > 0 && plan->rounds[0].end == 1 && step->kind == CT_STEP_RECEIVE &&
           step->until == CT_ROUND_END && step->n * flight->units.bytes <= SHORT;
}

int ct_rounds_run(struct ct_flight *flight, const struct ct_plan *plan)
{
    int code = flight->buffers_ready < plan->buffer_count ? make_buffers(flight, plan) : MPI_SUCCESS;
    size_t begin = flight->round > 0 ? plan->rounds[flight->round - 1].end : 0;
    for (; code == MPI_SUCCESS && flight->round < plan->round_count; flight->round++) {
        const struct ct_round *round = &plan->rounds[flight->round];
        code = run_round(flight, plan->steps + begin, round->end - begin, round->window);
        if (code != MPI_SUCCESS)
            break;
        begin = round->end;
    }
    return code;
}
