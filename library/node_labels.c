/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/executor.h"

int ct_node_labels(MPI_Comm comm, int *ret_labels)
{
    int rank, leader;
    MPI_Comm node;
    int code = PMPI_Comm_rank(comm, &rank);
    if (code == MPI_SUCCESS)
        code = PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    if (code != MPI_SUCCESS)
        return code;
    leader = rank;
    code = PMPI_Bcast(&leader, 1, MPI_INT, 0, node);
    PMPI_Comm_free(&node);
    return code == MPI_SUCCESS ? PMPI_Allgather(&leader, 1, MPI_INT, ret_labels, 1, MPI_INT, comm) : code;
}
