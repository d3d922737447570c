/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/asked_channel.h"

#include <stdlib.h>

int ct_asked_channel(struct ct_error *error, enum ct_node_channel *ret_channel)
{
    const char *name = getenv("COLLTUNE_NODE");
    bool plain;
    if (!ct_node_channel_read(name, ret_channel, &plain))
        return ct_fail(error, CT_E_INPUT, "COLLTUNE_NODE=%.80s: " CT_NODE_CHANNEL_EXPECTED, name);
    return CT_OK;
}
