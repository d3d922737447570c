/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/communicators/flight_comm.h"
#include "base/memory.h"
#include "library/communicators/carried_channel.h"
#include "library/communicators/carrier.h"
#include "library/communicators/meeting.h"
#include "library/errors/error_guard.h"
#include "library/execute/channel.h"
#include "library/execute/topology.h"
#include "library/mpi/comm_keyval.h"
#include "library/mpi/yielding_calls.h"

#include <stdlib.h>

/* MPI libraries hold a limited number of communicators (MPICH 2046), which applications may need themselves.
 */
enum { FLIGHT_COMMS_MAX = 256 };

/* State of the process, see tuner.c: the attribute key, which MPI gives out once, the number of private
 * communicators that are attached, and of pairs the number of communicators that were counted. */
static struct {
    atomic_int keyval;
    int held;
    uint64_t *counts;   /* of this rank with each rank of MPI_COMM_WORLD; NULL: none are counted */
    bool has_forgotten; /* a communicator that was counted: the MPI library had no memory for the attribute */
    MPI_Comm recent;    /* the communicator that was looked up last, and what is kept with it */
    struct ct_flight_comm *recent_flights;
} flight_comms = {.keyval = MPI_KEYVAL_INVALID, .recent = MPI_COMM_NULL};

/* What this rank has if it has no memory for more. Other ranks may have begun the same call, and do not know
 * of it, so that its calls fail, as blocking ones do. */
static struct ct_flight_comm no_flights = {.comm = MPI_COMM_NULL, .code = MPI_ERR_NO_MEM};

static void close_flight_channel(struct ct_flight_comm *flights)
{
    ct_carrier_take_context_back(flights->channel);
    ct_channel_close_apart(&flights->comm, &flights->channel);
}

static void free_known(struct ct_flight_comm *flights)
{
    for (int i = 0; i < 2; i++) {
        if (flights->known[i])
            ct_known_calls_free(flights->known[i]);
        free(flights->known[i]);
        flights->known[i] = NULL;
    }
}

/* False without memory. */
static bool make_known(struct ct_flight_comm *flights)
{
    for (int i = 0; i < 2; i++) {
        flights->known[i] = ct_allocate(CT_KNOWN_CALLS, sizeof *flights->known[i]);
        for (int k = 0; flights->known[i] && k < CT_KNOWN_CALLS; k++)
            flights->known[i][k].collective = CT_COLLECTIVES;
    }
    return flights->known[0] && flights->known[1];
}

void ct_flight_comm_release(struct ct_flight_comm *flights)
{
    if (flights == &no_flights || --flights->references > 0)
        return;
    flight_comms.held -= flights->comm != MPI_COMM_NULL;
    close_flight_channel(flights);
    free_known(flights);
    free(flights);
}

/* The attribute's delete function. */
static int forget_flights(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    flight_comms.recent = MPI_COMM_NULL;
    ct_flight_comm_release(value);
    return MPI_SUCCESS;
}

static int flights_keyval(void)
{
    return ct_comm_keyval(&flight_comms.keyval, forget_flights);
}

/* --- with lanes between all ranks --- */

bool ct_flight_comms_start(void)
{
    int size;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    flight_comms.counts = ct_allocate((size_t)size, sizeof *flight_comms.counts);
    return flight_comms.counts != NULL;
}

void ct_flight_comms_stop(void)
{
    free(flight_comms.counts);
    flight_comms.counts = NULL;
}

static bool are_joined(const int *ranks, int rank, int size)
{
    struct ct_node *node = ct_carrier_node();
    for (int i = 0; node && i < size; i++)
        if (i != rank && !ct_node_lane(node, ranks[i]))
            return false;
    return node != NULL;
}

/* With its arrays in one piece, since most communicators have no call in flight. NULL without memory. */
static struct ct_flight_comm *make_joined(const int *ranks, int rank, int size)
{
    struct ct_flight_comm *flights =
        malloc(sizeof *flights + (size_t)size * (sizeof *flights->labels + sizeof *flights->ranks));
    if (!flights)
        return NULL;
    uint64_t *labels = (uint64_t *)(flights + 1);
    int *copy = (int *)(labels + size);
    for (int i = 0; i < size; i++) {
        copy[i] = ranks[i];
        labels[i] = ct_node_pair_label(flight_comms.counts[ranks[i]]);
    }
    *flights = (struct ct_flight_comm){.comm = MPI_COMM_NULL,
                                       .agreement = CT_AGREEMENT_AGREED,
                                       .references = 1,
                                       .rank = rank,
                                       .size = size,
                                       .ranks = copy,
                                       .labels = labels};
    return flights;
}

/* Has it been counted in an earlier call, after which this rank could keep nothing else with it? */
static bool is_counted_comm(MPI_Comm comm)
{
    void *flights;
    int found = 0;
    return PMPI_Comm_get_attr(comm, flights_keyval(), &flights, &found) == MPI_SUCCESS && found;
}

bool ct_flight_comm_count(MPI_Comm comm, const int *ranks, int rank, int size, bool may_be_counted)
{
    if (!are_joined(ranks, rank, size))
        return false;
    if (may_be_counted && flights_keyval() != MPI_KEYVAL_INVALID && is_counted_comm(comm))
        return true;
    for (int i = 0; i < size; i++)
        flight_comms.counts[ranks[i]]++;
    struct ct_flight_comm *flights = make_joined(ranks, rank, size);
    if (!flights)
        flights = &no_flights;
    if (flights_keyval() == MPI_KEYVAL_INVALID ||
        PMPI_Comm_set_attr(comm, flights_keyval(), flights) != MPI_SUCCESS) {
        ct_flight_comm_release(flights);
        flight_comms.has_forgotten = true;
    }
    return true;
}

/* Makes what only calls in flight need. */
static void open_joined(MPI_Comm comm, struct ct_flight_comm *flights)
{
    if (make_known(flights) &&
        ct_carried_channel_open(flights->ranks, flights->rank, flights->size, &flights->channel) &&
        ct_topology_of(comm, &flights->channel->topology) == MPI_SUCCESS) {
        ct_channel_set_labels(flights->channel, flights->labels);
        return;
    }
    close_flight_channel(flights);
    free_known(flights);
    flights->code = MPI_ERR_NO_MEM;
}

/* --- on a communicator of their own --- */

/* Takes part in making the communicator, also where that has failed before. */
static bool open_channel(MPI_Comm comm, const struct ct_channel *own, struct ct_flight_comm *flights)
{
    enum ct_wait_policy policy = own ? own->flight.messages.policy : CT_WAIT_SPIN;
    if (ct_channel_open_apart(comm, policy, &flights->comm, &flights->channel) != MPI_SUCCESS || !own)
        return false;
    const struct ct_nodes *nodes = &own->nodes;
    if (ct_channel_use_lanes(flights->channel, ct_carrier_node()) != MPI_SUCCESS)
        return false;
    if (ct_topology_of(comm, &flights->channel->topology) != MPI_SUCCESS)
        return false;
    return nodes->count == 0 || ct_channel_set_nodes(flights->channel, nodes->node_of) == MPI_SUCCESS;
}

bool ct_flight_comm_make(MPI_Comm comm, const struct ct_channel *own)
{
    enum { FLIGHTS, OWN, CONTEXT, WORDS };
    MPI_Errhandler handler;
    struct ct_flight_comm *flights = ct_allocate(1, sizeof *flights);
    struct ct_flight_comm made = {.comm = MPI_COMM_NULL, .agreement = CT_AGREEMENT_AGREED, .references = 1};
    bool has_known = make_known(&made);
    if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) {
        free_known(&made);
        free(flights);
        return false;
    }
    ct_meet_comm(comm);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    bool is_made = open_channel(comm, own, &made) && flights && has_known &&
                   flights_keyval() != MPI_KEYVAL_INVALID && flight_comms.held < FLIGHT_COMMS_MAX;
    if (is_made) {
        ct_carrier_give_context(made.channel);
        *flights = made;
    }
    flight_comms.held += is_made;
    bool is_attached = is_made && PMPI_Comm_set_attr(comm, flights_keyval(), flights) == MPI_SUCCESS;
    /* The least of all: the context is 0 at all ranks but one. */
    int all[WORDS] = {[FLIGHTS] = is_attached,
                      [OWN] = own != NULL,
                      [CONTEXT] = is_made ? -(int)made.channel->context : CT_NO_CONTEXT};
    if (ct_yielding_allreduce(all, WORDS, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS)
        all[FLIGHTS] = all[OWN] = false;
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Errhandler_free(&handler);
    if (is_attached && all[FLIGHTS])
        ct_channel_set_context(flights->channel, (unsigned)-all[CONTEXT]);
    else if (is_attached)
        PMPI_Comm_delete_attr(comm, flights_keyval());
    if (!is_attached) {
        flight_comms.held -= is_made;
        close_flight_channel(&made);
        free_known(&made);
        free(flights);
    }
    return all[OWN];
}

__attribute__((noinline)) static struct ct_flight_comm *look_up_flights(MPI_Comm comm)
{
    struct ct_flight_comm *flights;
    int found = 0;
    if (comm == MPI_COMM_NULL || flights_keyval() == MPI_KEYVAL_INVALID)
        return NULL;
    /* If there is no such communicator, the collective reports it. */
    bool is_guarded = ct_error_guard_up_anyway();
    int code = PMPI_Comm_get_attr(comm, flights_keyval(), &flights, &found);
    ct_error_guard_down(is_guarded);
    if (code != MPI_SUCCESS || !found)
        return code == MPI_SUCCESS && flight_comms.has_forgotten ? &no_flights : NULL;
    if (!flights->channel && flights->code == MPI_SUCCESS)
        open_joined(comm, flights);
    flight_comms.recent = comm;
    return flight_comms.recent_flights = flights;
}

struct ct_flight_comm *ct_flight_comm_of(MPI_Comm comm)
{
    if (!ct_meetings_are_held())
        return NULL;
    return comm == flight_comms.recent && comm != MPI_COMM_NULL ? flight_comms.recent_flights
                                                                : look_up_flights(comm);
}

int ct_flight_comm_tag(struct ct_flight_comm *flights, bool is_persistent)
{
    /* Messages through lanes have no more tags. A rank that is alone on its node has no lanes, but the others
     * may. */
    enum { MOST = CT_LANE_TAGS / 2 };
    unsigned half = (unsigned)flights->channel->tag_limit / 2;
    half = half > MOST ? MOST : half;
    unsigned *number = is_persistent ? &flights->persistent : &flights->begun;
    *number = *number + 1 < half ? *number + 1 : 0;
    return (int)(is_persistent ? half + *number : *number);
}
