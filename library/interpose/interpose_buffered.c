/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffered sends, and the buffer of their messages. */
#include "library/communicators/buffered_messages.h"
#include "library/interpose/interpose_blocking_internal.h"

#if BLOCKING_TAKEN_OVER

INTERPOSED int MPI_Buffer_attach(void *buffer, int size)
{
    int code = PMPI_Buffer_attach(buffer, size);
    if (code == MPI_SUCCESS)
        ct_buffered_messages_attach(size);
    return code;
}

INTERPOSED int MPI_Buffer_detach(void *ret_buffer, int *ret_size)
{
    ct_buffered_messages_finish();
    return PMPI_Buffer_detach(ret_buffer, ret_size);
}

INTERPOSED int MPI_Bsend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    int code;
    return ct_buffered_messages_send(buffer, count, type, dest, tag, comm, &code)
               ? code
               : PMPI_Bsend(buffer, count, type, dest, tag, comm);
}

/* The request of a buffered send is complete at once, as that of a message to nobody is. */
INTERPOSED int MPI_Ibsend(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                          MPI_Request *request)
{
    int code;
    if (!ct_buffered_messages_send(buffer, count, type, dest, tag, comm, &code))
        return PMPI_Ibsend(buffer, count, type, dest, tag, comm, request);
    return code == MPI_SUCCESS ? PMPI_Ibsend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, tag, comm, request) : code;
}

#if CT_HAS_LARGE_FORMS

INTERPOSED int MPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
    int code = PMPI_Buffer_attach_c(buffer, size);
    if (code == MPI_SUCCESS)
        ct_buffered_messages_attach(size);
    return code;
}

INTERPOSED int MPI_Buffer_detach_c(void *ret_buffer, MPI_Count *ret_size)
{
    ct_buffered_messages_finish();
    return PMPI_Buffer_detach_c(ret_buffer, ret_size);
}

INTERPOSED int MPI_Bsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag,
                           MPI_Comm comm)
{
    int code;
    return ct_buffered_messages_send(buffer, count, type, dest, tag, comm, &code)
               ? code
               : PMPI_Bsend_c(buffer, count, type, dest, tag, comm);
}

INTERPOSED int MPI_Ibsend_c(const void *buffer, MPI_Count count, MPI_Datatype type, int dest, int tag,
                            MPI_Comm comm, MPI_Request *request)
{
    int code;
    if (!ct_buffered_messages_send(buffer, count, type, dest, tag, comm, &code))
        return PMPI_Ibsend_c(buffer, count, type, dest, tag, comm, request);
    return code == MPI_SUCCESS ? PMPI_Ibsend_c(NULL, 0, MPI_BYTE, MPI_PROC_NULL, tag, comm, request) : code;
}

#endif

#endif
