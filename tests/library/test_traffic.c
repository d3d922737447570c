/* SPDX-License-Identifier: BSD-3-Clause */
/* Records the messages of real calls and compares them with the plan, one by one: kind, peer, bytes, in the
 * order of posting. The test must notice a recorder that drops a message: the last case does that. Exits 1 if
 * they differ. */
#include "algorithms/method.h"
#include "library/execute/channel.h"
#include "library/execute/describe_call.h"
#include "library/execute/executor.h"
#include "library/execute/set_up.h"
#include "library/mpi/placement.h"
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1 << 16, CALLS = 4 };

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

/* The linker's option --wrap puts these in the place of the functions that the library calls. */
int __wrap_PMPI_Send(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
    record(true, peer, count, type);
    return MPI_Send(buffer, count, type, peer, tag, comm);
}

int __wrap_PMPI_Isend(const void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    record(true, peer, count, type);
    return MPI_Isend(buffer, count, type, peer, tag, comm, request);
}

int __wrap_PMPI_Recv(void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                     MPI_Status *status)
{
    record(false, peer, count, type);
    return MPI_Recv(buffer, count, type, peer, tag, comm, status);
}

int __wrap_PMPI_Irecv(void *buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    record(false, peer, count, type);
    return MPI_Irecv(buffer, count, type, peer, tag, comm, request);
}

/* A rank's message to itself is a copy, which no plan has. The order of the two kinds means nothing; plans
 * receive first. */
int __wrap_PMPI_Sendrecv(const void *from, int sent, MPI_Datatype sent_type, int to, int send_tag, void *into,
                         int received, MPI_Datatype received_type, int source, int receive_tag, MPI_Comm comm,
                         MPI_Status *status)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (to != rank) {
        record(false, source, received, received_type);
        record(true, to, sent, sent_type);
    }
    return MPI_Sendrecv(from, sent, sent_type, to, send_tag, into, received, received_type, source,
                        receive_tag, comm, status);
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

/* Finds the routes of a method that needs them. */
static bool set_up(const struct ct_method *method, struct ct_call *call, struct ct_routes *ret_routes)
{
    static unsigned supersteps, number;
    struct ct_error error;
    struct ct_call own = *call;
    if (!ct_needs_routes(method))
        return true;
    if (ct_set_up(method, &own, MPI_COMM_WORLD, &supersteps, &error, ret_routes) != CT_OK)
        return false;
    ret_routes->number = ++number;
    call->routes = ret_routes;
    return true;
}

static bool try_one(struct ct_channel *channel, const struct ct_method *method, int rank, int size,
                    unsigned seed)
{
    struct trial trial;
    struct ct_call call;
    struct ct_routes routes = {0};
    trial_draw(&trial, method->algorithm->collective, rank, size, seed, seed);
    if (ct_call_describe(channel, trial.collective, &trial.operands, &call) != MPI_SUCCESS)
        return false;
    if (!ct_method_applies(method, &call, NULL))
        return true;
    trial_fill(&trial);
    if (!set_up(method, &call, &routes))
        return false;
    recorded_count = 0;
    recording = true;
    int code = ct_execute_call(channel, method, &trial.operands, &call);
    recording = false;
    const bool same = code == MPI_SUCCESS && same_as_plan(method, &call);
    ct_routes_free(&routes);
    return same;
}

/* Every method that a sweep tries, with a few calls drawn at random. */
static bool try_all(struct ct_channel *channel, int rank, int size, size_t *cases)
{
    bool right = true;
    struct ct_method *methods = NULL;
    size_t count = 0, capacity = 0;
    for (size_t a = 0; a < ct_algorithm_count; a++)
        if (!ct_is_native(&ct_algorithms[a]) && !ct_collectives[ct_algorithms[a].collective].is_sparse &&
            ct_methods_of(&ct_algorithms[a], &methods, &count, &capacity) != CT_OK)
            return false;
    for (size_t m = 0; m < count; m++)
        for (unsigned seed = 1; seed <= CALLS; seed++, ++*cases)
            if (!try_one(channel, &methods[m], rank, size, seed * 1009u + (unsigned)m)) {
                char spelling[CT_METHOD_TEXT];
                printf("rank %d of %d: %s: the messages are not the plan's\n", rank, size,
                       ct_method_format(&methods[m], true, spelling));
                right = false;
            }
    free(methods);
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
    enum ct_wait_policy policy = CT_WAIT_SPIN;
    ct_placement_find(comm, NULL, &policy);
    ct_channel_open(comm, policy, &channel);
    trials_begin();
    bool right = try_all(channel, rank, size, &cases);

    ct_method_parse("barrier/dissemination", CT_COLLECTIVES, NULL, &barrier);
    forgetting = true;
    bool noticed = !try_one(channel, &barrier, rank, size, 1);
    if (!noticed)
        printf("rank %d: a forgotten message was not noticed\n", rank);
    all = right && noticed;
    PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%zu calls on %d ranks: %s\n", cases, size, all ? "as planned" : "NOT as planned");
    trials_end();
    ct_channel_close(channel);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return all ? 0 : 1;
}
