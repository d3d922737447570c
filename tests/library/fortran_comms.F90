! SPDX-License-Identifier: BSD-3-Clause
! fortran_comms KIND: collectives from Fortran on communicators of a kind, with results checked:
!     between   intercommunicators, and the communicators that they are merged to; communicators of groups
!     session   those of an MPI session, without MPI_Init (MPI 4)
!     spawned   those of this program's ranks and of two more, which they spawn
!     large     those of all ranks, with large counts: on rank 0, on others, on all (`use mpi_f08` of MPI 4)
! Rank 0 prints `all right` at the end. Compiled with INTERFACE as 1 (mpif.h), 2 (use mpi) or 3 (use mpi_f08),
! and with MPI_4 where the MPI has sessions and large counts.
#if INTERFACE == 3
#define HANDLE(kind) type(MPI_/**/kind)
#else
#define HANDLE(kind) integer
#endif

program fortran_comms
#if INTERFACE == 3
    use mpi_f08
#elif INTERFACE == 2
    use mpi
#endif
    implicit none
#if INTERFACE == 1
    include 'mpif.h'
#endif

    integer, parameter :: LENGTH = 5, MOST = 64, MORE = 2
    integer :: mistakes = 0, error, rank = 0
    character(len=20) :: kind
    logical :: is_spawned = .false.
    HANDLE(Comm) :: parent

    call get_command_argument(1, kind)
    if (kind == 'session') then
        call try_session()
    else
        call MPI_Init(error)
        call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
        call MPI_Comm_get_parent(parent, error)
        is_spawned = parent /= MPI_COMM_NULL
        if (is_spawned) then
            call try_family(parent, .true.)
        else if (kind == 'between') then
            call try_halves()
        else if (kind == 'spawned') then
            call spawn()
#ifdef MPI_4
#if INTERFACE == 3
        else if (kind == 'large') then
            call try_large()
#endif
#endif
        else
            call expect('kind ' // kind, .false.)
        end if
        call MPI_Finalize(error)
    end if
    if (mistakes > 0) stop 1
    if (rank == 0 .and. .not. is_spawned) print '(a)', 'all right'

contains
    subroutine expect(what, is_right)
        character(len=*), intent(in) :: what
        logical, intent(in) :: is_right
        if (is_right) return
        mistakes = mistakes + 1
        print '(a, i0, 2a)', 'rank ', rank, ': wrong result of ', what
    end subroutine

    integer function element(place, owner)
        integer, intent(in) :: place, owner
        element = 1000 * owner + place
    end function

    ! Collectives within a communicator.
    subroutine try_within(comm, name)
        HANDLE(Comm), intent(in) :: comm
        character(len=*), intent(in) :: name
        integer :: i, own, ranks, total
        integer :: mine(LENGTH), blocks(LENGTH * MOST), back(LENGTH * MOST)
        call MPI_Comm_rank(comm, own, error)
        call MPI_Comm_size(comm, ranks, error)
        mine = [(element(i, own), i = 1, LENGTH)]
        call MPI_Barrier(comm, error)
        call MPI_Allgather(mine, LENGTH, MPI_INTEGER, blocks, LENGTH, MPI_INTEGER, comm, error)
        call expect(name // ' allgather', all_are(blocks, ranks))
        call MPI_Alltoall(blocks, LENGTH, MPI_INTEGER, back, LENGTH, MPI_INTEGER, comm, error)
        call expect(name // ' alltoall', all([(back(i * LENGTH + 1) == element(1, own), i = 0, ranks - 1)]))
        call MPI_Allreduce(own, total, 1, MPI_INTEGER, MPI_SUM, comm, error)
        call expect(name // ' allreduce', total == ranks * (ranks - 1) / 2)
        call MPI_Bcast(mine, LENGTH, MPI_INTEGER, ranks - 1, comm, error)
        call expect(name // ' bcast', all(mine == [(element(i, ranks - 1), i = 1, LENGTH)]))
        call MPI_Scan(own, total, 1, MPI_INTEGER, MPI_SUM, comm, error)
        call expect(name // ' scan', total == own * (own + 1) / 2)
    end subroutine

    logical function all_are(elements, ranks)
        integer, intent(in) :: elements(:), ranks
        integer :: i, j
        all_are = .true.
        do j = 0, ranks - 1
            do i = 1, LENGTH
                all_are = all_are .and. elements(j * LENGTH + i) == element(i, j)
            end do
        end do
    end function

    ! Collectives between the two groups of an intercommunicator. The first rank of the first one is a root.
    subroutine try_between(comm, is_second, name)
        HANDLE(Comm), intent(in) :: comm
        logical, intent(in) :: is_second
        character(len=*), intent(in) :: name
        integer :: i, own, remote, total, root
        integer :: mine(LENGTH), theirs(LENGTH * MOST)
        call MPI_Comm_rank(comm, own, error)
        call MPI_Comm_remote_size(comm, remote, error)
        root = 0
        if (.not. is_second) root = merge(MPI_ROOT, MPI_PROC_NULL, own == 0)
        mine = [(element(i, own), i = 1, LENGTH)]
        call MPI_Barrier(comm, error)
        call MPI_Allgather(mine, LENGTH, MPI_INTEGER, theirs, LENGTH, MPI_INTEGER, comm, error)
        call expect(name // ' allgather', all_are(theirs, remote))
        call MPI_Allreduce(own, total, 1, MPI_INTEGER, MPI_SUM, comm, error)
        call expect(name // ' allreduce', total == remote * (remote - 1) / 2)
        call MPI_Bcast(mine, LENGTH, MPI_INTEGER, root, comm, error)
        call expect(name // ' bcast', mine(1) == element(1, merge(0, own, is_second)))
        theirs = 0
        call MPI_Gather(mine, LENGTH, MPI_INTEGER, theirs, LENGTH, MPI_INTEGER, root, comm, error)
        if (.not. is_second .and. own == 0) call expect(name // ' gather', &
            all([(theirs(i * LENGTH + 1) == element(1, 0), i = 0, remote - 1)]))
    end subroutine

    ! An intercommunicator and both communicators that belong to it.
    subroutine try_family(comm, is_second)
        HANDLE(Comm), intent(inout) :: comm
        logical, intent(in) :: is_second
        HANDLE(Comm) :: merged
        call try_within(MPI_COMM_WORLD, 'world')
        call try_between(comm, is_second, 'between')
        call MPI_Intercomm_merge(comm, is_second, merged, error)
        call try_within(merged, 'merged')
        call MPI_Comm_free(merged, error)
        call try_between(comm, is_second, 'between again')
        call MPI_Comm_disconnect(comm, error)
        call try_within(MPI_COMM_WORLD, 'world again')
    end subroutine

    subroutine try_halves()
        HANDLE(Comm) :: half, between, part
        HANDLE(Group) :: everyone, group
        integer :: second, ranks
        second = mod(rank, 2)
        call MPI_Comm_split(MPI_COMM_WORLD, second, rank, half, error)
        call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - second, 3, between, error)
        call try_within(half, 'half')
        call try_family(between, second == 1)
        call MPI_Comm_free(half, error)
        ! A communicator of the last ranks alone.
        call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
        if (rank > 0 .and. ranks > 2) then
            call MPI_Comm_group(MPI_COMM_WORLD, everyone, error)
            call MPI_Group_excl(everyone, 1, [0], group, error)
            call MPI_Comm_create_group(MPI_COMM_WORLD, group, 7, part, error)
            call try_within(part, 'group')
            call MPI_Comm_free(part, error)
            call MPI_Group_free(group, error)
            call MPI_Group_free(everyone, error)
        end if
        call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., part, error)
        call try_within(part, 'ring')
        call MPI_Comm_free(part, error)
        call try_within(MPI_COMM_SELF, 'self')
    end subroutine

    subroutine spawn()
        HANDLE(Comm) :: children
        character(len=1000) :: program
        integer :: codes(MORE)
        call get_command_argument(0, program)
        call MPI_Comm_spawn(program, MPI_ARGV_NULL, MORE, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, &
            codes, error)
        call try_family(children, .false.)
    end subroutine

    subroutine try_session()
#ifdef MPI_4
        HANDLE(Session) :: session
        HANDLE(Group) :: everyone, first
        HANDLE(Comm) :: comm, two
        call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session, error)
        call MPI_Group_from_session_pset(session, 'mpi://WORLD', everyone, error)
        call MPI_Comm_create_from_group(everyone, 'all', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm, error)
        call MPI_Comm_rank(comm, rank, error)
        call MPI_Group_incl(everyone, 2, [0, 1], first, error)
        if (rank < 2) then
            call MPI_Comm_create_from_group(first, 'two', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, two, error)
            call try_within(two, 'two')
            call MPI_Comm_free(two, error)
        end if
        call try_within(comm, 'session')
        call MPI_Comm_free(comm, error)
        call MPI_Group_free(first, error)
        call MPI_Group_free(everyone, error)
        call MPI_Session_finalize(session, error)
#else
        call expect('session', .false.)
#endif
    end subroutine

#ifdef MPI_4
#if INTERFACE == 3
    ! Large counts are the same procedures: ranks may mix both.
    subroutine try_large()
        integer :: round, i, ranks, total(LENGTH), one(LENGTH), blocks(LENGTH * MOST)
        integer(MPI_COUNT_KIND), parameter :: WIDE = LENGTH
        logical :: is_large
        call MPI_Comm_size(MPI_COMM_WORLD, ranks)
        do round = 1, 3
            is_large = round == 3 .or. (rank == 0 .eqv. round == 1)
            one = [(element(i, rank), i = 1, LENGTH)]
            if (is_large) then
                call MPI_Allgather(one, WIDE, MPI_INTEGER, blocks, WIDE, MPI_INTEGER, MPI_COMM_WORLD)
                call MPI_Bcast(one, WIDE, MPI_INTEGER, 0, MPI_COMM_WORLD)
                call MPI_Allreduce(one, total, WIDE, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
            else
                call MPI_Allgather(one, LENGTH, MPI_INTEGER, blocks, LENGTH, MPI_INTEGER, MPI_COMM_WORLD)
                call MPI_Bcast(one, LENGTH, MPI_INTEGER, 0, MPI_COMM_WORLD)
                call MPI_Allreduce(one, total, LENGTH, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
            end if
            call expect('large allgather', all_are(blocks, ranks))
            call expect('large bcast', all(one == [(element(i, 0), i = 1, LENGTH)]))
            call expect('large allreduce', all(total == ranks * one))
        end do
    end subroutine
#endif
#endif
end program
