/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_message.h"
#include "base/memory.h"
#include "plan/verify/verifier_report.h"

#include <stdint.h>
#include <string.h>

/* A message moves when both its ends are posted; ranks that wait for one of them may then go on. Between two
 * ranks the k-th send meets the k-th receive: one queue for each ordered pair of ranks that has messages. Few
 * ranks have a table of all pairs; among many, it would be mostly empty, and queues are found by hashing. */

enum { TABLE_MOST = 128 };

int ct_channels_reset(struct ct_verifier *verifier)
{
    size_t size = (size_t)verifier->task->size, pairs = size * size;
    ct_hash_clear(&verifier->channel_table);
    verifier->channel_count = 0;
    if (size > TABLE_MOST)
        return CT_OK;
    int status = ct_grow(&verifier->channels, &verifier->channel_capacity, pairs, sizeof *verifier->channels);
    if (status == CT_OK)
        memset(verifier->channels, 0, pairs * sizeof *verifier->channels);
    return status;
}

static int channel_of(struct ct_verifier *verifier, uint64_t key, struct ct_channel **ret_channel)
{
    if (verifier->task->size <= TABLE_MOST) {
        *ret_channel = &verifier->channels[key];
        return CT_OK;
    }
    size_t place = ct_hash_find(&verifier->channel_table, key, NULL, NULL);
    if (place == SIZE_MAX) {
        place = verifier->channel_count;
        int status =
            ct_grow(&verifier->channels, &verifier->channel_capacity, place + 1, sizeof *verifier->channels);
        if (status == CT_OK)
            status = ct_hash_add(&verifier->channel_table, key, place);
        if (status != CT_OK)
            return status;
        verifier->channels[verifier->channel_count++] = (struct ct_channel){0};
    }
    *ret_channel = &verifier->channels[place];
    return CT_OK;
}

/* Puts a flight into its channel; *ret_other is the flight that it meets there, CT_NO_FLIGHT where none
 * waits. */
static int find_other_end(struct ct_verifier *verifier, uint32_t flight, uint32_t *ret_other)
{
    struct ct_flight *flights = verifier->flights;
    const struct ct_step *step = flights[flight].step;
    uint64_t from = (uint64_t)(step->kind == CT_STEP_SEND ? flights[flight].rank : step->peer);
    uint64_t to = (uint64_t)(step->kind == CT_STEP_SEND ? step->peer : flights[flight].rank);
    struct ct_channel *channel;
    int status = channel_of(verifier, from * (uint64_t)verifier->task->size + to, &channel);
    if (status != CT_OK)
        return status;

    uint32_t head = channel->head;
    if (head != CT_NO_FLIGHT && ct_step_is_receive(flights[head].step) != ct_step_is_receive(step)) {
        channel->head = flights[head].next_in_channel;
        *ret_other = head;
        return CT_OK;
    }
    if (head == CT_NO_FLIGHT)
        channel->head = flight;
    else
        flights[channel->tail].next_in_channel = flight;
    channel->tail = flight;
    flights[flight].next_in_channel = CT_NO_FLIGHT;
    *ret_other = CT_NO_FLIGHT;
    return CT_OK;
}

static void wake(struct ct_verifier *verifier, int rank)
{
    struct ct_rank_state *state = &verifier->ranks[rank];
    if (state->asleep) {
        state->asleep = false;
        verifier->ready[verifier->ready_count++] = rank; /* each rank is there at most once */
    }
}

static void complete(struct ct_verifier *verifier, uint32_t index)
{
    struct ct_flight *flight = &verifier->flights[index];
    struct ct_rank_state *state = &verifier->ranks[flight->rank];
    flight->done = true;
    if (flight->round == state->round && state->outstanding > 0)
        state->outstanding--;
    if (flight->waited)
        state->blockers--;
    if (state->stalled || (flight->waited && state->blockers == 0))
        wake(verifier, flight->rank);
}

/* What the message leaves at its receiver. */
static int deliver(struct ct_verifier *verifier, const struct ct_flight *send,
                   const struct ct_flight *receive, struct ct_fault *ret_fault)
{
    const struct ct_step *step = receive->step;
    struct ct_cells *from = ct_verifier_cells(verifier, send->rank, send->step->buffer);
    struct ct_cells *to = ct_verifier_cells(verifier, receive->rank, step->buffer);
    if (step->kind == CT_STEP_RECEIVE_LOWER)
        return ct_cells_reduce(to, receive->begin, from, send->begin, step->n, verifier->ordered,
                               &verifier->patch, ret_fault);
    int status = ct_cells_store(to, receive->begin, from, send->begin, step->n, &verifier->patch, ret_fault);
    if (status == CT_OK && step->kind == CT_STEP_RECEIVE_UPPER)
        status = ct_cells_reduce(to, receive->begin, ct_verifier_cells(verifier, receive->rank, step->other),
                                 receive->operand, step->n, verifier->ordered, &verifier->patch, ret_fault);
    return status;
}

/* Both ends are posted: the message moves. */
static int meet(struct ct_verifier *verifier, uint32_t a, uint32_t b)
{
    uint32_t sender = verifier->flights[a].step->kind == CT_STEP_SEND ? a : b, receiver = sender == a ? b : a;
    struct ct_flight *send = &verifier->flights[sender], *receive = &verifier->flights[receiver];
    if (send->step->n != receive->step->n)
        return ct_verifier_fail(verifier, CT_FLAW_LENGTH, receive->rank, receive->step,
                                "rank %d sends %zu units in round %zu, %zu are received", send->rank,
                                send->step->n, send->round, receive->step->n);
    if (send->step->n > 0) {
        struct ct_fault fault;
        int status = deliver(verifier, send, receive, &fault);
        if (status == CT_E_ANSWER)
            return ct_verifier_fault(verifier, &fault, receive->rank, receive->step, receive->step->buffer);
        if (status != CT_OK)
            return status;
    }
    receive->knowledge = send->knowledge;
    complete(verifier, sender);
    complete(verifier, receiver);
    return CT_OK;
}

int ct_verifier_post(struct ct_verifier *verifier, uint32_t index)
{
    struct ct_flight *flight = &verifier->flights[index];
    verifier->ranks[flight->rank].outstanding++;
    if (flight->step->kind == CT_STEP_SEND) {
        verifier->traffic[flight->rank].messages++;
        verifier->traffic[flight->rank].units += flight->step->n;
        if (verifier->task->synchronizes) {
            int status = ct_knowledge_send(&verifier->knowledge, flight->rank, &flight->knowledge);
            if (status != CT_OK)
                return status;
        }
    }
    uint32_t other;
    int status = find_other_end(verifier, index, &other);
    if (status == CT_OK && other != CT_NO_FLIGHT)
        status = meet(verifier, index, other);
    return status;
}
