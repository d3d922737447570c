/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/executor.h"
#include "base/memory.h"
#include "library/backend_mpi.h"
#include "library/channel.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* A long plan is carried out, and its space reused, whenever this many steps are queued. */
enum { DRAIN_AT = 32 };

/* One call in flight. */
struct execution {
    struct ct_channel *channel;
    MPI_Op op;
    MPI_Datatype user_type; /* that operations work on */
    struct ct_units units;
    const struct ct_layout *layout; /* of a unit */
    struct ct_buffers buffers;
    unsigned buffers_ready;
    bool is_drained; /* a part of the plan was carried out and forgotten */
    int code;        /* the first MPI error */
};

/* Reserves memory for the temporary buffers that the plan has asked for since the last time. */
static int make_buffers(struct execution *run, const struct ct_plan *plan)
{
    for (; run->buffers_ready < plan->buffer_count; run->buffers_ready++) {
        unsigned buffer = run->buffers_ready;
        size_t n = plan->temporary[buffer], bytes = 0;
        if (n > 0 && (!ct_multiply(n - 1, (size_t)run->units.extent, &bytes) ||
                      !ct_add(bytes, (size_t)run->layout->true_extent, &bytes)))
            return MPI_ERR_NO_MEM;
        char *memory = ct_memory_reserve(&run->channel->temporary[buffer], bytes ? bytes : 1);
        if (!memory)
            return MPI_ERR_NO_MEM;
        run->buffers.base[buffer] = memory - run->layout->true_lb;
    }
    return MPI_SUCCESS;
}

/* `block` is used if the buffer is made of blocks. */
static char *address(const struct execution *run, unsigned buffer, size_t block, size_t offset)
{
    assert(buffer < CT_BUFFER_TEMPORARY || buffer < run->buffers_ready);
    const struct ct_buffers *buffers = &run->buffers;
    char *place = buffers->base[buffer] + (MPI_Aint)offset * run->units.extent;
    return buffer < CT_BUFFER_TEMPORARY && buffers->at[buffer] ? place + buffers->at[buffer][block] : place;
}

static int post(struct execution *run, const struct ct_step *step)
{
    return ct_message_post(&run->channel->messages, step,
                           address(run, step->buffer, step->block, step->offset), &run->units);
}

/* Copies between units that have gaps: a message to this rank itself. */
static int copy_units(struct execution *run, char *from, char *to, int n)
{
    struct ct_messages *messages = &run->channel->messages;
    int rank = ct_message_rank(messages, run->channel->rank);
    return PMPI_Sendrecv(from, n, run->user_type, rank, messages->tag, to, n, run->user_type, rank,
                         messages->tag, messages->comm, MPI_STATUS_IGNORE);
}

/* Copies or reduces, in pieces that MPI's int counts can carry. */
static int work(struct execution *run, const struct ct_step *step)
{
    bool copies = step->kind == CT_STEP_COPY;
    size_t block = copies ? (size_t)step->peer : 0, bytes = step->n * run->units.bytes;
    char *from = address(run, step->buffer, block, step->offset),
         *to = address(run, step->other, block, step->other_offset);
    (copies ? ct_charge_copy : ct_charge_reduce)(bytes);
    if (copies && run->layout->contiguous) {
        memcpy(to, from, bytes);
        return MPI_SUCCESS;
    }
    for (size_t left = step->n, n; left > 0; left -= n) {
        n = left < INT_MAX ? left : INT_MAX;
        int code = copies ? copy_units(run, from, to, (int)n)
                          : PMPI_Reduce_local(from, to, (int)n, run->user_type, run->op);
        if (code != MPI_SUCCESS)
            return code;
        from += (MPI_Aint)n * run->units.extent;
        to += (MPI_Aint)n * run->units.extent;
    }
    return MPI_SUCCESS;
}

static bool is_message(const struct ct_step *step)
{
    return step->kind <= CT_STEP_RECEIVE;
}

/* Finds the messages of a round, by CT_STEP_SEND and CT_STEP_RECEIVE, if one blocking MPI call can carry them
 * out, as in most rounds of short calls. That call costs less than posting and waiting. A rank that yields
 * must wait itself; longer messages travel during the local work. */
static bool find_blocking(const struct execution *run, const struct ct_step *steps, size_t count,
                          unsigned window, const struct ct_step *ret_messages[2])
{
    enum { AT_ONCE = 4096 };
    size_t longest = 0, messages = 0;
    if (run->channel->messages.policy != CT_WAIT_SPIN)
        return false;
    ret_messages[CT_STEP_SEND] = ret_messages[CT_STEP_RECEIVE] = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct ct_step *step = &steps[i];
        if (step->kind == CT_STEP_WAIT)
            return false;
        if (!is_message(step))
            continue;
        if (step->until != CT_ROUND_END || ret_messages[step->kind])
            return false;
        ret_messages[step->kind] = step;
        longest = step->n > longest ? step->n : longest;
        messages++;
    }
    return (window == 0 || window >= messages) &&
           longest * run->units.bytes <= (size_t)(messages < count ? AT_ONCE : CT_MESSAGE_WHOLE);
}

static int run_blocking(struct execution *run, const struct ct_step *send, const struct ct_step *receive)
{
    const void *from = send ? address(run, send->buffer, send->block, send->offset) : NULL;
    void *to = receive ? address(run, receive->buffer, receive->block, receive->offset) : NULL;
    return ct_messages_exchange(&run->channel->messages, send, from, receive, to, &run->units);
}

static int run_local(struct execution *run, const struct ct_step *steps, size_t count)
{
    int code = MPI_SUCCESS;
    for (size_t i = 0; i < count && code == MPI_SUCCESS; i++)
        if (steps[i].kind == CT_STEP_COPY || steps[i].kind == CT_STEP_REDUCE)
            code = work(run, &steps[i]);
    return code;
}

/* Carries out a round in the order that plan.h defines, however its steps lie in the list: first waits, then
 * messages, then local work. Not inline: short rounds need fewer registers. */
__attribute__((noinline)) static int run_posted(struct execution *run, const struct ct_step *steps,
                                                size_t count, unsigned window)
{
    struct ct_messages *messages = &run->channel->messages;
    int code;
    for (size_t i = 0; i < count; i++)
        if (steps[i].kind == CT_STEP_WAIT &&
            (code = ct_messages_wait_deferred(messages, steps[i].until)) != MPI_SUCCESS)
            return code;
    for (size_t i = 0; i < count; i++) {
        if (!is_message(&steps[i]))
            continue;
        if (window > 0 && (code = ct_messages_wait_window(messages, window)) != MPI_SUCCESS)
            return code;
        if ((code = post(run, &steps[i])) != MPI_SUCCESS)
            return code;
    }
    code = run_local(run, steps, count);
    return code == MPI_SUCCESS ? ct_messages_wait_round(messages) : code;
}

static int run_round(struct execution *run, const struct ct_step *steps, size_t count, unsigned window)
{
    const struct ct_step *messages[2];
    if (!find_blocking(run, steps, count, window, messages))
        return run_posted(run, steps, count, window);
    const struct ct_step *send = messages[CT_STEP_SEND], *receive = messages[CT_STEP_RECEIVE];
    int code = run_blocking(run, send, receive);
    bool has_local = count > (size_t)(send != NULL) + (receive != NULL);
    return code == MPI_SUCCESS && has_local ? run_local(run, steps, count) : code;
}

/* Carries out the rounds that the plan holds. */
static int run_rounds(struct execution *run, const struct ct_plan *plan)
{
    int code = run->buffers_ready < plan->buffer_count ? make_buffers(run, plan) : MPI_SUCCESS;
    const struct ct_step *steps = plan->steps;
    for (size_t r = 0; code == MPI_SUCCESS && r < plan->round_count; r++) {
        const struct ct_step *end = plan->steps + plan->rounds[r].end;
        code = run_round(run, steps, (size_t)(end - steps), plan->rounds[r].window);
        steps = end;
    }
    run->code = code;
    return code == MPI_SUCCESS ? CT_OK : CT_E_SYSTEM;
}

/* The plan's drain. */
static int drain(struct ct_plan *plan, void *context)
{
    struct execution *run = context;
    run->is_drained = true;
    return run_rounds(run, plan);
}

/* The first entry for such a plan. The upper bits of the products are spread best (Knuth 1998, The Art of
 * Computer Programming, volume 3, section 6.4). */
static size_t kept_number(const struct ct_method *method, const struct ct_call *call)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t number = (uint64_t)(method->algorithm - ct_algorithms) + (uint64_t)call->root + call->count;
    for (int i = 0; i < CT_PARAMETERS_MAX; i++)
        number = (number ^ method->values[i]) * factor;
    return (size_t)(number >> 32);
}

static struct ct_kept_plan **kept_entry(struct ct_channel *channel, size_t number, size_t i)
{
    return &channel->kept[(number + i) % CT_KEPT_PLANS];
}

static bool is_kept_for(const struct ct_kept_plan *kept, const struct ct_method *method,
                        const struct ct_call *call)
{
    return ct_method_equal(&kept->method, method) && kept->root == call->root &&
           kept->in_place == call->in_place && kept->commutative == call->commutative &&
           kept->count == call->count && kept->unit_bytes == call->unit_bytes;
}

static struct ct_kept_plan *search_kept(struct ct_channel *channel, const struct ct_method *method,
                                        const struct ct_call *call)
{
    size_t number = kept_number(method, call);
    for (size_t i = 0; i < CT_KEPT_NEAR; i++) {
        struct ct_kept_plan *kept = *kept_entry(channel, number, i);
        if (!kept || is_kept_for(kept, method, call))
            return kept;
    }
    return NULL;
}

/* NULL if no call like this one was noted. */
static struct ct_kept_plan *find_kept(struct ct_channel *channel, const struct ct_method *method,
                                      const struct ct_call *call)
{
    struct ct_kept_plan *kept = channel->kept_last;
    if (!kept || !is_kept_for(kept, method, call))
        kept = channel->kept_last = search_kept(channel, method, call);
    if (kept)
        kept->used = ++channel->kept_uses;
    return kept;
}

/* Notes the call in an empty entry, or in that which was not used for longest. Without memory it does
 * nothing. */
static void note_call(struct ct_channel *channel, const struct ct_method *method, const struct ct_call *call)
{
    size_t number = kept_number(method, call);
    struct ct_kept_plan **entry = kept_entry(channel, number, 0);
    for (size_t i = 1; *entry && i < CT_KEPT_NEAR; i++) {
        struct ct_kept_plan **other = kept_entry(channel, number, i);
        if (!*other || (*other)->used < (*entry)->used)
            entry = other;
    }
    if (!*entry && !(*entry = ct_allocate(1, sizeof **entry)))
        return;
    ct_plan_free(&(*entry)->plan);
    **entry = (struct ct_kept_plan){.used = ++channel->kept_uses,
                                    .method = *method,
                                    .root = call->root,
                                    .in_place = call->in_place,
                                    .commutative = call->commutative,
                                    .count = call->count,
                                    .unit_bytes = call->unit_bytes};
}

/* Writes a plan and carries it out, the first part while the rest is written. Keeps it if a call like this
 * one was noted before, in `kept`, unless it was too long to be whole at any time. Returns the plan's status.
 */
static int write_and_run(struct execution *run, const struct ct_method *method, struct ct_call *call,
                         struct ct_kept_plan *kept)
{
    struct ct_plan *plan = &run->channel->plan;
    ct_plan_reset(plan);
    plan->drain = drain;
    plan->drain_context = run;
    plan->drain_at = DRAIN_AT;
    run->is_drained = false;
    int status = ct_method_build(method, plan, call);
    if (status != CT_OK)
        return status;
    if (kept && !run->is_drained)
        kept->is_whole = ct_plan_copy(plan, &kept->plan) == CT_OK;
    else if (!kept && !ct_collectives[method->algorithm->collective].varies)
        note_call(run->channel, method, call);
    return run_rounds(run, plan);
}

static int run_plan(struct execution *run, const struct ct_method *method, struct ct_call *call)
{
    struct ct_messages *messages = &run->channel->messages;
    struct ct_kept_plan *kept = find_kept(run->channel, method, call);
    run->buffers_ready = CT_BUFFER_TEMPORARY;
    messages->code = MPI_SUCCESS;
    int status =
        kept && kept->is_whole ? run_rounds(run, &kept->plan) : write_and_run(run, method, call, kept);
    if (run->code == MPI_SUCCESS && messages->deferred_count > 0)
        run->code = ct_messages_wait_deferred(messages, CT_ALL_SLOTS);
    if (run->code == MPI_SUCCESS && status != CT_OK)
        run->code = MPI_ERR_NO_MEM;
    if (run->code == MPI_SUCCESS)
        return messages->code;
    if (!ct_messages_abandon(messages))
        ct_channel_leave_memory(run->channel);
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
    run->user_type = operands->recv.type;
    run->units = (struct ct_units){operands->recv.type, run->layout->size, run->layout->extent};
    run->buffers.base[CT_BUFFER_SEND] = operands->send.buffer;
    run->buffers.base[CT_BUFFER_RECV] = operands->recv.buffer;
    run->buffers.at[CT_BUFFER_SEND] = run->buffers.at[CT_BUFFER_RECV] = NULL;
    return run_plan(run, method, call);
}

/* All others count in bytes of the signature. */
static int run_data(struct execution *run, const struct ct_method *method, const struct ct_operands *operands,
                    struct ct_call *call)
{
    static const struct ct_layout byte = {.size = 1, .extent = 1, .true_extent = 1, .contiguous = true};
    const struct ct_collective_description *about = &ct_collectives[method->algorithm->collective];
    run->units = (struct ct_units){MPI_BYTE, 1, 1};
    run->layout = &byte;
    if (!about->has_data) {
        run->buffers.base[CT_BUFFER_SEND] = run->buffers.base[CT_BUFFER_RECV] = NULL;
        run->buffers.at[CT_BUFFER_SEND] = run->buffers.at[CT_BUFFER_RECV] = NULL;
        return run_plan(run, method, call);
    }
    int code = ct_buffers_pack(run->channel, about, operands, call, &run->buffers);
    if (code == MPI_SUCCESS)
        code = run_plan(run, method, call);
    return code == MPI_SUCCESS ? ct_buffers_unpack(run->channel, about, operands, call, &run->buffers) : code;
}

int ct_execute_call(struct ct_channel *channel, const struct ct_method *method,
                    const struct ct_operands *operands, struct ct_call *call)
{
    assert(ct_has_plan(method->algorithm));
    struct execution run;
    run.channel = channel;
    run.code = MPI_SUCCESS;
    bool reduces = ct_collectives[method->algorithm->collective].reduces;
    return (reduces ? run_reduction : run_data)(&run, method, operands, call);
}

int ct_execute(struct ct_channel *channel, const struct ct_method *method, const struct ct_operands *operands)
{
    struct ct_call call;
    int code = ct_call_describe(channel, method->algorithm->collective, operands, &call);
    return code == MPI_SUCCESS ? ct_execute_call(channel, method, operands, &call) : code;
}
