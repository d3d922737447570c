/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/communicators/packed_copy.h"
#include "library/communicators/meeting.h"

#include <stdlib.h>

/* By a message of this rank to itself: PMPI_Pack() of MPICH refuses MPI_BOTTOM. */
int ct_pack_copy(const void *buffer, ct_wide_count count, MPI_Datatype type, MPI_Comm comm, void **ret_packed,
                 ct_wide_count *ret_length)
{
    MPI_Comm self = ct_meeting_comm();
    MPI_Status status;
    int rank, code = CT_WIDE(PMPI_Pack_size)(count, type, comm, ret_length);
    if (code != MPI_SUCCESS)
        return code;
    *ret_packed = malloc(*ret_length > 0 ? (size_t)*ret_length : 1);
    PMPI_Comm_rank(self, &rank);
    code = *ret_packed ? CT_WIDE(PMPI_Sendrecv)(buffer, count, type, rank, CT_SELF_TAG, *ret_packed,
                                                *ret_length, MPI_PACKED, rank, CT_SELF_TAG, self, &status)
                       : MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS)
        return CT_WIDE(PMPI_Get_count)(&status, MPI_PACKED, ret_length);
    free(*ret_packed);
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}
