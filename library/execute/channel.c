/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/channel.h"
#include "base/hash.h"
#include "base/memory.h"
#include "library/execute/flight_memory.h"
#include "library/execute/kept_plans.h"
#include "library/execute/messages.h"
#include "library/execute/mpi_progress.h"
#include "library/execute/topology.h"
#include "library/mpi/message_functions.h"

#include <stdlib.h>
#include <string.h>

static struct ct_channel *make(MPI_Comm comm, enum ct_wait_policy policy)
{
    struct ct_channel *channel = calloc(1, sizeof *channel);
    if (!channel)
        return NULL;
    channel->sides[CT_BUFFER_SEND].known_type = channel->sides[CT_BUFFER_RECV].known_type = MPI_DATATYPE_NULL;
    channel->flight.channel = channel;
    channel->count = &channel->own_count;
    channel->flight.messages.comm = comm;
    channel->flight.messages.policy = policy;
    channel->flight.messages.until = CT_UNTIL_COMPLETE;
    return channel;
}

int ct_channel_open(MPI_Comm comm, enum ct_wait_policy policy, struct ct_channel **ret_channel)
{
    struct ct_channel *channel = make(comm, policy);
    if (!channel)
        return MPI_ERR_NO_MEM;
    int *limit = NULL, found = 0;
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int code = PMPI_Comm_rank(comm, &channel->rank);
    if (code == MPI_SUCCESS)
        code = PMPI_Comm_size(comm, &channel->size);
    if (code == MPI_SUCCESS)
        code = PMPI_Comm_get_attr(comm, MPI_TAG_UB, &limit, &found);
    if (code != MPI_SUCCESS) {
        free(channel);
        return code;
    }
    enum { TAG_LIMIT_BY_STANDARD = 32767 };
    channel->tag_limit = found ? *limit : TAG_LIMIT_BY_STANDARD;
    *ret_channel = channel;
    return MPI_SUCCESS;
}

/* MPI_Comm_dup would call the user's attribute functions. */
int ct_channel_open_apart(MPI_Comm comm, enum ct_wait_policy policy, MPI_Comm *ret_comm,
                          struct ct_channel **ret_channel)
{
    MPI_Group group;
    *ret_comm = MPI_COMM_NULL;
    int code = PMPI_Comm_group(comm, &group);
    if (code != MPI_SUCCESS)
        return code;
    code = ct_message_functions()->comm_create(comm, group, ret_comm);
    PMPI_Group_free(&group);
    if (code != MPI_SUCCESS || *ret_comm == MPI_COMM_NULL)
        return code != MPI_SUCCESS ? code : MPI_ERR_COMM;
    return ct_channel_open(*ret_comm, policy, ret_channel);
}

void ct_channel_close_apart(MPI_Comm *comm, struct ct_channel **channel)
{
    if (*channel)
        ct_channel_close(*channel);
    if (*comm != MPI_COMM_NULL)
        ct_message_functions()->comm_free(comm);
    *channel = NULL;
    *comm = MPI_COMM_NULL;
}

int ct_channel_open_part(const struct ct_channel *whole, const int *ranks, int rank, int size,
                         enum ct_wait_policy policy, struct ct_channel **ret_channel)
{
    struct ct_channel *channel = make(whole->flight.messages.comm, policy);
    int *copy = channel ? ct_allocate((size_t)size, sizeof *copy) : NULL;
    if (!copy) {
        free(channel);
        return MPI_ERR_NO_MEM;
    }
    memcpy(copy, ranks, (size_t)size * sizeof *ranks);
    channel->ranks = copy;
    channel->flight.messages.ranks = copy;
    channel->flight.messages.node = whole->flight.messages.node;
    channel->flight.messages.node_ranks = copy;
    channel->rank = rank;
    channel->size = size;
    channel->tag_limit = whole->tag_limit;
    channel->flight.messages.tag =
        (int)(ct_hash(0, ranks, (size_t)size * sizeof *ranks) % ((uint64_t)channel->tag_limit + 1));
    channel->label_end = ct_node_tag_bits(channel->flight.messages.tag);
    channel->flight.messages.label_end = channel->label_end;
    *ret_channel = channel;
    return MPI_SUCCESS;
}

bool ct_channel_joins(const struct ct_channel *channel, const int *ranks, int size)
{
    return channel->size == size && channel->ranks &&
           memcmp(channel->ranks, ranks, (size_t)size * sizeof *ranks) == 0;
}

void ct_channel_trim(struct ct_channel *channel)
{
    ct_flight_trim(&channel->flight, 0);
}

void ct_channel_close(struct ct_channel *channel)
{
    ct_progress_forget(&channel->flight);
    if (channel->count->ranks == channel->ranks)
        channel->count->ranks = NULL;
    ct_channel_trim(channel);
    ct_nodes_free(&channel->nodes);
    ct_topology_release(channel->topology);
    ct_plan_free(&channel->flight.plan);
    ct_kept_plans_forget(channel);
    ct_messages_free(&channel->flight.messages);
    free(channel->ranks);
    free(channel->node_ranks);
    free(channel);
}

int ct_channel_use_lanes(struct ct_channel *channel, struct ct_node *node)
{
    struct ct_messages *messages = &channel->flight.messages;
    int *ranks = node ? ct_allocate((size_t)channel->size, sizeof *ranks) : NULL;
    bool belong = false;
    if (!node)
        return MPI_SUCCESS;
    int code = ranks ? ct_node_ranks(node, messages->comm, channel->size, ranks, &belong) : MPI_ERR_NO_MEM;
    if (code != MPI_SUCCESS || !belong) {
        free(ranks);
        return code;
    }
    channel->node_ranks = ranks;
    messages->node_ranks = ranks;
    messages->node = node;
    return MPI_SUCCESS;
}

void ct_channel_set_context(struct ct_channel *channel, unsigned context)
{
    channel->context = context;
    if (channel->node_ranks)
        channel->flight.messages.label = ct_node_context_label(channel->node_ranks[0], context);
}

void ct_channel_count_calls(struct ct_channel *channel, struct ct_call_count *count)
{
    struct ct_messages *messages = &channel->flight.messages;
    if (count) {
        channel->count = count;
        count->ranks = channel->ranks;
        count->size = channel->size;
        channel->numbers = CT_CALL_NUMBERS - 1;
        channel->label_end = 0;
        messages->label = ct_set_label(count->key);
    } else {
        channel->numbers = CT_CONTEXT_CALLS - 1;
        channel->label_end = ct_node_tag_bits(CT_CONTEXT_CALLS);
    }
    messages->numbers = (uint64_t)channel->numbers << 8;
    messages->size = channel->size;
}

void ct_channel_tidy(struct ct_channel *channel)
{
    const struct ct_messages *messages = &channel->flight.messages;
    if (!messages->node)
        return;
    ct_node_lock(messages->node);
    ct_node_tidy(messages->node,
                 &(struct ct_lane_call){messages->label | messages->label_end, messages->numbers});
    ct_node_unlock(messages->node);
}

size_t ct_channel_blocks(const struct ct_channel *channel, enum ct_collective collective, unsigned side)
{
    if (!ct_collectives[collective].is_sparse)
        return (size_t)channel->size;
    return channel->topology ? channel->topology->blocks[side] : 0;
}

void ct_channel_set_labels(struct ct_channel *channel, const uint64_t *labels)
{
    channel->flight.messages.labels = labels;
}

void ct_channel_set_policy(struct ct_channel *channel, enum ct_wait_policy policy)
{
    channel->flight.messages.policy = policy;
}

uint64_t ct_channel_messages(const struct ct_channel *channel)
{
    return channel->flight.messages.sent;
}

int ct_channel_layout(struct ct_channel *channel, unsigned side, MPI_Datatype type,
                      const struct ct_layout **ret_layout)
{
    struct ct_side_memory *memory = &channel->sides[side];
    if (!ct_side_knows(memory, type)) {
        memory->known_type = MPI_DATATYPE_NULL;
        memory->forgotten = ct_layouts_forgotten();
        int code = ct_layout_find(type, channel->flight.messages.comm, &memory->layout);
        if (code != MPI_SUCCESS)
            return code;
        if (memory->layout.lasts)
            memory->known_type = type;
    }
    *ret_layout = &memory->layout;
    return MPI_SUCCESS;
}

int ct_channel_set_nodes(struct ct_channel *channel, const int *labels)
{
    ct_kept_plans_forget(channel);
    ct_nodes_free(&channel->nodes);
    return ct_nodes_make(labels, channel->size, &channel->nodes) == CT_OK ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}
