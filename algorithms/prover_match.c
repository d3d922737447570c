/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/prover_state.h"
#include "base/memory.h"

#include <stdlib.h>

/* Between two ranks the k-th send meets the k-th receive: one queue for each ordered pair that has messages,
 * found by hashing, as a table of all pairs would be mostly empty. */

enum { CHANNELS_AT_FIRST = 4096 };

int ct_channels_reset(struct ct_prover *prover)
{
    prover->proof++;
    prover->channel_count = 0;
    if (prover->channel_capacity > 0)
        return CT_OK;
    prover->channels = ct_allocate(CHANNELS_AT_FIRST, sizeof *prover->channels);
    if (!prover->channels)
        return CT_E_MEMORY;
    prover->channel_capacity = CHANNELS_AT_FIRST;
    return CT_OK;
}

/* The pair's entry, or the free one that is to be its. */
static struct ct_channel *look_up(const struct ct_prover *prover, uint64_t key)
{
    size_t mask = prover->channel_capacity - 1;
    size_t at = key;
    /* few ranks: all pairs fit without collision */
    if ((size_t)prover->task->size * (size_t)prover->task->size > prover->channel_capacity)
        at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20);
    for (at &= mask;; at = (at + 1) & mask) {
        struct ct_channel *channel = &prover->channels[at];
        if (channel->proof != prover->proof || channel->key == key)
            return channel;
    }
}

static int grow(struct ct_prover *prover)
{
    struct ct_channel *old = prover->channels;
    size_t old_capacity = prover->channel_capacity, capacity;
    if (!ct_multiply(old_capacity, 2, &capacity))
        return CT_E_LIMIT;
    struct ct_channel *channels = ct_allocate(capacity, sizeof *channels);
    if (!channels)
        return CT_E_MEMORY;
    prover->channels = channels;
    prover->channel_capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].proof == prover->proof)
            *look_up(prover, old[i].key) = old[i];
    free(old);
    return CT_OK;
}

static int channel_of(struct ct_prover *prover, uint64_t key, struct ct_channel **ret_channel)
{
    struct ct_channel *channel = look_up(prover, key);
    if (channel->proof != prover->proof) {
        if (prover->channel_count >= prover->channel_capacity / 2) {
            int status = grow(prover);
            if (status != CT_OK)
                return status;
            channel = look_up(prover, key);
        }
        prover->channel_count++;
        *channel = (struct ct_channel){.key = key, .proof = prover->proof};
    }
    *ret_channel = channel;
    return CT_OK;
}

int ct_channel_post(struct ct_prover *prover, uint32_t flight, uint32_t *ret_other)
{
    struct ct_flight *flights = prover->flights;
    const struct ct_step *step = flights[flight].step;
    uint64_t from = (uint64_t)(step->kind == CT_STEP_SEND ? flights[flight].rank : step->peer);
    uint64_t to = (uint64_t)(step->kind == CT_STEP_SEND ? step->peer : flights[flight].rank);
    struct ct_channel *channel;
    int status = channel_of(prover, from * (uint64_t)prover->task->size + to, &channel);
    if (status != CT_OK)
        return status;

    uint32_t head = channel->head;
    if (head != CT_NO_FLIGHT && flights[head].step->kind != step->kind) {
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
