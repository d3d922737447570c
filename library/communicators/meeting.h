/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MEETING_H
#define CT_LIBRARY_MEETING_H

#include <mpi.h>
#include <stdbool.h>

/* Meetings: before ranks enter a collective function of the MPI library, which blocks without moving the
 * calls in flight (mpi_progress.h), they wait until all of them are there, and move their calls meanwhile.
 * Within a node, those that have none need not wait.
 * Then the function waits for no rank that still needs this one. A correct program cannot tell, since MPI
 * lets every collective function synchronise.
 *
 * A rank does not know whether others have calls in flight. So the ranks of MPI_COMM_WORLD agree at start
 * whether they meet at all, and the library takes over non-blocking and persistent collectives only if they
 * do. Ranks meet by messages on a communicator of their own. If one is not of this MPI_COMM_WORLD, all know
 * it, and none waits. */

/* Does the environment ask for meetings, and can they be held? Equal on all ranks of MPI_COMM_WORLD;
 * ct_carrier_start() comes before. */
bool ct_meetings_are_wanted(void);
/* Starts the meetings. `is_ready`: this rank has what calls in flight need. False, with none held, unless all
 * ranks are ready. This and the end are collective over MPI_COMM_WORLD, by native calls. */
bool ct_meetings_start(bool is_ready);
void ct_meetings_stop(void);

/* Do the ranks meet? Equal on all ranks of MPI_COMM_WORLD. */
bool ct_meetings_are_held(void);

/* If meetings are held, and this rank has calls in flight, these return when all ranks of the group have
 * called. Wrong arguments are left to the function that follows. */
void ct_meet_group(MPI_Group group);
void ct_meet_comm(MPI_Comm comm); /* of an intercommunicator both groups */
void ct_meet_window(MPI_Win window);
void ct_meet_file(MPI_File file);
/* Both groups of an intercommunicator that is being made: each group's leader knows the other's. */
void ct_meet_through_leaders(MPI_Comm comm, int leader, MPI_Comm peer_comm, int remote_leader);
/* The same of groups, where each leader has the other group. */
void ct_meet_leading_groups(MPI_Group group, int leader, MPI_Group remote_group, int remote_leader);

/* For functions of which those of one rank wait for those of another: tells the ranks of the group that this
 * rank is there, and waits until each of them has told this rank so. */
void ct_notify_group(MPI_Group group);
void ct_await_notices(MPI_Group group);

/* Waits for a request that was begun with this code, and moves the calls in flight meanwhile. Returns an MPI
 * error code. */
int ct_finish_request(int code, MPI_Request *request);

/* The communicator of meetings. Other messages on it are of a rank to itself. */
enum { CT_MEETING_TAG, CT_NOTICE_TAG, CT_SELF_TAG };
MPI_Comm ct_meeting_comm(void);

#endif
