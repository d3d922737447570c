/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/self_message.h"

/* Makes a type of so many bytes, which may be more than an int counts. */
static int make_bytes(size_t size, MPI_Datatype *ret_type)
{
    enum { CHUNK = 1 << 30 };
    MPI_Datatype chunk;
    int code = PMPI_Type_contiguous(CHUNK, MPI_BYTE, &chunk);
    if (code != MPI_SUCCESS)
        return code;
    const int lengths[] = {(int)(size / CHUNK), (int)(size % CHUNK)};
    const MPI_Aint places[] = {0, (MPI_Aint)(size - size % CHUNK)};
    const MPI_Datatype types[] = {chunk, MPI_BYTE};
    code = PMPI_Type_create_struct(2, lengths, places, types, ret_type);
    PMPI_Type_free(&chunk);
    return code == MPI_SUCCESS ? PMPI_Type_commit(ret_type) : code;
}

int ct_convert_by_message(const struct ct_messages *messages, bool unpacks, char *user, int count,
                          MPI_Datatype type, char *bytes, size_t size)
{
    const MPI_Comm comm = messages->comm;
    const int tag = messages->tag;
    MPI_Datatype all;
    int rank, code = PMPI_Comm_rank(comm, &rank);
    if (code != MPI_SUCCESS || (code = make_bytes(size, &all)) != MPI_SUCCESS)
        return code;
    code =
        unpacks
            ? PMPI_Sendrecv(bytes, 1, all, rank, tag, user, count, type, rank, tag, comm, MPI_STATUS_IGNORE)
            : PMPI_Sendrecv(user, count, type, rank, tag, bytes, 1, all, rank, tag, comm, MPI_STATUS_IGNORE);
    PMPI_Type_free(&all);
    return code;
}
