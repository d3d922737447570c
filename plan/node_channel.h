/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_NODE_CHANNEL_H
#define CT_PLAN_NODE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

/* How messages travel between ranks of a node. The library chooses, runs and models record it. */
enum ct_node_channel {
    CT_NODE_CHANNEL_MPI,    /* as those between nodes */
    CT_NODE_CHANNEL_SHARED, /* through memory that the ranks share */
    CT_NODE_CHANNELS
};

/* The three regimes of the channel through shared memory, which library/node/ has: short messages travel in
 * one cell, longer ones in chunks, and the longest are copied by the receiver out of the sender's memory.
 * (Ranks with a CPU of their own learn which of these ways is fastest; models take the sizes below.)
 *
 * From so many bytes on one copy by the kernel takes less time than two through the ring, which both ranks
 * make at the same time. Measured with data that the sender had just written: on two CPUs 1 MB took 73 us
 * through the ring and 118 us by the kernel, 4 MB 366 and 354 us. Where ranks share CPUs they cannot copy at
 * the same time, and each full ring costs a turn of the CPU. */
enum {
    CT_CELL_BYTES = 48,             /* of the longest message in one cell */
    CT_COPY_FROM = 2 << 20,         /* bytes of the shortest message that is copied */
    CT_COPY_FROM_SHARING = 64 << 10 /* the same where ranks share CPUs */
};

/* A job has three of them: one cell, chunks, one copy. */
enum { CT_NODE_REGIMES = 3 };

/* The sizes in bytes at which a further regime may begin, rising: chunks, the copy where ranks share CPUs,
 * the copy elsewhere. */
enum { CT_REGIME_STARTS = 3 };
extern const size_t ct_regime_starts[CT_REGIME_STARTS];

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
