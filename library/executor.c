/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/executor.h"
#include "base/memory.h"
#include "library/channel.h"
#include "library/charge.h"
#include "library/lending.h"

#include <limits.h>
#include <string.h>

/* So many steps are queued before a long plan is carried out and its space reused. */
enum { DRAIN_AT = 32 };

/* One call in flight. */
struct execution {
    struct ct_channel *channel;
    MPI_Op op;
    MPI_Datatype type;              /* that messages are sent as */
    MPI_Datatype user_type;         /* that operations work on */
    size_t unit_bytes;              /* of a unit's signature */
    MPI_Aint extent;                /* from one unit to the next in memory */
    const struct ct_layout *layout; /* of a unit */
    char *base[CT_BUFFERS_MAX];
    const MPI_Aint
        *at[2]; /* CT_BUFFER_SEND, CT_BUFFER_RECV: where each block begins; NULL where there are none */
    unsigned buffers_ready;
    int code; /* the first MPI error */
};

/* Memory for the temporary buffers that the plan has asked for since the last time. */
static int make_buffers(struct execution *run)
{
    const struct ct_plan *plan = &run->channel->plan;
    for (; run->buffers_ready < plan->buffer_count; run->buffers_ready++) {
        unsigned buffer = run->buffers_ready;
        size_t n = plan->temporary[buffer], bytes = 0;
        if (n > 0 && (!ct_multiply(n - 1, (size_t)run->extent, &bytes) ||
                      !ct_add(bytes, (size_t)run->layout->true_extent, &bytes)))
            return MPI_ERR_NO_MEM;
        char *memory = ct_memory_reserve(&run->channel->temporary[buffer], bytes ? bytes : 1);
        if (!memory)
            return MPI_ERR_NO_MEM;
        run->base[buffer] = memory - run->layout->true_lb;
    }
    return MPI_SUCCESS;
}

/* `block` counts where the buffer is made of blocks. */
static char *address(const struct execution *run, unsigned buffer, size_t block, size_t offset)
{
    char *place = run->base[buffer] + (MPI_Aint)offset * run->extent;
    return buffer < CT_BUFFER_TEMPORARY && run->at[buffer] ? place + run->at[buffer][block] : place;
}

static int post(struct execution *run, const struct ct_step *step)
{
    const struct ct_message message = {.sends = step->kind == CT_STEP_SEND,
                                       .peer = step->peer,
                                       .address = address(run, step->buffer, step->block, step->offset),
                                       .n = step->n,
                                       .bytes = run->unit_bytes,
                                       .extent = run->extent,
                                       .type = run->type,
                                       .until = step->until};
    return ct_message_post(&run->channel->messages, &message);
}

static int wait_slot(struct execution *run, const struct ct_step *step)
{
    return ct_messages_wait_slot(&run->channel->messages, step->until);
}

static int copy(struct execution *run, const struct ct_step *step)
{
    char *from = address(run, step->buffer, (size_t)step->peer, step->offset),
         *to = address(run, step->other, (size_t)step->peer, step->other_offset);
    ct_charge_copy(step->n * run->unit_bytes);
    if (run->layout->contiguous) {
        memcpy(to, from, step->n * run->unit_bytes);
        return MPI_SUCCESS;
    }
    for (size_t left = step->n, n; left > 0;
         left -= n, from += (MPI_Aint)n * run->extent, to += (MPI_Aint)n * run->extent) {
        n = left < INT_MAX ? left : INT_MAX;
        struct ct_messages *messages = &run->channel->messages;
        int rank = run->channel->rank;
        int code = PMPI_Sendrecv(from, (int)n, run->user_type, rank, messages->tag, to, (int)n,
                                 run->user_type, rank, messages->tag, messages->comm, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

static int reduce(struct execution *run, const struct ct_step *step)
{
    char *from = address(run, step->buffer, 0, step->offset),
         *to = address(run, step->other, 0, step->other_offset);
    ct_charge_reduce(step->n * run->unit_bytes);
    for (size_t left = step->n, n; left > 0;
         left -= n, from += (MPI_Aint)n * run->extent, to += (MPI_Aint)n * run->extent) {
        n = left < INT_MAX ? left : INT_MAX;
        int code = PMPI_Reduce_local(from, to, (int)n, run->user_type, run->op);
        if (code != MPI_SUCCESS)
            return code;
    }
    return MPI_SUCCESS;
}

static bool is_message(const struct ct_step *step)
{
    return step->kind <= CT_STEP_RECEIVE;
}

/* A round of one message, which most rounds of short calls are. While spinning, MPI may as well wait itself.
 */
static int run_single(struct execution *run, const struct ct_step *step)
{
    struct ct_messages *messages = &run->channel->messages;
    char *place = address(run, step->buffer, step->block, step->offset);
    if (messages->policy != CT_WAIT_SPIN || step->n * run->unit_bytes > CT_MESSAGE_WHOLE) {
        int code = post(run, step);
        return code == MPI_SUCCESS ? ct_messages_wait_round(messages) : code;
    }
    if (step->kind == CT_STEP_RECEIVE)
        return MPI_Recv(place, (int)step->n, run->type, step->peer, messages->tag, messages->comm,
                        MPI_STATUS_IGNORE);
    messages->sent++;
    return MPI_Send(place, (int)step->n, run->type, step->peer, messages->tag, messages->comm);
}

/* In the order that rounds are defined by, however the steps lie in the list: waits, then messages, then
 * local work. */
static int run_round(struct execution *run, const struct ct_step *steps, size_t count, unsigned window)
{
    struct ct_messages *messages = &run->channel->messages;
    if (count == 1 && is_message(steps) && steps->until == CT_ROUND_END)
        return run_single(run, steps);
    int code = MPI_SUCCESS;
    for (size_t i = 0; code == MPI_SUCCESS && i < count; i++)
        if (steps[i].kind == CT_STEP_WAIT)
            code = wait_slot(run, &steps[i]);
    for (size_t i = 0; code == MPI_SUCCESS && i < count; i++) {
        if (!is_message(&steps[i]))
            continue;
        if (window > 0)
            code = ct_messages_wait_window(messages, window);
        if (code == MPI_SUCCESS)
            code = post(run, &steps[i]);
    }
    for (size_t i = 0; code == MPI_SUCCESS && i < count; i++)
        if (steps[i].kind == CT_STEP_COPY)
            code = copy(run, &steps[i]);
        else if (steps[i].kind == CT_STEP_REDUCE)
            code = reduce(run, &steps[i]);
    return code == MPI_SUCCESS ? ct_messages_wait_round(messages) : code;
}

/* Carries out the rounds that are queued. */
static int drain(struct ct_plan *plan, void *context)
{
    struct execution *run = context;
    int code = run->buffers_ready < plan->buffer_count ? make_buffers(run) : MPI_SUCCESS;
    const struct ct_step *steps = plan->steps;
    for (size_t r = 0; code == MPI_SUCCESS && r < plan->round_count; r++) {
        const struct ct_step *end = plan->steps + plan->rounds[r].end;
        code = run_round(run, steps, (size_t)(end - steps), plan->rounds[r].window);
        steps = end;
    }
    run->code = code;
    return code == MPI_SUCCESS ? CT_OK : CT_E_SYSTEM;
}

static int run_plan(struct execution *run, const struct ct_method *method, struct ct_call *call)
{
    struct ct_channel *channel = run->channel;
    struct ct_plan *plan = &channel->plan;
    channel->messages.tag = channel->messages.tag < channel->tag_limit ? channel->messages.tag + 1 : 0;
    ct_plan_reset(plan);
    plan->drain = drain;
    plan->drain_context = run;
    plan->drain_at = DRAIN_AT;
    run->buffers_ready = CT_BUFFER_TEMPORARY;
    int status = ct_method_build(method, plan, call);
    if (status == CT_OK && plan->round_count > 0)
        status = drain(plan, run);
    if (run->code == MPI_SUCCESS && channel->messages.deferred_count > 0)
        run->code = ct_messages_wait_deferred(&channel->messages);
    if (run->code == MPI_SUCCESS && status != CT_OK)
        run->code = MPI_ERR_NO_MEM;
    return run->code;
}

/* Reductions work on the user's own buffers and types. */
static int run_reduction(struct execution *run, const struct ct_method *method,
                         const struct ct_operands *operands, struct ct_call *call)
{
    int code = ct_channel_layout(run->channel, CT_BUFFER_RECV, operands->recv.type, &run->layout);
    if (code != MPI_SUCCESS)
        return code;
    run->op = operands->op;
    run->type = run->user_type = operands->recv.type;
    run->unit_bytes = run->layout->size;
    run->extent = run->layout->extent;
    run->base[CT_BUFFER_SEND] = operands->send.buffer;
    run->base[CT_BUFFER_RECV] = operands->recv.buffer;
    run->at[CT_BUFFER_SEND] = run->at[CT_BUFFER_RECV] = NULL;
    return run_plan(run, method, call);
}

/* Data counts in bytes of the signature. */
static int run_data(struct execution *run, const struct ct_method *method, const struct ct_operands *operands,
                    struct ct_call *call)
{
    static const struct ct_layout byte = {.size = 1, .extent = 1, .true_extent = 1, .contiguous = true};
    const struct ct_collective_description *about = &ct_collectives[method->algorithm->collective];
    struct ct_lent lent = {0};
    run->type = MPI_BYTE;
    run->unit_bytes = 1;
    run->extent = 1;
    run->layout = &byte;
    int code = about->has_data ? ct_lend(run->channel, about, operands, call, &lent) : MPI_SUCCESS;
    for (int side = 0; side < 2; side++) {
        run->base[side] = lent.base[side];
        run->at[side] = lent.at[side];
    }
    if (code == MPI_SUCCESS)
        code = run_plan(run, method, call);
    if (code == MPI_SUCCESS && lent.packed[CT_BUFFER_RECV])
        code = ct_take_back(run->channel, about, operands, call, &lent);
    return code;
}

int ct_execute_call(struct ct_channel *channel, const struct ct_method *method,
                    const struct ct_operands *operands, struct ct_call *call)
{
    struct execution run;
    run.channel = channel;
    run.code = MPI_SUCCESS;
    return (ct_collectives[method->algorithm->collective].reduces ? run_reduction : run_data)(&run, method,
                                                                                              operands, call);
}

int ct_execute(struct ct_channel *channel, const struct ct_method *method, const struct ct_operands *operands)
{
    struct ct_call call;
    int code = ct_call_describe(channel, method->algorithm->collective, operands, &call);
    return code == MPI_SUCCESS ? ct_execute_call(channel, method, operands, &call) : code;
}
