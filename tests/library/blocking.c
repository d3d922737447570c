/* SPDX-License-Identifier: BSD-3-Clause */
/* blocking FILE [NAME]: an application of three ranks that needs progress. Rank 1 has to forward a byte of a
 * broadcast from rank 0 to rank 2, and blocks in an MPI function, which only returns when rank 2 has got the
 * byte. One function after the other, or that of NAME alone. Prints "all right" at rank 0. FILE is scratch.
 */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The same program tries the large-count forms. */
#ifdef LARGE_FORMS
#include "large_forms.h"
typedef MPI_Count block_count;
typedef MPI_Aint block_place, block_bytes;
#else
typedef int block_count, block_place, block_bytes;
#endif

enum { RANKS = 3, BLOCKED = 1, LATE = 2, TAG = 5, LONG = 1 << 20, SECONDS = 30 };

static struct {
    int rank;
    MPI_Comm comm, ring, inter; /* of all; a ring of all; between rank 1 and the others */
    MPI_Comm reversed;          /* of all, the last one first */
    MPI_Comm spare;             /* of all, to be freed */
    MPI_Win window;
    MPI_File file;
    MPI_Info info; /* empty */
    const char *path;
    int *shared;
    const char *name; /* of the function that is tried */
    char *data;       /* LONG bytes */
} all;

static int ones[RANKS] = {1, 1, 1}, from[RANKS], to[RANKS];
static block_count counts[RANKS] = {1, 1, 1};
static block_place places[RANKS] = {0, 1, 2};
static block_bytes offsets[RANKS] = {0, sizeof(int), 2 * sizeof(int)};
static MPI_Aint bytes[RANKS] = {0, sizeof(int), 2 * sizeof(int)};
static MPI_Datatype types[RANKS];
static MPI_Status status;

static int free_comm(int code, MPI_Comm *comm)
{
    return code == MPI_SUCCESS && *comm != MPI_COMM_NULL ? MPI_Comm_free(comm) : code;
}

/* --- point-to-point: what rank 1 calls, and what rank 2 answers with --- */

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
    int code = MPI_Recv(NULL, 0, MPI_BYTE, LATE, TAG, all.comm, &status);
    return code == MPI_SUCCESS ? MPI_Rsend(all.data, LONG, MPI_BYTE, LATE, TAG, all.comm) : code;
}

static int receive_ready(void)
{
    MPI_Request request;
    int code = MPI_Irecv(all.data, LONG, MPI_BYTE, BLOCKED, TAG, all.comm, &request);
    if (code == MPI_SUCCESS)
        code = MPI_Send(NULL, 0, MPI_BYTE, BLOCKED, TAG, all.comm);
    return code == MPI_SUCCESS ? MPI_Wait(&request, &status) : code;
}

static int receive_long(void)
{
    return MPI_Recv(all.data, LONG, MPI_BYTE, BLOCKED, TAG, all.comm, &status);
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
        code = MPI_Wait(&request, &status);
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
    int code = MPI_Recv(to, 1, MPI_INT, MPI_ANY_SOURCE, TAG, all.comm, &status);
    return code == MPI_SUCCESS && (to[0] != LATE || status.MPI_SOURCE != LATE) ? MPI_ERR_OTHER : code;
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
    return code == MPI_SUCCESS ? MPI_Wait(requests, &status) : code;
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
    return code == MPI_SUCCESS ? MPI_Waitany(2, requests, &index, &status) : code;
}

static int waitsome(void)
{
    MPI_Request requests[2];
    int some, indices[2], code = begin_receive(requests);
    return code == MPI_SUCCESS ? MPI_Waitsome(2, requests, &some, indices, MPI_STATUSES_IGNORE) : code;
}

static int other(void)
{
    return BLOCKED + LATE - all.rank;
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
    MPI_Type_create_hindexed(1, ones, &address, ends, &type);
    MPI_Type_commit(&type);
    int code = MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, other(), TAG, other(), TAG, all.comm, &status);
    MPI_Type_free(&ends);
    MPI_Type_free(&type);
    bool right = values[0] == other() && values[1] == 7 && values[2] == other();
    return code == MPI_SUCCESS && !right ? MPI_ERR_OTHER : code;
}

static int probe(void)
{
    int code = MPI_Probe(LATE, TAG, all.comm, &status);
    return code == MPI_SUCCESS ? receive() : code;
}

static int mprobe(void)
{
    MPI_Message message;
    int code = MPI_Mprobe(LATE, TAG, all.comm, &message, &status);
    return code == MPI_SUCCESS ? MPI_Mrecv(to, 1, MPI_INT, &message, &status) : code;
}

static int iprobe(void)
{
    int found = false, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !found)
        code = MPI_Iprobe(LATE, TAG, all.comm, &found, &status);
    return code == MPI_SUCCESS ? receive() : code;
}

static int improbe(void)
{
    MPI_Message message;
    int found = false, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !found)
        code = MPI_Improbe(LATE, TAG, all.comm, &found, &message, &status);
    return code == MPI_SUCCESS ? MPI_Mrecv(to, 1, MPI_INT, &message, &status) : code;
}

/* --- collective functions, which all ranks call --- */

static int barrier(void)
{
    return MPI_Barrier(all.comm);
}

static int inter_barrier(void)
{
    return MPI_Barrier(all.inter);
}

static int allreduce(void)
{
    return MPI_Allreduce(from, to, 1, MPI_INT, MPI_SUM, all.comm);
}

/* Rank 2 has what rank 1 waits for. */
static int bcast(void)
{
    return MPI_Bcast(to, 1, MPI_INT, LATE, all.comm);
}

static int scatter(void)
{
    return MPI_Scatter(from, 1, MPI_INT, to, 1, MPI_INT, LATE, all.comm);
}

static int scatterv(void)
{
    return MPI_Scatterv(from, counts, places, MPI_INT, to, 1, MPI_INT, LATE, all.comm);
}

static int gather(void)
{
    return MPI_Gather(from, 1, MPI_INT, to, 1, MPI_INT, BLOCKED, all.comm);
}

static int gatherv(void)
{
    return MPI_Gatherv(from, 1, MPI_INT, to, counts, places, MPI_INT, BLOCKED, all.comm);
}

static int allgather(void)
{
    return MPI_Allgather(from, 1, MPI_INT, to, 1, MPI_INT, all.comm);
}

static int allgatherv(void)
{
    return MPI_Allgatherv(from, 1, MPI_INT, to, counts, places, MPI_INT, all.comm);
}

static int alltoall(void)
{
    return MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, all.comm);
}

static int alltoallv(void)
{
    return MPI_Alltoallv(from, counts, places, MPI_INT, to, counts, places, MPI_INT, all.comm);
}

static int alltoallw(void)
{
    return MPI_Alltoallw(from, counts, offsets, types, to, counts, offsets, types, all.comm);
}

static int reduce(void)
{
    return MPI_Reduce(from, to, 1, MPI_INT, MPI_SUM, BLOCKED, all.comm);
}

static int reduce_scatter_block(void)
{
    return MPI_Reduce_scatter_block(from, to, 1, MPI_INT, MPI_SUM, all.comm);
}

static int reduce_scatter(void)
{
    return MPI_Reduce_scatter(from, to, counts, MPI_INT, MPI_SUM, all.comm);
}

/* Of ranks 2, 1, 0 in this order. */
static int scan(void)
{
    return MPI_Scan(from, to, 1, MPI_INT, MPI_SUM, all.reversed);
}

static int exscan(void)
{
    return MPI_Exscan(from, to, 1, MPI_INT, MPI_SUM, all.reversed);
}

static int disconnect(void)
{
    return MPI_Comm_disconnect(&all.spare);
}

static int neighbor_allgather(void)
{
    return MPI_Neighbor_allgather(from, 1, MPI_INT, to, 1, MPI_INT, all.ring);
}

static int neighbor_allgatherv(void)
{
    return MPI_Neighbor_allgatherv(from, 1, MPI_INT, to, counts, places, MPI_INT, all.ring);
}

static int neighbor_alltoall(void)
{
    return MPI_Neighbor_alltoall(from, 1, MPI_INT, to, 1, MPI_INT, all.ring);
}

static int neighbor_alltoallv(void)
{
    return MPI_Neighbor_alltoallv(from, counts, places, MPI_INT, to, counts, places, MPI_INT, all.ring);
}

static int neighbor_alltoallw(void)
{
    return MPI_Neighbor_alltoallw(from, counts, bytes, types, to, counts, bytes, types, all.ring);
}

static int duplicate(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Comm_dup(all.comm, &comm), &comm);
}

static int dup_with_info(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Comm_dup_with_info(all.comm, MPI_INFO_NULL, &comm), &comm);
}

static int create(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group;
    MPI_Comm_group(all.comm, &group);
    int code = MPI_Comm_create(all.comm, group, &comm);
    MPI_Group_free(&group);
    return free_comm(code, &comm);
}

/* Of ranks 1 and 2. */
static int create_group(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group, pair;
    MPI_Comm_group(all.comm, &group);
    MPI_Group_incl(group, 2, (const int[]){BLOCKED, LATE}, &pair);
    int code = MPI_Comm_create_group(all.comm, pair, TAG, &comm);
    MPI_Group_free(&group);
    MPI_Group_free(&pair);
    return free_comm(code, &comm);
}

static int split(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Comm_split(all.comm, 0, 0, &comm), &comm);
}

static int split_type(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Comm_split_type(all.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm), &comm);
}

static int cart_create(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Cart_create(all.comm, 1, (const int[]){RANKS}, (const int[]){true}, false, &comm),
                     &comm);
}

static int cart_sub(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Cart_sub(all.ring, (const int[]){true}, &comm), &comm);
}

static int graph_create(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(
        MPI_Graph_create(all.comm, RANKS, (const int[]){1, 2, 3}, (const int[]){1, 2, 0}, false, &comm),
        &comm);
}

static int dist_graph_create(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int next = (all.rank + 1) % RANKS;
    return free_comm(
        MPI_Dist_graph_create(all.comm, 1, &all.rank, ones, &next, ones, MPI_INFO_NULL, false, &comm), &comm);
}

static int dist_graph_create_adjacent(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int next = (all.rank + 1) % RANKS, before = (all.rank + RANKS - 1) % RANKS;
    return free_comm(MPI_Dist_graph_create_adjacent(all.comm, 1, &before, ones, 1, &next, ones, MPI_INFO_NULL,
                                                    false, &comm),
                     &comm);
}

/* Rank 0, who does not wait, is no leader. */
static int intercomm_create(void)
{
    MPI_Comm comm = MPI_COMM_NULL, own;
    bool blocked = all.rank == BLOCKED;
    MPI_Comm_split(all.comm, blocked, 0, &own);
    int code = MPI_Intercomm_create(own, !blocked, all.comm, blocked ? LATE : BLOCKED, TAG, &comm);
    MPI_Comm_free(&own);
    return free_comm(code, &comm);
}

static int intercomm_merge(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    return free_comm(MPI_Intercomm_merge(all.inter, all.rank == BLOCKED, &comm), &comm);
}

static int comm_set_info(void)
{
    return MPI_Comm_set_info(all.comm, all.info);
}

#if MPI_VERSION >= 4
static int create_from_group(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group;
    MPI_Comm_group(all.comm, &group);
    int code = MPI_Comm_create_from_group(group, "of all", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    return free_comm(code, &comm);
}

/* Rank 1 on one side, the others on the other. */
static int intercomm_create_from_groups(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Group group, one, others;
    bool blocked = all.rank == BLOCKED;
    MPI_Comm_group(all.comm, &group);
    MPI_Group_incl(group, 1, (const int[]){BLOCKED}, &one);
    MPI_Group_excl(group, 1, (const int[]){BLOCKED}, &others);
    int code = MPI_Intercomm_create_from_groups(blocked ? one : others, !blocked, blocked ? others : one,
                                                blocked, "of both", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    MPI_Group_free(&one);
    MPI_Group_free(&others);
    return free_comm(code, &comm);
}
#endif

/* --- windows --- */

static int free_window(int code, MPI_Win *window)
{
    return code == MPI_SUCCESS ? PMPI_Win_free(window) : code;
}

static int win_create(void)
{
    MPI_Win window;
    return free_window(MPI_Win_create(to, sizeof to, 1, MPI_INFO_NULL, all.comm, &window), &window);
}

static int win_allocate(void)
{
    MPI_Win window;
    void *memory;
    return free_window(MPI_Win_allocate(8, 1, MPI_INFO_NULL, all.comm, &memory, &window), &window);
}

static int win_allocate_shared(void)
{
    MPI_Win window;
    void *memory;
    return free_window(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, all.comm, &memory, &window), &window);
}

static int win_create_dynamic(void)
{
    MPI_Win window;
    return free_window(MPI_Win_create_dynamic(MPI_INFO_NULL, all.comm, &window), &window);
}

static int win_set_info(void)
{
    return MPI_Win_set_info(all.window, all.info);
}

static int win_fence(void)
{
    return MPI_Win_fence(0, all.window);
}

static MPI_Group group_of(int rank)
{
    MPI_Group group, one;
    MPI_Comm_group(all.comm, &group);
    MPI_Group_incl(group, 1, &rank, &one);
    MPI_Group_free(&group);
    return one;
}

static int win_wait(void)
{
    MPI_Group group = group_of(other());
    int code = MPI_Win_post(group, 0, all.window);
    MPI_Group_free(&group);
    return code == MPI_SUCCESS ? MPI_Win_wait(all.window) : code;
}

static int win_complete(void)
{
    MPI_Group group = group_of(other());
    int code = MPI_Win_start(group, 0, all.window);
    MPI_Group_free(&group);
    return code == MPI_SUCCESS ? MPI_Win_complete(all.window) : code;
}

/* Rank 1 looks at its memory until rank 2 has written there, and leaves the lock to it meanwhile. */
static int win_lock(void)
{
    int written = 0, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !written) {
        code = MPI_Win_lock(MPI_LOCK_SHARED, BLOCKED, 0, all.window);
        if (code == MPI_SUCCESS)
            code = MPI_Get(&written, 1, MPI_INT, BLOCKED, 0, 1, MPI_INT, all.window);
        if (code == MPI_SUCCESS)
            code = MPI_Win_unlock(BLOCKED, all.window);
        usleep(100);
    }
    return code;
}

static int win_write(void)
{
    const int one = 1;
    int code = MPI_Win_lock(MPI_LOCK_EXCLUSIVE, BLOCKED, 0, all.window);
    if (code == MPI_SUCCESS)
        code = MPI_Put(&one, 1, MPI_INT, BLOCKED, 0, 1, MPI_INT, all.window);
    return code == MPI_SUCCESS ? MPI_Win_unlock(BLOCKED, all.window) : code;
}

/* The same in an epoch of all ranks. */
static int win_lock_all(void)
{
    int written = 0, code = MPI_Win_lock_all(0, all.window);
    while (code == MPI_SUCCESS && !written) {
        code = MPI_Fetch_and_op(NULL, &written, MPI_INT, BLOCKED, 0, MPI_NO_OP, all.window);
        if (code == MPI_SUCCESS)
            code = MPI_Win_flush_local(BLOCKED, all.window);
        if (code == MPI_SUCCESS)
            code = MPI_Win_sync(all.window);
    }
    return code == MPI_SUCCESS ? MPI_Win_unlock_all(all.window) : code;
}

static int win_add(void)
{
    const int one = 1;
    int code = MPI_Win_lock_all(0, all.window);
    if (code == MPI_SUCCESS)
        code = MPI_Accumulate(&one, 1, MPI_INT, BLOCKED, 0, 1, MPI_INT, MPI_SUM, all.window);
    if (code == MPI_SUCCESS)
        code = MPI_Win_flush_all(all.window);
    return code == MPI_SUCCESS ? MPI_Win_unlock_all(all.window) : code;
}

/* The same, looked at in other ways. */
static int win_flush(void)
{
    int written = 0, code = MPI_Win_lock_all(0, all.window);
    while (code == MPI_SUCCESS && !written) {
        code = MPI_Get(&written, 1, MPI_INT, BLOCKED, 0, 1, MPI_INT, all.window);
        if (code == MPI_SUCCESS)
            code = MPI_Win_flush(BLOCKED, all.window);
        if (code == MPI_SUCCESS)
            code = MPI_Win_flush_local_all(all.window);
    }
    return code == MPI_SUCCESS ? MPI_Win_unlock_all(all.window) : code;
}

static int win_test(void)
{
    MPI_Group group = group_of(other());
    int done = false, code = MPI_Win_post(group, 0, all.window);
    MPI_Group_free(&group);
    while (code == MPI_SUCCESS && !done)
        code = MPI_Win_test(all.window, &done);
    return code;
}

static int win_free(void)
{
    return MPI_Win_free(&all.window);
}

/* --- files --- */

static int file_open(void)
{
    MPI_File file;
    int code = MPI_File_open(all.comm, all.path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    return code == MPI_SUCCESS ? PMPI_File_close(&file) : code;
}

static int file_set_view(void)
{
    return MPI_File_set_view(all.file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
}

static int file_set_size(void)
{
    return MPI_File_set_size(all.file, LONG);
}

static int file_preallocate(void)
{
    return MPI_File_preallocate(all.file, LONG);
}

static int file_set_atomicity(void)
{
    return MPI_File_set_atomicity(all.file, false);
}

static int file_set_info(void)
{
    return MPI_File_set_info(all.file, all.info);
}

static int file_sync(void)
{
    return MPI_File_sync(all.file);
}

static int file_seek_shared(void)
{
    return MPI_File_seek_shared(all.file, 0, MPI_SEEK_SET);
}

static int file_write_all(void)
{
    return MPI_File_write_all(all.file, to, 1, MPI_INT, &status);
}

static int file_read_all(void)
{
    return MPI_File_read_all(all.file, to, 1, MPI_INT, &status);
}

static int file_write_at_all(void)
{
    return MPI_File_write_at_all(all.file, 4 * all.rank, to, 1, MPI_INT, &status);
}

static int file_read_at_all(void)
{
    return MPI_File_read_at_all(all.file, 4 * all.rank, to, 1, MPI_INT, &status);
}

static int file_write_ordered(void)
{
    return MPI_File_write_ordered(all.file, to, 1, MPI_INT, &status);
}

static int file_read_ordered(void)
{
    return MPI_File_read_ordered(all.file, to, 1, MPI_INT, &status);
}

/* --- split collective functions on files: beginnings and ends --- */

static int file_end(int code, int (*end)(MPI_File, void *, MPI_Status *))
{
    return code == MPI_SUCCESS ? end(all.file, to, &status) : code;
}

static int file_written(int code, int (*end)(MPI_File, const void *, MPI_Status *))
{
    return code == MPI_SUCCESS ? end(all.file, to, &status) : code;
}

static int file_write_all_begin(void)
{
    return file_written(MPI_File_write_all_begin(all.file, to, 1, MPI_INT), MPI_File_write_all_end);
}

static int file_read_all_begin(void)
{
    return file_end(MPI_File_read_all_begin(all.file, to, 1, MPI_INT), MPI_File_read_all_end);
}

static int file_write_at_all_begin(void)
{
    return file_written(MPI_File_write_at_all_begin(all.file, 4 * all.rank, to, 1, MPI_INT),
                        MPI_File_write_at_all_end);
}

static int file_read_at_all_begin(void)
{
    return file_end(MPI_File_read_at_all_begin(all.file, 4 * all.rank, to, 1, MPI_INT),
                    MPI_File_read_at_all_end);
}

static int file_write_ordered_begin(void)
{
    return file_written(MPI_File_write_ordered_begin(all.file, to, 1, MPI_INT), MPI_File_write_ordered_end);
}

static int file_read_ordered_begin(void)
{
    return file_end(MPI_File_read_ordered_begin(all.file, to, 1, MPI_INT), MPI_File_read_ordered_end);
}

/* --- requests of collective functions on files --- */

static int file_iwrite_at_all(void)
{
    MPI_Request request;
    int code = MPI_File_iwrite_at_all(all.file, 4 * all.rank, to, 1, MPI_INT, &request);
    return code == MPI_SUCCESS ? MPI_Wait(&request, &status) : code;
}

static int file_iread_all(void)
{
    MPI_Request request;
    int code = MPI_File_iread_all(all.file, to, 1, MPI_INT, &request);
    return code == MPI_SUCCESS ? MPI_Wait(&request, &status) : code;
}

static int file_close(void)
{
    return MPI_File_close(&all.file);
}

/* `answer` is what rank 2 calls, if it calls something else, and rank 0 calls nothing. */
static const struct trial {
    const char *name;
    int (*call)(void);
    int (*answer)(void);
} trials[] = {
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
    {"Barrier", barrier, NULL},
    {"Barrier between groups", inter_barrier, NULL},
    {"Allreduce", allreduce, NULL},
    {"Bcast", bcast, NULL},
    {"Scatter", scatter, NULL},
    {"Scatterv", scatterv, NULL},
    {"Gather", gather, NULL},
    {"Gatherv", gatherv, NULL},
    {"Allgather", allgather, NULL},
    {"Allgatherv", allgatherv, NULL},
    {"Alltoall", alltoall, NULL},
    {"Alltoallv", alltoallv, NULL},
    {"Alltoallw", alltoallw, NULL},
    {"Reduce", reduce, NULL},
    {"Reduce_scatter_block", reduce_scatter_block, NULL},
    {"Reduce_scatter", reduce_scatter, NULL},
    {"Scan", scan, NULL},
    {"Exscan", exscan, NULL},
    {"Neighbor_allgather", neighbor_allgather, NULL},
    {"Neighbor_allgatherv", neighbor_allgatherv, NULL},
    {"Neighbor_alltoall", neighbor_alltoall, NULL},
    {"Neighbor_alltoallv", neighbor_alltoallv, NULL},
    {"Neighbor_alltoallw", neighbor_alltoallw, NULL},
    {"Comm_dup", duplicate, NULL},
    {"Comm_dup_with_info", dup_with_info, NULL},
    {"Comm_create", create, NULL},
    {"Comm_create_group", create_group, create_group},
    {"Comm_split", split, NULL},
    {"Comm_split_type", split_type, NULL},
    {"Cart_create", cart_create, NULL},
    {"Cart_sub", cart_sub, NULL},
    {"Graph_create", graph_create, NULL},
    {"Dist_graph_create", dist_graph_create, NULL},
    {"Dist_graph_create_adjacent", dist_graph_create_adjacent, NULL},
    {"Intercomm_create", intercomm_create, NULL},
    {"Intercomm_merge", intercomm_merge, NULL},
    {"Comm_set_info", comm_set_info, NULL},
    {"Comm_disconnect", disconnect, NULL},
#if MPI_VERSION >= 4
    {"Comm_create_from_group", create_from_group, NULL},
    {"Intercomm_create_from_groups", intercomm_create_from_groups, NULL},
#endif
    {"Win_create", win_create, NULL},
    {"Win_allocate", win_allocate, NULL},
    {"Win_allocate_shared", win_allocate_shared, NULL},
    {"Win_create_dynamic", win_create_dynamic, NULL},
    {"Win_set_info", win_set_info, NULL},
    {"Win_fence", win_fence, NULL},
    {"Win_wait", win_wait, win_complete},
    {"Win_start", win_complete, win_wait},
    {"Win_lock", win_lock, win_write},
    {"Win_lock_all", win_lock_all, win_add},
    {"Win_flush", win_flush, win_add},
    {"Win_test", win_test, win_complete},
    {"Win_free", win_free, NULL},
    {"File_open", file_open, NULL},
    {"File_set_view", file_set_view, NULL},
    {"File_set_size", file_set_size, NULL},
    {"File_preallocate", file_preallocate, NULL},
    {"File_set_atomicity", file_set_atomicity, NULL},
    {"File_set_info", file_set_info, NULL},
    {"File_sync", file_sync, NULL},
    {"File_seek_shared", file_seek_shared, NULL},
    {"File_write_all", file_write_all, NULL},
    {"File_read_all", file_read_all, NULL},
    {"File_write_at_all", file_write_at_all, NULL},
    {"File_read_at_all", file_read_at_all, NULL},
    {"File_write_ordered", file_write_ordered, NULL},
    {"File_read_ordered", file_read_ordered, NULL},
    {"File_write_all_begin", file_write_all_begin, NULL},
    {"File_read_all_begin", file_read_all_begin, NULL},
    {"File_write_at_all_begin", file_write_at_all_begin, NULL},
    {"File_read_at_all_begin", file_read_at_all_begin, NULL},
    {"File_write_ordered_begin", file_write_ordered_begin, NULL},
    {"File_read_ordered_begin", file_read_ordered_begin, NULL},
    {"File_iwrite_at_all", file_iwrite_at_all, NULL},
    {"File_iread_all", file_iread_all, NULL},
    {"File_close", file_close, NULL},
};

static void complain(int signal)
{
    (void)signal;
    fprintf(stderr, "rank %d waits for ever in the trial of MPI_%s\n", all.rank, all.name);
    _exit(1);
}

/* Rank 0 begins when rank 1 has begun, so that nothing can be forwarded then. */
static int begin(char *byte, MPI_Request *request)
{
    *byte = (char)(all.rank == 0);
    if (all.rank == 0)
        PMPI_Recv(NULL, 0, MPI_BYTE, BLOCKED, TAG, all.comm, MPI_STATUS_IGNORE);
    int code = MPI_Ibcast(byte, 1, MPI_BYTE, 0, MPI_COMM_WORLD, request);
    if (all.rank == BLOCKED)
        PMPI_Send(NULL, 0, MPI_BYTE, 0, TAG, all.comm);
    return code;
}

static bool try(const struct trial *trial)
{
    char byte;
    MPI_Request request;
    int (*late)(void) = trial->answer ? trial->answer : trial->call;
    all.name = trial->name;
    if (all.window != MPI_WIN_NULL)
        *all.shared = 0;
    alarm(SECONDS);
    int code = begin(&byte, &request);
    if (code == MPI_SUCCESS && all.rank == BLOCKED)
        code = trial->call();
    if (code == MPI_SUCCESS)
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && (all.rank == LATE || (all.rank == 0 && !trial->answer)))
        code = late();
    bool right = code == MPI_SUCCESS && byte == 1;
    if (!right)
        fprintf(stderr, "MPI_%s is wrong at rank %d: error %d, byte %d\n", trial->name, all.rank, code, byte);
    return right;
}

static void prepare(const char *path)
{
    MPI_Comm own;
    MPI_Comm_rank(MPI_COMM_WORLD, &all.rank);
    MPI_Barrier(MPI_COMM_WORLD); /* the library takes over what follows a blocking collective */
    MPI_Comm_dup(MPI_COMM_WORLD, &all.comm);
    MPI_Comm_set_errhandler(all.comm, MPI_ERRORS_RETURN);
    MPI_Cart_create(all.comm, 1, (const int[]){RANKS}, (const int[]){true}, false, &all.ring);
    MPI_Comm_split(all.comm, 0, -all.rank, &all.reversed);
    MPI_Comm_dup(all.comm, &all.spare);
    MPI_Comm_split(all.comm, all.rank == BLOCKED, 0, &own);
    MPI_Intercomm_create(own, 0, all.comm, all.rank != BLOCKED, TAG, &all.inter);
    MPI_Comm_free(&own);
    MPI_Win_allocate(sizeof *all.shared, 1, MPI_INFO_NULL, all.comm, &all.shared, &all.window);
    *all.shared = 0;
    MPI_Info_create(&all.info);
    all.path = path;
    MPI_File_open(all.comm, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &all.file);
    all.data = calloc(LONG, 1);
    for (int i = 0; i < RANKS; i++)
        types[i] = MPI_INT;
}

static void clean_up(void)
{
    MPI_Info_free(&all.info);
    MPI_Comm_free(&all.reversed);
    if (all.spare != MPI_COMM_NULL)
        MPI_Comm_free(&all.spare);
    MPI_Comm_free(&all.ring);
    MPI_Comm_free(&all.inter);
    if (all.window != MPI_WIN_NULL)
        MPI_Win_free(&all.window);
    if (all.file != MPI_FILE_NULL)
        MPI_File_close(&all.file);
    MPI_Comm_disconnect(&all.comm);
    free(all.data);
}

int main(int argc, char **argv)
{
    bool right = true;
    MPI_Init(&argc, &argv);
    signal(SIGALRM, complain);
    prepare(argv[1]);
    for (size_t i = 0; i < sizeof trials / sizeof trials[0] && right; i++)
        if (argc < 3 || strcmp(argv[2], trials[i].name) == 0) {
            right = try(&trials[i]);
            PMPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_C_BOOL, MPI_LAND, all.comm);
        }
    if (all.rank == 0)
        puts(right ? "all right" : "FAILED");
    clean_up();
    MPI_Finalize();
    return right ? 0 : 1;
}
