/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/communicators/carried_channel.h"
#include "base/memory.h"
#include "library/communicators/carrier.h"
#include "library/execute/channel.h"

#include <stdlib.h>
#include <string.h>

bool ct_label_nodes(int *ranks, int size)
{
    const int *world_labels = ct_tuner()->node_labels;
    for (int i = 0; i < size; i++)
        if (!world_labels || ranks[i] == MPI_UNDEFINED)
            return false;
    for (int i = 0; i < size; i++)
        ranks[i] = world_labels[ranks[i]];
    return true;
}

/* Tells the channel which ranks share a node, if that is known. False without memory. */
static bool set_nodes(struct ct_channel *channel, const int *ranks, int size)
{
    int *labels = ct_allocate((size_t)size, sizeof *labels);
    if (!labels)
        return false;
    memcpy(labels, ranks, (size_t)size * sizeof *labels);
    bool done = !ct_label_nodes(labels, size) || ct_channel_set_nodes(channel, labels) == MPI_SUCCESS;
    free(labels);
    return done;
}

bool ct_carried_channel_open(const int *ranks, int rank, int size, struct ct_channel **ret_channel)
{
    return ct_carrier_open_channel(ranks, rank, size, ret_channel) == MPI_SUCCESS &&
           set_nodes(*ret_channel, ranks, size);
}
