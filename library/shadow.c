/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/shadow.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static int shadow_keyval = MPI_KEYVAL_INVALID;

/* MPI libraries hold a limited number of communicators (MPICH 2046), which applications may need themselves:
 * only so many shadows at once. */
enum { SHADOWS_MOST = 256 };

static atomic_int shadows_held;

static int forget(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    struct ct_shadow *shadow = value;
    if (shadow->channel) {
        ct_channel_close(shadow->channel);
        atomic_fetch_sub(&shadows_held, 1);
    }
    if (shadow->comm != MPI_COMM_NULL)
        PMPI_Comm_free(&shadow->comm);
    free(shadow);
    return MPI_SUCCESS;
}

static void make_keyval(void)
{
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &shadow_keyval, NULL) != MPI_SUCCESS)
        shadow_keyval = MPI_KEYVAL_INVALID;
}

static int keyval(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_keyval);
    return shadow_keyval;
}

/* The least and the greatest of each number over the ranks of `comm`. */
static bool spread_of(const uint64_t *numbers, int count, MPI_Comm comm, uint64_t *ret_least,
                      uint64_t *ret_most)
{
    enum { MOST = 4 };
    uint64_t bounds[2 * MOST];
    for (int i = 0; i < count; i++) {
        bounds[2 * i] = numbers[i];
        bounds[2 * i + 1] = ~numbers[i];
    }
    if (PMPI_Allreduce(MPI_IN_PLACE, bounds, 2 * count, MPI_UINT64_T, MPI_MAX, comm) != MPI_SUCCESS)
        return false;
    for (int i = 0; i < count; i++) {
        ret_most[i] = bounds[2 * i];
        ret_least[i] = ~bounds[2 * i + 1];
    }
    return true;
}

static void tell_once(MPI_Comm comm, const char *text)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool told;
    int rank;
    if (PMPI_Comm_rank(comm, &rank) != MPI_SUCCESS || rank != 0)
        return;
    pthread_mutex_lock(&lock);
    if (!told)
        fprintf(stderr, "colltune: %s\n", text);
    told = true;
    pthread_mutex_unlock(&lock);
}

static enum ct_agreement agree(MPI_Comm comm)
{
    enum { BUILD, ENVIRONMENT, DISABLED, HELD, NUMBERS };
    const struct ct_configuration *configuration = ct_tuner_configuration();
    const uint64_t numbers[NUMBERS] = {ct_tuner_compiled_hash(), configuration->hash, configuration->disabled,
                                       (uint64_t)atomic_load(&shadows_held)};
    uint64_t least[NUMBERS], most[NUMBERS];
    if (!spread_of(numbers, NUMBERS, comm, least, most))
        return CT_AGREEMENT_NATIVE_ONLY;
    if (least[BUILD] != most[BUILD]) {
        tell_once(comm, "ranks run differently built libraries: everything goes to the MPI library");
        return CT_AGREEMENT_NATIVE_ONLY;
    }
    if (least[ENVIRONMENT] == most[ENVIRONMENT] && configuration->disabled)
        return CT_AGREEMENT_NATIVE_ONLY;
    if (most[HELD] >= SHADOWS_MOST) {
        tell_once(comm, "many communicators are in use: tuned collectives on the first of them only");
        return CT_AGREEMENT_NATIVE_ONLY;
    }
    if (least[ENVIRONMENT] == most[ENVIRONMENT])
        return CT_AGREEMENT_AGREED;
    tell_once(comm, "COLLTUNE_ variables differ between ranks and are ignored");
    return CT_AGREEMENT_ENVIRONMENT_OFF;
}

/* Ranks of other worlds than ours are on unknown nodes; then all ranks see some, and none tells. */
static bool set_nodes(struct ct_shadow *shadow)
{
    MPI_Group group, world;
    int size;
    if (!ct_tuner_node_labels() || PMPI_Comm_size(shadow->comm, &size) != MPI_SUCCESS)
        return true;
    int *ranks = ct_allocate(2 * (size_t)size, sizeof *ranks), *labels = ranks + size;
    if (!ranks)
        return false;
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    PMPI_Comm_group(shadow->comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    bool known = PMPI_Group_translate_ranks(group, size, ranks, world, labels) == MPI_SUCCESS;
    PMPI_Group_free(&world);
    PMPI_Group_free(&group);
    for (int i = 0; known && i < size; i++) {
        known = labels[i] != MPI_UNDEFINED;
        labels[i] = known ? ct_tuner_node_labels()[labels[i]] : 0;
    }
    int code = known ? ct_channel_set_nodes(shadow->channel, labels) : MPI_SUCCESS;
    free(ranks);
    return code == MPI_SUCCESS;
}

/* MPI_Comm_dup would run the user's attribute callbacks; a communicator of the same group does not. Errors
 * must come back here, not reach the user's handler: running out of communicators is no error of theirs. */
static void make_channel(MPI_Comm comm, struct ct_shadow *shadow)
{
    MPI_Group group;
    MPI_Errhandler handler;
    if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
        return;
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int made = 0;
    if (PMPI_Comm_group(comm, &group) == MPI_SUCCESS) {
        made = PMPI_Comm_create(comm, group, &shadow->comm) == MPI_SUCCESS && shadow->comm != MPI_COMM_NULL;
        PMPI_Group_free(&group);
    }
    if (made)
        made = ct_channel_open(shadow->comm, ct_tuner_policy(), &shadow->channel) == MPI_SUCCESS;
    if (made)
        made = set_nodes(shadow);
    int all = made;
    PMPI_Allreduce(&made, &all, 1, MPI_INT, MPI_MIN, comm);
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Errhandler_free(&handler);
    if (all) {
        atomic_fetch_add(&shadows_held, 1);
        return;
    }
    if (shadow->channel)
        ct_channel_close(shadow->channel);
    if (shadow->comm != MPI_COMM_NULL)
        PMPI_Comm_free(&shadow->comm);
    shadow->channel = NULL;
    shadow->comm = MPI_COMM_NULL;
    shadow->agreement = CT_AGREEMENT_NATIVE_ONLY;
    tell_once(comm, "no communicator left for tuned collectives: some calls go to the MPI library");
}

static struct ct_shadow *make(MPI_Comm comm)
{
    struct ct_shadow *shadow = malloc(sizeof *shadow);
    int inter = 0, size = 1;
    if (!shadow) {
        /* the others are on their way into the agreement: an error is better than a hang */
        PMPI_Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
        return NULL;
    }
    *shadow = (struct ct_shadow){.comm = MPI_COMM_NULL, .agreement = CT_AGREEMENT_NATIVE_ONLY};
    PMPI_Comm_test_inter(comm, &inter);
    PMPI_Comm_size(comm, &size);
    if (!inter && size > 1) {
        ct_tuner_start(comm);
        shadow->agreement = agree(comm);
        if (shadow->agreement != CT_AGREEMENT_NATIVE_ONLY)
            make_channel(comm, shadow);
    }
    if (PMPI_Comm_set_attr(comm, keyval(), shadow) != MPI_SUCCESS) {
        forget(comm, keyval(), shadow, NULL);
        return NULL;
    }
    return shadow;
}

struct ct_shadow *ct_shadow_of(MPI_Comm comm)
{
    struct ct_shadow *shadow;
    int key = keyval(), found = 0;
    if (key == MPI_KEYVAL_INVALID || PMPI_Comm_get_attr(comm, key, &shadow, &found) != MPI_SUCCESS)
        return NULL;
    return found ? shadow : make(comm);
}

void ct_shadows_stop(void)
{
    const MPI_Comm last[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++) {
        void *shadow;
        int found = 0;
        if (keyval() != MPI_KEYVAL_INVALID &&
            PMPI_Comm_get_attr(last[i], keyval(), &shadow, &found) == MPI_SUCCESS && found)
            PMPI_Comm_delete_attr(last[i], keyval());
    }
}
