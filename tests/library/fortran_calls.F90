! SPDX-License-Identifier: BSD-3-Clause
! Calls every blocking collective from Fortran, with several types, roots, communicators and operations, in
! place and at MPI_BOTTOM, and checks the results. Rank 0 prints `called COLLECTIVE` for each call, and at the
! end `all right`. Compiled with INTERFACE as 1 (mpif.h), 2 (use mpi) or 3 (use mpi_f08).
#if INTERFACE == 3
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define OPERATION type(MPI_Op)
! The argument is optional, so that most calls leave it out.
#define STATUS
#else
#define COMM integer
#define DATATYPE integer
#define OPERATION integer
#define STATUS , error
#endif

module composition
    implicit none
    integer, parameter :: MODULUS = 1009
contains
    ! The user's operation: pairs (a, b) stand for functions x -> a x + b. Composing them does not commute.
    subroutine compose_pairs(first, second, pairs)
        integer, intent(in) :: pairs, first(2, pairs)
        integer, intent(inout) :: second(2, pairs)
        integer :: i, factor
        do i = 1, pairs
            factor = second(1, i)
            second(1, i) = mod(first(1, i) * factor, MODULUS)
            second(2, i) = mod(first(2, i) * factor + second(2, i), MODULUS)
        end do
    end subroutine

#if INTERFACE == 3
    subroutine compose(first, second, length, of_type)
        use mpi_f08, only: MPI_Datatype
        use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
        type(c_ptr), value :: first, second
        integer :: length
        type(MPI_Datatype) :: of_type
        integer, pointer :: from(:), to(:)
        call c_f_pointer(first, from, [2 * length])
        call c_f_pointer(second, to, [2 * length])
        call compose_pairs(from, to, length)
    end subroutine
#else
    subroutine compose(first, second, length, of_type)
        integer :: length, of_type, first(2, length), second(2, length)
        call compose_pairs(first, second, length)
    end subroutine
#endif
end module

program fortran_calls
#if INTERFACE == 3
    use mpi_f08
#elif INTERFACE == 2
    use mpi
#endif
    use composition
    implicit none
#if INTERFACE == 1
    include 'mpif.h'
#endif

    ! Kinds of elements. All are kept in arrays of integers: what a type leaves out stays GAP.
    integer, parameter :: NUMBER = 1, DOUBLE = 2, COMPLEX_DOUBLE = 3, TRUTH = 4, SPACED = 5, PAIR = 6
    integer, parameter :: KINDS = 6, WIDTH(KINDS) = [1, 2, 4, 1, 4, 2], GAP = -77
    integer, parameter :: COUNTS(4) = [1, 7, 100, 1500]
    integer :: mistakes = 0, error, world_rank, world_size, provided
    DATATYPE :: types(KINDS)
    OPERATION :: composes
    COMM :: world, part, turned

#if INTERFACE == 2
    call MPI_Init_thread(MPI_THREAD_SINGLE, provided STATUS)
#else
    provided = MPI_THREAD_SINGLE
    call MPI_Init(error)
#endif
    call expect('init', provided >= MPI_THREAD_SINGLE)
    world = MPI_COMM_WORLD
    call MPI_Comm_rank(world, world_rank STATUS)
    call MPI_Comm_size(world, world_size STATUS)
    call make_types()
    call MPI_Op_create(compose, .false., composes STATUS)

    call call_all(world)
    ! Parts of the world, of which some begin before others; ranks in turned order; one rank alone.
    call MPI_Comm_split(world, mod(world_rank, 2), 0, part STATUS)
    call call_all(part)
    call MPI_Comm_free(part STATUS)
    call MPI_Comm_split(world, 0, -world_rank, turned STATUS)
    call call_all(turned)
    call MPI_Comm_free(turned STATUS)
    call call_all(MPI_COMM_SELF)

    call call_wrongly()
    call call_large()
    call MPI_Allreduce(MPI_IN_PLACE, mistakes, 1, MPI_INTEGER, MPI_SUM, world STATUS)
    call count_call('allreduce')
    call MPI_Op_free(composes STATUS)
    call MPI_Type_free(types(SPACED) STATUS)
    if (world_rank == 0 .and. mistakes == 0) print '(a)', 'all right'
    call MPI_Finalize(error)

contains

    ! --- elements ---

    subroutine make_types()
        DATATYPE :: two
        types(NUMBER) = MPI_INTEGER
        types(DOUBLE) = MPI_DOUBLE_PRECISION
        types(COMPLEX_DOUBLE) = MPI_DOUBLE_COMPLEX
        types(TRUTH) = MPI_LOGICAL
        types(PAIR) = MPI_2INTEGER
        call MPI_Type_vector(2, 1, 2, MPI_INTEGER, two STATUS)
        call MPI_Type_create_resized(two, 0_MPI_ADDRESS_KIND, 16_MPI_ADDRESS_KIND, types(SPACED) STATUS)
        call MPI_Type_commit(types(SPACED) STATUS)
        call MPI_Type_free(two STATUS)
    end subroutine

    ! One element that stands for a small number.
    pure function element(kind, number) result(words)
        integer, intent(in) :: kind, number
        integer :: words(4)
        words = GAP
        select case (kind)
        case (1); words(1) = number
        case (2); words(1:2) = transfer(real(number, 8), words(1:2))
        case (3); words = transfer(cmplx(number, -number, 8), words)
        case (4); words(1) = transfer(mod(number, 2) == 1, words(1))
        case (5); words(1) = number; words(3) = -number
        case (6); words(1) = number; words(2) = number + 1
        end select
    end function

    pure function elements(kind, numbers) result(words)
        integer, intent(in) :: kind, numbers(:)
        integer :: words(size(numbers) * WIDTH(kind)), i, word(4)
        do i = 1, size(numbers)
            word = element(kind, numbers(i))
            words((i - 1) * WIDTH(kind) + 1:i * WIDTH(kind)) = word(:WIDTH(kind))
        end do
    end function

    ! The numbers that rank `from` has for rank `to`.
    pure function block(from, to, count) result(numbers)
        integer, intent(in) :: from, to, count
        integer :: numbers(count), i
        numbers = [(100 * from + 10 * to + mod(i, 7), i = 1, count)]
    end function

    subroutine expect(what, holds)
        character(len=*), intent(in) :: what
        logical, intent(in) :: holds
        if (holds) return
        mistakes = mistakes + 1
        if (mistakes <= 5) print '(a, i0, 2a)', 'FAILED: rank ', world_rank, ': ', what
    end subroutine

    subroutine count_call(collective)
        character(len=*), intent(in) :: collective
        if (world_rank == 0) print '(2a)', 'called ', collective
    end subroutine

    ! Counts a call, and compares what it received.
    subroutine check(collective, kind, received, expected)
        character(len=*), intent(in) :: collective
        integer, intent(in) :: kind, received(:), expected(:)
        character(len=60) :: what
        call count_call(collective)
        write (what, '(2a, i0, a, i0)') collective, ', kind ', kind, ', words ', size(expected)
        call expect(trim(what), size(received) >= size(expected))
        call expect(trim(what), all(received(:size(expected)) == expected))
    end subroutine

    ! --- calls ---

    subroutine call_all(on)
        COMM, intent(in) :: on
        integer :: i, kind, root, ranks
        call MPI_Comm_size(on, ranks STATUS)
        call MPI_Barrier(on STATUS)
        call count_call('barrier')
        call MPI_Barrier(on, error)
        call count_call('barrier')
        call expect('barrier', error == MPI_SUCCESS)
        do i = 1, size(COUNTS)
            do kind = 1, KINDS
                do root = 0, ranks - 1
                    call move_rooted(on, kind, COUNTS(i), root)
                end do
                call move_all(on, kind, COUNTS(i))
                call exchange(on, kind, COUNTS(i))
                if (kind <= COMPLEX_DOUBLE) call add(on, kind, COUNTS(i))
            end do
            call reduce_pairs(on, COUNTS(i), 0)
            call move_at_bottom(on, COUNTS(i))
        end do
        call move_section(on)
    end subroutine

    ! Lengths of blocks that differ, and where they begin: with a gap of one element between them, backwards.
    subroutine uneven(ranks, count, lengths, places)
        integer, intent(in) :: ranks, count
        integer, intent(out) :: lengths(0:), places(0:)
        integer :: i, place
        place = 0
        do i = ranks - 1, 0, -1
            lengths(i) = count / (i + 1)
            places(i) = place
            place = place + lengths(i) + 1
        end do
    end subroutine

    subroutine move_rooted(on, kind, count, root)
        COMM, intent(in) :: on
        integer, intent(in) :: kind, count, root
        integer, allocatable :: one(:), all(:), spread(:), expected(:)
        integer, allocatable :: lengths(:), places(:), mine(:)
        integer :: rank, ranks, r
        call MPI_Comm_rank(on, rank STATUS)
        call MPI_Comm_size(on, ranks STATUS)
        allocate (lengths(0:ranks - 1), places(0:ranks - 1))
        call uneven(ranks, count, lengths, places)

        mine = elements(kind, block(root, 0, count))
        one = mine
        if (rank /= root) one = GAP
        call MPI_Bcast(one, count, types(kind), root, on STATUS)
        call check('bcast', kind, one, mine)

        all = elements(kind, [(block(root, r, count), r = 0, ranks - 1)])
        mine = elements(kind, block(root, rank, count))
        one = GAP
        call MPI_Scatter(all, count, types(kind), one, count, types(kind), root, on STATUS)
        call check('scatter', kind, one, mine)
        one = GAP
        if (rank == root) then
            call MPI_Scatter(all, count, types(kind), MPI_IN_PLACE, count, types(kind), root, on STATUS)
            call check('scatter', kind, all(rank * size(mine) + 1:), mine)
        else
            call MPI_Scatter(all, count, types(kind), one, count, types(kind), root, on STATUS)
            call check('scatter', kind, one, mine)
        end if

        mine = elements(kind, block(rank, root, count))
        expected = elements(kind, [(block(r, root, count), r = 0, ranks - 1)])
        if (rank /= root) expected = GAP
        all = GAP
        call MPI_Gather(mine, count, types(kind), all, count, types(kind), root, on STATUS)
        call check('gather', kind, all, expected)
        if (rank == root) then
            all = GAP
            all(rank * size(mine) + 1:(rank + 1) * size(mine)) = mine
            call MPI_Gather(MPI_IN_PLACE, count, types(kind), all, count, types(kind), root, on STATUS)
        else
            call MPI_Gather(mine, count, types(kind), all, count, types(kind), root, on STATUS)
        end if
        call check('gather', kind, all, expected)

        ! The v forms: from blocks that lie apart, and into them.
        spread = spread_blocks(kind, root, .false., lengths, places)
        mine = elements(kind, block(root, rank, lengths(rank)))
        one = GAP
        call MPI_Scatterv(spread, lengths, places, types(kind), one, lengths(rank), types(kind), root, &
            on STATUS)
        call check('scatterv', kind, one, mine)
        if (rank == root) then
            expected = spread
            call MPI_Scatterv(spread, lengths, places, types(kind), MPI_IN_PLACE, lengths(rank), &
                types(kind), &
                root, on STATUS)
            call check('scatterv', kind, spread, expected)
        else
            call MPI_Scatterv(spread, lengths, places, types(kind), one, lengths(rank), types(kind), root, &
                on STATUS)
            call check('scatterv', kind, one, mine)
        end if
        mine = elements(kind, block(rank, root, lengths(rank)))
        expected = spread_blocks(kind, root, .true., lengths, places)
        if (rank /= root) expected = GAP
        spread = GAP
        call MPI_Gatherv(mine, lengths(rank), types(kind), spread, lengths, places, types(kind), root, &
            on STATUS)
        call check('gatherv', kind, spread, expected)
        if (rank == root) then
            spread = GAP
            spread(places(rank) * WIDTH(kind) + 1:places(rank) * WIDTH(kind) + size(mine)) = mine
            call MPI_Gatherv(MPI_IN_PLACE, 0, types(kind), spread, lengths, places, types(kind), root, &
                on STATUS)
        else
            call MPI_Gatherv(mine, lengths(rank), types(kind), spread, lengths, places, types(kind), root, &
                on STATUS)
        end if
        call check('gatherv', kind, spread, expected)
    end subroutine

    ! What rank `rank` has for the others, or (`received`) they for it, as blocks that lie apart.
    pure function spread_blocks(kind, rank, received, lengths, places) result(words)
        integer, intent(in) :: kind, rank, lengths(0:), places(0:)
        logical, intent(in) :: received
        integer, allocatable :: words(:), of_block(:)
        integer :: r, begin
        allocate (words(WIDTH(kind) * (sum(lengths) + size(lengths))))
        words = GAP
        do r = 0, size(lengths) - 1
            of_block = elements(kind, block(merge(r, rank, received), merge(rank, r, received), lengths(r)))
            begin = places(r) * WIDTH(kind)
            words(begin + 1:begin + size(of_block)) = of_block
        end do
    end function

    subroutine move_all(on, kind, count)
        COMM, intent(in) :: on
        integer, intent(in) :: kind, count
        integer, allocatable :: mine(:), all(:), expected(:), spread(:), whole(:)
        integer, allocatable :: lengths(:), places(:), bytes(:), even(:), even_places(:)
        DATATYPE, allocatable :: of_types(:)
        integer :: rank, ranks, r
        call MPI_Comm_rank(on, rank STATUS)
        call MPI_Comm_size(on, ranks STATUS)
        allocate (lengths(0:ranks - 1), places(0:ranks - 1), of_types(ranks))
        call uneven(ranks, count, lengths, places)

        mine = elements(kind, block(rank, 0, count))
        expected = elements(kind, [(block(r, 0, count), r = 0, ranks - 1)])
        allocate (all(size(expected)))
        all = GAP
        call MPI_Allgather(mine, count, types(kind), all, count, types(kind), on STATUS)
        call check('allgather', kind, all, expected)
        all = GAP
        all(rank * size(mine) + 1:(rank + 1) * size(mine)) = mine
        call MPI_Allgather(MPI_IN_PLACE, 0, types(kind), all, count, types(kind), on STATUS)
        call check('allgather', kind, all, expected)

        ! The same for all: each rank has blocks for rank 0.
        mine = elements(kind, block(rank, 0, lengths(rank)))
        expected = spread_blocks(kind, 0, .true., lengths, places)
        spread = expected
        spread = GAP
        call MPI_Allgatherv(mine, lengths(rank), types(kind), spread, lengths, places, types(kind), on STATUS)
        call check('allgatherv', kind, spread, expected)
        spread = GAP
        spread(places(rank) * WIDTH(kind) + 1:places(rank) * WIDTH(kind) + size(mine)) = mine
        call MPI_Allgatherv(MPI_IN_PLACE, 0, types(kind), spread, lengths, places, types(kind), on STATUS)
        call check('allgatherv', kind, spread, expected)

        whole = elements(kind, [(block(rank, r, count), r = 0, ranks - 1)])
        expected = elements(kind, [(block(r, rank, count), r = 0, ranks - 1)])
        all = GAP
        call MPI_Alltoall(whole, count, types(kind), all, count, types(kind), on STATUS)
        call check('alltoall', kind, all, expected)
        all = whole
        call MPI_Alltoall(MPI_IN_PLACE, 0, types(kind), all, count, types(kind), on STATUS)
        call check('alltoall', kind, all, expected)

        ! Alltoallv and alltoallw. Lengths must agree at both ends: everyone gets lengths(rank).
        whole = spread_blocks(kind, rank, .false., lengths, places)
        even = [(lengths(rank), r = 0, ranks - 1)]
        even_places = [(r * (lengths(rank) + 1), r = 0, ranks - 1)]
        expected = spread_blocks(kind, rank, .true., even, even_places)
        spread = expected
        spread = GAP
        call MPI_Alltoallv(whole, lengths, places, types(kind), spread, even, even_places, types(kind), &
            on STATUS)
        call check('alltoallv', kind, spread, expected)
        of_types = types(kind)
        bytes = 4 * WIDTH(kind) * places
        even_places = 4 * WIDTH(kind) * even_places
        spread = GAP
        call MPI_Alltoallw(whole, lengths, bytes, of_types, spread, even, even_places, of_types, on STATUS)
        call check('alltoallw', kind, spread, expected)

        ! In place, with blocks of `count` elements.
        even = [(count, r = 0, ranks - 1)]
        even_places = [(r * (count + 1), r = 0, ranks - 1)]
        expected = spread_blocks(kind, rank, .true., even, even_places)
        spread = spread_blocks(kind, rank, .false., even, even_places)
        call MPI_Alltoallv(MPI_IN_PLACE, lengths, places, types(kind), spread, even, even_places, &
            types(kind), &
            on STATUS)
        call check('alltoallv', kind, spread, expected)
        spread = spread_blocks(kind, rank, .false., even, even_places)
        even_places = 4 * WIDTH(kind) * even_places
        ! Arguments of the send side are not looked at.
        call MPI_Alltoallw(MPI_IN_PLACE, lengths, places, types, spread, even, even_places, of_types, &
            on STATUS)
        call check('alltoallw', kind, spread, expected)
    end subroutine

    ! Neighborhood collectives around a ring: a rank has its neighbor below and the one above. With two ranks
    ! these are the same.
    subroutine exchange(on, kind, count)
        COMM, intent(in) :: on
        integer, intent(in) :: kind, count
        COMM :: ring
        integer, allocatable :: mine(:), received(:), expected(:), both(:)
        integer :: rank, ranks, below, above, words
        integer :: even(2), begin(2)
        integer(MPI_ADDRESS_KIND) :: places(2)
        DATATYPE :: of_types(2)
        call MPI_Comm_rank(on, rank STATUS)
        call MPI_Comm_size(on, ranks STATUS)
        call MPI_Cart_create(on, 1, [ranks], [.true.], .false., ring STATUS)
        below = modulo(rank - 1, ranks)
        above = modulo(rank + 1, ranks)
        even = count
        begin = [0, count]
        of_types = types(kind)

        mine = elements(kind, block(rank, 0, count))
        words = size(mine)
        places = [0, 4 * words]
        expected = elements(kind, [block(below, 0, count), block(above, 0, count)])
        allocate (received(size(expected)))
        received = GAP
        call MPI_Neighbor_allgather(mine, count, types(kind), received, count, types(kind), ring STATUS)
        call check('neighbor_allgather', kind, received, expected)
        received = GAP
        call MPI_Neighbor_allgatherv(mine, count, types(kind), received, even, begin, types(kind), &
            ring STATUS)
        call check('neighbor_allgatherv', kind, received, expected)

        ! What goes up comes from below: a rank has block 1 for the one below, and 2 for the one above.
        both = elements(kind, [block(rank, 1, count), block(rank, 2, count)])
        expected = elements(kind, [block(below, 2, count), block(above, 1, count)])
        received = GAP
        call MPI_Neighbor_alltoall(both, count, types(kind), received, count, types(kind), ring STATUS)
        call check('neighbor_alltoall', kind, received, expected)
#ifndef MPICH
        ! MPICH 4.0.2 itself fails here: by its module mpi_f08 it aborts, by the others blocks are wrong.
        received = GAP
        call MPI_Neighbor_alltoallv(both, even, begin, types(kind), received, even, begin, types(kind), &
            ring STATUS)
        call check('neighbor_alltoallv', kind, received, expected)
        received = GAP
#ifdef OPENMPI
        ! Open MPI 4.1.4 itself takes as many types as there are ranks, not neighbors.
        if (ranks >= 2) then
#endif
        call MPI_Neighbor_alltoallw(both, even, places, of_types, received, even, places, of_types, &
            ring STATUS)
        call check('neighbor_alltoallw', kind, received, expected)
#ifdef OPENMPI
        end if
#endif
#endif
        call MPI_Comm_free(ring STATUS)
    end subroutine

    ! Sums, separate and in place.
    subroutine add(on, kind, count)
        COMM, intent(in) :: on
        integer, intent(in) :: kind, count
        integer, allocatable :: mine(:), sums(:), expected(:), before(:), parts(:), begin(:), whole(:)
        integer :: rank, ranks, r, numbers(count), total(count)
        call MPI_Comm_rank(on, rank STATUS)
        call MPI_Comm_size(on, ranks STATUS)
        total = 0
        do r = 0, ranks - 1
            numbers = block(r, 0, count)
            if (r == rank) then
                before = elements(kind, total)
                mine = elements(kind, numbers)
                sums = elements(kind, total + numbers)
            end if
            total = total + numbers
        end do
        ! sums: up to this rank
        expected = elements(kind, total)

        whole = mine
        whole = GAP
        call MPI_Scan(mine, whole, count, types(kind), MPI_SUM, on STATUS)
        call check('scan', kind, whole, sums)
        whole = mine
        call MPI_Scan(MPI_IN_PLACE, whole, count, types(kind), MPI_SUM, on STATUS)
        call check('scan', kind, whole, sums)
        call MPI_Exscan(mine, whole, count, types(kind), MPI_SUM, on STATUS)
        if (rank == 0) whole = before
        call check('exscan', kind, whole, before)
        whole = mine
        call MPI_Exscan(MPI_IN_PLACE, whole, count, types(kind), MPI_SUM, on STATUS)
        if (rank == 0) whole = before
        call check('exscan', kind, whole, before)

        whole = GAP
        call MPI_Allreduce(mine, whole, count, types(kind), MPI_SUM, on STATUS)
        call check('allreduce', kind, whole, expected)
        whole = mine
        call MPI_Allreduce(MPI_IN_PLACE, whole, count, types(kind), MPI_SUM, on STATUS)
        call check('allreduce', kind, whole, expected)

        whole = GAP
        call MPI_Reduce(mine, whole, count, types(kind), MPI_SUM, ranks - 1, on STATUS)
        if (rank /= ranks - 1) whole = expected
        call check('reduce', kind, whole, expected)
        whole = mine
        ! MPICH 4.0.2 crashes in place at root 1 of 2 ranks.
        if (rank == 0) then
            call MPI_Reduce(MPI_IN_PLACE, whole, count, types(kind), MPI_SUM, 0, on STATUS)
        else
            call MPI_Reduce(mine, whole, count, types(kind), MPI_SUM, 0, on STATUS)
            whole = expected
        end if
        call check('reduce', kind, whole, expected)

        ! Parts of the sum, of which the last rank gets what is left.
        parts = [(count / (ranks + 1), r = 1, ranks)]
        parts(ranks) = count - sum(parts(:ranks - 1))
        begin = [(sum(parts(:r)) * WIDTH(kind), r = 0, ranks)]
        whole = GAP
        call MPI_Reduce_scatter(mine, whole, parts, types(kind), MPI_SUM, on STATUS)
        call check('reduce_scatter', kind, whole, expected(begin(rank + 1) + 1:begin(rank + 2)))
        whole = mine
        call MPI_Reduce_scatter(MPI_IN_PLACE, whole, parts, types(kind), MPI_SUM, on STATUS)
        call check('reduce_scatter', kind, whole, expected(begin(rank + 1) + 1:begin(rank + 2)))

        ! The sum once for each rank.
        mine = [(mine, r = 1, ranks)]
        whole = GAP
        call MPI_Reduce_scatter_block(mine, whole, count, types(kind), MPI_SUM, on STATUS)
        call check('reduce_scatter_block', kind, whole, expected)
        whole = mine
        call MPI_Reduce_scatter_block(MPI_IN_PLACE, whole, count, types(kind), MPI_SUM, on STATUS)
        call check('reduce_scatter_block', kind, whole, expected)
    end subroutine

    ! The largest with its place, and compositions in the order of the ranks.
    subroutine reduce_pairs(on, count, root)
        COMM, intent(in) :: on
        integer, intent(in) :: count, root
        integer, dimension(2, count) :: mine, most, all, before, result, upto
        integer :: rank, ranks, r, i
        call MPI_Comm_rank(on, rank STATUS)
        call MPI_Comm_size(on, ranks STATUS)
        all(1, :) = 1
        all(2, :) = 0
        most = -1
        do r = 0, ranks - 1
            result(1, :) = [(mod(r + i, ranks), i = 1, count)]
            result(2, :) = r
            do i = 1, count
                if (result(1, i) > most(1, i)) most(:, i) = result(:, i)
            end do
            if (r == rank) mine = result
        end do
        call MPI_Allreduce(mine, result, count, MPI_2INTEGER, MPI_MAXLOC, on STATUS)
        call check('allreduce', PAIR, flat(result), flat(most))

        do r = 0, ranks - 1
            result(1, :) = [(r + 2 + mod(i, 5), i = 1, count)]
            result(2, :) = [(mod(r + i, MODULUS), i = 1, count)]
            if (r == rank) then
                mine = result
                before = all
            end if
            call compose_pairs(all, result, count)
            all = result
            if (r == rank) upto = all
        end do
        call MPI_Allreduce(mine, result, count, MPI_2INTEGER, composes, on STATUS)
        call check('allreduce', PAIR, flat(result), flat(all))
        call MPI_Reduce(mine, result, count, MPI_2INTEGER, composes, root, on STATUS)
        if (rank /= root) result = all
        call check('reduce', PAIR, flat(result), flat(all))
        call MPI_Scan(mine, result, count, MPI_2INTEGER, composes, on STATUS)
        call check('scan', PAIR, flat(result), flat(upto))
        call MPI_Exscan(mine, result, count, MPI_2INTEGER, composes, on STATUS)
        if (rank == 0) result = before
        call check('exscan', PAIR, flat(result), flat(before))
    end subroutine

    pure function flat(pairs) result(words)
        integer, intent(in) :: pairs(:, :)
        integer :: words(size(pairs))
        words = reshape(pairs, [size(pairs)])
    end function

    ! MPI_BOTTOM and types of absolute addresses.
    subroutine move_at_bottom(on, count)
        COMM, intent(in) :: on
        integer, intent(in) :: count
        integer, volatile :: one(count), more(count * world_size)
        integer(MPI_ADDRESS_KIND) :: address
        DATATYPE :: of_one, of_more
        integer :: rank, ranks, r
        call MPI_Comm_rank(on, rank STATUS)
        call MPI_Comm_size(on, ranks STATUS)
        call MPI_Get_address(one, address STATUS)
        call MPI_Type_create_hindexed(1, [count], [address], MPI_INTEGER, of_one STATUS)
        call MPI_Type_commit(of_one STATUS)
        call MPI_Get_address(more, address STATUS)
        call MPI_Type_create_hindexed(1, [count * ranks], [address], MPI_INTEGER, of_more STATUS)
        call MPI_Type_commit(of_more STATUS)

        one = GAP
        if (rank == 0) one = block(0, 0, count)
        call MPI_Bcast(MPI_BOTTOM, 1, of_one, 0, on STATUS)
        call check('bcast', NUMBER, one, block(0, 0, count))
        one = block(rank, 0, count)
        more = GAP
        call MPI_Allgather(MPI_BOTTOM, 1, of_one, more, count, MPI_INTEGER, on STATUS)
        call check('allgather', NUMBER, more, [(block(r, 0, count), r = 0, ranks - 1)])
        more = GAP
        call MPI_Gather(MPI_BOTTOM, 1, of_one, more, count, MPI_INTEGER, 0, on STATUS)
        if (rank == 0) call check('gather', NUMBER, more, [(block(r, 0, count), r = 0, ranks - 1)])
        if (rank /= 0) call check('gather', NUMBER, more, [(GAP, r = 1, count * ranks)])
        one = GAP
        more(:count * ranks) = [(block(0, r, count), r = 0, ranks - 1)]
        call MPI_Scatter(more, count, MPI_INTEGER, MPI_BOTTOM, 1, of_one, 0, on STATUS)
        call check('scatter', NUMBER, one, block(0, rank, count))
        more = GAP
        if (rank == 0) more = 5
        call MPI_Bcast(MPI_BOTTOM, 1, of_more, 0, on STATUS)
        call check('bcast', NUMBER, more, [(5, r = 1, count * ranks)])
        call MPI_Type_free(of_one STATUS)
        call MPI_Type_free(of_more STATUS)
    end subroutine

    ! A section of an array, which lies in memory with gaps.
    subroutine move_section(on)
        COMM, intent(in) :: on
        integer :: grid(4, 5), rank, i
        call MPI_Comm_rank(on, rank STATUS)
        grid = GAP
        if (rank == 0) grid(2:3, :) = reshape([(i, i = 1, 10)], [2, 5])
        call MPI_Bcast(grid(2:3, :), 10, MPI_INTEGER, 0, on STATUS)
        call check('bcast', NUMBER, flat(grid(2:3, :)), [(i, i = 1, 10)])
        call expect('gaps of a section', all(grid([1, 4], :) == GAP))
    end subroutine

    ! A wrong call returns its error.
    subroutine call_wrongly()
        COMM :: own
        integer :: number
        call MPI_Comm_dup(world, own STATUS)
        call MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN STATUS)
        call MPI_Bcast(number, 1, MPI_INTEGER, world_size, own, error)
        call expect('a wrong root', error /= MPI_SUCCESS)
        call MPI_Bcast(number, 1, MPI_INTEGER, 0, own, error)
        call count_call('bcast')
        call expect('a right root', error == MPI_SUCCESS)
        call MPI_Comm_free(own STATUS)
    end subroutine

    ! Counts of MPI 4, which MPICH has in its module.
    subroutine call_large()
#if INTERFACE == 3 && defined(MPICH)
        integer :: one
        one = merge(5, GAP, world_rank == 0)
        call MPI_Bcast(one, 1_MPI_COUNT_KIND, MPI_INTEGER, 0, world)
        call check('bcast', NUMBER, [one], [5])
#endif
    end subroutine
end program
