/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/carrier.h"
#include "base/memory.h"
#include "library/channel.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A context has so many tags: the least that MPI allows for, 32767, is enough for all contexts. */
enum { TAGS = 16 };

/* State of the process, see tuner.c. Only one thread at a time comes here. */
static struct {
    MPI_Comm comm;
    MPI_Group world;
    int size;                   /* of MPI_COMM_WORLD */
    int *numbers;               /* 0, 1, 2, ... */
    int *ranks;                 /* of the members of the communicator that is looked at */
    struct ct_channel *channel; /* of agreements; NULL: there is no carrier */
    struct ct_method method;    /* by which they are made */
    int contexts;               /* how many there are; the first one is for agreements */
    uint64_t used[CT_CONTEXT_WORDS];
} carrier = {.comm = MPI_COMM_NULL, .world = MPI_GROUP_NULL};

static uint64_t bit_of(int context)
{
    return (uint64_t)1 << context % 64;
}

/* Reserves all the memory that an agreement needs: a rank without it would leave the others waiting. */
static bool reserve_agreement(struct ct_channel *channel)
{
    struct ct_call call = {.rank = channel->rank,
                           .size = channel->size,
                           .count = CT_CARRIER_WORDS_MAX,
                           .unit_bytes = sizeof(uint64_t),
                           .in_place = true,
                           .commutative = true};
    struct ct_request_list *round = &channel->messages.round;
    ct_plan_reset(&channel->plan);
    if (ct_method_parse("allreduce/recursive_doubling", CT_COLLECTIVES, NULL, &carrier.method) != CT_OK ||
        ct_method_build(&carrier.method, &channel->plan, &call) != CT_OK ||
        ct_grow(&round->requests, &round->capacity, 4, sizeof *round->requests) != CT_OK)
        return false;
    for (unsigned i = CT_BUFFER_TEMPORARY; i < channel->plan.buffer_count; i++)
        if (!ct_memory_reserve(&channel->temporary[i], CT_CARRIER_WORDS_MAX * sizeof(uint64_t)))
            return false;
    return true;
}

static bool allocate(void)
{
    PMPI_Comm_size(MPI_COMM_WORLD, &carrier.size);
    carrier.numbers = ct_allocate((size_t)carrier.size, sizeof *carrier.numbers);
    carrier.ranks = ct_allocate((size_t)carrier.size, sizeof *carrier.ranks);
    for (int i = 0; carrier.numbers && i < carrier.size; i++)
        carrier.numbers[i] = i;
    return carrier.numbers && carrier.ranks;
}

static bool open_carrier(enum ct_wait_policy policy)
{
    if (PMPI_Comm_create(MPI_COMM_WORLD, carrier.world, &carrier.comm) != MPI_SUCCESS)
        return false;
    if (ct_channel_open(carrier.comm, policy, &carrier.channel) != MPI_SUCCESS)
        return false;
    carrier.contexts = (carrier.channel->tag_last + 1) / TAGS;
    if (carrier.contexts > CT_CONTEXTS_MAX)
        carrier.contexts = CT_CONTEXTS_MAX;
    carrier.used[0] = bit_of(0);
    ct_channel_set_tags(carrier.channel, 0, 0);
    return reserve_agreement(carrier.channel);
}

/* Do all ranks say yes? */
static bool is_agreed(bool yes)
{
    int all = yes;
    return PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD) == MPI_SUCCESS && all;
}

void ct_carrier_start(bool usable, uint64_t build, enum ct_wait_policy policy)
{
    int level = MPI_THREAD_MULTIPLE;
    PMPI_Query_thread(&level);
    usable = usable && level != MPI_THREAD_MULTIPLE && allocate() &&
             PMPI_Comm_group(MPI_COMM_WORLD, &carrier.world) == MPI_SUCCESS;
    /* The bits of a number and of its complement together show whether all ranks have the same. */
    uint64_t words[] = {!usable, build, ~build};
    int code = PMPI_Allreduce(MPI_IN_PLACE, words, sizeof words / sizeof words[0], MPI_UINT64_T, MPI_BOR,
                              MPI_COMM_WORLD);
    if (code != MPI_SUCCESS || words[0] || (words[1] & words[2]) || !is_agreed(open_carrier(policy)))
        ct_carrier_stop();
}

void ct_carrier_stop(void)
{
    if (carrier.channel)
        ct_channel_close(carrier.channel);
    if (carrier.comm != MPI_COMM_NULL)
        PMPI_Comm_free(&carrier.comm);
    if (carrier.world != MPI_GROUP_NULL)
        PMPI_Group_free(&carrier.world);
    free(carrier.numbers);
    free(carrier.ranks);
    memset(&carrier, 0, sizeof carrier);
    carrier.comm = MPI_COMM_NULL;
    carrier.world = MPI_GROUP_NULL;
}

const int *ct_carrier_ranks(MPI_Comm comm, int size)
{
    MPI_Group group;
    if (!carrier.channel || size > carrier.size || PMPI_Comm_group(comm, &group) != MPI_SUCCESS)
        return NULL;
    int code = PMPI_Group_translate_ranks(group, size, carrier.numbers, carrier.world, carrier.ranks);
    PMPI_Group_free(&group);
    for (int i = 0; i < size; i++)
        if (code != MPI_SUCCESS || carrier.ranks[i] == MPI_UNDEFINED)
            return NULL;
    return carrier.ranks;
}

int ct_carrier_combine(const int *ranks, int rank, int size, uint64_t *words, size_t count)
{
    assert(count <= CT_CARRIER_WORDS_MAX);
    const struct ct_operands operands = ct_reduction(MPI_IN_PLACE, words, count, MPI_UINT64_T, MPI_BOR, 0);
    ct_channel_set_ranks(carrier.channel, ranks, rank, size);
    return ct_execute(carrier.channel, &carrier.method, &operands);
}

int ct_carrier_open_channel(const int *ranks, int rank, int size, struct ct_channel **ret_channel)
{
    return ct_channel_open_part(carrier.channel, ranks, rank, size, ret_channel);
}

void ct_carrier_contexts(uint64_t ret_used[CT_CONTEXT_WORDS])
{
    memcpy(ret_used, carrier.used, sizeof carrier.used);
}

int ct_carrier_take_context(const uint64_t used[CT_CONTEXT_WORDS], struct ct_channel *channel)
{
    for (int i = 0; i < carrier.contexts; i++) {
        if (used[i / 64] & bit_of(i))
            continue;
        carrier.used[i / 64] |= bit_of(i);
        ct_channel_set_tags(channel, i * TAGS, i * TAGS + TAGS - 1);
        return i;
    }
    return CT_NO_CONTEXT;
}

void ct_carrier_release_context(int context)
{
    carrier.used[context / 64] &= ~bit_of(context);
}
