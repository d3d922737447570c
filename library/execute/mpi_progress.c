/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/mpi_progress.h"
#include "library/execute/near_messages.h"

#include <sched.h>
#include <stdatomic.h>

/* State of the process, see tuner.c: the calls in flight, the last one that was added first. With
 * MPI_THREAD_MULTIPLE there are none, but threads may wait while another one sets the policy. */
static struct {
    struct ct_flight *first;
    struct ct_flight *remaining; /* of which transfers stay, linked by next_remaining */
    _Atomic enum ct_wait_policy policy;
} progress;

static inline enum ct_wait_policy policy_now(void)
{
    return atomic_load_explicit(&progress.policy, memory_order_relaxed);
}

__attribute__((always_inline)) inline bool ct_progress_is_needed(void)
{
    return progress.first || progress.remaining;
}

void ct_progress_set_policy(enum ct_wait_policy policy)
{
    atomic_store_explicit(&progress.policy, policy, memory_order_relaxed);
}

bool ct_progress_takes_turns(void)
{
    return ct_progress_is_needed() || policy_now() != CT_WAIT_SPIN;
}

struct ct_patience ct_progress_begin_wait(void)
{
    return (struct ct_patience){.policy = policy_now()};
}

void ct_progress_pass_time(struct ct_patience *patience)
{
    if (ct_progress_is_needed())
        ct_progress();
    else
        ct_patience_rest(patience);
}

void ct_progress_add(struct ct_flight *flight)
{
    flight->code = CT_PENDING;
    flight->next = progress.first;
    progress.first = flight;
}

/* --- what failed calls have left --- */

void ct_progress_add_remains(struct ct_flight *flight)
{
    if (flight->has_remains || flight->messages.transfers.count == 0 ||
        !ct_node_is_quick(flight->messages.node))
        return;
    flight->has_remains = true;
    flight->next_remaining = progress.remaining;
    progress.remaining = flight;
}

void ct_progress_forget(struct ct_flight *flight)
{
    struct ct_flight **place = &progress.remaining;
    if (!flight->has_remains)
        return;
    while (*place != flight)
        place = &(*place)->next_remaining;
    *place = flight->next_remaining;
    flight->has_remains = false;
}

void ct_progress_free(struct ct_flight *flight)
{
    if (!flight)
        return;
    if (flight->has_remains)
        flight->is_left = true;
    else
        flight->functions->release(flight);
}

static void move_remains(void)
{
    for (struct ct_flight **place = &progress.remaining; *place;) {
        struct ct_flight *flight = *place;
        bool is_done;
        if (ct_node_is_quick(flight->messages.node) && flight->messages.transfers.count > 0)
            ct_near_messages_move(&flight->messages, CT_ROUND_END, &is_done);
        if (ct_node_is_quick(flight->messages.node) && flight->messages.transfers.count > 0) {
            place = &flight->next_remaining;
            continue;
        }
        *place = flight->next_remaining;
        flight->has_remains = false;
        if (flight->is_left)
            flight->functions->release(flight);
    }
}

void ct_progress(void)
{
    enum ct_wait_policy policy = CT_WAIT_SPIN;
    for (struct ct_flight **place = &progress.first; *place;) {
        struct ct_flight *flight = *place;
        int code = flight->functions->advance(flight, CT_UNTIL_TESTED);
        policy = flight->messages.policy > policy ? flight->messages.policy : policy;
        if (code == CT_PENDING) {
            place = &flight->next;
        } else {
            *place = flight->next;
            flight->code = code;
        }
    }
    if (progress.remaining)
        move_remains();
    if (policy != CT_WAIT_SPIN)
        sched_yield();
}

void ct_progress_wait(struct ct_flight *flight)
{
    while (flight->code == CT_PENDING) {
        if (progress.first != flight || flight->next) {
            ct_progress();
        } else {
            progress.first = NULL;
            flight->code = flight->functions->advance(flight, CT_UNTIL_COMPLETE);
        }
    }
}
