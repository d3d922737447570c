/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "library/channel.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* Naps are in nanoseconds. Measured with 8 ranks on 2 CPUs: up to 16 tests cost nothing, 64 make a barrier a
 * third longer, 256 twice as long; if only two of those ranks communicate, some 10 tests find the answer
 * without yielding the CPU. */
enum { TESTS_AT_FIRST = 24, SHORTEST_NAP = 20000, LONGEST_NAP = 1000000 };

/* The state of a wait. */
struct patience {
    unsigned tests;
    long nap;
};

/* Passes the time between two tests. The first few tests follow each other, since an answer that is on its
 * way arrives sooner than the CPU is yielded and regained. */
static void rest(enum ct_wait_policy policy, struct patience *patience)
{
    if (policy == CT_WAIT_YIELD) {
        if (++patience->tests > TESTS_AT_FIRST)
            sched_yield();
        return;
    }
    struct timespec time = {.tv_nsec = patience->nap};
    nanosleep(&time, NULL);
    patience->nap = patience->nap * 2 < LONGEST_NAP ? patience->nap * 2 : LONGEST_NAP;
}

/* Waits for all requests; with `ret_index` for any one, whose index it sets. */
static int wait_for(enum ct_wait_policy policy, size_t count, MPI_Request *requests, int *ret_index)
{
    if (count == 0)
        return MPI_SUCCESS;
    if (policy == CT_WAIT_SPIN)
        return ret_index ? PMPI_Waitany((int)count, requests, ret_index, MPI_STATUS_IGNORE)
                         : PMPI_Waitall((int)count, requests, MPI_STATUSES_IGNORE);
    struct patience patience = {.nap = SHORTEST_NAP};
    for (;;) {
        int done, code = ret_index ? PMPI_Testany((int)count, requests, ret_index, &done, MPI_STATUS_IGNORE)
                                   : PMPI_Testall((int)count, requests, &done, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS || done)
            return code;
        rest(policy, &patience);
    }
}

/* The number of units that one MPI message may carry. */
static size_t largest_part(size_t bytes)
{
    if (bytes <= 1)
        return CT_MESSAGE_WHOLE;
    return bytes < CT_MESSAGE_WHOLE ? CT_MESSAGE_WHOLE / bytes : 1;
}

/* Appends a request to those of the round or to the deferred ones; NULL without memory. */
static MPI_Request *append(struct ct_messages *messages, unsigned until)
{
    struct ct_request_list *round = &messages->round;
    if (until == CT_ROUND_END) {
        if (ct_grow(&round->requests, &round->capacity, round->count + 1, sizeof *round->requests) != CT_OK)
            return NULL;
        return &round->requests[round->count++];
    }
    size_t count = messages->deferred_count;
    if (ct_grow(&messages->deferred, &messages->deferred_capacity, count + 1, sizeof *messages->deferred) !=
        CT_OK)
        return NULL;
    messages->deferred[count].until = until;
    return &messages->deferred[messages->deferred_count++].request;
}

int ct_message_post(struct ct_messages *messages, const struct ct_step *step, char *address,
                    const struct ct_units *units)
{
    size_t left = step->n, most = largest_part(units->bytes);
    bool sends = step->kind == CT_STEP_SEND;
    int peer = ct_message_rank(messages, step->peer);
    do {
        int n = (int)(left < most ? left : most);
        MPI_Request *request = append(messages, step->until);
        if (!request)
            return MPI_ERR_NO_MEM;
        messages->sent += sends;
        int code =
            (sends ? PMPI_Isend(address, n, units->type, peer, messages->tag, messages->comm, request)
                   : PMPI_Irecv(address, n, units->type, peer, messages->tag, messages->comm, request));
        if (code != MPI_SUCCESS) {
            *request = MPI_REQUEST_NULL;
            return code;
        }
        left -= (size_t)n;
        address += n * units->extent;
    } while (left > 0);
    return MPI_SUCCESS;
}

int ct_messages_wait_round(struct ct_messages *messages)
{
    int code = wait_for(messages->policy, messages->round.count, messages->round.requests, NULL);
    messages->round.count = 0;
    return code;
}

int ct_messages_wait_window(struct ct_messages *messages, size_t window)
{
    struct ct_request_list *round = &messages->round;
    while (round->count >= window) {
        int index, code = wait_for(messages->policy, round->count, round->requests, &index);
        if (code != MPI_SUCCESS)
            return code;
        if (index == MPI_UNDEFINED)
            return MPI_ERR_INTERN;
        round->requests[index] = round->requests[--round->count];
    }
    return MPI_SUCCESS;
}

int ct_messages_wait_deferred(struct ct_messages *messages, unsigned slot)
{
    size_t kept = 0;
    int code = MPI_SUCCESS;
    for (size_t i = 0; i < messages->deferred_count; i++) {
        struct ct_deferred *deferred = &messages->deferred[i];
        if (slot != CT_ALL_SLOTS && deferred->until != slot)
            messages->deferred[kept++] = *deferred;
        else if (code == MPI_SUCCESS)
            code = wait_for(messages->policy, 1, &deferred->request, NULL);
    }
    messages->deferred_count = kept;
    return code;
}

void ct_messages_free(struct ct_messages *messages)
{
    free(messages->round.requests);
    free(messages->deferred);
}
