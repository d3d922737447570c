/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_internal.h"

/* A message moves when both its ends are posted; whoever waits for one of them may then go on. */

static void wake(struct ct_verifier *verifier, int rank)
{
    struct ct_rank_state *state = &verifier->ranks[rank];
    if (state->asleep) {
        state->asleep = false;
        verifier->ready[verifier->ready_count++] = rank; /* each rank stands there at most once */
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

/* Both ends are posted: the message moves. */
static int meet(struct ct_verifier *verifier, uint32_t a, uint32_t b)
{
    uint32_t sender = verifier->flights[a].step->kind == CT_STEP_SEND ? a : b, receiver = sender == a ? b : a;
    struct ct_flight *send = &verifier->flights[sender], *receive = &verifier->flights[receiver];
    if (send->step->n != receive->step->n)
        return ct_verifier_fail(verifier, CT_FLAW_LENGTH, receive->rank, receive->round, receive->step,
                                send->rank, "rank %d sends %zu units in round %zu, %zu are received",
                                send->rank, send->step->n, send->round, receive->step->n);
    if (send->step->n > 0) {
        struct ct_fault fault;
        int status =
            ct_cells_store(ct_verifier_cells(verifier, receive->rank, receive->step->buffer), receive->begin,
                           ct_verifier_cells(verifier, send->rank, send->step->buffer), send->begin,
                           send->step->n, &verifier->patch, &fault);
        if (status == CT_E_ANSWER)
            return ct_verifier_fault(verifier, &fault, receive->rank, receive->round, receive->step,
                                     receive->step->buffer);
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
    int status = ct_channel_post(verifier, index, &other);
    if (status == CT_OK && other != CT_NO_FLIGHT)
        status = meet(verifier, index, other);
    return status;
}
