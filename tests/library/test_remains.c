/* SPDX-License-Identifier: BSD-3-Clause */
/* A call in flight fails on rank 0 while its message to rank 1 is half sent, and its flight is given back:
 * rank 1 does not wait for the rest for ever, but finds that the message is too short, and the flight is
 * freed then. Two ranks. */
#include "library/execute/channel.h"
#include "library/execute/describe_call.h"
#include "library/execute/executor.h"
#include "library/execute/mpi_progress.h"
#include "library/execute/operands.h"
#include "tests/library/open_node.h"

#include <stdio.h>
#include <stdlib.h>

/* More than the lane holds, and too little for a copy out of the sender's memory. */
enum { COUNT = 1 << 18, TAG = 7 };

/* The library's call. */
int __wrap_PMPI_Reduce_local(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op);
int __wrap_PMPI_Reduce_local(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op)
{
    (void)from;
    (void)to;
    (void)count;
    (void)type;
    (void)op;
    return MPI_ERR_OP;
}

static void check(bool is_right, const char *what)
{
    if (is_right)
        return;
    printf("%s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Begins a call with a plan of its own, in which rank 0 sends and reduces, and rank 1 receives. */
static struct ct_flight *begin(struct ct_channel *channel, int rank, const struct ct_operands *operands,
                               struct ct_call *call)
{
    struct ct_flight *flight = ct_flight_make(channel, TAG);
    check(flight && ct_call_describe(channel, CT_COLLECTIVE_ALLREDUCE, operands, call) == MPI_SUCCESS,
          "begin");
    struct ct_plan *plan = &flight->plan;
    ct_plan_reset(plan);
    if (rank == 0) {
        ct_send(plan, 1, CT_BUFFER_SEND, 0, COUNT);
        ct_reduce(plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 1);
    } else {
        ct_receive(plan, 0, CT_BUFFER_RECV, 0, COUNT);
    }
    check(ct_plan_finish(plan) == CT_OK, "plan");
    check(ct_flight_begin(flight, CT_COLLECTIVE_ALLREDUCE, operands, call) == MPI_SUCCESS, "begin");
    return flight;
}

static void fail_and_leave(struct ct_flight *flight)
{
    int is_done = false;
    MPI_Request done;
    check(ct_flight_advance(flight, CT_UNTIL_TESTED) == MPI_ERR_OP, "no failure");
    check(flight->messages.transfers.count == 1, "the message was not half sent");
    ct_progress_free(flight);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Irecv(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &done);
    while (!is_done) {
        if (ct_progress_is_needed())
            ct_progress();
        MPI_Test(&done, &is_done, MPI_STATUS_IGNORE);
    }
    check(!ct_progress_is_needed(), "the flight remains");
}

static void receive(struct ct_flight *flight)
{
    int code;
    MPI_Barrier(MPI_COMM_WORLD);
    while ((code = ct_flight_advance(flight, CT_UNTIL_TESTED)) == CT_PENDING)
        ;
    check(code != MPI_SUCCESS, "a message that is too short is taken for the whole one");
    ct_flight_free(flight);
    MPI_Send(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const struct ct_node_wishes wishes = {.lanes = true};
    struct ct_channel *channel;
    struct ct_call call;
    MPI_Comm comm;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    struct ct_node *node = open_node_of_world(&wishes);
    check(node != NULL, "no lanes");
    check(ct_channel_open(comm, CT_WAIT_SPIN, &channel) == MPI_SUCCESS, "no channel");
    check(ct_channel_use_lanes(channel, node) == MPI_SUCCESS, "no lanes");
    int *from = calloc(COUNT, sizeof *from), *to = calloc(COUNT, sizeof *to);
    check(from && to, "no memory");
    const struct ct_operands operands = ct_reduction(from, to, COUNT, MPI_INT, MPI_SUM, 0);
    struct ct_flight *flight = begin(channel, rank, &operands, &call);
    if (rank == 0)
        fail_and_leave(flight);
    else
        receive(flight);
    free(from);
    free(to);
    ct_channel_close(channel);
    MPI_Comm_free(&comm);
    ct_node_close(node);
    MPI_Finalize();
    return 0;
}
