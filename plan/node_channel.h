/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_NODE_CHANNEL_H
#define CT_PLAN_NODE_CHANNEL_H

#include <stdbool.h>

/* How messages travel between ranks of a node. The library chooses, runs and models record it. */
enum ct_node_channel {
    CT_NODE_CHANNEL_MPI,    /* as those between nodes */
    CT_NODE_CHANNEL_SHARED, /* through memory that the ranks share */
    CT_NODE_CHANNELS
};

/* By enum: "mpi", "shared". */
extern const char *const ct_node_channel_names[CT_NODE_CHANNELS];
/* By enum, for sentences: "MPI", "shared memory". */
extern const char *const ct_node_channel_titles[CT_NODE_CHANNELS];
/* The property of a table's runs, and the line of its provenance. */
#define CT_NODE_CHANNEL_PROPERTY "node.channel"
/* The channel of that name; CT_NODE_CHANNELS where there is none. */
enum ct_node_channel ct_node_channel_find(const char *name);

/* Reads COLLTUNE_NODE: the name of a channel, or "plain": shared memory, and plans are carried out as they
 * are written, without the receives that reduce of fuse.h. NULL or "" is shared memory. False: it is neither.
 */
bool ct_node_channel_read(const char *text, enum ct_node_channel *ret_channel, bool *ret_plain);
/* What is allowed, for messages. */
#define CT_NODE_CHANNEL_EXPECTED "expected shared, plain or mpi"

#endif
