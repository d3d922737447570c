/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/prover_state.h"

/* A message moves when both its ends are posted; whoever waits for one of them may then go on. */

static void wake(struct ct_prover *prover, int rank)
{
    struct ct_rank_state *state = &prover->ranks[rank];
    if (state->asleep) {
        state->asleep = false;
        prover->ready[prover->ready_count++] = rank; /* each rank stands there at most once */
    }
}

static void complete(struct ct_prover *prover, uint32_t index)
{
    struct ct_flight *flight = &prover->flights[index];
    struct ct_rank_state *state = &prover->ranks[flight->rank];
    flight->done = true;
    if (flight->round == state->round && state->outstanding > 0)
        state->outstanding--;
    if (flight->waited)
        state->blockers--;
    if (state->stalled || (flight->waited && state->blockers == 0))
        wake(prover, flight->rank);
}

/* Both ends are posted: the message moves. */
static int meet(struct ct_prover *prover, uint32_t a, uint32_t b)
{
    uint32_t sender = prover->flights[a].step->kind == CT_STEP_SEND ? a : b, receiver = sender == a ? b : a;
    struct ct_flight *send = &prover->flights[sender], *receive = &prover->flights[receiver];
    if (send->step->n != receive->step->n)
        return ct_prover_fail(prover, CT_FLAW_LENGTH, receive->rank, receive->round, receive->step,
                              send->rank, "rank %d sends %zu units in round %zu, %zu are received",
                              send->rank, send->step->n, send->round, receive->step->n);
    if (send->step->n > 0) {
        struct ct_fault fault;
        int status = ct_cells_store(ct_prover_cells(prover, receive->rank, receive->step->buffer),
                                    receive->begin, ct_prover_cells(prover, send->rank, send->step->buffer),
                                    send->begin, send->step->n, &prover->patch, &fault);
        if (status == CT_E_ANSWER)
            return ct_prover_fault(prover, &fault, receive->rank, receive->round, receive->step,
                                   receive->step->buffer);
        if (status != CT_OK)
            return status;
    }
    receive->knowledge = send->knowledge;
    complete(prover, sender);
    complete(prover, receiver);
    return CT_OK;
}

int ct_prover_post(struct ct_prover *prover, uint32_t index)
{
    struct ct_flight *flight = &prover->flights[index];
    prover->ranks[flight->rank].outstanding++;
    if (flight->step->kind == CT_STEP_SEND) {
        prover->traffic[flight->rank].messages++;
        prover->traffic[flight->rank].units += flight->step->n;
        if (prover->task->synchronizes) {
            int status = ct_knowledge_send(&prover->knowledge, flight->rank, &flight->knowledge);
            if (status != CT_OK)
                return status;
        }
    }
    uint32_t other;
    int status = ct_channel_post(prover, index, &other);
    if (status == CT_OK && other != CT_NO_FLIGHT)
        status = meet(prover, index, other);
    return status;
}
