/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: what rank 1 calls, and what rank 2 answers with. */
#include "blocking.h"

#include <stdlib.h>
#include <string.h>

static int send(void)
{
    return MPI_Send(all.data, LONG, MPI_BYTE, LATE, TAG, all.comm);
}

static int ssend(void)
{
    return MPI_Ssend(all.data, 1, MPI_BYTE, LATE, TAG, all.comm);
}

/* Rank 2 receives before rank 1 may send. */
static int rsend(void)
{
    int code = MPI_Recv(NULL, 0, MPI_BYTE, LATE, TAG, all.comm, &all.status);
    return code == MPI_SUCCESS ? MPI_Rsend(all.data, LONG, MPI_BYTE, LATE, TAG, all.comm) : code;
}

static int receive_ready(void)
{
    MPI_Request request;
    int code = MPI_Irecv(all.data, LONG, MPI_BYTE, BLOCKED, TAG, all.comm, &request);
    if (code == MPI_SUCCESS)
        code = MPI_Send(NULL, 0, MPI_BYTE, BLOCKED, TAG, all.comm);
    return code == MPI_SUCCESS ? MPI_Wait(&request, &all.status) : code;
}

static int receive_long(void)
{
    return MPI_Recv(all.data, LONG, MPI_BYTE, BLOCKED, TAG, all.comm, &all.status);
}

/* Rank 1 reuses its data as soon as buffered sends have returned, and detaches the buffer. */
static int buffered(void)
{
    const block_count size = 2 * (LONG + MPI_BSEND_OVERHEAD);
    char *buffer = malloc((size_t)size);
    void *detached = NULL;
    block_count detached_size = 0;
    MPI_Request request;
    memset(all.data, 'a', LONG);
    int code = MPI_Buffer_attach(buffer, size);
    if (code == MPI_SUCCESS)
        code = MPI_Bsend(all.data, LONG, MPI_BYTE, LATE, TAG, all.comm);
    memset(all.data, 'b', LONG);
    if (code == MPI_SUCCESS)
        code = MPI_Ibsend(all.data, LONG, MPI_BYTE, LATE, TAG, all.comm, &request);
    memset(all.data, 'c', LONG);
    if (code == MPI_SUCCESS)
        code = MPI_Buffer_detach(&detached, &detached_size);
    bool right = detached == buffer && detached_size == size;
    free(buffer);
    if (code == MPI_SUCCESS)
        code = MPI_Wait(&request, &all.status);
    return code == MPI_SUCCESS && !right ? MPI_ERR_OTHER : code;
}

static int receive_buffered(void)
{
    int code = MPI_SUCCESS;
    for (char expected = 'a'; expected <= 'b' && code == MPI_SUCCESS; expected++) {
        code = receive_long();
        if (all.data[0] != expected || all.data[LONG - 1] != expected)
            code = MPI_ERR_OTHER;
    }
    return code;
}

static int receive(void)
{
    to[0] = 0;
    int code = MPI_Recv(to, 1, MPI_INT, MPI_ANY_SOURCE, TAG, all.comm, &all.status);
    return code == MPI_SUCCESS && (to[0] != LATE || all.status.MPI_SOURCE != LATE) ? MPI_ERR_OTHER : code;
}

static int answer(void)
{
    return MPI_Send(&all.rank, 1, MPI_INT, BLOCKED, TAG, all.comm);
}

static int begin_receive(MPI_Request *requests)
{
    requests[1] = MPI_REQUEST_NULL;
    return MPI_Irecv(to, 1, MPI_INT, LATE, TAG, all.comm, &requests[0]);
}

static int wait(void)
{
    MPI_Request requests[2];
    int code = begin_receive(requests);
    return code == MPI_SUCCESS ? MPI_Wait(requests, &all.status) : code;
}

static int waitall(void)
{
    MPI_Request requests[2];
    int code = begin_receive(requests);
    return code == MPI_SUCCESS ? MPI_Waitall(2, requests, MPI_STATUSES_IGNORE) : code;
}

static int waitany(void)
{
    MPI_Request requests[2];
    int index, code = begin_receive(requests);
    return code == MPI_SUCCESS ? MPI_Waitany(2, requests, &index, &all.status) : code;
}

static int waitsome(void)
{
    MPI_Request requests[2];
    int some, indices[2], code = begin_receive(requests);
    return code == MPI_SUCCESS ? MPI_Waitsome(2, requests, &some, indices, MPI_STATUSES_IGNORE) : code;
}

static int sendrecv(void)
{
    int code = MPI_Sendrecv(&all.rank, 1, MPI_INT, other(), TAG, to, 1, MPI_INT, other(), TAG, all.comm,
                            MPI_STATUS_IGNORE);
    return code == MPI_SUCCESS && to[0] != other() ? MPI_ERR_OTHER : code;
}

/* Of MPI_BOTTOM and a type with gaps. */
static int sendrecv_replace(void)
{
    int values[3] = {all.rank, 7, all.rank};
    MPI_Aint address;
    MPI_Datatype ends, type;
    MPI_Get_address(values, &address);
    MPI_Type_vector(2, 1, 2, MPI_INT, &ends);
    MPI_Type_create_hindexed(1, &(const int){1}, &address, ends, &type);
    MPI_Type_commit(&type);
    int code = MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, other(), TAG, other(), TAG, all.comm, &all.status);
    MPI_Type_free(&ends);
    MPI_Type_free(&type);
    bool right = values[0] == other() && values[1] == 7 && values[2] == other();
    return code == MPI_SUCCESS && !right ? MPI_ERR_OTHER : code;
}

static int probe(void)
{
    int code = MPI_Probe(LATE, TAG, all.comm, &all.status);
    return code == MPI_SUCCESS ? receive() : code;
}

static int mprobe(void)
{
    MPI_Message message;
    int code = MPI_Mprobe(LATE, TAG, all.comm, &message, &all.status);
    return code == MPI_SUCCESS ? MPI_Mrecv(to, 1, MPI_INT, &message, &all.status) : code;
}

static int iprobe(void)
{
    int found = false, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !found)
        code = MPI_Iprobe(LATE, TAG, all.comm, &found, &all.status);
    return code == MPI_SUCCESS ? receive() : code;
}

static int improbe(void)
{
    MPI_Message message;
    int found = false, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !found)
        code = MPI_Improbe(LATE, TAG, all.comm, &found, &message, &all.status);
    return code == MPI_SUCCESS ? MPI_Mrecv(to, 1, MPI_INT, &message, &all.status) : code;
}

const struct trial message_trials[] = {
    {"Send", send, receive_long},
    {"Ssend", ssend, receive_long},
    {"Rsend", rsend, receive_ready},
    {"Buffer_detach", buffered, receive_buffered},
    {"Recv", receive, answer},
    {"Wait", wait, answer},
    {"Waitall", waitall, answer},
    {"Waitany", waitany, answer},
    {"Waitsome", waitsome, answer},
    {"Sendrecv", sendrecv, sendrecv},
    {"Sendrecv_replace", sendrecv_replace, sendrecv_replace},
    {"Probe", probe, answer},
    {"Mprobe", mprobe, answer},
    {"Iprobe", iprobe, answer},
    {"Improbe", improbe, answer},
    {0},
};
