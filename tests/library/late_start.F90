! SPDX-License-Identifier: BSD-3-Clause
! The module mpi_f08 of MPICH calls MPI functions without buffers by their PMPI_ names. Ranks 0 and 1 use a
! communicator of their own before that of all ranks.
program late_start
    use mpi_f08
    implicit none
    integer :: rank, word
    type(MPI_Comm) :: two

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    word = rank + 1
    call MPI_Comm_split(MPI_COMM_WORLD, merge(0, 1, rank < 2), rank, two)
    if (rank < 2) call MPI_Bcast(word, 1, MPI_INTEGER, 0, two)
    call MPI_Bcast(word, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Barrier(MPI_COMM_WORLD)
    if (word /= 1) call MPI_Abort(MPI_COMM_WORLD, 1)
    print '(a)', 'all right'
    call MPI_Comm_free(two)
    call MPI_Finalize()
end program
