/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/asked_channel.h"

#include <stdlib.h>

int ct_asked_channel(struct ct_error *error, enum ct_node_channel *ret_channel)
{
    const char *name = getenv("COLLTUNE_NODE");
    const enum ct_node_channel channel = name && *name ? ct_node_channel_find(name) : CT_NODE_CHANNEL_SHARED;
    if (channel == CT_NODE_CHANNELS)
        return ct_fail(error, CT_E_INPUT, "COLLTUNE_NODE=%.80s: expected shared or mpi", name);
    *ret_channel = channel;
    return CT_OK;
}
