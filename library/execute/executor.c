/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/executor.h"
#include "base/memory.h"
#include "library/execute/channel.h"
#include "library/execute/describe_call.h"
#include "library/execute/flight_memory.h"
#include "library/execute/kept_plans.h"
#include "library/execute/messages.h"
#include "library/execute/mpi_progress.h"
#include "library/execute/packing.h"
#include "library/execute/rounds.h"
#include "library/execute/shortcut.h"
#include "plan/share_sends.h"

#include <assert.h>
#include <stdlib.h>

/* A long plan is carried out, and its space reused, whenever this many steps are queued. */
enum { DRAIN_AT = 32 };
/* Once a call repeats, its plan is kept if it has no more steps, or if it may be fused, so many. */
enum { KEEP_MOST = CT_SHORTCUT_STEPS, FUSE_MOST = 512 };

/* --- the plan --- */

static int run_all(struct ct_flight *flight, const struct ct_plan *plan)
{
    ct_rounds_begin(flight);
    return ct_rounds_run(flight, plan);
}

/* The plan's drain. */
static int drain(struct ct_plan *plan, void *context)
{
    struct ct_flight *flight = context;
    flight->is_drained = true;
    flight->code = run_all(flight, plan);
    return flight->code == MPI_SUCCESS ? CT_OK : CT_E_SYSTEM;
}

static bool may_be_fused(const struct ct_flight *flight, const struct ct_method *method,
                         const struct ct_call *call)
{
    const struct ct_node *node = flight->messages.node;
    const size_t least =
        ct_collectives[method->algorithm->collective].reduces ? CT_FUSED_BYTES : CT_SHARED_BYTES;
    return node && ct_node_fuses(node) && call->count * call->unit_bytes >= least;
}

/* Writes a plan and carries it out, the first part while the rest is written. Keeps it if it may be kept and
 * the call has come before, unless it was too long to be whole at any time. */
static int write_and_run(struct ct_flight *flight, bool may_be_kept, const struct ct_method *method,
                         struct ct_call *call)
{
    struct ct_plan *plan = &flight->plan;
    const bool is_wanted = may_be_kept && ct_kept_plan_is_wanted(flight->channel, call);
    ct_plan_reset(plan);
    plan->drain = drain;
    plan->drain_context = flight;
    plan->drain_at = !is_wanted ? DRAIN_AT : 1 + (may_be_fused(flight, method, call) ? FUSE_MOST : KEEP_MOST);
    flight->is_drained = false;
    flight->code = MPI_SUCCESS;
    int status = ct_method_build(method, plan, call);
    if (status != CT_OK)
        return flight->code != MPI_SUCCESS ? flight->code : MPI_ERR_NO_MEM;
    if (is_wanted && !flight->is_drained)
        ct_kept_plan_keep(flight->channel, method, call, plan);
    return run_all(flight, plan);
}

/* What remains after the last round: deferred messages, and those that an error has left. */
static int finish(struct ct_flight *flight, int code)
{
    struct ct_messages *messages = &flight->messages;
    if (code == MPI_SUCCESS && (messages->deferred_count > 0 || messages->transfers.count > 0))
        code = ct_messages_wait_deferred(messages, CT_ALL_SLOTS);
    if (code == MPI_SUCCESS)
        return messages->code;
    if (code == CT_PENDING)
        return code;
    if (!ct_messages_abandon(messages))
        ct_flight_leave_memory(flight);
    ct_progress_add_remains(flight);
    return code;
}

/* The rewritten form of the plan, if it has one and the call can be carried out so. */
static const struct ct_plan *form_of(struct ct_flight *flight, const struct ct_kept_plan *kept)
{
    flight->fuses = flight->messages.code == MPI_SUCCESS && kept->fused &&
                    ct_node_fuses(flight->messages.node) && (!kept->reduces || ct_rounds_fuse(flight));
    return flight->fuses ? kept->fused : kept->plan;
}

/* Carries out this plan, or, if it is NULL, one that is kept, if it may be, or written now. */
static int run_plan(struct ct_flight *flight, const struct ct_plan *plan, bool may_be_kept,
                    const struct ct_method *method, const struct ct_operands *operands, struct ct_call *call)
{
    const struct ct_kept_plan *kept = may_be_kept ? ct_kept_plan_find(flight->channel, method, call) : NULL;
    flight->buffers_ready = CT_BUFFER_TEMPORARY;
    flight->messages.code = operands->own_code;
    flight->fuses = false;
    if (kept)
        plan = form_of(flight, kept);
    return finish(flight, plan ? run_all(flight, plan) : write_and_run(flight, may_be_kept, method, call));
}

/* --- the operands --- */

/* Makes units of several elements. */
static void widen(struct ct_flight *flight, int elements)
{
    flight->layout.true_extent += (elements - 1) * flight->layout.extent;
    flight->units.bytes *= (size_t)elements;
    flight->units.extent *= elements;
    flight->units.elements = elements;
}

/* Makes the buffers that the plan works on. Reductions work on the user's own buffers and types, all others
 * on bytes of the signature. */
static int take_operands(struct ct_flight *flight, const struct ct_collective_description *about,
                         const struct ct_operands *operands, const struct ct_call *call)
{
    static const struct ct_layout byte = {.size = 1, .extent = 1, .true_extent = 1, .contiguous = true};
    struct ct_buffers *buffers = &flight->buffers;
    if (about->reduces) {
        const struct ct_layout *layout;
        MPI_Datatype type = operands->recv.type;
        int code = ct_channel_layout(flight->channel, CT_BUFFER_RECV, type, &layout);
        if (code != MPI_SUCCESS)
            return code;
        flight->op = operands->op;
        flight->layout = *layout;
        flight->units = (struct ct_units){type, layout->size, layout->extent, 1, layout->contiguous};
        if (layout->size > 0 && call->unit_bytes > layout->size)
            widen(flight, (int)(call->unit_bytes / layout->size));
    } else {
        flight->units = (struct ct_units){MPI_BYTE, 1, 1, 1, true};
        flight->layout = byte;
        if (about->has_data)
            return ct_buffers_pack(flight, about, operands, call, buffers);
    }
    buffers->base[CT_BUFFER_SEND] = operands->send.buffer;
    buffers->base[CT_BUFFER_RECV] = operands->recv.buffer;
    for (int side = 0; side < 2; side++) {
        buffers->at[side] = NULL;
        buffers->packed[side] = false;
    }
    return MPI_SUCCESS;
}

static inline int execute(struct ct_channel *channel, const struct ct_plan *plan, bool may_be_kept,
                          const struct ct_method *method, const struct ct_operands *operands,
                          struct ct_call *call)
{
    assert(ct_has_plan(method->algorithm));
    struct ct_flight *flight = &channel->flight;
    const struct ct_collective_description *about = &ct_collectives[method->algorithm->collective];
    ct_channel_begin_call(channel);
    int code = take_operands(flight, about, operands, call);
    if (code == MPI_SUCCESS)
        code = run_plan(flight, plan, may_be_kept, method, operands, call);
    return code == MPI_SUCCESS ? ct_buffers_unpack(flight, about, operands, call, &flight->buffers) : code;
}

int ct_execute_call(struct ct_channel *channel, const struct ct_method *method,
                    const struct ct_operands *operands, struct ct_call *call)
{
    return execute(channel, NULL, true, method, operands, call);
}

int ct_execute_once(struct ct_channel *channel, const struct ct_method *method,
                    const struct ct_operands *operands, struct ct_call *call, struct ct_scaled_plans *plans)
{
    struct ct_plan *plan = &channel->flight.plan;
    const bool differ = call->send_counts || call->recv_counts;
    bool is_written = !differ && ct_scaled_plan_write(plans, method, call, plan);
    return execute(channel, is_written ? plan : NULL, false, method, operands, call);
}

int ct_execute(struct ct_channel *channel, const struct ct_method *method, const struct ct_operands *operands)
{
    struct ct_call call;
    int code = ct_call_describe(channel, method->algorithm->collective, operands, &call);
    return code == MPI_SUCCESS ? ct_execute_call(channel, method, operands, &call) : code;
}

/* --- calls by the shortcut --- */

/* Do the plan's SEND and RECV stand for the user's buffers as they lie in memory, and its units for whole
 * elements without gaps? Asked of a call whose operands have been taken. */
static bool is_plain(const struct ct_flight *flight)
{
    const struct ct_buffers *buffers = &flight->buffers;
    return !buffers->packed[0] && !buffers->packed[1] && flight->units.contiguous &&
           flight->units.elements == 1;
}

static bool has_placed_blocks(const struct ct_flight *flight)
{
    return flight->buffers.at[CT_BUFFER_SEND] || flight->buffers.at[CT_BUFFER_RECV];
}

/* Finds out whether calls like the one whose operands have been taken can take the shortcut of `kept`. */
static bool find_shortcut(const struct ct_flight *flight, const struct ct_kept_plan *kept,
                          ct_short_reduction **ret_reduction)
{
    if (!kept || !kept->shortcut || !is_plain(flight))
        return false;
    *ret_reduction = NULL;
    if (!ct_shortcut_reduces(kept->shortcut))
        return true;
    *ret_reduction = ct_short_reduction_of(flight->op, flight->units.type, flight->units.bytes);
    return *ret_reduction != NULL;
}

/* The shortcut of calls like the one whose operands have been taken. NULL: they have none. */
static const struct ct_shortcut *shortcut_of(const struct ct_flight *flight, const struct ct_kept_plan *kept,
                                             struct ct_kept_memory *memory,
                                             ct_short_reduction **ret_reduction)
{
    if (!find_shortcut(flight, kept, ret_reduction))
        return NULL;
    return has_placed_blocks(flight)
               ? ct_shortcut_place(kept->shortcut, kept->plan, flight->buffers.at, memory)
               : kept->shortcut;
}

void ct_short_call_find(struct ct_channel *channel, struct ct_short_call *shorter)
{
    struct ct_kept_plan *kept = channel->kept ? channel->kept->last : NULL;
    shorter->shortcut = shortcut_of(&channel->flight, kept, &shorter->memory, &shorter->reduction);
    shorter->kept = shorter->shortcut ? kept : NULL;
    shorter->since = shorter->shortcut ? kept->since : 0;
}

void ct_short_call_free(struct ct_short_call *shorter)
{
    ct_memory_free(&shorter->memory, 1, 0);
}

__attribute__((always_inline)) inline bool ct_short_call_is_kept(const struct ct_short_call *shorter)
{
    return shorter->kept && shorter->kept->since == shorter->since;
}

/* A rank that yields leaves the CPU at once to those that it waits for. Another one looks for a few
 * microseconds: if it left the shortcut sooner, the long way of one call would make the next rank wait so
 * long that it left its own, and so on for ever. */
static unsigned looks_for(const struct ct_messages *messages)
{
    enum { LOOKS = 8192 };
    return ct_messages_may_block(messages) ? LOOKS : 1;
}

__attribute__((noinline)) static int go_on_by_rounds(struct ct_flight *flight,
                                                     const struct ct_short_call *shorter,
                                                     const struct ct_collective_description *about,
                                                     const struct ct_operands *operands,
                                                     const struct ct_call *call)
{
    int code = take_operands(flight, about, operands, call);
    flight->buffers_ready = CT_BUFFER_TEMPORARY;
    if (code == MPI_SUCCESS)
        code = ct_shortcut_leave(flight, shorter->shortcut, shorter->kept->plan);
    if (code == MPI_SUCCESS)
        code = ct_rounds_run(flight, shorter->kept->plan);
    code = finish(flight, code);
    return code == MPI_SUCCESS ? ct_buffers_unpack(flight, about, operands, call, &flight->buffers) : code;
}

int ct_execute_short(struct ct_channel *channel, const struct ct_short_call *shorter,
                     const struct ct_method *method, const struct ct_operands *operands, struct ct_call *call)
{
    struct ct_flight *flight = &channel->flight;
    if (!ct_shortcut_begin(flight, shorter->shortcut))
        return ct_execute_call(channel, method, operands, call);
    ct_channel_begin_call(channel);
    shorter->kept->used = ++channel->kept->uses;
    flight->buffers.base[CT_BUFFER_SEND] = operands->send.buffer;
    flight->buffers.base[CT_BUFFER_RECV] = operands->recv.buffer;
    if (ct_shortcut_run(flight, shorter->shortcut, shorter->reduction, looks_for(&flight->messages)))
        return MPI_SUCCESS;
    return go_on_by_rounds(flight, shorter, &ct_collectives[method->algorithm->collective], operands, call);
}

/* --- calls that are not waited for --- */

static const struct ct_flight_functions flight_functions = {.advance = ct_flight_advance,
                                                            .release = ct_flight_free};

static inline void use_channel(struct ct_flight *flight, struct ct_channel *channel)
{
    flight->channel = channel;
    flight->functions = &flight_functions;
    flight->messages.comm = channel->flight.messages.comm;
    flight->messages.ranks = channel->ranks;
    flight->messages.node = channel->flight.messages.node;
    flight->messages.node_ranks = channel->flight.messages.node_ranks;
    flight->messages.labels = channel->flight.messages.labels;
    flight->messages.policy = channel->flight.messages.policy;
}

void ct_flight_set_tag(struct ct_flight *flight, int tag)
{
    flight->messages.tag = tag;
    flight->messages.label_end = ct_node_tag_bits(tag);
}

void ct_flight_reuse(struct ct_flight *flight, struct ct_channel *channel, int tag)
{
    use_channel(flight, channel);
    ct_flight_set_tag(flight, tag);
    flight->shortcut = NULL;
}

struct ct_flight *ct_flight_make(struct ct_channel *channel, int tag)
{
    struct ct_flight *flight = ct_allocate(1, sizeof *flight);
    if (flight)
        ct_flight_reuse(flight, channel, tag);
    return flight;
}

void ct_flight_free(struct ct_flight *flight)
{
    if (!flight)
        return;
    ct_progress_forget(flight);
    ct_flight_leave_plan(flight);
    ct_flight_trim(flight, 0);
    ct_plan_free(&flight->plan);
    ct_messages_free(&flight->messages);
    free(flight);
}

int ct_flight_plan(struct ct_flight *flight, const struct ct_method *method, struct ct_call *call,
                   bool repeats)
{
    struct ct_kept_plan *kept = ct_kept_plan_find(flight->channel, method, call);
    if (!kept) {
        ct_plan_reset(&flight->plan);
        if (ct_method_build(method, &flight->plan, call) != CT_OK)
            return MPI_ERR_NO_MEM;
        if (ct_kept_plan_is_wanted(flight->channel, call) || repeats)
            kept = ct_kept_plan_keep(flight->channel, method, call, &flight->plan);
    }
    if (kept) {
        flight->kept = kept;
        kept->flights++;
    }
    return MPI_SUCCESS;
}

void ct_flight_leave_plan(struct ct_flight *flight)
{
    enum { A_LITTLE = 64 << 10 };
    if (flight->kept)
        flight->kept->flights--;
    flight->kept = NULL;
    flight->fuses = false;
    if (!flight->shortcut) /* which has little memory */
        ct_flight_trim(flight, A_LITTLE);
    flight->shortcut = NULL;
}

static const struct ct_plan *plan_of(const struct ct_flight *flight)
{
    if (!flight->kept)
        return &flight->plan;
    return flight->fuses ? flight->kept->fused : flight->kept->plan;
}

int ct_flight_begin(struct ct_flight *flight, enum ct_collective collective,
                    const struct ct_operands *operands, const struct ct_call *call)
{
    flight->collective = collective;
    flight->operands = operands;
    flight->call = call;
    flight->buffers_ready = CT_BUFFER_TEMPORARY;
    flight->messages.code = operands->own_code;
    /* The channel may have got these since the flight was made. */
    flight->messages.label = flight->channel->flight.messages.label;
    flight->messages.policy = flight->channel->flight.messages.policy;
    ct_rounds_begin(flight);
    int code = take_operands(flight, &ct_collectives[collective], operands, call);
    if (code != MPI_SUCCESS)
        return code;
    if (flight->kept)
        form_of(flight, flight->kept);
    flight->shortcut = operands->own_code == MPI_SUCCESS
                           ? shortcut_of(flight, flight->kept, &flight->placed, &flight->reduction)
                           : NULL;
    flight->is_short = flight->shortcut && ct_shortcut_begin(flight, flight->shortcut);
    return MPI_SUCCESS;
}

void ct_flight_find_short(const struct ct_flight *flight, struct ct_short_call *ret_short)
{
    struct ct_kept_plan *kept =
        flight->shortcut && flight->shortcut == flight->kept->shortcut ? flight->kept : NULL;
    *ret_short = (struct ct_short_call){.kept = kept,
                                        .since = kept ? kept->since : 0,
                                        .reduction = flight->reduction,
                                        .shortcut = flight->shortcut};
}

/* Ranks that begin a call together see each other's messages in less time than it takes to leave the call and
 * come back to it. On a rank that shares its CPU, others may need it to send theirs. */
bool ct_flight_run_short(struct ct_flight *flight)
{
    enum { A_MOMENT = 64 };
    unsigned looks = flight->messages.policy == CT_WAIT_SPIN ? A_MOMENT : 1;
    bool is_complete = ct_shortcut_run(flight, flight->shortcut, flight->reduction, looks);
    flight->code = is_complete ? MPI_SUCCESS : CT_PENDING;
    return is_complete;
}

bool ct_flight_begin_short(struct ct_flight *flight, struct ct_channel *channel,
                           const struct ct_short_call *shorter, void *send, void *recv)
{
    use_channel(flight, channel);
    if (!ct_shortcut_begin(flight, shorter->shortcut))
        return false;
    shorter->kept->used = ++channel->kept->uses;
    flight->reduction = shorter->reduction;
    flight->messages.label = channel->flight.messages.label;
    flight->buffers.base[CT_BUFFER_SEND] = send;
    flight->buffers.base[CT_BUFFER_RECV] = recv;
    flight->shortcut = shorter->shortcut;
    flight->is_short = true;
    return true;
}

void ct_flight_go_on_short(struct ct_flight *flight, const struct ct_short_call *shorter,
                           enum ct_collective collective, const struct ct_operands *operands,
                           const struct ct_call *call)
{
    flight->kept = shorter->kept;
    flight->kept->flights++;
    flight->collective = collective;
    flight->operands = operands;
    flight->call = call;
}

bool ct_flight_begin_again(struct ct_flight *flight)
{
    if (!flight->shortcut || !ct_shortcut_may_begin(flight))
        return false;
    flight->messages.code = MPI_SUCCESS;
    flight->short_step = 0;
    flight->is_short = true;
    return true;
}

bool ct_flight_may_rest(const struct ct_flight *flight)
{
    return !flight->is_short && ct_rounds_receive_first(flight, plan_of(flight));
}

/* Advances a call on its shortcut. CT_PENDING: it has left it, or, if nothing is tested, waits there. */
static int advance_short(struct ct_flight *flight, enum ct_until until)
{
    unsigned looks = looks_for(&flight->messages);
    if (ct_shortcut_run(flight, flight->shortcut, flight->reduction, looks))
        return MPI_SUCCESS;
    if (until == CT_UNTIL_POSTED)
        return CT_PENDING;
    flight->is_short = false;
    flight->buffers_ready = CT_BUFFER_TEMPORARY;
    int code = take_operands(flight, &ct_collectives[flight->collective], flight->operands, flight->call);
    if (code == MPI_SUCCESS)
        code = ct_shortcut_leave(flight, flight->shortcut, flight->kept->plan);
    return code == MPI_SUCCESS ? CT_PENDING : finish(flight, code);
}

int ct_flight_advance(struct ct_flight *flight, enum ct_until until)
{
    flight->messages.until = until;
    if (flight->is_short) {
        int code = advance_short(flight, until);
        if (code != CT_PENDING || flight->is_short)
            return code;
    }
    int code = finish(flight, ct_rounds_run(flight, plan_of(flight)));
    return code == MPI_SUCCESS ? ct_buffers_unpack(flight, &ct_collectives[flight->collective],
                                                   flight->operands, flight->call, &flight->buffers)
                               : code;
}
