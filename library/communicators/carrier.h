/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_CARRIER_H
#define CT_LIBRARY_CARRIER_H

#include "library/decide/tuner.h"
#include "library/node/node.h"

/* The carrier: one private communicator of MPI_COMM_WORLD, made in MPI_Init, on which the messages of many
 * communicators travel. All that ranks must agree on is agreed then, for all communicators whose members
 * belong to MPI_COMM_WORLD. So the first call on a new communicator needs no message and no native
 * collective, which would take long where ranks share CPUs, and nothing that fails at one rank then can
 * leave the others with another view.
 *
 * The messages of a communicator have a tag that follows from its members, so that each of them finds it
 * alone; those through lanes also have the number of the call. Communicators may share a tag. Two ranks that
 * are both in two communicators call blocking collectives on these in the same order, since others would
 * deadlock if they synchronised (MPI 4.0, section 6.14); a plan receives all that was sent to it, and
 * messages between two ranks do not overtake each other. So they match. Threads may break this order;
 * therefore there is no carrier if any rank has MPI_THREAD_MULTIPLE, or has used MPI sessions before
 * MPI_Init, which have threads of their own. */

/* Makes the carrier, or at no rank if one of them has several threads, has failed, was built with other
 * decisions, or lacks memory; and the lanes within nodes, also where there are several threads. Collective
 * over MPI_COMM_WORLD, by native calls. Prints what the user should know about the agreement. `node` has
 * those ranks of MPI_COMM_WORLD that share memory with this one, in its order, and becomes the carrier's;
 * MPI_COMM_NULL if they are not known. */
void ct_carrier_start(MPI_Comm node);
/* Frees the carrier. Collective over MPI_COMM_WORLD, by native calls. */
void ct_carrier_stop(void);

bool ct_carrier_is_open(void);

/* Do messages to other ranks of this rank's node travel through memory that they share? */
bool ct_carrier_node_is_shared(void);

/* What the ranks of MPI_COMM_WORLD have agreed on, if there is a carrier. */
enum ct_agreement ct_carrier_agreement(void);

/* Returns the ranks in MPI_COMM_WORLD of the members of `comm`, by rank; NULL if there is no carrier or a
 * member is elsewhere, which all members see alike. Valid until the next call. Needs no memory. */
const int *ct_carrier_ranks(MPI_Comm comm, int size);

/* Returns the same of MPI_COMM_WORLD itself; there is a carrier. */
const int *ct_carrier_world(int *ret_rank, int *ret_size);

/* Returns the ranks in MPI_COMM_WORLD of those members of a group that belong to it, in its order, so that
 * all sides of an intercommunicator have one order; NULL if there is no carrier, or an error. *ret_size is
 * their number, *ret_rank this rank's number among them or MPI_UNDEFINED. Valid until the next call. */
const int *ct_carrier_members(MPI_Group group, int *ret_rank, int *ret_size);

/* Opens a channel of these members, among which this rank has number `rank`. They yield while they wait if
 * one of them has to. Returns an MPI error code. */
int ct_carrier_open_channel(const int *ranks, int rank, int size, struct ct_channel **ret_channel);

/* The count of the blocking calls of a set of ranks, in their order; NULL without memory. */
struct ct_call_count *ct_carrier_count(const int *ranks, int size);

/* The lanes to ranks of this node, which are counted as in MPI_COMM_WORLD; NULL if there are none. */
struct ct_node *ct_carrier_node(void);
/* Rank 0 of a new channel on a communicator of its own sets its context, and the others leave it 0 until they
 * are told. */
void ct_carrier_give_context(struct ct_channel *channel);
/* Before the channel is closed; NULL is none. */
void ct_carrier_take_context_back(const struct ct_channel *channel);

#endif
