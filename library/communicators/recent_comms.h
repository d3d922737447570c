/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_RECENT_COMMS_H
#define CT_LIBRARY_RECENT_COMMS_H

#include <mpi.h>

/* The communicators that each thread has looked up last. */
struct ct_private_comm;

/* Returns what this thread has looked up for `comm` of late; NULL if it has not. */
struct ct_private_comm *ct_recent_comm(MPI_Comm comm);

/* Notes what was looked up for `comm` after ct_recent_comms_forgotten() had returned that number. */
unsigned ct_recent_comms_forgotten(void);
void ct_recent_comm_note(MPI_Comm comm, unsigned forgotten, struct ct_private_comm *own);

/* A communicator is freed: what any thread has noted holds no longer. */
void ct_recent_comms_forget(void);

#endif
