/* SPDX-License-Identifier: BSD-3-Clause */
/* Records the messages of real calls (this program's MPI_Send, MPI_Isend, ... stand before the library's) and
 * compares them with the plan, one by one: kind, peer, bytes, in the order of posting, and the tag with the
 * call's. A recorder that drops a message must be noticed: the last case does that. Ends with 1 where they
 * differ. */
#include "algorithms/method.h"
#include "library/executor.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };

struct message {
    bool sends;
    int peer;
    long long bytes;
};

static struct message recorded[MOST];
static size_t recorded_count;
static bool recording, forgetting;

static void record(bool sends, int peer, int count, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    if (recording && recorded_count < MOST &&
        !(forgetting && recorded_count == 1 && (forgetting = false, true)))
        recorded[recorded_count++] = (struct message){sends, peer, (long long)count * size};
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
    record(true, peer, count, type);
    return PMPI_Send(buffer, count, type, peer, tag, comm);
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    record(true, peer, count, type);
    return PMPI_Isend(buffer, count, type, peer, tag, comm, request);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Status *status)
{
    record(false, peer, count, type);
    return PMPI_Recv(buffer, count, type, peer, tag, comm, status);
}

int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    record(false, peer, count, type);
    return PMPI_Irecv(buffer, count, type, peer, tag, comm, request);
}

/* The messages of the plan, in order, against those recorded. */
static bool same_as_plan(const struct ct_method *method, struct ct_call *call)
{
    struct ct_plan plan = {0};
    size_t at = 0;
    ct_plan_reset(&plan);
    bool same = ct_method_build(method, &plan, call) == CT_OK;
    for (size_t i = 0; same && i < plan.step_count; i++) {
        const struct ct_step *step = &plan.steps[i];
        if (step->kind != CT_STEP_SEND && step->kind != CT_STEP_RECEIVE)
            continue;
        same = at < recorded_count && recorded[at].sends == (step->kind == CT_STEP_SEND) &&
               recorded[at].peer == step->peer &&
               recorded[at].bytes == (long long)(step->n * call->unit_bytes);
        at++;
    }
    ct_plan_free(&plan);
    return same && at == recorded_count;
}

static bool try_one(struct ct_channel *channel, const struct ct_method *method, size_t count, int root)
{
    static int send[10000], recv[10000];
    struct ct_operands operands = {
        .send = send, .recv = recv, .count = count, .type = MPI_INT, .op = MPI_SUM, .root = root};
    struct ct_call call;
    ct_call_describe(channel, method->algorithm->collective, &operands, &call);
    recorded_count = 0;
    recording = true;
    int code = ct_execute(channel, method, &operands);
    recording = false;
    return code == MPI_SUCCESS && same_as_plan(method, &call);
}

static bool try_all(struct ct_channel *channel, int rank, int size, size_t *cases)
{
    static const size_t counts[] = {0, 1, 13, 3000};
    bool right = true;
    for (size_t a = 0; a < ct_algorithm_count; a++) {
        static const char *const segments[] = {"", "seg=1K"};
        if (!ct_algorithms[a]->build)
            continue;
        for (size_t s = 0; s < (ct_algorithms[a]->parameters[0] ? 2u : 1u); s++) {
            struct ct_method method;
            char spelling[CT_METHOD_TEXT];
            snprintf(spelling, sizeof spelling, "%s:%s", ct_algorithms[a]->name, segments[s]);
            ct_method_parse(spelling, ct_algorithms[a]->collective, NULL, &method);
            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++, ++*cases)
                if (!try_one(channel, &method, counts[c], (int)c % size)) {
                    printf("rank %d of %d: %s, %zu ints: the messages are not the plan's\n", rank, size,
                           ct_method_format(&method, true, spelling), counts[c]);
                    right = false;
                }
        }
    }
    return right;
}

int main(int argc, char **argv)
{
    int rank, size, all;
    size_t cases = 0;
    MPI_Comm comm;
    struct ct_channel *channel;
    struct ct_method barrier;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    ct_channel_open(comm, ct_wait_policy_find(comm), &channel);
    bool right = try_all(channel, rank, size, &cases);

    ct_method_parse("barrier/dissemination", CT_COLLECTIVES, NULL, &barrier);
    forgetting = true;
    bool noticed = !try_one(channel, &barrier, 0, 0);
    if (!noticed)
        printf("rank %d: a forgotten message was not noticed\n", rank);
    all = right && noticed;
    PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%zu calls on %d ranks: %s\n", cases, size, all ? "as planned" : "NOT as planned");
    ct_channel_close(channel);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return all ? 0 : 1;
}
