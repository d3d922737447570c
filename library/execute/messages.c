/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/messages.h"
#include "base/memory.h"
#include "library/execute/message_errors.h"
#include "library/execute/mpi_progress.h"
#include "library/execute/near_messages.h"
#include "library/execute/near_waits.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/message_functions.h"

#include <assert.h>
#include <stdlib.h>

/* A message that is too short is no error to MPI, yet its sender has called the collective with another
 * length. */
static void compare_length(struct ct_messages *messages, size_t length, const MPI_Status *status)
{
    if (length != CT_SENT && !ct_has_received(status, length))
        ct_messages_keep_error(messages, MPI_ERR_OTHER);
}

/* The elements that are sent of n units. After an error this rank may lack the data that it is to pass on, so
 * it sends empty messages: then their receivers return an error, too, and not a wrong result. */
static int elements_to_send(const struct ct_messages *messages, const struct ct_units *units, size_t n)
{
    return messages->code == MPI_SUCCESS ? ct_elements_of(units, n) : 0;
}

/* --- waiting --- */

/* Looks at the requests that have completed since the last look; the others keep the length. Returns the code
 * of an error after which the call cannot go on. */
static int settle(struct ct_messages *messages, size_t count, const MPI_Request *requests, size_t *lengths,
                  const MPI_Status *statuses, bool has_errors)
{
    int code = MPI_SUCCESS;
    for (size_t i = 0; i < count; i++) {
        if (requests[i] != MPI_REQUEST_NULL)
            continue;
        int own = has_errors ? statuses[i].MPI_ERROR : MPI_SUCCESS;
        if (own == MPI_SUCCESS)
            compare_length(messages, lengths[i], &statuses[i]);
        else if ((own = ct_messages_tolerate(messages, own)) != MPI_SUCCESS)
            code = own;
        lengths[i] = CT_SENT;
    }
    return code;
}

bool ct_messages_may_block(const struct ct_messages *messages)
{
    return messages->policy == CT_WAIT_SPIN && messages->until == CT_UNTIL_COMPLETE &&
           !ct_progress_is_needed();
}

/* Waits for all requests, or tests them once. A function for one request costs less than one for many; its
 * error is its own. Returns an MPI error code, the errors of requests being in their statuses. */
static int complete(bool may_block, size_t count, MPI_Request *requests, MPI_Status *statuses, int *ret_done)
{
    const struct ct_message_functions *functions = ct_message_functions();
    int code;
    *ret_done = may_block;
    if (count > 1)
        return may_block ? functions->waitall((int)count, requests, statuses)
                         : functions->testall((int)count, requests, ret_done, statuses);
    code = may_block ? functions->wait(requests, statuses) : functions->test(requests, ret_done, statuses);
    if (code == MPI_SUCCESS)
        return code;
    statuses->MPI_ERROR = code;
    return MPI_ERR_IN_STATUS;
}

/* Waits for all requests, or tests them once. *ret_done: all are complete. */
static int look_at(struct ct_messages *messages, bool may_block, size_t count, MPI_Request *requests,
                   size_t *lengths, MPI_Status *statuses, int *ret_done)
{
    int code = complete(may_block, count, requests, statuses, ret_done);
    bool has_errors = ct_is_in_status(code);
    if (has_errors || (*ret_done && code == MPI_SUCCESS))
        code = settle(messages, count, requests, lengths, statuses, has_errors);
    *ret_done = *ret_done && !has_errors;
    return code;
}

/* The caller looks again and again, and may call no other function of MPI meanwhile. */
static int leave_pending(struct ct_messages *messages, bool is_near)
{
    enum { LOOKS = 64 };
    if (is_near && ++messages->looks % LOOKS == 0)
        ct_node_let_mpi_work(messages->node);
    return CT_PENDING;
}

/* Waits for all requests, and for the transfers that are to be complete at `until`. */
static int wait_for(struct ct_messages *messages, unsigned until, size_t count, MPI_Request *requests,
                    size_t *lengths, MPI_Status *statuses)
{
    struct ct_patience patience = {.policy = messages->policy};
    int done = count == 0;
    bool is_near = messages->transfers.count > 0;
    if (messages->until == CT_UNTIL_POSTED && (!done || ct_near_messages_left(messages, until)))
        return CT_PENDING;
    for (;;) {
        bool is_moved = true;
        int code = is_near ? ct_near_messages_move(messages, until, &is_moved) : MPI_SUCCESS;
        if (code == MPI_SUCCESS && !done)
            code = look_at(messages, messages->transfers.count == 0 && ct_messages_may_block(messages), count,
                           requests, lengths, statuses, &done);
        if (code != MPI_SUCCESS || (done && is_moved))
            return code;
        if (messages->until != CT_UNTIL_COMPLETE)
            return leave_pending(messages, done);
        ct_near_messages_pass_time(messages, &patience, done);
    }
}

/* Room for one more request of the round. */
static int grow(struct ct_request_list *list)
{
    size_t requests = list->capacity, lengths = requests, statuses = requests, need = list->count + 1;
    if (need <= list->capacity)
        return CT_OK;
    if (ct_grow(&list->requests, &requests, need, sizeof *list->requests) != CT_OK ||
        ct_grow(&list->lengths, &lengths, need, sizeof *list->lengths) != CT_OK ||
        ct_grow(&list->statuses, &statuses, need, sizeof *list->statuses) != CT_OK)
        return CT_E_MEMORY;
    assert(requests == lengths && lengths == statuses);
    list->capacity = requests;
    return CT_OK;
}

/* Appends a request to those of the round or to the deferred ones; NULL without memory. */
static MPI_Request *append(struct ct_messages *messages, unsigned until, size_t length)
{
    struct ct_request_list *round = &messages->round;
    if (until == CT_ROUND_END) {
        if (grow(round) != CT_OK)
            return NULL;
        round->lengths[round->count] = length;
        return &round->requests[round->count++];
    }
    size_t count = messages->deferred_count;
    if (ct_grow(&messages->deferred, &messages->deferred_capacity, count + 1, sizeof *messages->deferred) !=
        CT_OK)
        return NULL;
    struct ct_deferred *deferred = &messages->deferred[messages->deferred_count++];
    deferred->until = until;
    deferred->length = length;
    return &deferred->request;
}

static int post_request(struct ct_messages *messages, const struct ct_step *step, size_t n, char *address,
                        const struct ct_units *units)
{
    bool sends = step->kind == CT_STEP_SEND;
    int peer = ct_message_rank(messages, step->peer);
    MPI_Request *request = append(messages, step->until, sends ? CT_SENT : n * units->bytes);
    if (!request)
        return MPI_ERR_NO_MEM;
    int code = sends
                   ? ct_message_functions()->isend(address, elements_to_send(messages, units, n), units->type,
                                                   peer, messages->tag, messages->comm, request)
                   : ct_message_functions()->irecv(address, ct_elements_of(units, n), units->type, peer,
                                                   messages->tag, messages->comm, request);
    if (code != MPI_SUCCESS)
        *request = MPI_REQUEST_NULL;
    return code;
}

int ct_message_post(struct ct_messages *messages, const struct ct_step *step, char *address,
                    const struct ct_units *units)
{
    size_t left = step->n, most = ct_message_units(units);
    struct ct_lane *lane = ct_message_lane(messages, step->peer);
    do {
        size_t n = left < most ? left : most;
        messages->sent += step->kind == CT_STEP_SEND;
        int code = lane ? ct_near_message_post(messages, lane, step, n, address, units)
                        : post_request(messages, step, n, address, units);
        if (code != MPI_SUCCESS)
            return code;
        left -= n;
        address += (MPI_Aint)n * units->extent;
    } while (left > 0);
    return MPI_SUCCESS;
}

int ct_messages_exchange(struct ct_messages *messages, const struct ct_exchange *exchange,
                         char *const addresses[2], const struct ct_units *units)
{
    const struct ct_step *send = exchange->steps[CT_STEP_SEND], *receive = exchange->steps[CT_STEP_RECEIVE];
    MPI_Comm comm = messages->comm;
    MPI_Datatype type = units->type;
    MPI_Status status;
    int tag = messages->tag, code;
    if (exchange->lanes[0] || exchange->lanes[1])
        return ct_near_messages_exchange(messages, exchange, addresses, units);
    if (send)
        messages->sent++;
    const void *from = addresses[CT_STEP_SEND];
    void *to = addresses[CT_STEP_RECEIVE];
    if (!receive)
        return send ? ct_message_functions()->send(from, elements_to_send(messages, units, send->n), type,
                                                   ct_message_rank(messages, send->peer), tag, comm)
                    : MPI_SUCCESS;
    int source = ct_message_rank(messages, receive->peer);
    if (send)
        code = ct_message_functions()->sendrecv(
            from, elements_to_send(messages, units, send->n), type, ct_message_rank(messages, send->peer),
            tag, to, ct_elements_of(units, receive->n), type, source, tag, comm, &status);
    else
        code = ct_message_functions()->recv(to, ct_elements_of(units, receive->n), type, source, tag, comm,
                                            &status);
    if (code != MPI_SUCCESS)
        return ct_messages_tolerate(messages, code);
    compare_length(messages, receive->n * units->bytes, &status);
    return MPI_SUCCESS;
}

int ct_messages_wait_round(struct ct_messages *messages)
{
    struct ct_request_list *round = &messages->round;
    int code =
        wait_for(messages, CT_ROUND_END, round->count, round->requests, round->lengths, round->statuses);
    if (code == MPI_SUCCESS)
        round->count = 0;
    return code;
}

/* The messages of the round that are not complete. */
static size_t outstanding(const struct ct_messages *messages)
{
    return messages->round.count + ct_transfers_left(&messages->transfers, CT_ROUND_END);
}

/* Waits for any one request of the round, or tests them once, and takes it from the list. */
static int take_any(struct ct_messages *messages, bool may_block)
{
    struct ct_request_list *round = &messages->round;
    MPI_Status status;
    int index = MPI_UNDEFINED, done = true, count = (int)round->count;
    int code = may_block ? ct_message_functions()->waitany(count, round->requests, &index, &status)
                         : ct_message_functions()->testany(count, round->requests, &index, &done, &status);
    if (code == MPI_SUCCESS && !done)
        return code;
    if (index == MPI_UNDEFINED)
        return code != MPI_SUCCESS ? code : MPI_ERR_INTERN;
    if (code == MPI_SUCCESS)
        compare_length(messages, round->lengths[index], &status);
    round->count--;
    round->requests[index] = round->requests[round->count];
    round->lengths[index] = round->lengths[round->count];
    return ct_messages_tolerate(messages, code);
}

int ct_messages_wait_window(struct ct_messages *messages, size_t window)
{
    struct ct_patience patience = {.policy = messages->policy};
    while (outstanding(messages) >= window) {
        bool is_near = messages->transfers.count > 0, has_requests = messages->round.count > 0, is_moved;
        int code = is_near ? ct_near_messages_move(messages, CT_ROUND_END, &is_moved) : MPI_SUCCESS;
        if (code == MPI_SUCCESS && has_requests)
            code = take_any(messages, !is_near && ct_messages_may_block(messages));
        if (code != MPI_SUCCESS)
            return code;
        if (outstanding(messages) < window)
            break;
        if (messages->until != CT_UNTIL_COMPLETE)
            return leave_pending(messages, !has_requests);
        ct_near_messages_pass_time(messages, &patience, !has_requests);
    }
    return MPI_SUCCESS;
}

/* Waits for the transfers of a slot, or of all. */
static int wait_deferred_transfers(struct ct_messages *messages, unsigned slot)
{
    int code = MPI_SUCCESS;
    if (slot != CT_ALL_SLOTS)
        return wait_for(messages, slot, 0, NULL, NULL, NULL);
    const struct ct_transfer *first;
    while (code == MPI_SUCCESS && (first = ct_transfers_first(&messages->transfers)))
        code = wait_for(messages, first->until, 0, NULL, NULL, NULL);
    return code;
}

int ct_messages_wait_deferred(struct ct_messages *messages, unsigned slot)
{
    size_t kept = 0;
    int code = wait_deferred_transfers(messages, slot);
    for (size_t i = 0; i < messages->deferred_count; i++) {
        struct ct_deferred *deferred = &messages->deferred[i];
        MPI_Status status;
        if (code != MPI_SUCCESS || (slot != CT_ALL_SLOTS && deferred->until != slot))
            messages->deferred[kept++] = *deferred;
        else if ((code = wait_for(messages, slot, 1, &deferred->request, &deferred->length, &status)) !=
                 MPI_SUCCESS)
            messages->deferred[kept++] = *deferred;
    }
    messages->deferred_count = kept;
    return code;
}

/* A receive can be withdrawn. A send cannot in all MPI libraries: it may go on reading its memory. */
static bool abandon(MPI_Request *request, size_t length)
{
    if (*request == MPI_REQUEST_NULL)
        return true;
    if (length == CT_SENT) {
        ct_message_functions()->request_free(request);
        return false;
    }
    return ct_message_functions()->cancel(request) == MPI_SUCCESS &&
           ct_message_functions()->wait(request, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

bool ct_messages_abandon(struct ct_messages *messages)
{
    struct ct_request_list *round = &messages->round;
    bool all = ct_near_messages_abandon(messages);
    for (size_t i = 0; i < round->count; i++)
        all = abandon(&round->requests[i], round->lengths[i]) && all;
    for (size_t i = 0; i < messages->deferred_count; i++)
        all = abandon(&messages->deferred[i].request, messages->deferred[i].length) && all;
    round->count = messages->deferred_count = 0;
    return all;
}

void ct_messages_free(struct ct_messages *messages)
{
    free(messages->round.requests);
    free(messages->round.lengths);
    free(messages->round.statuses);
    free(messages->deferred);
    ct_near_messages_free(messages);
}
