/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI functions that the tuned library takes over. */
#include "library/backend_mpi.h"
#include "library/carrier.h"
#include "library/private_comm.h"
#include "library/profile.h"

/* The simulator loads a program after itself, so that its own functions would be found first. There ours are
 * hidden, which binds the program that they are linked into to them. */
#if CT_SIMULATED
#define INTERPOSED __attribute__((visibility("hidden")))
#else
#define INTERPOSED COLLTUNED_API
#endif

/* Not inline: what it needs of the stack and registers would delay calls that are only passed on. */
__attribute__((noinline)) static int run_recorded(struct ct_known_call *known,
                                                  const struct ct_operands *operands, MPI_Comm comm,
                                                  const struct ct_private_comm *own)
{
    const enum ct_collective collective = known->collective;
    struct ct_choice choice = known->choice;
    struct ct_profile *profile = ct_tuner()->profile;
    struct ct_profile_entry entry;
    ct_profile_begin(profile, collective, &known->call, choice.method, &entry);
    int code;
    if (ct_is_native(choice.method->algorithm)) {
        ct_tuner_count(choice, 0);
        code = ct_native_call(collective, operands, comm);
    } else {
        uint64_t before = ct_channel_messages(own->channel);
        code = ct_execute_call(own->channel, choice.method, operands, &known->call);
        ct_tuner_count(choice, ct_channel_messages(own->channel) - before);
        if (code != MPI_SUCCESS)
            PMPI_Comm_call_errhandler(comm, code);
    }
    ct_profile_end(profile, &entry);
    return code;
}

static int run(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
               struct ct_private_comm *own)
{
    if (own->agreement == CT_AGREEMENT_AGREED && ct_tuner_is_bypassed(collective)) {
        ct_tuner_count(ct_tuner_native(collective), 0);
        return ct_native_call(collective, operands, comm);
    }
    struct ct_known_call *known = &own->known[ct_known_call_number(collective, operands)];
    if (!ct_is_known_call(known, collective, operands) &&
        !ct_know_call(collective, operands, own->channel, own->agreement, known))
        return ct_native_call(collective, operands, comm);

    struct ct_choice choice = known->choice;
    if (ct_is_native(choice.method->algorithm) && !ct_tuner()->profile) {
        ct_tuner_count(choice, 0);
        return ct_native_call(collective, operands, comm);
    }
    return run_recorded(known, operands, comm, own);
}

/* Carries out a user's call by the method that is decided on. */
static int call_tuned(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
    struct ct_private_comm *own = comm == MPI_COMM_NULL ? NULL : ct_private_comm_of(comm);
    if (own && own->channel)
        return run(collective, operands, comm, own);
    if (own && own->code != MPI_SUCCESS) {
        PMPI_Comm_call_errhandler(comm, own->code);
        return own->code;
    }
    if (ct_tuner_is_started())
        ct_tuner_count(ct_tuner_native(collective), 0);
    return ct_native_call(collective, operands, comm);
}

/* --- the collectives --- */

static struct ct_side side(const void *buffer, int count, MPI_Datatype type)
{
    return (struct ct_side){.buffer = (void *)buffer, .count = (size_t)count, .type = type};
}

static struct ct_side blocks(const void *buffer, const int *counts, const int *displacements,
                             MPI_Datatype type, const MPI_Datatype *types)
{
    return (struct ct_side){(void *)buffer, 0, type, counts, displacements, types};
}

static int move(enum ct_collective collective, struct ct_side send, struct ct_side recv, int root,
                MPI_Comm comm)
{
    const struct ct_operands operands = {.send = send, .recv = recv, .root = root};
    return call_tuned(collective, &operands, comm);
}

static int reduce(enum ct_collective collective, const void *send, struct ct_side recv, MPI_Op op, int root,
                  MPI_Comm comm)
{
    const struct ct_operands operands = {
        .send = {.buffer = (void *)send}, .recv = recv, .op = op, .root = root};
    return call_tuned(collective, &operands, comm);
}

INTERPOSED int MPI_Barrier(MPI_Comm comm)
{
    return move(CT_COLLECTIVE_BARRIER, (struct ct_side){0}, (struct ct_side){0}, 0, comm);
}

INTERPOSED int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    return move(CT_COLLECTIVE_BCAST, (struct ct_side){0}, side(buffer, count, type), root, comm);
}

INTERPOSED int MPI_Scatter(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                           int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return move(CT_COLLECTIVE_SCATTER, side(send, send_count, send_type), side(recv, recv_count, recv_type),
                root, comm);
}

INTERPOSED int MPI_Scatterv(const void *send, const int *send_counts, const int *send_places,
                            MPI_Datatype send_type, void *recv, int recv_count, MPI_Datatype recv_type,
                            int root, MPI_Comm comm)
{
    return move(CT_COLLECTIVE_SCATTERV, blocks(send, send_counts, send_places, send_type, NULL),
                side(recv, recv_count, recv_type), root, comm);
}

INTERPOSED int MPI_Gather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                          int recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    return move(CT_COLLECTIVE_GATHER, side(send, send_count, send_type), side(recv, recv_count, recv_type),
                root, comm);
}

INTERPOSED int MPI_Gatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                           const int *recv_counts, const int *recv_places, MPI_Datatype recv_type, int root,
                           MPI_Comm comm)
{
    return move(CT_COLLECTIVE_GATHERV, side(send, send_count, send_type),
                blocks(recv, recv_counts, recv_places, recv_type, NULL), root, comm);
}

INTERPOSED int MPI_Allgather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                             int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    return move(CT_COLLECTIVE_ALLGATHER, side(send, send_count, send_type), side(recv, recv_count, recv_type),
                0, comm);
}

INTERPOSED int MPI_Allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                              const int *recv_counts, const int *recv_places, MPI_Datatype recv_type,
                              MPI_Comm comm)
{
    return move(CT_COLLECTIVE_ALLGATHERV, side(send, send_count, send_type),
                blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm);
}

INTERPOSED int MPI_Alltoall(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                            int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    return move(CT_COLLECTIVE_ALLTOALL, side(send, send_count, send_type), side(recv, recv_count, recv_type),
                0, comm);
}

INTERPOSED int MPI_Alltoallv(const void *send, const int *send_counts, const int *send_places,
                             MPI_Datatype send_type, void *recv, const int *recv_counts,
                             const int *recv_places, MPI_Datatype recv_type, MPI_Comm comm)
{
    return move(CT_COLLECTIVE_ALLTOALLV, blocks(send, send_counts, send_places, send_type, NULL),
                blocks(recv, recv_counts, recv_places, recv_type, NULL), 0, comm);
}

INTERPOSED int MPI_Alltoallw(const void *send, const int *send_counts, const int *send_places,
                             const MPI_Datatype *send_types, void *recv, const int *recv_counts,
                             const int *recv_places, const MPI_Datatype *recv_types, MPI_Comm comm)
{
    return move(CT_COLLECTIVE_ALLTOALLW,
                blocks(send, send_counts, send_places, MPI_DATATYPE_NULL, send_types),
                blocks(recv, recv_counts, recv_places, MPI_DATATYPE_NULL, recv_types), 0, comm);
}

INTERPOSED int MPI_Reduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root,
                          MPI_Comm comm)
{
    return reduce(CT_COLLECTIVE_REDUCE, send, side(recv, count, type), op, root, comm);
}

INTERPOSED int MPI_Reduce_scatter_block(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                                        MPI_Comm comm)
{
    return reduce(CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, send, side(recv, count, type), op, 0, comm);
}

INTERPOSED int MPI_Reduce_scatter(const void *send, void *recv, const int *counts, MPI_Datatype type,
                                  MPI_Op op, MPI_Comm comm)
{
    return reduce(CT_COLLECTIVE_REDUCE_SCATTER, send, blocks(recv, counts, NULL, type, NULL), op, 0, comm);
}

INTERPOSED int MPI_Allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm)
{
    return reduce(CT_COLLECTIVE_ALLREDUCE, send, side(recv, count, type), op, 0, comm);
}

INTERPOSED int MPI_Scan(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return reduce(CT_COLLECTIVE_SCAN, send, side(recv, count, type), op, 0, comm);
}

INTERPOSED int MPI_Exscan(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                          MPI_Comm comm)
{
    return reduce(CT_COLLECTIVE_EXSCAN, send, side(recv, count, type), op, 0, comm);
}

/* --- beginning and end --- */

static int start(void)
{
    ct_tuner_start(MPI_COMM_WORLD);
    ct_tuner_find_nodes();
    ct_carrier_start();
    return MPI_SUCCESS;
}

INTERPOSED int MPI_Init(int *argc, char ***argv)
{
    int code = PMPI_Init(argc, argv);
    return code == MPI_SUCCESS ? start() : code;
}

INTERPOSED int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int code = PMPI_Init_thread(argc, argv, required, provided);
    return code == MPI_SUCCESS ? start() : code;
}

INTERPOSED int MPI_Finalize(void)
{
    if (ct_tuner_is_started()) {
        ct_profile_write(ct_tuner()->profile, ct_tuner()->configuration.profile);
        ct_tuner_print_use();
        ct_private_comms_stop();
        ct_carrier_stop();
        ct_tuner_stop();
    }
    return PMPI_Finalize();
}
