/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/near_waits.h"
#include "library/execute/mpi_progress.h"
#include "library/execute/near_messages.h"
#include "library/mpi/backend_mpi.h"

/* A rank that yields sleeps only after such a time, in seconds: once woken, it may wait a millisecond for a
 * CPU among ranks that yield. With 8 ranks on 2 CPUs that slept after half a millisecond, the second barrier
 * on a new communicator took 900 us instead of 20. */
static const double long_wait = 0.02;
/* After so long, what erroneous calls may have left is looked for. */
static const double very_long_wait = 0.05;

static bool has_waited(struct ct_patience *patience, unsigned looks, double seconds)
{
    if (patience->looks < looks)
        return false;
    if (patience->begun == 0)
        patience->begun = ct_own_clock();
    return ct_own_clock() - patience->begun > seconds;
}

/* False: there was no room for some of the other ranks. */
static bool tell_begun(const struct ct_messages *messages, uint64_t label)
{
    bool are_told = true;
    for (int i = 0; i < messages->size; i++) {
        struct ct_lane *lane = ct_message_lane(messages, i);
        are_told = (!lane || ct_lane_announce(lane, label, false)) && are_told;
    }
    return are_told;
}

/* Those will send nothing more. */
static void see_who_left(const struct ct_messages *messages, const struct ct_lane_call *call)
{
    for (int i = 0; i < messages->size; i++) {
        const int rank = messages->node_ranks ? messages->node_ranks[i] : i;
        struct ct_lane *lane = ct_node_lane(messages->node, rank);
        if (lane && ct_node_has_left(messages->node, rank, call))
            ct_lane_note_left(lane, call);
    }
}

/* Another rank may have cut the call into fewer messages, and left it. Or it may wait for messages of an
 * earlier call, which this one has cut into fewer: it is told that this one has come so far. Or it may wait
 * until this one has room, or copies, for more of an earlier call. */
static void look_around(struct ct_messages *messages)
{
    const struct ct_lane_call call = {messages->label | messages->label_end, messages->numbers};
    ct_node_lock(messages->node);
    see_who_left(messages, &call);
    if (messages->told != call.label && tell_begun(messages, call.label))
        messages->told = call.label;
    ct_node_tell_left(messages->node, &call);
    ct_node_tidy(messages->node, &call);
    ct_node_unlock(messages->node);
}

/* The MPI library moves the program's own messages and one-sided operations only when it is called, and ranks
 * that this one waits for may need them. A rank that yields comes back late, so it calls MPI each time. */
void ct_near_messages_pass_time(struct ct_messages *messages, struct ct_patience *patience, bool is_near)
{
    enum { SPINS = 64, YIELDS = 8, SLEEP_AFTER = 512 };
    bool yields = messages->policy == CT_WAIT_YIELD, is_turn = ++patience->looks % SPINS == 0;
    if (is_near && (is_turn || (yields && patience->looks > SPINS)))
        ct_node_let_mpi_work(messages->node);
    if ((is_turn || (yields && patience->looks % YIELDS == 0)) && messages->numbers > 0 && messages->node &&
        has_waited(patience, YIELDS, very_long_wait))
        look_around(messages);
    if (is_near && yields && ct_node_sleeps(messages->node) && !ct_progress_is_needed() &&
        has_waited(patience, SLEEP_AFTER, long_wait))
        ct_node_sleep(messages->node, &patience->announces_sleep);
    else
        ct_progress_pass_time(patience);
    if (is_near)
        ct_node_pause(messages->node);
}

/* Waits a little for a short message, which is mostly on its way. */
static bool receive_soon(const struct ct_messages *messages, struct ct_lane *lane, uint64_t label, char *to,
                         size_t bytes)
{
    enum { LOOKS = 64 };
    bool is_received = false;
    unsigned passed = 0;
    for (unsigned looks = 0; looks < LOOKS && bytes <= CT_SHORT_BYTES && !is_received; looks += passed) {
        ct_node_lock(messages->node);
        is_received = ct_lane_receive_short(lane, label, to, bytes);
        if (!is_received)
            passed = ct_lane_pass_time(lane);
        ct_node_unlock(messages->node);
    }
    return is_received;
}

static bool send_now(const struct ct_messages *messages, struct ct_lane *lane, uint64_t label,
                     const char *from, size_t bytes)
{
    ct_node_lock(messages->node);
    bool is_sent = ct_lane_send_short(lane, label, from, bytes);
    ct_node_unlock(messages->node);
    return is_sent;
}

/* Leaves a message that cannot be received to ct_near_messages_abandon(), as far as there is memory for it.
 */
static int leave_receive(struct ct_messages *messages, const struct ct_transfer *in)
{
    bool is_sent;
    ct_node_lock(messages->node);
    ct_transfers_add(&messages->transfers, in, &is_sent);
    ct_node_unlock(messages->node);
    return MPI_ERR_NO_MEM;
}

int ct_near_messages_exchange(struct ct_messages *messages, const struct ct_exchange *exchange,
                              char *const addresses[2], const struct ct_units *units)
{
    struct ct_patience patience = {.policy = messages->policy};
    struct ct_transfer out, in;
    const struct ct_step *send = exchange->steps[CT_STEP_SEND], *receive = exchange->steps[CT_STEP_RECEIVE];
    struct ct_lane *const *lanes = exchange->lanes;
    bool is_sent = true, is_received = true;
    if (send) {
        size_t bytes = messages->code == MPI_SUCCESS ? send->n * units->bytes : 0;
        uint64_t label = ct_message_label(messages, send->peer);
        messages->sent++;
        is_sent = send_now(messages, lanes[CT_STEP_SEND], label, addresses[CT_STEP_SEND], bytes);
        if (!is_sent) {
            out = ct_near_transfer(messages, send->peer, lanes[CT_STEP_SEND], addresses[CT_STEP_SEND], bytes);
            out.meanwhile = ct_near_meanwhile(receive != NULL, receive && ct_step_is_fused(receive));
        }
    }
    if (receive) {
        size_t bytes = receive->n * units->bytes;
        char *to = addresses[CT_STEP_RECEIVE];
        uint64_t label = ct_message_label(messages, receive->peer);
        bool reduces = ct_step_is_fused(receive);
        is_received = is_sent && !reduces && receive_soon(messages, lanes[CT_STEP_RECEIVE], label, to, bytes);
        in = reduces
                 ? ct_near_reduction(messages, receive, lanes[CT_STEP_RECEIVE], to, exchange->operand, bytes)
                 : ct_near_transfer(messages, receive->peer, lanes[CT_STEP_RECEIVE], to, bytes);
    }
    while (!is_sent || !is_received) {
        ct_node_lock(messages->node);
        is_sent = is_sent || ct_lane_send(&out);
        is_received = is_received || ct_lane_receive(&in);
        ct_node_unlock(messages->node);
        if (is_sent && !is_received && in.flaw == CT_TRANSFER_NO_MEMORY)
            return leave_receive(messages, &in);
        if (!is_sent || !is_received)
            ct_near_messages_pass_time(messages, &patience, true);
    }
    if (receive)
        ct_near_keep_flaw(messages, &in);
    return MPI_SUCCESS;
}
