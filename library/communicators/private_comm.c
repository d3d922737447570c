/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/communicators/private_comm.h"
#include "base/memory.h"
#include "library/adapt/adapted_calls.h"
#include "library/communicators/carried_channel.h"
#include "library/communicators/carrier.h"
#include "library/communicators/flight_comm.h"
#include "library/communicators/making.h"
#include "library/communicators/meeting.h"
#include "library/communicators/recent_comms.h"
#include "library/decide/agreement.h"
#include "library/errors/error_guard.h"
#include "library/execute/channel.h"
#include "library/execute/executor.h"
#include "library/execute/topology.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/comm_keyval.h"
#include "library/mpi/placement.h"
#include "library/mpi/yielding_calls.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* MPI libraries hold a limited number of communicators (MPICH 2046), which applications may need themselves.
 * So the library makes a limited number of private ones, where the carrier cannot be used. */
enum { PRIVATE_COMMS_MAX = 256 };

/* Applications mostly have a few groups of ranks, and make communicators of each again and again. */
enum { SHARED_MAX = 8 };

/* State of the process, see tuner.c: the attribute key, which MPI gives out once, the number of private
 * communicators, whether a message was printed, and what could not be kept with a communicator. */
static struct {
    atomic_int keyval;
    atomic_int held;
    atomic_bool has_told;
    /* Only on the carrier, so of one thread: */
    struct ct_private_comm *unattached; /* of the last call */
    struct ct_private_comm *shared[SHARED_MAX];
    bool has_kept_nothing; /* with some communicator, so that its next call is taken for its first one */
} private_comms = {.keyval = MPI_KEYVAL_INVALID};

/* What a rank keeps with a communicator whose collectives are all native, and what it returns, and does not
 * keep, if it has no memory for more. */
static struct ct_private_comm native_only = {.comm = MPI_COMM_NULL, .agreement = CT_AGREEMENT_NATIVE_ONLY},
                              without_memory = {.comm = MPI_COMM_NULL,
                                                .agreement = CT_AGREEMENT_NATIVE_ONLY,
                                                .code = MPI_ERR_NO_MEM};

static void close_channel(struct ct_private_comm *own)
{
    ct_adapted_calls_free(own->adapted);
    own->adapted = NULL;
    ct_carrier_take_context_back(own->channel);
    ct_channel_close_apart(&own->comm, &own->channel);
}

static void release_own(struct ct_private_comm *own)
{
    if (!own || own == &native_only)
        return;
    if (--own->references > 0) {
        if (own->references == 1)
            ct_channel_trim(own->channel);
        return;
    }
    if (own->comm != MPI_COMM_NULL)
        atomic_fetch_sub(&private_comms.held, 1);
    close_channel(own);
    ct_known_calls_free(own->known);
    ct_varying_calls_free(&own->varying);
    free(own);
}

static void release_unattached(void)
{
    if (!private_comms.unattached)
        return;
    release_own(private_comms.unattached);
    private_comms.unattached = NULL;
}

/* The attribute's delete function. */
static int forget_own(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    ct_recent_comms_forget();
    release_own(value);
    return MPI_SUCCESS;
}

static int own_keyval(void)
{
    return ct_comm_keyval(&private_comms.keyval, forget_own);
}

static void tell_once(MPI_Comm comm, const char *text)
{
    int rank;
    if (PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == 0 &&
        !atomic_exchange(&private_comms.has_told, true))
        fprintf(stderr, "colltune: %s\n", text);
}

static bool attach(MPI_Comm comm, struct ct_private_comm *own)
{
    int key = own_keyval();
    return key != MPI_KEYVAL_INVALID && PMPI_Comm_set_attr(comm, key, own) == MPI_SUCCESS;
}

static struct ct_private_comm *allocate_own(void)
{
    struct ct_private_comm *own = malloc(sizeof *own);
    if (!own)
        return NULL;
    *own = native_only;
    own->references = 1;
    return own;
}

/* --- on the carrier --- */

/* Are sparse collectives described on such communicators? */
static bool needs_topology(enum ct_agreement agreement)
{
    struct ct_choice *const *bypasses = ct_tuner_bypasses(agreement);
    for (int i = CT_DENSE_COLLECTIVES; i < CT_MPI_COLLECTIVES; i++)
        if (!bypasses[i])
            return true;
    return false;
}

/* *ret_topology is NULL where there is none, or it is not needed. False without memory. */
static bool find_neighbors(MPI_Comm comm, enum ct_agreement agreement, struct ct_topology **ret_topology)
{
    *ret_topology = NULL;
    return !needs_topology(agreement) || ct_topology_of(comm, ret_topology) == MPI_SUCCESS;
}

static bool open_carried(const int *ranks, int rank, int size, struct ct_call_count *count,
                         struct ct_private_comm *own)
{
    own->agreement = ct_carrier_agreement();
    own->bypasses = ct_tuner_bypasses(own->agreement);
    if (!ct_carried_channel_open(ranks, rank, size, &own->channel))
        return false;
    ct_channel_count_calls(own->channel, count);
    own->count = count;
    return true;
}

static struct ct_private_comm *find_shared(const int *ranks, int size)
{
    for (int i = 0; i < SHARED_MAX; i++) {
        struct ct_private_comm *own = private_comms.shared[i];
        if (own && ct_channel_joins(own->channel, ranks, size)) {
            own->references++;
            return own;
        }
    }
    return NULL;
}

/* Shares it with communicators to come, instead of one that no communicator has, if there is room. */
static void share(struct ct_private_comm *own)
{
    struct ct_private_comm **place = NULL;
    for (int i = 0; i < SHARED_MAX && !(place && !*place); i++)
        if (!private_comms.shared[i] || private_comms.shared[i]->references == 1)
            place = &private_comms.shared[i];
    if (!place)
        return;
    release_own(*place);
    *place = own;
    own->references++;
}

/* Nothing that fails here may change what this rank's messages are: the other ranks do not know of it. So
 * what cannot be kept with the communicator is made for each call again. */
static struct ct_private_comm *carry(MPI_Comm comm, const int *ranks, int size)
{
    struct ct_topology *topology;
    struct ct_call_count *count = ct_carrier_count(ranks, size);
    without_memory.count = count;
    without_memory.bypasses = ct_tuner_bypasses(ct_carrier_agreement());
    if (!count || !find_neighbors(comm, ct_carrier_agreement(), &topology))
        return &without_memory;
    struct ct_private_comm *own = topology ? NULL : find_shared(ranks, size);
    if (!own) {
        int rank;
        PMPI_Comm_rank(comm, &rank);
        own = allocate_own();
        if (!own || !open_carried(ranks, rank, size, count, own)) {
            release_own(own);
            ct_topology_release(topology);
            return &without_memory;
        }
        own->channel->topology = topology;
        if (!topology)
            share(own);
    }
    if (!attach(comm, own))
        private_comms.unattached = own;
    return own;
}

/* --- on a communicator of its own --- */

/* Finds labels of the nodes of all ranks without a message. False if they are not known. */
static bool find_labels(MPI_Comm comm, int size, int *ret_labels)
{
    MPI_Group group, world;
    int *numbers = ct_tuner()->node_labels ? ct_allocate((size_t)size, sizeof *numbers) : NULL;
    if (!numbers)
        return false;
    for (int i = 0; i < size; i++)
        numbers[i] = i;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    int code = PMPI_Group_translate_ranks(group, size, numbers, world, ret_labels);
    PMPI_Group_free(&world);
    PMPI_Group_free(&group);
    free(numbers);
    return code == MPI_SUCCESS && ct_label_nodes(ret_labels, size);
}

static bool is_adapted(enum ct_agreement agreement)
{
    return ct_tuner()->configuration.adapt > 0 && agreement == CT_AGREEMENT_AGREED;
}

/* Adapts calls, if the environment asks for it. False without memory. */
static bool adapt(struct ct_private_comm *own)
{
    if (is_adapted(own->agreement))
        own->adapted = ct_adapted_calls_make(own->channel);
    return own->adapted || !is_adapted(own->agreement);
}

/* Opens the channel at all ranks or at none. If a rank does not know who shares a node, all find it out, and
 * whether they have to yield, with the greatest policy in force on all, because decisions may depend on it.
 * Errors must return here and not reach the user's handler: a lack of communicators is no error of the
 * user's. */
static void make_channel(MPI_Comm comm, bool is_placed, int *labels, struct ct_private_comm *own)
{
    enum { WRONG, POLICY, CONTEXT, WORDS };
    MPI_Errhandler handler;
    if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
        return;
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    enum ct_wait_policy policy = CT_WAIT_SPIN;
    bool is_right = is_placed || ct_placement_find(comm, labels, &policy) == MPI_SUCCESS;
    is_right = ct_channel_open_apart(comm, policy, &own->comm, &own->channel) == MPI_SUCCESS && is_right &&
               find_neighbors(comm, own->agreement, &own->channel->topology) &&
               ct_channel_set_nodes(own->channel, labels) == MPI_SUCCESS &&
               ct_channel_use_lanes(own->channel, ct_carrier_node()) == MPI_SUCCESS && adapt(own);
    if (is_right)
        ct_carrier_give_context(own->channel);
    int greatest[WORDS] = {!is_right, (int)ct_tuner_policy(policy),
                           is_right ? (int)own->channel->context : CT_NO_CONTEXT};
    if (ct_yielding_allreduce(greatest, WORDS, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS)
        greatest[WRONG] = true;
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Errhandler_free(&handler);
    if (!greatest[WRONG]) {
        ct_channel_set_policy(own->channel, (enum ct_wait_policy)greatest[POLICY]);
        ct_channel_set_context(own->channel, (unsigned)greatest[CONTEXT]);
        ct_channel_count_calls(own->channel, NULL);
        own->count = own->channel->count;
        atomic_fetch_add(&private_comms.held, 1);
        return;
    }
    close_channel(own);
    own->agreement = CT_AGREEMENT_NATIVE_ONLY;
    own->bypasses = native_only.bypasses;
    tell_once(comm, "no private communicator could be made: some collectives are native");
}

/* Do threads of none of the ranks make something for the application? They do not begin before
 * ct_making_release. All ranks have come: they have agreed. */
static bool hold_makers(MPI_Comm comm)
{
    int is_busy = !ct_making_hold();
    return ct_yielding_allreduce(&is_busy, 1, MPI_INT, MPI_MAX, comm) == MPI_SUCCESS && !is_busy;
}

/* Makes a private communicator, for ranks that no carrier connects, or whose calls are adapted: communicators
 * of the same ranks do not share what they learn, since a rank that is in many may not be able to keep it,
 * and messages are under way between calls. Every rank takes part in the agreement, whatever has failed on
 * it: the others would wait for it. If one of them can keep nothing with `comm`, or another thread makes
 * communicators there, all keep nothing, so that they agree again in the next call. */
static struct ct_private_comm *separate(MPI_Comm comm, int size)
{
    struct ct_conclusion all;
    struct ct_private_comm *own = allocate_own(), *kept = own ? own : &native_only, *result = kept;
    int *labels = ct_allocate((size_t)size, sizeof *labels);
    bool is_attached = attach(comm, kept);
    const struct ct_troubles troubles = {.failed = !own || !labels,
                                         .full = atomic_load(&private_comms.held) >= PRIVATE_COMMS_MAX,
                                         .forgets = !is_attached || ct_making_is_under_way(),
                                         .unplaced = !labels || !find_labels(comm, size, labels),
                                         .threaded = ct_tuner()->many_threads};
    ct_meet_comm(comm);
    bool has_agreed = ct_agree(comm, troubles, &all);
    bool are_held =
        has_agreed && all.agreement != CT_AGREEMENT_NATIVE_ONLY && !all.any.forgets && all.any.threaded;
    if (are_held)
        all.any.forgets = !hold_makers(comm);
    if (has_agreed && all.message)
        tell_once(comm, all.message);
    if (!has_agreed) {
        result = is_attached ? kept : NULL;
    } else if (all.any.forgets) {
        if (is_attached)
            PMPI_Comm_delete_attr(comm, own_keyval());
        else
            release_own(own);
        result = NULL;
    } else if (all.agreement != CT_AGREEMENT_NATIVE_ONLY) {
        assert(own && labels);
        own->agreement = all.agreement;
        own->bypasses = ct_tuner_bypasses(all.agreement);
        make_channel(comm, !all.any.unplaced, labels, own);
    }
    if (are_held)
        ct_making_release();
    free(labels);
    return result;
}

static struct ct_private_comm *make_for_blocking(MPI_Comm comm)
{
    int inter = 0, size = 1;
    PMPI_Comm_test_inter(comm, &inter);
    PMPI_Comm_size(comm, &size);
    if (inter || size == 1)
        return attach(comm, &native_only) ? &native_only : NULL;
    ct_error_guard_see(comm);
    const int *ranks = ct_carrier_ranks(comm, size);
    if (!ranks || is_adapted(ct_carrier_agreement()))
        return separate(comm, size);
    if (ct_carrier_agreement() == CT_AGREEMENT_NATIVE_ONLY)
        return attach(comm, &native_only) ? &native_only : NULL;
    return carry(comm, ranks, size);
}

/* Do all ranks of the communicator come together for the one of their calls in flight? What is missing at
 * this rank alone does not count. */
static bool has_flights(const struct ct_private_comm *own)
{
    return ct_meetings_are_held() &&
           (own == &without_memory || (own && own->channel && own->agreement == CT_AGREEMENT_AGREED));
}

/* Counts the communicator for its calls in flight, if lanes join all its ranks, which are on the carrier.
 * Those whose calls are adapted are not. */
static bool is_counted(MPI_Comm comm, const struct ct_private_comm *own)
{
    const struct ct_channel *channel = own->channel;
    int rank, size;
    if (channel)
        return channel->ranks && ct_flight_comm_count(comm, channel->ranks, channel->rank, channel->size,
                                                      private_comms.has_kept_nothing);
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    const int *ranks = ct_carrier_ranks(comm, size);
    return ranks && ct_flight_comm_count(comm, ranks, rank, size, true);
}

/* Where all ranks come together anyway, one that can keep nothing tells the others. Then none of them keeps
 * anything, so that they come together again in the next call, and this one is native. */
static struct ct_private_comm *make_own(MPI_Comm comm)
{
    struct ct_private_comm *own = make_for_blocking(comm);
    if (!has_flights(own))
        return own;
    bool is_kept = own != &without_memory && own != private_comms.unattached, is_done = is_counted(comm, own);
    private_comms.has_kept_nothing = private_comms.has_kept_nothing || !is_kept;
    if (is_done)
        return own;
    if (ct_flight_comm_make(comm, is_kept ? own->channel : NULL))
        return own;
    if (is_kept)
        PMPI_Comm_delete_attr(comm, own_keyval());
    release_unattached();
    return NULL;
}

/* Was it on a carrier that MPI_Finalize has ended? Communicators of MPI sessions live on. */
static bool is_stranded(const struct ct_private_comm *own)
{
    return own->channel && own->comm == MPI_COMM_NULL && !ct_carrier_is_open();
}

__attribute__((noinline)) static struct ct_private_comm *look_up_own(MPI_Comm comm)
{
    struct ct_private_comm *own;
    int key = own_keyval(), found = 0;
    release_unattached();
    if (key == MPI_KEYVAL_INVALID)
        return make_own(comm);
    /* If there is no such communicator, the collective reports it. */
    bool is_guarded = ct_error_guard_up_anyway();
    int code = PMPI_Comm_get_attr(comm, key, &own, &found);
    ct_error_guard_down(is_guarded);
    if (code != MPI_SUCCESS)
        return NULL;
    if (found && !is_stranded(own))
        return own;
    if (found)
        PMPI_Comm_delete_attr(comm, key);
    return make_own(comm);
}

struct ct_private_comm *ct_private_comm_of(MPI_Comm comm)
{
    struct ct_private_comm *own = ct_recent_comm(comm);
    if (own)
        return own;
    unsigned forgotten = ct_recent_comms_forgotten();
    own = ct_tuner_is_started() ? look_up_own(comm) : NULL;
    if (own != private_comms.unattached && own != &without_memory)
        ct_recent_comm_note(comm, forgotten, own);
    return own;
}

void ct_private_comm_synchronize(const struct ct_private_comm *own)
{
    struct ct_method method;
    static_assert(CT_CALLS_APART < CT_CONTEXT_CALLS / 2 && CT_CALLS_APART < CT_CALL_NUMBERS / 2,
                  "a rank that is ahead is not taken for one that is behind");
    if (own->channel && ct_method_parse("barrier/dissemination", CT_COLLECTIVES, NULL, &method) == CT_OK) {
        bool is_guarded = ct_error_guard_up();
        ct_execute(own->channel, &method, &(struct ct_operands){0}); /* an error is found by the call, too */
        ct_channel_tidy(own->channel);
        ct_error_guard_down(is_guarded);
    }
    ++own->count->number;
}

void ct_private_comms_start(void)
{
    native_only.bypasses = ct_tuner_bypasses(CT_AGREEMENT_NATIVE_ONLY);
    for (int i = 0; i < CT_KNOWN_CALLS; i++)
        native_only.known[i].collective = CT_COLLECTIVES;
}

void ct_private_comms_stop(void)
{
    release_unattached();
    ct_recent_comms_forget();
    for (int i = 0; i < SHARED_MAX; i++) {
        release_own(private_comms.shared[i]);
        private_comms.shared[i] = NULL;
    }
}
