/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_LIBRARY_LARGE_FORMS_H
#define CT_TESTS_LIBRARY_LARGE_FORMS_H

/* Behind mpi.h: the functions that a program calls are those with large counts. */
#define MPI_Allgather                MPI_Allgather_c
#define MPI_Allgatherv               MPI_Allgatherv_c
#define MPI_Allreduce                MPI_Allreduce_c
#define MPI_Alltoall                 MPI_Alltoall_c
#define MPI_Alltoallv                MPI_Alltoallv_c
#define MPI_Alltoallw                MPI_Alltoallw_c
#define MPI_Bcast                    MPI_Bcast_c
#define MPI_Bsend                    MPI_Bsend_c
#define MPI_Buffer_attach            MPI_Buffer_attach_c
#define MPI_Buffer_detach            MPI_Buffer_detach_c
#define MPI_Exscan                   MPI_Exscan_c
#define MPI_File_read_all            MPI_File_read_all_c
#define MPI_File_read_all_begin      MPI_File_read_all_begin_c
#define MPI_File_read_at_all         MPI_File_read_at_all_c
#define MPI_File_read_at_all_begin   MPI_File_read_at_all_begin_c
#define MPI_File_read_ordered        MPI_File_read_ordered_c
#define MPI_File_read_ordered_begin  MPI_File_read_ordered_begin_c
#define MPI_File_write_all           MPI_File_write_all_c
#define MPI_File_write_all_begin     MPI_File_write_all_begin_c
#define MPI_File_write_at_all        MPI_File_write_at_all_c
#define MPI_File_write_at_all_begin  MPI_File_write_at_all_begin_c
#define MPI_File_write_ordered       MPI_File_write_ordered_c
#define MPI_File_write_ordered_begin MPI_File_write_ordered_begin_c
#define MPI_Gather                   MPI_Gather_c
#define MPI_Gatherv                  MPI_Gatherv_c
#define MPI_Ibcast                   MPI_Ibcast_c
#define MPI_Ibsend                   MPI_Ibsend_c
#define MPI_Neighbor_allgather       MPI_Neighbor_allgather_c
#define MPI_Neighbor_allgatherv      MPI_Neighbor_allgatherv_c
#define MPI_Neighbor_alltoall        MPI_Neighbor_alltoall_c
#define MPI_Neighbor_alltoallv       MPI_Neighbor_alltoallv_c
#define MPI_Neighbor_alltoallw       MPI_Neighbor_alltoallw_c
#define MPI_Recv                     MPI_Recv_c
#define MPI_Reduce                   MPI_Reduce_c
#define MPI_Reduce_scatter           MPI_Reduce_scatter_c
#define MPI_Reduce_scatter_block     MPI_Reduce_scatter_block_c
#define MPI_Rsend                    MPI_Rsend_c
#define MPI_Scan                     MPI_Scan_c
#define MPI_Scatter                  MPI_Scatter_c
#define MPI_Scatterv                 MPI_Scatterv_c
#define MPI_Send                     MPI_Send_c
#define MPI_Sendrecv                 MPI_Sendrecv_c
#define MPI_Sendrecv_replace         MPI_Sendrecv_replace_c
#define MPI_Ssend                    MPI_Ssend_c
#define MPI_Win_allocate             MPI_Win_allocate_c
#define MPI_Win_allocate_shared      MPI_Win_allocate_shared_c
#define MPI_Win_create               MPI_Win_create_c

#endif
