/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_PRIVATE_COMM_H
#define CT_LIBRARY_PRIVATE_COMM_H

#include "library/communicators/private_comm_state.h"

/* Returns what is kept with `comm`, and makes it if there is none yet: by this rank alone if the carrier
 * connects its ranks, else collectively, by native calls. Valid until the next call. NULL: the collective
 * must be native, as all are before the library has begun. */
struct ct_private_comm *ct_private_comm_of(MPI_Comm comm);

/* A rank may run ahead of others in calls that have no message between them. Numbers of calls wrap, so all
 * ranks come together once in so many calls, in a barrier that has a number of its own, and drop what is left
 * of old calls. */
enum { CT_CALLS_APART = 8192 };
void ct_private_comm_synchronize(const struct ct_private_comm *own);

/* Before each blocking call, whatever becomes of it at one of the ranks, and also if it is native; but not
 * where all calls of the collective are, nor for one that is refused: the rank may make it again, as others
 * have made it. */
static inline void ct_private_comm_count(const struct ct_private_comm *own)
{
    if (++own->count->number % CT_CALLS_APART == 0)
        ct_private_comm_synchronize(own);
}

/* Counts it likewise, but for a call before which the ranks come together: false. */
static inline bool ct_private_comm_count_alone(const struct ct_private_comm *own)
{
    const uint32_t number = own->count->number + 1;
    if (number % CT_CALLS_APART == 0)
        return false;
    own->count->number = number;
    return true;
}

/* After such a call. */
static inline void ct_private_comm_leave(const struct ct_private_comm *own)
{
    if (own->count)
        ct_call_count_leave(own->count);
}

/* Before all else here. */
void ct_private_comms_start(void);
/* Frees what is kept with no communicator; what is kept with MPI_COMM_WORLD has been forgotten. */
void ct_private_comms_stop(void);

#endif
