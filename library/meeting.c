/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/meeting.h"
#include "base/memory.h"
#include "library/backend_mpi.h"
#include "library/carrier.h"
#include "library/error_guard.h"
#include "library/mpi_progress.h"

#include <stdlib.h>

/* State of the process, see tuner.c. Only one thread at a time comes here, since there is no carrier under
 * MPI_THREAD_MULTIPLE. */
static struct {
    bool are_held;
    MPI_Comm comm;
    MPI_Group world;
    int *numbers; /* 0, 1, 2, ... */
    int *ranks;   /* in MPI_COMM_WORLD, of those that meet */
} state = {.comm = MPI_COMM_NULL, .world = MPI_GROUP_NULL};

/* --- waiting --- */

/* MPI waits itself once no calls are in flight. */
int ct_finish_request(int code, MPI_Request *request)
{
    int done = false;
    while (code == MPI_SUCCESS && !done && ct_progress_is_needed()) {
        ct_progress();
        code = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
    }
    return code == MPI_SUCCESS && !done ? PMPI_Wait(request, MPI_STATUS_IGNORE) : code;
}

/* --- messages --- */

/* Finds the members of the group that belong to MPI_COMM_WORLD: their ranks there, in its order, so that both
 * sides of an intercommunicator have one order. Returns how many there are. */
static int find_members(MPI_Group group, int *ret_rank)
{
    MPI_Group members;
    int size;
    if (PMPI_Group_intersection(state.world, group, &members) != MPI_SUCCESS)
        return 0;
    PMPI_Group_size(members, &size);
    PMPI_Group_rank(members, ret_rank);
    PMPI_Group_translate_ranks(members, size, state.numbers, state.world, state.ranks);
    PMPI_Group_free(&members);
    return size;
}

static void send_to(int rank, int tag, MPI_Request *request)
{
    PMPI_Isend(NULL, 0, MPI_BYTE, rank, tag, state.comm, request);
}

static void receive_from(int rank, int tag)
{
    MPI_Request request;
    ct_finish_request(PMPI_Irecv(NULL, 0, MPI_BYTE, rank, tag, state.comm, &request), &request);
}

/* A barrier by dissemination: in round k each rank sends to the rank 2^k after it. Ranks meet for blocking
 * functions, which all of them call in one order, so that one tag does. */
static void meet(int rank, int size)
{
    for (int step = 1; step < size; step *= 2) {
        MPI_Request request;
        send_to(state.ranks[(rank + step) % size], CT_MEETING_TAG, &request);
        receive_from(state.ranks[(rank - step + size) % size], CT_MEETING_TAG);
        ct_finish_request(MPI_SUCCESS, &request);
    }
}

/* --- who meets --- */

void ct_meet_group(MPI_Group group)
{
    int rank, size, all;
    if (!state.are_held)
        return;
    bool is_guarded = ct_error_guard_up();
    size = find_members(group, &rank);
    if (size > 1 && PMPI_Group_size(group, &all) == MPI_SUCCESS && size == all && rank != MPI_UNDEFINED)
        meet(rank, size);
    ct_error_guard_down(is_guarded);
}

void ct_notify_group(MPI_Group group)
{
    int rank;
    if (!state.are_held)
        return;
    bool is_guarded = ct_error_guard_up();
    for (int i = find_members(group, &rank); i-- > 0;) {
        MPI_Request request;
        send_to(state.ranks[i], CT_NOTICE_TAG, &request);
        PMPI_Request_free(&request);
    }
    ct_error_guard_down(is_guarded);
}

void ct_await_notices(MPI_Group group)
{
    int rank;
    if (!state.are_held)
        return;
    bool is_guarded = ct_error_guard_up();
    for (int i = find_members(group, &rank); i-- > 0;)
        receive_from(state.ranks[i], CT_NOTICE_TAG);
    ct_error_guard_down(is_guarded);
}

/* Meets the ranks of a group that a function has returned with this code, and frees it. */
static void meet_and_free(int code, MPI_Group *group)
{
    if (code != MPI_SUCCESS)
        return;
    ct_meet_group(*group);
    PMPI_Group_free(group);
}

void ct_meet_comm(MPI_Comm comm)
{
    MPI_Group group, remote;
    int inter = false;
    if (!state.are_held || comm == MPI_COMM_NULL)
        return;
    bool is_guarded = ct_error_guard_up_anyway();
    int code = PMPI_Comm_group(comm, &group);
    if (code == MPI_SUCCESS)
        PMPI_Comm_test_inter(comm, &inter);
    if (inter && PMPI_Comm_remote_group(comm, &remote) == MPI_SUCCESS) {
        MPI_Group local = group;
        code = PMPI_Group_union(local, remote, &group);
        PMPI_Group_free(&local);
        PMPI_Group_free(&remote);
    }
    meet_and_free(code, &group);
    ct_error_guard_down(is_guarded);
}

void ct_meet_window(MPI_Win window)
{
    MPI_Group group;
    if (!state.are_held)
        return;
    bool is_guarded = ct_error_guard_up_anyway();
    meet_and_free(PMPI_Win_get_group(window, &group), &group);
    ct_error_guard_down(is_guarded);
}

void ct_meet_file(MPI_File file)
{
    MPI_Group group;
    if (!state.are_held)
        return;
    bool is_guarded = ct_error_guard_up_anyway();
    meet_and_free(PMPI_File_get_group(file, &group), &group);
    ct_error_guard_down(is_guarded);
}

/* The group of this rank and of one rank of `comm`, which is of the remote group of an intercommunicator. */
static int make_pair(MPI_Comm comm, int rank, MPI_Group *ret_pair)
{
    MPI_Group group, own, other;
    int inter, code = PMPI_Comm_test_inter(comm, &inter);
    if (code == MPI_SUCCESS)
        code = inter ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group);
    if (code != MPI_SUCCESS)
        return code;
    code = PMPI_Group_incl(group, 1, &rank, &other);
    PMPI_Group_free(&group);
    if (code != MPI_SUCCESS)
        return code;
    PMPI_Comm_group(MPI_COMM_SELF, &own);
    code = PMPI_Group_union(own, other, ret_pair);
    PMPI_Group_free(&own);
    PMPI_Group_free(&other);
    return code;
}

void ct_meet_through_leaders(MPI_Comm comm, int leader, MPI_Comm peer_comm, int remote_leader)
{
    MPI_Group pair;
    int rank;
    if (!state.are_held)
        return;
    bool is_guarded = ct_error_guard_up();
    ct_meet_comm(comm);
    if (PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == leader)
        meet_and_free(make_pair(peer_comm, remote_leader, &pair), &pair);
    ct_meet_comm(comm);
    ct_error_guard_down(is_guarded);
}

/* --- beginning and end --- */

static bool is_wanted(void)
{
    return !CT_SIMULATED && ct_carrier_is_open() && ct_carrier_agreement() == CT_AGREEMENT_AGREED &&
           ct_tuner()->configuration.nonblocking;
}

static bool open_meetings(void)
{
    int size;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    state.numbers = ct_allocate((size_t)size, sizeof *state.numbers);
    state.ranks = ct_allocate((size_t)size, sizeof *state.ranks);
    for (int i = 0; state.numbers && i < size; i++)
        state.numbers[i] = i;
    return PMPI_Comm_group(MPI_COMM_WORLD, &state.world) == MPI_SUCCESS &&
           PMPI_Comm_create(MPI_COMM_WORLD, state.world, &state.comm) == MPI_SUCCESS &&
           PMPI_Comm_set_errhandler(state.comm, MPI_ERRORS_RETURN) == MPI_SUCCESS && state.numbers &&
           state.ranks;
}

void ct_meetings_start(void)
{
    if (!is_wanted())
        return;
    int all = open_meetings();
    if (PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD) == MPI_SUCCESS && all)
        state.are_held = true;
    else
        ct_meetings_stop();
}

void ct_meetings_stop(void)
{
    state.are_held = false;
    if (state.comm != MPI_COMM_NULL)
        PMPI_Comm_free(&state.comm);
    if (state.world != MPI_GROUP_NULL)
        PMPI_Group_free(&state.world);
    free(state.numbers);
    free(state.ranks);
    state.numbers = state.ranks = NULL;
}

__attribute__((always_inline)) inline bool ct_meetings_are_held(void)
{
    return state.are_held;
}

MPI_Comm ct_meeting_comm(void)
{
    return state.comm;
}
