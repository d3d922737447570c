/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/communicators/meeting.h"
#include "library/communicators/carrier.h"
#include "library/communicators/private_comm_state.h"
#include "library/communicators/recent_comms.h"
#include "library/errors/error_guard.h"
#include "library/execute/channel_state.h"
#include "library/execute/messages.h"
#include "library/execute/mpi_progress.h"
#include "library/execute/near_messages.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/yielding_calls.h"

/* State of the process, see tuner.c. Only one thread at a time comes here, since there is no carrier under
 * MPI_THREAD_MULTIPLE. */
static struct {
    bool are_held;
    MPI_Comm comm;               /* of the ranks of MPI_COMM_WORLD */
    struct ct_messages messages; /* on it, and through lanes */
} meeting = {.comm = MPI_COMM_NULL};

/* --- waiting --- */

int ct_finish_request(int code, MPI_Request *request)
{
    struct ct_patience patience = ct_progress_begin_wait();
    int done = false;
    while (code == MPI_SUCCESS && !done && ct_progress_takes_turns()) {
        ct_progress_pass_time(&patience);
        code = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
    }
    return code == MPI_SUCCESS && !done ? PMPI_Wait(request, MPI_STATUS_IGNORE) : code;
}

/* --- messages --- */

static void send_to(int rank, int tag, MPI_Request *request)
{
    PMPI_Isend(NULL, 0, MPI_BYTE, rank, tag, meeting.comm, request);
}

static void receive_from(int rank, int tag)
{
    MPI_Request request;
    ct_finish_request(PMPI_Irecv(NULL, 0, MPI_BYTE, rank, tag, meeting.comm, &request), &request);
}

/* Sends to a rank and receives from one, through lanes where there are any. Needs no memory, since the others
 * wait. Messages of MPI go past tools, which are to see those of calls alone. */
static void exchange_signs(int to, int from)
{
    static const struct ct_units bytes = {MPI_BYTE, 1, 1, 1, true};
    static char *const nowhere[2] = {NULL, NULL};
    struct ct_messages *messages = &meeting.messages;
    const struct ct_step send = {.kind = CT_STEP_SEND, .peer = to},
                         receive = {.kind = CT_STEP_RECEIVE, .peer = from};
    struct ct_lane *out = ct_message_lane(messages, to), *in = ct_message_lane(messages, from);
    const struct ct_exchange near = {.steps = {out ? &send : NULL, in ? &receive : NULL}, .lanes = {out, in}};
    MPI_Request request = MPI_REQUEST_NULL;
    if (!out)
        send_to(to, CT_MEETING_TAG, &request);
    if (out || in)
        ct_messages_exchange(messages, &near, nowhere, &bytes);
    if (!in)
        receive_from(from, CT_MEETING_TAG);
    ct_finish_request(MPI_SUCCESS, &request);
}

/* Tells the others that this rank is there. False if not all of them share its node. */
static bool arrive(const int *ranks, int rank, int size)
{
    struct ct_node *node = meeting.messages.node;
    if (!node || !ct_node_counts_arrivals(node))
        return false;
    for (int i = 0; i < size; i++)
        if (i != rank && !ct_node_lane(node, ranks[i]))
            return false;
    for (int i = 0; i < size; i++)
        if (i != rank)
            ct_node_arrive(node, ranks[i]);
    return true;
}

static void await_others(const int *ranks, int rank, int size)
{
    struct ct_node *node = meeting.messages.node;
    struct ct_patience patience = ct_progress_begin_wait();
    for (int i = 0; i < size; i++)
        while (i != rank && !ct_node_has_arrived(node, ranks[i])) {
            ct_node_let_mpi_work(node);
            ct_progress_pass_time(&patience);
        }
}

/* Within a node, a rank that has no calls in flight goes on when it has arrived: nobody needs it while it is
 * in the function that follows, and those who have some wait here. Elsewhere this is a barrier by
 * dissemination: in round k each rank sends to the rank 2^k after it. Ranks meet for blocking functions,
 * which all of them call in one order, so that one tag does. Where others follow from this meeting, all wait.
 */
static void meet(const int *ranks, int rank, int size, bool all_wait)
{
    if (arrive(ranks, rank, size)) {
        if (all_wait || ct_progress_is_needed())
            await_others(ranks, rank, size);
        return;
    }
    meeting.messages.policy = ct_progress_begin_wait().policy;
    for (int step = 1; step < size; step *= 2)
        exchange_signs(ranks[(rank + step) % size], ranks[(rank - step + size) % size]);
}

/* --- who meets --- */

static void meet_members(MPI_Group group, bool all_wait)
{
    int rank, size, all;
    if (!meeting.are_held)
        return;
    bool is_guarded = ct_error_guard_up();
    const int *ranks = ct_carrier_members(group, &rank, &size);
    if (ranks && PMPI_Group_size(group, &all) == MPI_SUCCESS && size == all && rank != MPI_UNDEFINED)
        meet(ranks, rank, size, all_wait);
    ct_error_guard_down(is_guarded);
}

void ct_meet_group(MPI_Group group)
{
    meet_members(group, false);
}

void ct_notify_group(MPI_Group group)
{
    int rank, size;
    if (!meeting.are_held)
        return;
    bool is_guarded = ct_error_guard_up();
    const int *ranks = ct_carrier_members(group, &rank, &size);
    for (int i = 0; ranks && i < size; i++) {
        MPI_Request request;
        send_to(ranks[i], CT_NOTICE_TAG, &request);
        PMPI_Request_free(&request);
    }
    ct_error_guard_down(is_guarded);
}

void ct_await_notices(MPI_Group group)
{
    int rank, size;
    if (!meeting.are_held)
        return;
    bool is_guarded = ct_error_guard_up();
    const int *ranks = ct_carrier_members(group, &rank, &size);
    for (int i = 0; ranks && i < size; i++)
        receive_from(ranks[i], CT_NOTICE_TAG);
    ct_error_guard_down(is_guarded);
}

/* Meets the ranks of a group that a function has returned with this code, and frees it. */
static void meet_and_free(int code, MPI_Group *group, bool all_wait)
{
    if (code != MPI_SUCCESS)
        return;
    meet_members(*group, all_wait);
    PMPI_Group_free(group);
}

/* The ranks of both groups of an intercommunicator. */
static int find_both_groups(MPI_Comm comm, MPI_Group *ret_group)
{
    MPI_Group local, remote;
    int code = PMPI_Comm_group(comm, &local);
    if (code != MPI_SUCCESS)
        return code;
    code = PMPI_Comm_remote_group(comm, &remote);
    if (code == MPI_SUCCESS) {
        code = PMPI_Group_union(local, remote, ret_group);
        PMPI_Group_free(&remote);
    }
    PMPI_Group_free(&local);
    return code;
}

/* Meets the ranks of a communicator of which it is known, without asking MPI, who they are. */
static bool meet_known(MPI_Comm comm, bool all_wait)
{
    int rank, size;
    const struct ct_private_comm *own = ct_recent_comm(comm);
    const struct ct_channel *carried = own && own->comm == MPI_COMM_NULL ? own->channel : NULL;
    if (comm == MPI_COMM_WORLD) {
        const int *ranks = ct_carrier_world(&rank, &size);
        meet(ranks, rank, size, all_wait);
    } else if (carried && carried->ranks) {
        meet(carried->ranks, carried->rank, carried->size, all_wait);
    } else {
        return false;
    }
    return true;
}

static void meet_comm(MPI_Comm comm, bool all_wait)
{
    MPI_Group group;
    int inter = false, size, rank;
    if (!meeting.are_held || comm == MPI_COMM_NULL || meet_known(comm, all_wait))
        return;
    bool is_guarded = ct_error_guard_up_anyway();
    if (PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter) {
        meet_and_free(find_both_groups(comm, &group), &group, all_wait);
    } else if (PMPI_Comm_size(comm, &size) == MPI_SUCCESS && size > 1) {
        const int *ranks = ct_carrier_ranks(comm, size);
        if (ranks && PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS)
            meet(ranks, rank, size, all_wait);
    }
    ct_error_guard_down(is_guarded);
}

void ct_meet_comm(MPI_Comm comm)
{
    meet_comm(comm, false);
}

void ct_meet_window(MPI_Win window)
{
    MPI_Group group;
    if (!meeting.are_held)
        return;
    bool is_guarded = ct_error_guard_up_anyway();
    meet_and_free(PMPI_Win_get_group(window, &group), &group, false);
    ct_error_guard_down(is_guarded);
}

void ct_meet_file(MPI_File file)
{
    MPI_Group group;
    if (!meeting.are_held)
        return;
    bool is_guarded = ct_error_guard_up_anyway();
    meet_and_free(PMPI_File_get_group(file, &group), &group, false);
    ct_error_guard_down(is_guarded);
}

/* The group of this rank and of one rank of another. */
static int make_pair(MPI_Group group, int rank, MPI_Group *ret_pair)
{
    MPI_Group own, other;
    int code = PMPI_Group_incl(group, 1, &rank, &other);
    if (code != MPI_SUCCESS)
        return code;
    PMPI_Comm_group(MPI_COMM_SELF, &own);
    code = PMPI_Group_union(own, other, ret_pair);
    PMPI_Group_free(&own);
    PMPI_Group_free(&other);
    return code;
}

/* The same of a rank of `comm`, which is of the remote group of an intercommunicator. */
static int make_pair_in(MPI_Comm comm, int rank, MPI_Group *ret_pair)
{
    MPI_Group group;
    int inter, code = PMPI_Comm_test_inter(comm, &inter);
    if (code == MPI_SUCCESS)
        code = inter ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group);
    if (code != MPI_SUCCESS)
        return code;
    code = make_pair(group, rank, ret_pair);
    PMPI_Group_free(&group);
    return code;
}

void ct_meet_through_leaders(MPI_Comm comm, int leader, MPI_Comm peer_comm, int remote_leader)
{
    MPI_Group pair;
    int rank;
    if (!meeting.are_held)
        return;
    bool is_guarded = ct_error_guard_up();
    meet_comm(comm, true);
    if (PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == leader)
        meet_and_free(make_pair_in(peer_comm, remote_leader, &pair), &pair, true);
    meet_comm(comm, true);
    ct_error_guard_down(is_guarded);
}

void ct_meet_leading_groups(MPI_Group group, int leader, MPI_Group remote_group, int remote_leader)
{
    MPI_Group pair;
    int rank;
    if (!meeting.are_held)
        return;
    bool is_guarded = ct_error_guard_up();
    meet_members(group, true);
    if (PMPI_Group_rank(group, &rank) == MPI_SUCCESS && rank == leader)
        meet_and_free(make_pair(remote_group, remote_leader, &pair), &pair, true);
    meet_members(group, true);
    ct_error_guard_down(is_guarded);
}

/* --- beginning and end --- */

bool ct_meetings_are_wanted(void)
{
    return !CT_SIMULATED && ct_carrier_is_open() && ct_carrier_agreement() == CT_AGREEMENT_AGREED &&
           ct_tuner()->configuration.nonblocking;
}

static bool open_meetings(void)
{
    MPI_Group world;
    if (PMPI_Comm_group(MPI_COMM_WORLD, &world) != MPI_SUCCESS)
        return false;
    int code = PMPI_Comm_create(MPI_COMM_WORLD, world, &meeting.comm);
    PMPI_Group_free(&world);
    return code == MPI_SUCCESS && PMPI_Comm_set_errhandler(meeting.comm, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

static void hold_progress(void)
{
    meeting.messages = (struct ct_messages){.comm = meeting.comm,
                                            .tag = CT_MEETING_TAG,
                                            .until = CT_UNTIL_COMPLETE,
                                            .node = ct_carrier_node(),
                                            .label = ct_node_pair_label(CT_NO_PAIR)};
    meeting.are_held = true;
}

bool ct_meetings_start(bool is_ready)
{
    int all = open_meetings() && is_ready;
    if (ct_yielding_allreduce(&all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD) == MPI_SUCCESS && all)
        hold_progress();
    else
        ct_meetings_stop();
    return meeting.are_held;
}

void ct_meetings_stop(void)
{
    meeting.are_held = false;
    ct_messages_free(&meeting.messages);
    meeting.messages = (struct ct_messages){0};
    if (meeting.comm != MPI_COMM_NULL)
        PMPI_Comm_free(&meeting.comm);
}

__attribute__((always_inline)) inline bool ct_meetings_are_held(void)
{
    return meeting.are_held;
}

MPI_Comm ct_meeting_comm(void)
{
    return meeting.comm;
}
