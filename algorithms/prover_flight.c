/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/prover_state.h"
#include "base/memory.h"

int ct_flights_reset(struct ct_prover *prover)
{
    prover->flight_count = CT_NO_FLIGHT + 1;
    prover->idle_flight = CT_NO_FLIGHT;
    return ct_grow(&prover->flights, &prover->flight_capacity, prover->flight_count, sizeof *prover->flights);
}

static uint32_t *list_of(struct ct_rank_state *state, const struct ct_step *step)
{
    return step->kind == CT_STEP_RECEIVE ? &state->writing : &state->reading;
}

int ct_flight_begin(struct ct_prover *prover, int rank, const struct ct_step *step, size_t position,
                    uint32_t *ret_flight)
{
    uint32_t flight = prover->idle_flight;
    if (flight != CT_NO_FLIGHT) {
        prover->idle_flight = prover->flights[flight].after;
    } else {
        if (prover->flight_count == UINT32_MAX)
            return CT_E_LIMIT;
        if (prover->flight_count == prover->flight_capacity) {
            int status = ct_grow(&prover->flights, &prover->flight_capacity, prover->flight_count + 1,
                                 sizeof *prover->flights);
            if (status != CT_OK)
                return status;
        }
        flight = (uint32_t)prover->flight_count++;
    }
    struct ct_rank_state *state = &prover->ranks[rank];
    uint32_t *list = list_of(state, step);
    prover->flights[flight] = (struct ct_flight){
        .step = step, .round = state->round, .begin = position, .rank = rank, .after = *list};
    if (*list != CT_NO_FLIGHT)
        prover->flights[*list].before = flight;
    *list = flight;
    *ret_flight = flight;
    return CT_OK;
}

void ct_flight_end(struct ct_prover *prover, uint32_t flight)
{
    struct ct_flight *ended = &prover->flights[flight];
    if (ended->before != CT_NO_FLIGHT)
        prover->flights[ended->before].after = ended->after;
    else
        *list_of(&prover->ranks[ended->rank], ended->step) = ended->after;
    if (ended->after != CT_NO_FLIGHT)
        prover->flights[ended->after].before = ended->before;
    ended->after = prover->idle_flight;
    prover->idle_flight = flight;
}

static uint32_t first_overlap(const struct ct_prover *prover, uint32_t flight, unsigned buffer, size_t begin,
                              size_t n)
{
    while (flight != CT_NO_FLIGHT) {
        const struct ct_flight *other = &prover->flights[flight];
        if (other->step->buffer == buffer && other->begin < begin + n &&
            begin < other->begin + other->step->n)
            break;
        flight = other->after;
    }
    return flight;
}

uint32_t ct_flight_in_way(const struct ct_prover *prover, int rank, unsigned buffer, size_t begin, size_t n,
                          bool writes)
{
    const struct ct_rank_state *state = &prover->ranks[rank];
    if (n == 0)
        return CT_NO_FLIGHT;
    uint32_t flight = first_overlap(prover, state->writing, buffer, begin, n);
    if (flight == CT_NO_FLIGHT && writes)
        flight = first_overlap(prover, state->reading, buffer, begin, n);
    return flight;
}

uint32_t ct_flight_of_slot(const struct ct_prover *prover, int rank, unsigned slot)
{
    const uint32_t lists[] = {prover->ranks[rank].reading, prover->ranks[rank].writing};
    for (int i = 0; i < 2; i++)
        for (uint32_t flight = lists[i]; flight != CT_NO_FLIGHT; flight = prover->flights[flight].after)
            if (prover->flights[flight].step->until == slot)
                return flight;
    return CT_NO_FLIGHT;
}
