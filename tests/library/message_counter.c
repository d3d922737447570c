/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool to preload, as tracers are: it wraps point-to-point functions, and counts messages and those whose
 * communicator it has not seen. Built with -DBY_NEXT it calls the functions behind it by their MPI_ names. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>

/* On this rank: what was sent, received, and had a communicator that was made past this tool. */
struct message_counts {
    unsigned long long sent;
    unsigned long long received;
    unsigned long long strange;
};

enum { COMMS_MOST = 64 };

static struct message_counts counts;
static MPI_Comm comms[COMMS_MOST];
static int comms_count;

void message_counter_read(struct message_counts *ret_counts)
{
    *ret_counts = counts;
}

/* The function behind this one. */
#ifdef BY_NEXT
#define NEXT(name) ((__typeof__(MPI_##name) *)dlsym(RTLD_NEXT, "MPI_" #name))
#else
#define NEXT(name) PMPI_##name
#endif

static void count(bool sends, bool receives, MPI_Comm comm)
{
    bool known = comm == MPI_COMM_WORLD;
    for (int i = 0; i < comms_count; i++)
        known = known || comms[i] == comm;
    counts.sent += sends;
    counts.received += receives;
    counts.strange += !known;
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *ret_comm)
{
    int code = NEXT(Comm_create)(comm, group, ret_comm);
    if (code == MPI_SUCCESS && comms_count < COMMS_MOST)
        comms[comms_count++] = *ret_comm;
    return code;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    for (int i = 0; i < comms_count; i++)
        if (comms[i] == *comm)
            comms[i] = MPI_COMM_NULL;
    return NEXT(Comm_free)(comm);
}

int MPI_Send(const void *buffer, int size, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
    count(true, false, comm);
    return NEXT(Send)(buffer, size, type, peer, tag, comm);
}

int MPI_Isend(const void *buffer, int size, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    count(true, false, comm);
    return NEXT(Isend)(buffer, size, type, peer, tag, comm, request);
}

int MPI_Recv(void *buffer, int size, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Status *status)
{
    count(false, true, comm);
    return NEXT(Recv)(buffer, size, type, peer, tag, comm, status);
}

int MPI_Irecv(void *buffer, int size, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    count(false, true, comm);
    return NEXT(Irecv)(buffer, size, type, peer, tag, comm, request);
}

int MPI_Sendrecv(const void *sent, int sent_size, MPI_Datatype sent_type, int dest, int sent_tag,
                 void *received, int received_size, MPI_Datatype received_type, int source, int received_tag,
                 MPI_Comm comm, MPI_Status *status)
{
    count(true, true, comm);
    return NEXT(Sendrecv)(sent, sent_size, sent_type, dest, sent_tag, received, received_size, received_type,
                          source, received_tag, comm, status);
}
