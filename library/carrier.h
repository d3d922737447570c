/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_CARRIER_H
#define CT_LIBRARY_CARRIER_H

#include "library/executor.h"

/* The carrier: one private communicator of MPI_COMM_WORLD, made in MPI_Init, on which the messages of many
 * communicators travel. Each of them has a context of its own, a range of tags. So a new communicator needs
 * no native collective, which would take long where ranks share CPUs: its ranks agree by a plan of our own on
 * the lowest context that none of them uses.
 *
 * A context may be used again once every member of the communicator has freed it, which the agreement finds
 * out since each rank says what it uses. By then none of the members has a message in flight to another:
 * plans receive all that was sent to them. Communicators without a common rank may have the same context, for
 * no message goes from one to the other.
 *
 * All agreements share one tag. Two ranks that are both in two communicators call blocking collectives on
 * these in the same order, so their messages match. Threads may break this order; therefore there is no
 * carrier if any rank has MPI_THREAD_MULTIPLE. */

enum { CT_CONTEXTS_MAX = 2048, CT_CONTEXT_WORDS = CT_CONTEXTS_MAX / 64 };

/* Makes the carrier, or at no rank if one of them has several threads, is not `usable`, was built with other
 * decisions (`build`), or lacks memory. Collective over MPI_COMM_WORLD, by native calls. */
void ct_carrier_start(bool usable, uint64_t build, enum ct_wait_policy policy);
/* Frees the carrier. Collective over MPI_COMM_WORLD, by native calls. */
void ct_carrier_stop(void);

/* Returns the ranks in MPI_COMM_WORLD of the members of `comm`, by rank; NULL if there is no carrier or a
 * member is elsewhere, which all members see alike. Valid until the next call. Needs no memory. */
const int *ct_carrier_ranks(MPI_Comm comm, int size);

/* Combines the words of all members by bitwise or. Collective over the members. Returns an MPI error code. */
enum { CT_CARRIER_WORDS_MAX = CT_CONTEXT_WORDS + 16 };
int ct_carrier_combine(const int *ranks, int rank, int size, uint64_t *words, size_t count);

/* Opens a channel of the members, without a context. Returns an MPI error code. */
int ct_carrier_open_channel(const int *ranks, int rank, int size, struct ct_channel **ret_channel);

/* Sets the bits of the contexts that this rank uses. */
void ct_carrier_contexts(uint64_t ret_used[CT_CONTEXT_WORDS]);
/* Gives the channel the lowest context that is not in `used`, and returns it; CT_NO_CONTEXT if all are used.
 */
enum { CT_NO_CONTEXT = -1 };
int ct_carrier_take_context(const uint64_t used[CT_CONTEXT_WORDS], struct ct_channel *channel);
/* This rank does not use it any longer. */
void ct_carrier_release_context(int context);

#endif
