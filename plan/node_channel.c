/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/node_channel.h"

#include <string.h>

const char *const ct_node_channel_names[CT_NODE_CHANNELS] = {
    [CT_NODE_CHANNEL_MPI] = "mpi",
    [CT_NODE_CHANNEL_SHARED] = "shared",
};

const char *const ct_node_channel_titles[CT_NODE_CHANNELS] = {
    [CT_NODE_CHANNEL_MPI] = "MPI",
    [CT_NODE_CHANNEL_SHARED] = "shared memory",
};

const size_t ct_regime_starts[CT_REGIME_STARTS] = {CT_CELL_BYTES + 1, CT_COPY_FROM_SHARING, CT_COPY_FROM};

bool ct_node_channel_read(const char *text, enum ct_node_channel *ret_channel, bool *ret_plain)
{
    const bool is_plain = text && strcmp(text, "plain") == 0;
    const enum ct_node_channel channel =
        !text || !*text || is_plain ? CT_NODE_CHANNEL_SHARED : ct_node_channel_find(text);
    if (channel == CT_NODE_CHANNELS)
        return false;
    *ret_channel = channel;
    *ret_plain = is_plain;
    return true;
}

enum ct_node_channel ct_node_channel_find(const char *name)
{
    int channel = 0;
    while (channel < CT_NODE_CHANNELS && strcmp(ct_node_channel_names[channel], name) != 0)
        channel++;
    return (enum ct_node_channel)channel;
}
