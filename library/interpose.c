/* SPDX-License-Identifier: BSD-3-Clause */
/* The MPI functions that the tuned library takes over. Wrong arguments go to the MPI library, which knows how
 * to complain of them. */
#include "library/profile.h"
#include "library/shadow.h"

/* The simulator loads a program behind itself, so that its own functions would be found first: there ours are
 * hidden, which binds a program that they are linked into to them. */
#ifdef SMPI_H
#define INTERPOSED
#else
#define INTERPOSED COLLTUNED_API
#endif

/* Does the MPI library have to look at this itself? */
static bool is_odd(const struct ct_operands *operands, bool has_data, MPI_Comm comm)
{
    return comm == MPI_COMM_NULL || (has_data && operands->type == MPI_DATATYPE_NULL);
}

static int run(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
               struct ct_shadow *shadow)
{
    struct ct_call call;
    int code = ct_call_describe(shadow->channel, collective, operands, &call);
    if (code != MPI_SUCCESS || call.root < 0 || call.root >= call.size)
        return ct_native_call(collective, operands, comm);

    struct ct_choice choice = ct_tuner_decide(shadow->agreement, collective, &call);
    struct ct_profile_entry entry = ct_profile_begin(collective, &call, choice.method);
    if (!choice.method->algorithm->build) {
        ct_tuner_count(choice, 0);
        code = ct_native_call(collective, operands, comm);
    } else {
        uint64_t before = ct_channel_messages(shadow->channel);
        code = ct_execute_call(shadow->channel, choice.method, operands, &call);
        ct_tuner_count(choice, ct_channel_messages(shadow->channel) - before);
        if (code != MPI_SUCCESS)
            PMPI_Comm_call_errhandler(comm, code);
    }
    ct_profile_end(&entry);
    return code;
}

static int tuned(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
    struct ct_shadow *shadow = ct_shadow_of(comm);
    if (shadow && shadow->channel)
        return run(collective, operands, comm, shadow);
    if (ct_tuner_started())
        ct_tuner_count(ct_tuner_native(collective), 0);
    return ct_native_call(collective, operands, comm);
}

INTERPOSED int MPI_Barrier(MPI_Comm comm)
{
    const struct ct_operands operands = {.root = 0};
    if (is_odd(&operands, false, comm))
        return PMPI_Barrier(comm);
    return tuned(CT_BARRIER, &operands, comm);
}

INTERPOSED int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const struct ct_operands operands = {.recv = buffer, .count = (size_t)count, .type = type, .root = root};
    if (count < 0 || is_odd(&operands, true, comm))
        return PMPI_Bcast(buffer, count, type, root, comm);
    return tuned(CT_BCAST, &operands, comm);
}

INTERPOSED int MPI_Reduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root,
                          MPI_Comm comm)
{
    const struct ct_operands operands = {
        .send = send, .recv = recv, .count = (size_t)count, .type = type, .op = op, .root = root};
    if (count < 0 || op == MPI_OP_NULL || is_odd(&operands, true, comm))
        return PMPI_Reduce(send, recv, count, type, op, root, comm);
    return tuned(CT_REDUCE, &operands, comm);
}

INTERPOSED int MPI_Allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm)
{
    const struct ct_operands operands = {
        .send = send, .recv = recv, .count = (size_t)count, .type = type, .op = op, .root = 0};
    if (count < 0 || op == MPI_OP_NULL || is_odd(&operands, true, comm))
        return PMPI_Allreduce(send, recv, count, type, op, comm);
    return tuned(CT_ALLREDUCE, &operands, comm);
}

INTERPOSED int MPI_Init(int *argc, char ***argv)
{
    int code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS)
        ct_tuner_start(MPI_COMM_WORLD);
    return code;
}

INTERPOSED int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int code = PMPI_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS)
        ct_tuner_start(MPI_COMM_WORLD);
    return code;
}

INTERPOSED int MPI_Finalize(void)
{
    if (ct_tuner_started()) {
        ct_profile_write();
        ct_shadows_stop();
        ct_tuner_stop();
    }
    return PMPI_Finalize();
}
