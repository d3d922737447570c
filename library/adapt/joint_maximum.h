/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_JOINT_MAXIMUM_H
#define CT_LIBRARY_JOINT_MAXIMUM_H

#include "library/execute/channel_state.h"

/* The greatest of what the ranks of a channel bring in, number by number, to 24 bits. It is begun in one call
 * of the application and ended in a later one, so that no rank has to wait for those that have come later to
 * the first. Its messages have a tag of their own, apart from those of blocking calls on the channel. Several
 * of a channel may be under way at a time, if they have different numbers. */
struct ct_joint_maximum;

enum { CT_JOINT_NUMBERS = 8 };

/* Makes the one with this number, from 0, at this rank alone, for a channel that has a communicator to itself
 * and outlives it. NULL without memory. */
struct ct_joint_maximum *ct_joint_maximum_make(struct ct_channel *channel, int number);
/* Frees it; it may be NULL. Waits until one that is under way has ended: in MPI_Comm_free, which MPI lets
 * wait for other ranks, though it mostly does not (MPI 4.0, section 7.4.3), and in MPI_Finalize. */
void ct_joint_maximum_free(struct ct_joint_maximum *maximum);

/* Begins one; none is under way. Collective. Returns an MPI error code. */
int ct_joint_maximum_begin(struct ct_joint_maximum *maximum, const double own[CT_JOINT_NUMBERS]);
/* Moves the one that is under way as far as it goes without waiting. */
void ct_joint_maximum_advance(struct ct_joint_maximum *maximum);
/* Waits for the one that is under way. Collective. Returns an MPI error code. */
int ct_joint_maximum_end(struct ct_joint_maximum *maximum, double ret_greatest[CT_JOINT_NUMBERS]);

#endif
