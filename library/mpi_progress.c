/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi_progress.h"

#include <sched.h>
#include <stdatomic.h>

/* State of the process, see tuner.c: the calls in flight, the last one that was added first. With
 * MPI_THREAD_MULTIPLE there are none, but threads may wait while another one sets the policy. */
static struct {
    struct ct_flight *first;
    _Atomic enum ct_wait_policy policy;
} state;

static inline enum ct_wait_policy policy_now(void)
{
    return atomic_load_explicit(&state.policy, memory_order_relaxed);
}

__attribute__((always_inline)) inline bool ct_progress_is_needed(void)
{
    return state.first != NULL;
}

void ct_progress_set_policy(enum ct_wait_policy policy)
{
    atomic_store_explicit(&state.policy, policy, memory_order_relaxed);
}

__attribute__((always_inline)) inline bool ct_progress_takes_turns(void)
{
    return state.first || policy_now() != CT_WAIT_SPIN;
}

struct ct_patience ct_progress_begin_wait(void)
{
    return (struct ct_patience){.policy = policy_now()};
}

void ct_progress_pass_time(struct ct_patience *patience)
{
    if (state.first)
        ct_progress();
    else
        ct_patience_rest(patience);
}

void ct_progress_add(struct ct_flight *flight)
{
    flight->code = CT_PENDING;
    flight->next = state.first;
    state.first = flight;
}

void ct_progress(void)
{
    enum ct_wait_policy policy = CT_WAIT_SPIN;
    for (struct ct_flight **place = &state.first; *place;) {
        struct ct_flight *flight = *place;
        int code = ct_flight_advance(flight, CT_UNTIL_TESTED);
        policy = flight->messages.policy > policy ? flight->messages.policy : policy;
        if (code == CT_PENDING) {
            place = &flight->next;
        } else {
            *place = flight->next;
            flight->code = code;
        }
    }
    if (policy != CT_WAIT_SPIN)
        sched_yield();
}

void ct_progress_wait(struct ct_flight *flight)
{
    while (flight->code == CT_PENDING) {
        if (state.first != flight || flight->next) {
            ct_progress();
        } else {
            state.first = NULL;
            flight->code = ct_flight_advance(flight, CT_UNTIL_COMPLETE);
        }
    }
}
