/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_ASKED_CHANNEL_H
#define CT_MEASURE_BACKEND_ASKED_CHANNEL_H

#include "base/error.h"
#include "plan/node_channel.h"

/* The channel for messages within a node that COLLTUNE_NODE asks for; shared memory if it is not set. Ranks
 * read the variable from the environment that they are started in. CT_OK, or CT_E_INPUT with a line in
 * `error`. */
int ct_asked_channel(struct ct_error *error, enum ct_node_channel *ret_channel);

#endif
