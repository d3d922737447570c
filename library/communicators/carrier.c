/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/communicators/carrier.h"
#include "base/hash.h"
#include "base/memory.h"
#include "library/decide/agreement.h"
#include "library/execute/channel.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/message_functions.h"
#include "library/mpi/yielding_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of the process, see tuner.c. Only one thread at a time comes here. */
static struct {
    MPI_Comm comm;
    MPI_Group world;
    int rank;                   /* in MPI_COMM_WORLD */
    int size;                   /* of it */
    int *numbers;               /* 0, 1, 2, ... */
    int *ranks;                 /* of the members of the group that is looked at */
    int *policies;              /* enum ct_wait_policy of each rank */
    struct ct_channel *channel; /* of all ranks; NULL: there is no carrier */
    struct ct_node *node;       /* NULL: messages within a node go through MPI, too */
    struct ct_node *closed;     /* which channels of MPI sessions may still have; it has no lanes */
    enum ct_agreement agreement;
} carrier = {.comm = MPI_COMM_NULL, .world = MPI_GROUP_NULL};

/* By a hash of their ranks in MPI_COMM_WORLD. They stay: channels of MPI sessions may outlive the carrier. */
static struct ct_call_counts call_counts;

/* That this rank has given. Channels of MPI sessions may outlive the carrier. */
static struct ct_contexts contexts;

static bool allocate(void)
{
    PMPI_Comm_rank(MPI_COMM_WORLD, &carrier.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &carrier.size);
    size_t size = (size_t)carrier.size;
    carrier.numbers = ct_allocate(size, sizeof *carrier.numbers);
    carrier.ranks = ct_allocate(size, sizeof *carrier.ranks);
    carrier.policies = ct_allocate(size, sizeof *carrier.policies);
    for (int i = 0; carrier.numbers && i < carrier.size; i++)
        carrier.numbers[i] = i;
    return carrier.numbers && carrier.ranks && carrier.policies;
}

/* Tells all ranks' policies to all. False if one of them could not open its channel. */
static bool exchange_policies(bool is_open)
{
    const int failed = -1, own = is_open ? (int)ct_tuner()->policy : failed;
    if (ct_yielding_allgather(&own, carrier.policies, 1, MPI_INT, MPI_COMM_WORLD) != MPI_SUCCESS)
        return false;
    for (int i = 0; i < carrier.size; i++)
        if (carrier.policies[i] == failed)
            return false;
    return true;
}

/* Tools that trace messages see the communicator, too; all ranks make it alike. */
static int make_comm(bool is_traced)
{
    return is_traced || CT_SIMULATED
               ? ct_message_functions()->comm_create(MPI_COMM_WORLD, carrier.world, &carrier.comm)
               : ct_yielding_dup(MPI_COMM_WORLD, &carrier.comm);
}

static bool open_carrier(bool is_traced)
{
    const bool is_open = make_comm(is_traced) == MPI_SUCCESS &&
                         ct_channel_open(carrier.comm, ct_tuner()->policy, &carrier.channel) == MPI_SUCCESS;
    return exchange_policies(is_open);
}

/* Tools that trace messages see those of MPI alone. */
static struct ct_node *open_node(MPI_Comm node, bool many_threads)
{
    const struct ct_configuration *configuration = &ct_tuner()->configuration;
    const struct ct_node_wishes wishes = {.lanes = !configuration->trace && !configuration->disabled &&
                                                   !configuration->avoids_lanes,
                                          .many_threads = many_threads,
                                          .plain = configuration->is_plain,
                                          .sleep = ct_tuner()->policy != CT_WAIT_SPIN};
    return ct_node_open(MPI_COMM_WORLD, node, &wishes);
}

static void free_comm(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        PMPI_Comm_free(comm);
}

void ct_carrier_start(MPI_Comm node)
{
    struct ct_conclusion all;
    bool usable = allocate() && PMPI_Comm_group(MPI_COMM_WORLD, &carrier.world) == MPI_SUCCESS;
    const struct ct_troubles troubles = {
        .failed = !usable, .threaded = ct_tuner()->many_threads, .traced = ct_tuner()->configuration.trace};
    if (!ct_agree(MPI_COMM_WORLD, troubles, &all) || all.any.failed || !all.same_build) {
        free_comm(&node);
        ct_carrier_stop();
        return;
    }
    if (all.agreement == CT_AGREEMENT_AGREED)
        carrier.node = open_node(node, all.any.threaded);
    else
        free_comm(&node);
    if (all.any.threaded)
        return;
    if (!open_carrier(all.any.traced)) {
        ct_carrier_stop();
        return;
    }
    carrier.channel->flight.messages.node = carrier.node;
    ct_node_set_counts(carrier.node, &call_counts);
    carrier.agreement = all.agreement;
    if (all.message && ct_tuner()->rank == 0)
        fprintf(stderr, "colltune: %s\n", all.message);
}

void ct_carrier_stop(void)
{
    ct_node_close(carrier.node);
    ct_channel_close_apart(&carrier.comm, &carrier.channel);
    if (carrier.world != MPI_GROUP_NULL)
        PMPI_Group_free(&carrier.world);
    free(carrier.numbers);
    free(carrier.ranks);
    free(carrier.policies);
    struct ct_node *node = carrier.node;
    memset(&carrier, 0, sizeof carrier);
    carrier.closed = node;
    carrier.comm = MPI_COMM_NULL;
    carrier.world = MPI_GROUP_NULL;
}

bool ct_carrier_is_open(void)
{
    return carrier.channel != NULL;
}

bool ct_carrier_node_is_shared(void)
{
    return carrier.node != NULL;
}

enum ct_agreement ct_carrier_agreement(void)
{
    return carrier.agreement;
}

/* Finds the ranks in MPI_COMM_WORLD of the members of a group; NULL if one is elsewhere. */
static const int *ranks_of(MPI_Group group, int size)
{
    int code = PMPI_Group_translate_ranks(group, size, carrier.numbers, carrier.world, carrier.ranks);
    for (int i = 0; i < size; i++)
        if (code != MPI_SUCCESS || carrier.ranks[i] == MPI_UNDEFINED)
            return NULL;
    return carrier.ranks;
}

const int *ct_carrier_ranks(MPI_Comm comm, int size)
{
    MPI_Group group;
    if (!carrier.channel || size > carrier.size || PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return NULL;
    const int *ranks = ranks_of(group, size);
    PMPI_Group_free(&group);
    return ranks;
}

const int *ct_carrier_world(int *ret_rank, int *ret_size)
{
    *ret_rank = carrier.rank;
    *ret_size = carrier.size;
    return carrier.numbers;
}

const int *ct_carrier_members(MPI_Group group, int *ret_rank, int *ret_size)
{
    MPI_Group members;
    if (!carrier.channel || PMPI_Group_intersection(carrier.world, group, &members) != MPI_SUCCESS)
        return NULL;
    PMPI_Group_rank(members, ret_rank);
    PMPI_Group_size(members, ret_size);
    const int *ranks = ranks_of(members, *ret_size);
    PMPI_Group_free(&members);
    return ranks;
}

int ct_carrier_open_channel(const int *ranks, int rank, int size, struct ct_channel **ret_channel)
{
    int policy = CT_WAIT_SPIN;
    for (int i = 0; i < size; i++)
        policy = carrier.policies[ranks[i]] > policy ? carrier.policies[ranks[i]] : policy;
    return ct_channel_open_part(carrier.channel, ranks, rank, size, (enum ct_wait_policy)policy, ret_channel);
}

struct ct_call_count *ct_carrier_count(const int *ranks, int size)
{
    struct ct_call_count *count =
        ct_call_count_of(&call_counts, ct_hash(0, ranks, (size_t)size * sizeof *ranks));
    if (count && !count->left)
        ct_node_show_count(carrier.node, count);
    return count;
}

struct ct_node *ct_carrier_node(void)
{
    return carrier.node;
}

void ct_carrier_give_context(struct ct_channel *channel)
{
    if (channel->rank == 0)
        ct_channel_set_context(channel, ct_context_take(&contexts));
}

void ct_carrier_take_context_back(const struct ct_channel *channel)
{
    if (channel && channel->rank == 0)
        ct_context_give_back(&contexts, channel->context);
}
