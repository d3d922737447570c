/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/flight_comm.h"
#include "base/memory.h"
#include "library/carrier.h"
#include "library/channel.h"
#include "library/error_guard.h"
#include "library/meeting.h"

#include <pthread.h>
#include <stdlib.h>

/* MPI libraries hold a limited number of communicators (MPICH 2046), which applications may need themselves.
 */
enum { HELD_MAX = 256 };

/* State of the process, see tuner.c: the attribute key, which MPI gives out once, and the number of private
 * communicators that are attached. */
static struct {
    pthread_once_t once;
    int keyval;
    int held;
    MPI_Comm recent; /* the communicator that was looked up last, and what is kept with it */
    struct ct_flight_comm *recent_flights;
} state = {.once = PTHREAD_ONCE_INIT, .keyval = MPI_KEYVAL_INVALID, .recent = MPI_COMM_NULL};

static void close_channel(struct ct_flight_comm *flights)
{
    ct_carrier_take_context_back(flights->channel);
    ct_channel_close_apart(&flights->comm, &flights->channel);
}

void ct_flight_comm_release(struct ct_flight_comm *flights)
{
    if (--flights->references > 0)
        return;
    close_channel(flights);
    for (int i = 0; i < 2; i++)
        ct_known_calls_free(flights->known[i]);
    free(flights);
    state.held--;
}

/* The attribute's delete function. */
static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    state.recent = MPI_COMM_NULL;
    ct_flight_comm_release(value);
    return MPI_SUCCESS;
}

static void make_keyval(void)
{
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &state.keyval, NULL) != MPI_SUCCESS)
        state.keyval = MPI_KEYVAL_INVALID;
}

static int keyval(void)
{
    pthread_once(&state.once, make_keyval);
    return state.keyval;
}

/* Takes part in making the communicator, also where that has failed before. */
static bool open_channel(MPI_Comm comm, const struct ct_private_comm *own, struct ct_flight_comm *flights)
{
    enum ct_wait_policy policy = own ? own->channel->flight.messages.policy : CT_WAIT_SPIN;
    if (ct_channel_open_apart(comm, policy, &flights->comm, &flights->channel) != MPI_SUCCESS || !own)
        return false;
    const struct ct_nodes *nodes = &own->channel->nodes;
    if (ct_channel_use_lanes(flights->channel, ct_carrier_node()) != MPI_SUCCESS)
        return false;
    return nodes->count == 0 || ct_channel_set_nodes(flights->channel, nodes->node_of) == MPI_SUCCESS;
}

bool ct_flight_comm_make(MPI_Comm comm, const struct ct_private_comm *own)
{
    enum { FLIGHTS, OWN, CONTEXT, WORDS };
    MPI_Errhandler handler;
    struct ct_flight_comm *flights = ct_allocate(1, sizeof *flights);
    struct ct_flight_comm made = {.comm = MPI_COMM_NULL, .agreement = CT_AGREEMENT_AGREED, .references = 1};
    for (int i = 0; i < 2 * CT_KNOWN_CALLS; i++)
        made.known[i / CT_KNOWN_CALLS][i % CT_KNOWN_CALLS].collective = CT_COLLECTIVES;
    if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) {
        free(flights);
        return false;
    }
    ct_meet_comm(comm);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    bool is_made =
        open_channel(comm, own, &made) && flights && keyval() != MPI_KEYVAL_INVALID && state.held < HELD_MAX;
    if (is_made) {
        ct_carrier_give_context(made.channel);
        *flights = made;
    }
    state.held += is_made;
    bool is_attached = is_made && PMPI_Comm_set_attr(comm, keyval(), flights) == MPI_SUCCESS;
    /* The least of all: the context is 0 at all ranks but one. */
    int all[WORDS] = {[FLIGHTS] = is_attached,
                      [OWN] = own != NULL,
                      [CONTEXT] = is_made ? -(int)made.channel->context : CT_NO_CONTEXT};
    if (PMPI_Allreduce(MPI_IN_PLACE, all, WORDS, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS)
        all[FLIGHTS] = all[OWN] = false;
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Errhandler_free(&handler);
    if (is_attached && all[FLIGHTS])
        ct_channel_set_context(flights->channel, (unsigned)-all[CONTEXT]);
    else if (is_attached)
        PMPI_Comm_delete_attr(comm, keyval());
    if (!is_attached) {
        state.held -= is_made;
        close_channel(&made);
        free(flights);
    }
    return all[OWN];
}

__attribute__((noinline)) static struct ct_flight_comm *look_up(MPI_Comm comm)
{
    struct ct_flight_comm *flights;
    int found = 0;
    if (comm == MPI_COMM_NULL || keyval() == MPI_KEYVAL_INVALID)
        return NULL;
    /* If there is no such communicator, the collective reports it. */
    bool is_guarded = ct_error_guard_up_anyway();
    int code = PMPI_Comm_get_attr(comm, keyval(), &flights, &found);
    ct_error_guard_down(is_guarded);
    if (code != MPI_SUCCESS || !found)
        return NULL;
    state.recent = comm;
    return state.recent_flights = flights;
}

struct ct_flight_comm *ct_flight_comm_of(MPI_Comm comm)
{
    if (!ct_meetings_are_held())
        return NULL;
    return comm == state.recent && comm != MPI_COMM_NULL ? state.recent_flights : look_up(comm);
}

int ct_flight_comm_tag(struct ct_flight_comm *flights, bool is_persistent)
{
    enum { MOST = CT_LANE_TAGS / 2 };
    const bool has_lanes = flights->channel->flight.messages.node;
    unsigned half = (unsigned)flights->channel->tag_limit / 2;
    half = has_lanes && half > MOST ? MOST : half;
    return (int)(is_persistent ? half + flights->persistent++ % half : flights->begun++ % half);
}
