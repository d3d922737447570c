/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi_progress.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/* State of the process, see tuner.c: the calls in flight, the last one that was added first. A thread that
 * finds the list in use leaves its calls to the thread that uses it. */
static struct {
    atomic_uint count;
    pthread_mutex_t lock;
    struct ct_flight *first;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

__attribute__((always_inline)) inline bool ct_progress_is_needed(void)
{
    return atomic_load_explicit(&state.count, memory_order_relaxed) > 0;
}

void ct_progress_add(struct ct_flight *flight)
{
    flight->code = CT_PENDING;
    pthread_mutex_lock(&state.lock);
    flight->next = state.first;
    state.first = flight;
    atomic_fetch_add(&state.count, 1);
    pthread_mutex_unlock(&state.lock);
}

/* Takes a call that is complete from the list. Its result is set last: its owner may free it then. */
static void complete(struct ct_flight **place, int code)
{
    struct ct_flight *flight = *place;
    *place = flight->next;
    atomic_fetch_sub(&state.count, 1);
    atomic_store_explicit(&flight->code, code, memory_order_release);
}

void ct_progress(void)
{
    enum ct_wait_policy policy = CT_WAIT_SPIN;
    if (pthread_mutex_trylock(&state.lock) == 0) {
        for (struct ct_flight **place = &state.first; *place;) {
            struct ct_flight *flight = *place;
            int code = ct_flight_advance(flight);
            policy = flight->messages.policy > policy ? flight->messages.policy : policy;
            if (code == CT_PENDING)
                place = &flight->next;
            else
                complete(place, code);
        }
        pthread_mutex_unlock(&state.lock);
    }
    if (policy != CT_WAIT_SPIN)
        sched_yield();
}
