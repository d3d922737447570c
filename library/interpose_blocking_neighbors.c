/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives: all ranks meet, also those that are no neighbours. */
#include "library/interpose_blocking_internal.h"

#if BLOCKING_TAKEN_OVER

INTERPOSED int MPI_Neighbor_allgather(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                      int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    ct_meet_comm(comm);
    return PMPI_Neighbor_allgather(send, send_count, send_type, recv, recv_count, recv_type, comm);
}

INTERPOSED int MPI_Neighbor_allgatherv(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                       const int *recv_counts, const int *recv_places, MPI_Datatype recv_type,
                                       MPI_Comm comm)
{
    ct_meet_comm(comm);
    return PMPI_Neighbor_allgatherv(send, send_count, send_type, recv, recv_counts, recv_places, recv_type,
                                    comm);
}

INTERPOSED int MPI_Neighbor_alltoall(const void *send, int send_count, MPI_Datatype send_type, void *recv,
                                     int recv_count, MPI_Datatype recv_type, MPI_Comm comm)
{
    ct_meet_comm(comm);
    return PMPI_Neighbor_alltoall(send, send_count, send_type, recv, recv_count, recv_type, comm);
}

INTERPOSED int MPI_Neighbor_alltoallv(const void *send, const int *send_counts, const int *send_places,
                                      MPI_Datatype send_type, void *recv, const int *recv_counts,
                                      const int *recv_places, MPI_Datatype recv_type, MPI_Comm comm)
{
    ct_meet_comm(comm);
    return PMPI_Neighbor_alltoallv(send, send_counts, send_places, send_type, recv, recv_counts, recv_places,
                                   recv_type, comm);
}

INTERPOSED int MPI_Neighbor_alltoallw(const void *send, const int *send_counts, const MPI_Aint *send_places,
                                      const MPI_Datatype *send_types, void *recv, const int *recv_counts,
                                      const MPI_Aint *recv_places, const MPI_Datatype *recv_types,
                                      MPI_Comm comm)
{
    ct_meet_comm(comm);
    return PMPI_Neighbor_alltoallw(send, send_counts, send_places, send_types, recv, recv_counts, recv_places,
                                   recv_types, comm);
}

#if CT_HAS_LARGE_FORMS

INTERPOSED int MPI_Neighbor_allgather_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                        void *recv, MPI_Count recv_count, MPI_Datatype recv_type,
                                        MPI_Comm comm)
{
    ct_meet_comm(comm);
    return PMPI_Neighbor_allgather_c(send, send_count, send_type, recv, recv_count, recv_type, comm);
}

INTERPOSED int MPI_Neighbor_allgatherv_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                         void *recv, const MPI_Count *recv_counts,
                                         const MPI_Aint *recv_places, MPI_Datatype recv_type, MPI_Comm comm)
{
    ct_meet_comm(comm);
    return PMPI_Neighbor_allgatherv_c(send, send_count, send_type, recv, recv_counts, recv_places, recv_type,
                                      comm);
}

INTERPOSED int MPI_Neighbor_alltoall_c(const void *send, MPI_Count send_count, MPI_Datatype send_type,
                                       void *recv, MPI_Count recv_count, MPI_Datatype recv_type,
                                       MPI_Comm comm)
{
    ct_meet_comm(comm);
    return PMPI_Neighbor_alltoall_c(send, send_count, send_type, recv, recv_count, recv_type, comm);
}

INTERPOSED int MPI_Neighbor_alltoallv_c(const void *send, const MPI_Count *send_counts,
                                        const MPI_Aint *send_places, MPI_Datatype send_type, void *recv,
                                        const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                                        MPI_Datatype recv_type, MPI_Comm comm)
{
    ct_meet_comm(comm);
    return PMPI_Neighbor_alltoallv_c(send, send_counts, send_places, send_type, recv, recv_counts,
                                     recv_places, recv_type, comm);
}

INTERPOSED int MPI_Neighbor_alltoallw_c(const void *send, const MPI_Count *send_counts,
                                        const MPI_Aint *send_places, const MPI_Datatype *send_types,
                                        void *recv, const MPI_Count *recv_counts, const MPI_Aint *recv_places,
                                        const MPI_Datatype *recv_types, MPI_Comm comm)
{
    ct_meet_comm(comm);
    return PMPI_Neighbor_alltoallw_c(send, send_counts, send_places, send_types, recv, recv_counts,
                                     recv_places, recv_types, comm);
}

#endif

#endif
