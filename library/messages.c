/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "library/backend_mpi.h"
#include "library/channel.h"
#include "library/message_functions.h"
#include "library/mpi_progress.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

/* --- errors --- */

/* Keeps the first error of the call. */
static void keep_error(struct ct_messages *messages, int code)
{
    if (messages->code == MPI_SUCCESS)
        messages->code = code;
}

/* Can the call go on after the error of a message? A message that is too long ends its receive and nothing
 * else. The call carries out its other steps, so that no rank waits for this one, and returns the error at
 * its end. Returns the code of any other error. */
static int tolerate(struct ct_messages *messages, int code)
{
    int class = code;
    if (code == MPI_SUCCESS || PMPI_Error_class(code, &class) != MPI_SUCCESS || class != MPI_ERR_TRUNCATE)
        return code;
    keep_error(messages, code);
    return MPI_SUCCESS;
}

/* A message that is too short is no error to MPI, yet its sender has called the collective with another
 * length. */
static void compare_length(struct ct_messages *messages, size_t length, const MPI_Status *status)
{
    if (length != CT_SENT && !ct_has_received(status, length))
        keep_error(messages, MPI_ERR_OTHER);
}

/* The elements of n units, which a message can carry. */
static int elements_of(const struct ct_units *units, size_t n)
{
    return (int)n * units->elements;
}

/* The elements that are sent of n units. After an error this rank may lack the data that it is to pass on, so
 * it sends empty messages: then their receivers return an error, too, and not a wrong result. */
static int elements_to_send(const struct ct_messages *messages, const struct ct_units *units, size_t n)
{
    return messages->code == MPI_SUCCESS ? elements_of(units, n) : 0;
}

/* --- waiting --- */

static bool is_in_status(int code)
{
    int class = code;
    return code != MPI_SUCCESS && PMPI_Error_class(code, &class) == MPI_SUCCESS && class == MPI_ERR_IN_STATUS;
}

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
        else if ((own = tolerate(messages, own)) != MPI_SUCCESS)
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
static int complete(const struct ct_messages *messages, size_t count, MPI_Request *requests,
                    MPI_Status *statuses, int *ret_done)
{
    const struct ct_message_functions *functions = ct_message_functions();
    bool may_block = ct_messages_may_block(messages);
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

/* Waits for all requests, or tests them once. */
static int wait_for(struct ct_messages *messages, size_t count, MPI_Request *requests, size_t *lengths,
                    MPI_Status *statuses)
{
    struct ct_patience patience = {.policy = messages->policy};
    int done = count == 0;
    if (!done && messages->until == CT_UNTIL_POSTED)
        return CT_PENDING;
    while (!done) {
        int code = complete(messages, count, requests, statuses, &done);
        bool has_errors = is_in_status(code);
        if (has_errors || (done && code == MPI_SUCCESS))
            code = settle(messages, count, requests, lengths, statuses, has_errors);
        if (code != MPI_SUCCESS)
            return code;
        done = done && !has_errors;
        if (!done && messages->until != CT_UNTIL_COMPLETE)
            return CT_PENDING;
        if (!done)
            ct_progress_pass_time(&patience);
    }
    return MPI_SUCCESS;
}

/* The number of units that one MPI message may carry. */
static size_t largest_part(size_t bytes)
{
    if (bytes <= 1)
        return CT_MESSAGE_WHOLE;
    return bytes < CT_MESSAGE_WHOLE ? CT_MESSAGE_WHOLE / bytes : 1;
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

int ct_message_post(struct ct_messages *messages, const struct ct_step *step, char *address,
                    const struct ct_units *units)
{
    size_t left = step->n, most = largest_part(units->bytes);
    bool sends = step->kind == CT_STEP_SEND;
    int peer = ct_message_rank(messages, step->peer);
    do {
        size_t n = left < most ? left : most;
        MPI_Request *request = append(messages, step->until, sends ? CT_SENT : n * units->bytes);
        if (!request)
            return MPI_ERR_NO_MEM;
        messages->sent += sends;
        int code =
            (sends ? ct_message_functions()->isend(address, elements_to_send(messages, units, n), units->type,
                                                   peer, messages->tag, messages->comm, request)
                   : ct_message_functions()->irecv(address, elements_of(units, n), units->type, peer,
                                                   messages->tag, messages->comm, request));
        if (code != MPI_SUCCESS) {
            *request = MPI_REQUEST_NULL;
            return code;
        }
        left -= n;
        address += (MPI_Aint)n * units->extent;
    } while (left > 0);
    return MPI_SUCCESS;
}

int ct_messages_exchange(struct ct_messages *messages, const struct ct_step *send, const void *from,
                         const struct ct_step *receive, void *to, const struct ct_units *units)
{
    MPI_Comm comm = messages->comm;
    MPI_Datatype type = units->type;
    MPI_Status status;
    int tag = messages->tag, code;
    if (send)
        messages->sent++;
    if (!receive)
        return send ? ct_message_functions()->send(from, elements_to_send(messages, units, send->n), type,
                                                   ct_message_rank(messages, send->peer), tag, comm)
                    : MPI_SUCCESS;
    int source = ct_message_rank(messages, receive->peer);
    if (send)
        code = ct_message_functions()->sendrecv(
            from, elements_to_send(messages, units, send->n), type, ct_message_rank(messages, send->peer),
            tag, to, elements_of(units, receive->n), type, source, tag, comm, &status);
    else
        code = ct_message_functions()->recv(to, elements_of(units, receive->n), type, source, tag, comm,
                                            &status);
    if (code != MPI_SUCCESS)
        return tolerate(messages, code);
    compare_length(messages, receive->n * units->bytes, &status);
    return MPI_SUCCESS;
}

int ct_messages_wait_round(struct ct_messages *messages)
{
    struct ct_request_list *round = &messages->round;
    int code = wait_for(messages, round->count, round->requests, round->lengths, round->statuses);
    if (code == MPI_SUCCESS)
        round->count = 0;
    return code;
}

/* Waits for any one request of the round, and takes it from the list. */
static int wait_any(struct ct_messages *messages)
{
    struct ct_request_list *round = &messages->round;
    struct ct_patience patience = {.policy = messages->policy};
    MPI_Status status;
    int index = MPI_UNDEFINED, done = false, code;
    if (ct_messages_may_block(messages)) {
        code = ct_message_functions()->waitany((int)round->count, round->requests, &index, &status);
    } else {
        while ((code = ct_message_functions()->testany((int)round->count, round->requests, &index, &done,
                                                       &status)) == MPI_SUCCESS &&
               !done) {
            if (messages->until != CT_UNTIL_COMPLETE)
                return CT_PENDING;
            ct_progress_pass_time(&patience);
        }
    }
    if (index == MPI_UNDEFINED)
        return code != MPI_SUCCESS ? code : MPI_ERR_INTERN;
    if (code == MPI_SUCCESS)
        compare_length(messages, round->lengths[index], &status);
    round->count--;
    round->requests[index] = round->requests[round->count];
    round->lengths[index] = round->lengths[round->count];
    return tolerate(messages, code);
}

int ct_messages_wait_window(struct ct_messages *messages, size_t window)
{
    int code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && messages->round.count >= window)
        code = wait_any(messages);
    return code;
}

int ct_messages_wait_deferred(struct ct_messages *messages, unsigned slot)
{
    size_t kept = 0;
    int code = MPI_SUCCESS;
    for (size_t i = 0; i < messages->deferred_count; i++) {
        struct ct_deferred *deferred = &messages->deferred[i];
        MPI_Status status;
        if (code != MPI_SUCCESS || (slot != CT_ALL_SLOTS && deferred->until != slot))
            messages->deferred[kept++] = *deferred;
        else if ((code = wait_for(messages, 1, &deferred->request, &deferred->length, &status)) !=
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
    bool all = true;
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
}
