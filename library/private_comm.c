/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/private_comm.h"
#include "base/memory.h"
#include "library/backend_mpi.h"
#include "library/carrier.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* MPI libraries hold a limited number of communicators (MPICH 2046), which applications may need themselves.
 * So the library makes a limited number of private ones, where the carrier cannot be used. */
enum { HELD_MAX = 256 };

/* State of the process, see tuner.c: the attribute key, which MPI gives out once, the number of private
 * communicators, how many have been forgotten, and whether a message was printed. */
static struct {
    pthread_once_t once;
    int keyval;
    atomic_int held;
    atomic_uint forgotten;
    atomic_bool has_told;
} state = {.once = PTHREAD_ONCE_INIT, .keyval = MPI_KEYVAL_INVALID};

/* The communicators that this thread has looked up last, since PMPI_Comm_get_attr() costs more than the rest
 * of the way in. A handle may come back as another communicator, so an entry counts only as long as none has
 * been forgotten since it was written. Whoever calls a collective on a new communicator comes after its
 * creation, which comes after the old one was freed, on whatever thread, by the program's or MPI's
 * synchronisation; so it sees the number that the delete function has counted up. The number wraps only after
 * 2^32 communicators have been freed between two calls on one. */
enum { RECENT = 8 };
static CT_PER_THREAD struct {
    MPI_Comm comm;
    unsigned forgotten;          /* the number at which it was looked up */
    struct ct_private_comm *own; /* NULL: an empty entry */
} recent[RECENT];

/* What a rank attaches if it has no memory for more. */
static struct ct_private_comm without_memory = {
    .comm = MPI_COMM_NULL, .context = CT_NO_CONTEXT, .agreement = CT_AGREEMENT_NATIVE_ONLY};

static void close_channel(struct ct_private_comm *own)
{
    if (own->channel)
        ct_channel_close(own->channel);
    if (own->comm != MPI_COMM_NULL)
        PMPI_Comm_free(&own->comm);
    /* After an error messages may be left over. */
    if (own->context != CT_NO_CONTEXT && !own->is_damaged)
        ct_carrier_release_context(own->context);
    own->channel = NULL;
    own->comm = MPI_COMM_NULL;
    own->context = CT_NO_CONTEXT;
}

/* The attribute's delete function. */
static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    struct ct_private_comm *own = value;
    atomic_fetch_add(&state.forgotten, 1);
    if (own == &without_memory)
        return MPI_SUCCESS;
    if (own->comm != MPI_COMM_NULL)
        atomic_fetch_sub(&state.held, 1);
    close_channel(own);
    free(own);
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

static void tell_once(MPI_Comm comm, const char *text)
{
    int rank;
    if (PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == 0 && !atomic_exchange(&state.has_told, true))
        fprintf(stderr, "colltune: %s\n", text);
}

static enum ct_agreement go_native(MPI_Comm comm, const char *why)
{
    tell_once(comm, why);
    return CT_AGREEMENT_NATIVE_ONLY;
}

/* What may differ between ranks, as words that are combined by bitwise or. The bits of a number and of its
 * complement together show whether all ranks have the same. */
enum { FAILED, FULL, POLICY, BUILD, BUILD_COMPLEMENT, ENVIRONMENT, ENVIRONMENT_COMPLEMENT, COMPARED };

/* What this rank says. `failed`: it cannot take part. */
static void describe_rank(bool failed, uint64_t ret_words[COMPARED])
{
    const struct ct_tuner *tuner = ct_tuner();
    ret_words[FAILED] = failed || tuner->failed;
    ret_words[FULL] = false;
    ret_words[POLICY] = (uint64_t)tuner->policy;
    ret_words[BUILD] = tuner->compiled_hash;
    ret_words[BUILD_COMPLEMENT] = ~tuner->compiled_hash;
    ret_words[ENVIRONMENT] = tuner->configuration.hash;
    ret_words[ENVIRONMENT_COMPLEMENT] = ~tuner->configuration.hash;
}

/* What all ranks conclude from the combined words. */
static enum ct_agreement conclude(MPI_Comm comm, const uint64_t words[COMPARED])
{
    if (words[FAILED])
        return go_native(comm, "a rank has a broken build or too little memory: all collectives are native");
    if (words[BUILD] & words[BUILD_COMPLEMENT])
        return go_native(comm, "the tuned libraries of the ranks differ: all collectives are native");
    bool same_environment = !(words[ENVIRONMENT] & words[ENVIRONMENT_COMPLEMENT]);
    if (same_environment && ct_tuner()->configuration.disabled)
        return CT_AGREEMENT_NATIVE_ONLY;
    if (words[FULL])
        return go_native(comm, "many communicators are in use: collectives on further ones are native");
    if (same_environment)
        return CT_AGREEMENT_AGREED;
    tell_once(comm, "COLLTUNE_ variables differ between ranks and are ignored");
    return CT_AGREEMENT_ENVIRONMENT_OFF;
}

/* Compares what may differ between ranks, before anything that they decide depends on it. Collective over
 * `comm`, by native calls. All wait as *ret_policy says, because decisions may depend on it: they yield if
 * one of them has to. */
static enum ct_agreement agree(MPI_Comm comm, bool failed, enum ct_wait_policy *ret_policy)
{
    uint64_t words[COMPARED];
    describe_rank(failed, words);
    words[FULL] = atomic_load(&state.held) >= HELD_MAX;
    if (PMPI_Allreduce(MPI_IN_PLACE, words, COMPARED, MPI_UINT64_T, MPI_BOR, comm) != MPI_SUCCESS)
        return CT_AGREEMENT_NATIVE_ONLY;
    *ret_policy = (enum ct_wait_policy)words[POLICY];
    return conclude(comm, words);
}

/* Tells the channel which ranks share a node, by their ranks in MPI_COMM_WORLD. If a rank is of another
 * MPI_COMM_WORLD, its node is not known; all ranks see that alike, and the channel gets no labels. False
 * without memory. */
static bool set_nodes(struct ct_channel *channel, const int *ranks, int size)
{
    const int *world_labels = ct_tuner()->node_labels;
    if (!world_labels)
        return true;
    for (int i = 0; i < size; i++)
        if (ranks[i] == MPI_UNDEFINED)
            return true;
    int *labels = ct_allocate((size_t)size, sizeof *labels);
    if (!labels)
        return false;
    for (int i = 0; i < size; i++)
        labels[i] = world_labels[ranks[i]];
    int code = ct_channel_set_nodes(channel, labels);
    free(labels);
    return code == MPI_SUCCESS;
}

/* The same, if the ranks in MPI_COMM_WORLD have not been looked up. */
static bool find_nodes(const struct ct_private_comm *own)
{
    MPI_Group group, world;
    int size;
    if (!ct_tuner()->node_labels || PMPI_Comm_size(own->comm, &size) != MPI_SUCCESS)
        return true;
    int *numbers = ct_allocate(2 * (size_t)size, sizeof *numbers), *ranks = numbers + size;
    if (!numbers)
        return false;
    for (int i = 0; i < size; i++)
        numbers[i] = i;
    PMPI_Comm_group(own->comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    bool known = PMPI_Group_translate_ranks(group, size, numbers, world, ranks) == MPI_SUCCESS;
    PMPI_Group_free(&world);
    PMPI_Group_free(&group);
    bool done = !known || set_nodes(own->channel, ranks, size);
    free(numbers);
    return done;
}

/* Makes a communicator of the same group: MPI_Comm_dup would call the user's attribute functions. */
static bool open_channel(MPI_Comm comm, enum ct_wait_policy policy, struct ct_private_comm *own)
{
    MPI_Group group;
    if (PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return false;
    int code = PMPI_Comm_create(comm, group, &own->comm);
    PMPI_Group_free(&group);
    return code == MPI_SUCCESS && own->comm != MPI_COMM_NULL &&
           ct_channel_open(own->comm, policy, &own->channel) == MPI_SUCCESS && find_nodes(own);
}

/* Opens the channel at all ranks or at none. Errors must return here and not reach the user's handler: a lack
 * of communicators is no error of the user's. */
static void make_channel(MPI_Comm comm, enum ct_wait_policy policy, struct ct_private_comm *own)
{
    MPI_Errhandler handler;
    if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
        return;
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int all = open_channel(comm, policy, own);
    if (PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS)
        all = false;
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Errhandler_free(&handler);
    if (all) {
        atomic_fetch_add(&state.held, 1);
        return;
    }
    close_channel(own);
    own->agreement = CT_AGREEMENT_NATIVE_ONLY;
    tell_once(comm, "no private communicator could be made: some collectives are native");
}

/* Makes a private communicator, for ranks that no carrier connects. Every rank takes part in the agreement,
 * whatever has failed on it: the others would wait for it. */
static void separate(MPI_Comm comm, struct ct_private_comm *own, bool failed)
{
    enum ct_wait_policy policy = CT_WAIT_SPIN;
    enum ct_agreement agreement = agree(comm, failed, &policy);
    if (agreement == CT_AGREEMENT_NATIVE_ONLY)
        return;
    assert(own && own != &without_memory);
    own->agreement = agreement;
    make_channel(comm, policy, own);
}

/* Gives the communicator a context of the carrier. Agreement and contexts are found in one. */
static void carry(MPI_Comm comm, struct ct_private_comm *own, const int *ranks, int size, bool failed)
{
    uint64_t words[COMPARED + CT_CONTEXT_WORDS];
    enum ct_agreement agreement = CT_AGREEMENT_NATIVE_ONLY;
    int rank;
    PMPI_Comm_rank(comm, &rank);
    failed = failed || ct_carrier_open_channel(ranks, rank, size, &own->channel) != MPI_SUCCESS ||
             !set_nodes(own->channel, ranks, size);
    describe_rank(failed, words);
    ct_carrier_contexts(words + COMPARED);
    if (ct_carrier_combine(ranks, rank, size, words, COMPARED + CT_CONTEXT_WORDS) == MPI_SUCCESS)
        agreement = conclude(comm, words);
    if (agreement != CT_AGREEMENT_NATIVE_ONLY) {
        ct_channel_set_policy(own->channel, (enum ct_wait_policy)words[POLICY]);
        own->context = ct_carrier_take_context(words + COMPARED, own->channel);
        if (own->context == CT_NO_CONTEXT)
            agreement =
                go_native(comm, "many communicators are in use: collectives on further ones are native");
    }
    if (own && own != &without_memory) {
        own->agreement = agreement;
        if (agreement == CT_AGREEMENT_NATIVE_ONLY)
            close_channel(own);
    }
}

static struct ct_private_comm *make(MPI_Comm comm)
{
    struct ct_private_comm *own = malloc(sizeof *own);
    int inter = 0, size = 1;
    bool failed = !own;
    if (failed)
        own = &without_memory;
    else
        *own = without_memory;
    if (PMPI_Comm_set_attr(comm, keyval(), own) != MPI_SUCCESS) {
        forget(comm, keyval(), own, NULL);
        own = NULL;
        failed = true;
    }
    PMPI_Comm_test_inter(comm, &inter);
    PMPI_Comm_size(comm, &size);
    if (inter || size == 1)
        return own;
    ct_tuner_start(comm);
    const int *ranks = ct_carrier_ranks(comm, size);
    if (ranks)
        carry(comm, own, ranks, size, failed);
    else
        separate(comm, own, failed);
    return own;
}

static struct ct_private_comm *look_up(MPI_Comm comm)
{
    struct ct_private_comm *own;
    int key = keyval(), found = 0;
    if (key == MPI_KEYVAL_INVALID || PMPI_Comm_get_attr(comm, key, &own, &found) != MPI_SUCCESS)
        return NULL;
    return found ? own : make(comm);
}

struct ct_private_comm *ct_private_comm_of(MPI_Comm comm)
{
    unsigned forgotten = atomic_load_explicit(&state.forgotten, memory_order_relaxed);
    /* Handles are small numbers, or addresses of large objects. */
    uintptr_t handle = (uintptr_t)comm;
    size_t entry = (handle ^ handle >> 9) % RECENT;
    if (recent[entry].own && recent[entry].comm == comm && recent[entry].forgotten == forgotten)
        return recent[entry].own;
    struct ct_private_comm *own = look_up(comm);
    recent[entry].comm = comm;
    recent[entry].forgotten = forgotten;
    recent[entry].own = own;
    return own;
}

void ct_private_comms_stop(void)
{
    const MPI_Comm last[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
    if (keyval() == MPI_KEYVAL_INVALID)
        return;
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++) {
        void *own;
        int found = 0;
        if (PMPI_Comm_get_attr(last[i], keyval(), &own, &found) == MPI_SUCCESS && found)
            PMPI_Comm_delete_attr(last[i], keyval());
    }
}
