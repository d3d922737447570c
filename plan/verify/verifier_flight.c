/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_flight.h"
#include "base/memory.h"

int ct_flights_reset(struct ct_verifier *verifier)
{
    verifier->flight_count = CT_NO_FLIGHT + 1;
    verifier->idle_flight = CT_NO_FLIGHT;
    return ct_grow(&verifier->flights, &verifier->flight_capacity, verifier->flight_count,
                   sizeof *verifier->flights);
}

static uint32_t *list_of(struct ct_rank_state *state, const struct ct_step *step)
{
    return ct_step_is_receive(step) ? &state->writing : &state->reading;
}

int ct_flight_begin(struct ct_verifier *verifier, int rank, const struct ct_step *step, size_t position,
                    size_t operand, uint32_t *ret_flight)
{
    uint32_t flight = verifier->idle_flight;
    if (flight != CT_NO_FLIGHT) {
        verifier->idle_flight = verifier->flights[flight].after;
    } else {
        if (verifier->flight_count == UINT32_MAX)
            return CT_E_LIMIT;
        if (verifier->flight_count == verifier->flight_capacity) {
            int status = ct_grow(&verifier->flights, &verifier->flight_capacity, verifier->flight_count + 1,
                                 sizeof *verifier->flights);
            if (status != CT_OK)
                return status;
        }
        flight = (uint32_t)verifier->flight_count++;
    }
    struct ct_rank_state *state = &verifier->ranks[rank];
    uint32_t *list = list_of(state, step);
    verifier->flights[flight] = (struct ct_flight){.step = step,
                                                   .round = state->round,
                                                   .begin = position,
                                                   .operand = operand,
                                                   .rank = rank,
                                                   .after = *list};
    if (*list != CT_NO_FLIGHT)
        verifier->flights[*list].before = flight;
    *list = flight;
    *ret_flight = flight;
    return CT_OK;
}

void ct_flight_end(struct ct_verifier *verifier, uint32_t flight)
{
    struct ct_flight *ended = &verifier->flights[flight];
    if (ended->before != CT_NO_FLIGHT)
        verifier->flights[ended->before].after = ended->after;
    else
        *list_of(&verifier->ranks[ended->rank], ended->step) = ended->after;
    if (ended->after != CT_NO_FLIGHT)
        verifier->flights[ended->after].before = ended->before;
    ended->after = verifier->idle_flight;
    verifier->idle_flight = flight;
}

static uint32_t first_overlap(const struct ct_verifier *verifier, uint32_t flight, unsigned buffer,
                              size_t begin, size_t n)
{
    while (flight != CT_NO_FLIGHT) {
        const struct ct_flight *other = &verifier->flights[flight];
        if (other->step->buffer == buffer && other->begin < begin + n &&
            begin < other->begin + other->step->n)
            break;
        flight = other->after;
    }
    return flight;
}

/* The receive that reads the first operand of its reduction there. */
static uint32_t first_operand(const struct ct_verifier *verifier, uint32_t flight, unsigned buffer,
                              size_t begin, size_t n)
{
    while (flight != CT_NO_FLIGHT) {
        const struct ct_flight *other = &verifier->flights[flight];
        if (other->step->kind == CT_STEP_RECEIVE_UPPER && other->step->other == buffer &&
            other->operand < begin + n && begin < other->operand + other->step->n)
            break;
        flight = other->after;
    }
    return flight;
}

uint32_t ct_flight_in_way(const struct ct_verifier *verifier, int rank, unsigned buffer, size_t begin,
                          size_t n, bool writes)
{
    const struct ct_rank_state *state = &verifier->ranks[rank];
    if (n == 0)
        return CT_NO_FLIGHT;
    uint32_t flight = first_overlap(verifier, state->writing, buffer, begin, n);
    if (flight == CT_NO_FLIGHT && writes)
        flight = first_overlap(verifier, state->reading, buffer, begin, n);
    if (flight == CT_NO_FLIGHT && writes)
        flight = first_operand(verifier, state->writing, buffer, begin, n);
    return flight;
}

uint32_t ct_flight_of_slot(const struct ct_verifier *verifier, int rank, unsigned slot)
{
    const uint32_t lists[] = {verifier->ranks[rank].reading, verifier->ranks[rank].writing};
    for (int i = 0; i < 2; i++)
        for (uint32_t flight = lists[i]; flight != CT_NO_FLIGHT; flight = verifier->flights[flight].after)
            if (verifier->flights[flight].step->until == slot)
                return flight;
    return CT_NO_FLIGHT;
}
