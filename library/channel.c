/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/channel.h"
#include "base/memory.h"

#include <stdlib.h>

int ct_channel_open(MPI_Comm comm, enum ct_wait_policy policy, struct ct_channel **ret_channel)
{
    struct ct_channel *channel = calloc(1, sizeof *channel);
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
    channel->known_type = MPI_DATATYPE_NULL;
    channel->messages.comm = comm;
    channel->messages.policy = policy;
    *ret_channel = channel;
    return MPI_SUCCESS;
}

void ct_channel_close(struct ct_channel *channel)
{
    for (int i = 0; i < CT_BUFFERS_MAX; i++)
        free(channel->temporary[i].bytes);
    free(channel->packed.bytes);
    ct_plan_free(&channel->plan);
    ct_messages_free(&channel->messages);
    free(channel);
}

void ct_channel_set_policy(struct ct_channel *channel, enum ct_wait_policy policy)
{
    channel->messages.policy = policy;
}

uint64_t ct_channel_messages(const struct ct_channel *channel)
{
    return channel->messages.sent;
}

char *ct_memory_reserve(struct ct_kept_memory *memory, size_t bytes)
{
    if (bytes > memory->capacity) {
        char *fresh = malloc(bytes);
        if (!fresh)
            return NULL;
        free(memory->bytes);
        *memory = (struct ct_kept_memory){.bytes = fresh, .capacity = bytes};
    }
    return memory->bytes;
}

int ct_channel_layout(struct ct_channel *channel, MPI_Datatype type, const struct ct_layout **ret_layout)
{
    if (type != channel->known_type) {
        channel->known_type = MPI_DATATYPE_NULL;
        int code = ct_layout_find(type, &channel->layout);
        if (code != MPI_SUCCESS)
            return code;
        if (channel->layout.predefined)
            channel->known_type = type;
    }
    *ret_layout = &channel->layout;
    return MPI_SUCCESS;
}

int ct_call_describe(struct ct_channel *channel, enum ct_collective collective,
                     const struct ct_operands *operands, struct ct_call *ret_call)
{
    const struct ct_collective_description *description = &ct_collectives[collective];
    size_t count = 0, unit_bytes = 1;
    int commutes = true;
    if (description->has_size) {
        const struct ct_layout *layout;
        int code = ct_channel_layout(channel, operands->type, &layout);
        if (code != MPI_SUCCESS)
            return code;
        if (!description->reduces && !ct_multiply(operands->count, layout->size, &count))
            return MPI_ERR_COUNT;
        if (description->reduces && layout->size > 0) {
            count = operands->count;
            unit_bytes = layout->size;
        }
    }
    if (description->reduces) {
        int code = PMPI_Op_commutative(operands->op, &commutes);
        if (code != MPI_SUCCESS)
            return code;
    }
    *ret_call = (struct ct_call){.rank = channel->rank,
                                 .size = channel->size,
                                 .root = operands->root,
                                 .count = count,
                                 .unit_bytes = unit_bytes,
                                 .in_place = operands->send == MPI_IN_PLACE,
                                 .commutative = commutes};
    return MPI_SUCCESS;
}
