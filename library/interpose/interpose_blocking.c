/* SPDX-License-Identifier: BSD-3-Clause */
/* Point-to-point functions that wait. Messages of the user's travel as without the library, on the user's
 * communicator, which also raises their errors. */
#include "library/communicators/packed_copy.h"
#include "library/interpose/interpose_blocking_internal.h"

#if BLOCKING_TAKEN_OVER

#include <stdlib.h>

/* MPICH's MPI_Iprobe looks first, and lets messages come in only if it has found none; what comes in then is
 * found by the next one. That follows at once: after a rest it would come a turn of all ranks too late. */
static int probe(int source, int tag, MPI_Comm comm, int *ret_found)
{
    int code = PMPI_Iprobe(source, tag, comm, ret_found, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && !*ret_found)
        code = PMPI_Iprobe(source, tag, comm, ret_found, MPI_STATUS_IGNORE);
    return code;
}

/* Waits until a receive has what it waits for: the rest is between the MPI libraries of the two ranks. */
static int await(int source, int tag, MPI_Comm comm)
{
    struct ct_patience patience = ct_progress_begin_wait();
    int found = false, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !found && ct_progress_takes_turns()) {
        ct_progress_pass_time(&patience);
        code = probe(source, tag, comm, &found);
    }
    return code;
}

INTERPOSED int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    int code = await(source, tag, comm);
    return code == MPI_SUCCESS ? PMPI_Probe(source, tag, comm, status) : code;
}

INTERPOSED int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    int code = await(source, tag, comm);
    return code == MPI_SUCCESS ? PMPI_Mprobe(source, tag, comm, message, status) : code;
}

INTERPOSED int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    ct_progress_once();
    return PMPI_Iprobe(source, tag, comm, flag, status);
}

INTERPOSED int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                           MPI_Status *status)
{
    ct_progress_once();
    return PMPI_Improbe(source, tag, comm, flag, message, status);
}

#if MPI_VERSION >= 4
INTERPOSED int MPI_Parrived(MPI_Request request, int partition, int *flag)
{
    ct_progress_once();
    return PMPI_Parrived(request, partition, flag);
}
#endif

/* An exchange of two messages: both must be under way before either is waited for. The arguments of the
 * receive are looked at first, since a send that has begun must be waited for, whatever comes of the receive.
 */
static int check_receive(int source, int tag, MPI_Comm comm)
{
    int found;
    return PMPI_Iprobe(source, tag, comm, &found, MPI_STATUS_IGNORE);
}

static int finish_exchange(void *buffer, ct_wide_count count, MPI_Datatype type, int source, int tag,
                           MPI_Comm comm, MPI_Status *status, MPI_Request *send)
{
    int code = await(source, tag, comm);
    if (code == MPI_SUCCESS)
        code = CT_WIDE(PMPI_Recv)(buffer, count, type, source, tag, comm, status);
    int sent = ct_finish_request(MPI_SUCCESS, send);
    return code == MPI_SUCCESS ? sent : code;
}

INTERPOSED int MPI_Send(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    MPI_Request request;
    if (!ct_progress_takes_turns())
        return PMPI_Send(buffer, count, type, dest, tag, comm);
    return ct_finish_request(PMPI_Isend(buffer, count, type, dest, tag, comm, &request), &request);
}

INTERPOSED int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    MPI_Request request;
    if (!ct_progress_takes_turns())
        return PMPI_Ssend(buffer, count, type, dest, tag, comm);
    return ct_finish_request(PMPI_Issend(buffer, count, type, dest, tag, comm, &request), &request);
}

INTERPOSED int MPI_Rsend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    MPI_Request request;
    if (!ct_progress_takes_turns())
        return PMPI_Rsend(buffer, count, type, dest, tag, comm);
    return ct_finish_request(PMPI_Irsend(buffer, count, type, dest, tag, comm, &request), &request);
}

INTERPOSED int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                        MPI_Status *status)
{
    int code = await(source, tag, comm);
    return code == MPI_SUCCESS ? PMPI_Recv(buffer, count, type, source, tag, comm, status) : code;
}

INTERPOSED int MPI_Sendrecv(const void *send, int send_count, MPI_Datatype send_type, int dest, int send_tag,
                            void *recv, int recv_count, MPI_Datatype recv_type, int source, int recv_tag,
                            MPI_Comm comm, MPI_Status *status)
{
    MPI_Request request;
    if (!ct_progress_takes_turns())
        return PMPI_Sendrecv(send, send_count, send_type, dest, send_tag, recv, recv_count, recv_type, source,
                             recv_tag, comm, status);
    int code = check_receive(source, recv_tag, comm);
    if (code == MPI_SUCCESS)
        code = PMPI_Isend(send, send_count, send_type, dest, send_tag, comm, &request);
    if (code != MPI_SUCCESS)
        return code;
    return finish_exchange(recv, recv_count, recv_type, source, recv_tag, comm, status, &request);
}

static int replace(void *buffer, ct_wide_count count, MPI_Datatype type, int dest, int send_tag, int source,
                   int recv_tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request request;
    ct_wide_count length;
    void *packed;
    int code = check_receive(source, recv_tag, comm);
    if (code == MPI_SUCCESS)
        code = ct_pack_copy(buffer, count, type, comm, &packed, &length);
    if (code != MPI_SUCCESS)
        return code;
    code = CT_WIDE(PMPI_Isend)(packed, length, MPI_PACKED, dest, send_tag, comm, &request);
    if (code == MPI_SUCCESS)
        code = finish_exchange(buffer, count, type, source, recv_tag, comm, status, &request);
    free(packed);
    return code;
}

INTERPOSED int MPI_Sendrecv_replace(void *buffer, int count, MPI_Datatype type, int dest, int send_tag,
                                    int source, int recv_tag, MPI_Comm comm, MPI_Status *status)
{
    return ct_progress_is_needed()
               ? replace(buffer, count, type, dest, send_tag, source, recv_tag, comm, status)
               : PMPI_Sendrecv_replace(buffer, count, type, dest, send_tag, source, recv_tag, comm, status);
}

#if CT_HAS_LARGE_FORMS

INTERPOSED int MPI_Send_c(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag,
                          MPI_Comm comm)
{
    MPI_Request request;
    if (!ct_progress_takes_turns())
        return PMPI_Send_c(buffer, count, type, dest, tag, comm);
    return ct_finish_request(PMPI_Isend_c(buffer, count, type, dest, tag, comm, &request), &request);
}

INTERPOSED int MPI_Ssend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag,
                           MPI_Comm comm)
{
    MPI_Request request;
    if (!ct_progress_takes_turns())
        return PMPI_Ssend_c(buffer, count, type, dest, tag, comm);
    return ct_finish_request(PMPI_Issend_c(buffer, count, type, dest, tag, comm, &request), &request);
}

INTERPOSED int MPI_Rsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag,
                           MPI_Comm comm)
{
    MPI_Request request;
    if (!ct_progress_takes_turns())
        return PMPI_Rsend_c(buffer, count, type, dest, tag, comm);
    return ct_finish_request(PMPI_Irsend_c(buffer, count, type, dest, tag, comm, &request), &request);
}

INTERPOSED int MPI_Recv_c(void *buffer, MPI_Count count, MPI_Datatype type, int source, int tag,
                          MPI_Comm comm, MPI_Status *status)
{
    int code = await(source, tag, comm);
    return code == MPI_SUCCESS ? PMPI_Recv_c(buffer, count, type, source, tag, comm, status) : code;
}

INTERPOSED int MPI_Sendrecv_c(const void *send, MPI_Count send_count, MPI_Datatype send_type, int dest,
                              int send_tag, void *recv, MPI_Count recv_count, MPI_Datatype recv_type,
                              int source, int recv_tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request request;
    if (!ct_progress_takes_turns())
        return PMPI_Sendrecv_c(send, send_count, send_type, dest, send_tag, recv, recv_count, recv_type,
                               source, recv_tag, comm, status);
    int code = check_receive(source, recv_tag, comm);
    if (code == MPI_SUCCESS)
        code = PMPI_Isend_c(send, send_count, send_type, dest, send_tag, comm, &request);
    if (code != MPI_SUCCESS)
        return code;
    return finish_exchange(recv, recv_count, recv_type, source, recv_tag, comm, status, &request);
}

INTERPOSED int MPI_Sendrecv_replace_c(void *buffer, MPI_Count count, MPI_Datatype type, int dest,
                                      int send_tag, int source, int recv_tag, MPI_Comm comm,
                                      MPI_Status *status)
{
    return ct_progress_is_needed()
               ? replace(buffer, count, type, dest, send_tag, source, recv_tag, comm, status)
               : PMPI_Sendrecv_replace_c(buffer, count, type, dest, send_tag, source, recv_tag, comm, status);
}

#endif

#endif
