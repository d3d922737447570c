/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_CONSISTENCY_H
#define CT_LIBRARY_CONSISTENCY_H

#include "library/decide/known_call.h"

/* COLLTUNE_CHECK=1: before each call the ranks of a communicator tell each other what they call, and compare
 * it. A program whose ranks call different collectives, roots, lengths or types otherwise hangs, or gets
 * wrong results, at a place that may lie far from the fault. */

/* Compares the call that `known` holds with those of the other ranks; NULL: this rank's arguments are wrong,
 * so that the MPI library is to report them. `number` counts the calls on communicators of these ranks. If
 * they differ, rank 0 prints one line on standard error that says how. Collective over the channel. Returns
 * MPI_SUCCESS, an MPI error code, or MPI_ERR_OTHER at all ranks if they differ. */
int ct_consistency_check(struct ct_channel *channel, MPI_Comm comm, unsigned long long number,
                         enum ct_collective collective, const struct ct_known_call *known);

#endif
