/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/near_messages.h"
#include "library/execute/self_message.h"
#include "library/mpi/backend_mpi.h"

#include <assert.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>

struct ct_lane *ct_message_lane(const struct ct_messages *messages, int rank)
{
    if (!messages->node)
        return NULL;
    return ct_node_lane(messages->node, messages->node_ranks ? messages->node_ranks[rank] : rank);
}

/* Elements with gaps travel as bytes of their signature. */
struct ct_staging {
    const struct ct_units *units;
    char *address; /* of the elements */
    size_t bytes;
    int elements;
    char packed[];
};

/* Packs or unpacks the elements. MPICH refuses to do so at MPI_BOTTOM, but not to send them from there; and
 * one element may have more bytes than an int counts. */
static int convert(const struct ct_messages *messages, struct ct_staging *staging, bool packs)
{
    char *const address = staging->address;
    const MPI_Datatype type = staging->units->type;
    const int n = staging->elements, bytes = (int)staging->bytes;
    int position = 0;
    if (address == MPI_BOTTOM || staging->bytes > INT_MAX)
        return ct_convert_by_message(messages, !packs, address, n, type, staging->packed, staging->bytes);
    return packs ? PMPI_Pack(address, n, type, staging->packed, bytes, &position, messages->comm)
                 : PMPI_Unpack(staging->packed, bytes, &position, address, n, type, messages->comm);
}

/* A transfer is complete. */
static void complete_transfer(void *context, const struct ct_transfer *transfer)
{
    struct ct_messages *messages = context;
    struct ct_staging *staging = transfer->staging;
    ct_near_keep_flaw(messages, transfer);
    if (staging && !transfer->sends && transfer->flaw == CT_TRANSFER_RIGHT)
        ct_messages_tolerate(messages, convert(messages, staging, false));
    free(staging);
}

bool ct_near_messages_left(const struct ct_messages *messages, unsigned until)
{
    return ct_transfers_left(&messages->transfers, until) > 0;
}

int ct_near_messages_move(struct ct_messages *messages, unsigned until, bool *ret_done)
{
    ct_node_lock(messages->node);
    int status = ct_transfers_advance(&messages->transfers, complete_transfer, messages);
    ct_node_unlock(messages->node);
    *ret_done = !ct_near_messages_left(messages, until);
    return status == CT_OK ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* Lets the transfer carry the packed elements. Returns an MPI error code. */
static int stage(const struct ct_messages *messages, const struct ct_units *units, int elements,
                 struct ct_transfer *transfer)
{
    struct ct_staging *staging = malloc(sizeof *staging + transfer->left);
    int code = MPI_SUCCESS;
    if (!staging)
        return MPI_ERR_NO_MEM;
    *staging = (struct ct_staging){units, transfer->address, transfer->left, elements};
    if (transfer->sends)
        code = convert(messages, staging, true);
    if (code != MPI_SUCCESS) {
        free(staging);
        return code;
    }
    transfer->staging = staging;
    transfer->address = staging->packed;
    return MPI_SUCCESS;
}

/* The number of the send's group, which messages of other rounds and calls do not have. */
static uint64_t group_of(struct ct_messages *messages, const struct ct_step *step)
{
    if (messages->groups == 0)
        messages->groups = ct_node_begin_groups(messages->node);
    return messages->groups + step->other;
}

int ct_near_message_post(struct ct_messages *messages, struct ct_lane *lane, const struct ct_step *step,
                         size_t n, char *address, const struct ct_units *units)
{
    struct ct_transfer transfer = ct_near_transfer(messages, step->peer, lane, address, n * units->bytes);
    transfer.until = step->until;
    transfer.sends = step->kind == CT_STEP_SEND;
    const struct ct_transfer *first = transfer.sends ? ct_transfers_first(&messages->transfers) : NULL;
    if (first)
        transfer.meanwhile = ct_near_meanwhile(!first->sends, first->reduction);
    if (transfer.sends && step->other > 0 && n == step->n) /* parts of a message have other contents */
        transfer.group = group_of(messages, step);
    if (transfer.sends && messages->code != MPI_SUCCESS)
        transfer.left = 0;
    int code = units->contiguous || transfer.left == 0
                   ? MPI_SUCCESS
                   : stage(messages, units, ct_elements_of(units, n), &transfer);
    if (code != MPI_SUCCESS)
        return code;
    bool is_sent = false;
    ct_node_lock(messages->node);
    int status = ct_transfers_add(&messages->transfers, &transfer, &is_sent);
    ct_node_unlock(messages->node);
    if (is_sent || status != CT_OK)
        free(transfer.staging);
    return status == CT_OK ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

int ct_near_message_reduce(struct ct_messages *messages, const struct ct_step *step, char *to,
                           const char *operand, const struct ct_units *units)
{
    struct ct_lane *lane = ct_message_lane(messages, step->peer);
    const size_t most = ct_message_units(units);
    int status = CT_OK;
    assert(lane && units->contiguous);
    ct_node_lock(messages->node);
    for (size_t left = step->n, n; status == CT_OK && left > 0; left -= n) {
        n = left < most ? left : most;
        size_t bytes = n * units->bytes;
        bool is_sent;
        struct ct_transfer transfer = ct_near_reduction(messages, step, lane, to, operand, bytes);
        transfer.until = step->until;
        status = ct_transfers_add(&messages->transfers, &transfer, &is_sent);
        to += bytes;
        operand = operand ? operand + bytes : NULL;
    }
    ct_node_unlock(messages->node);
    return status == CT_OK ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

bool ct_exchange_find_lanes(const struct ct_messages *messages, const struct ct_units *units,
                            struct ct_exchange *exchange)
{
    int near = 0, all = 0;
    if (!messages->node)
        return true;
    for (int i = 0; i < 2; i++) {
        const struct ct_step *step = exchange->steps[i];
        exchange->lanes[i] = step ? ct_message_lane(messages, step->peer) : NULL;
        near += exchange->lanes[i] != NULL;
        all += step != NULL;
    }
    return messages->transfers.count == 0 && (near == 0 || (near == all && units->contiguous));
}

static void forget_transfer(const struct ct_transfer *transfer)
{
    free(transfer->staging);
}

/* Sends are finished if they can be soon: their receivers may have left the call, too, and are not waited for
 * long. True: the memory of all is free. */
bool ct_near_messages_abandon(struct ct_messages *messages)
{
    enum { LOOKS = 1000 };
    struct ct_transfers *transfers = &messages->transfers;
    bool is_done;
    if (transfers->count == 0)
        return true;
    ct_node_lock(messages->node);
    ct_transfers_abandon(transfers, false, forget_transfer);
    ct_node_unlock(messages->node);
    for (int i = 0; i < LOOKS && ct_transfers_first(transfers); i++) {
        ct_near_messages_move(messages, CT_ROUND_END, &is_done);
        sched_yield();
    }
    ct_node_lock(messages->node);
    bool is_free = ct_transfers_abandon(transfers, true, forget_transfer);
    ct_node_unlock(messages->node);
    return is_free;
}

/* The node may have closed its lanes. Other threads may use them. */
void ct_near_messages_free(struct ct_messages *messages)
{
    if (messages->node && ct_node_is_quick(messages->node))
        ct_transfers_leave_lanes(&messages->transfers);
    free(messages->transfers.items);
}
