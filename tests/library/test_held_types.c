/* SPDX-License-Identifier: BSD-3-Clause */
/* Types that are kept for a call outlive those of the program, and are freed with the call. */
#include "library/mpi/predefined_ops.h"
#include "library/requests/held_types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int __real_PMPI_Type_create_resized(MPI_Datatype type, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *ret_type);
int __real_PMPI_Type_free(MPI_Datatype *type);

/* What the library does with types. */
static struct {
    int made;
    int freed;
    int fails_at; /* the type of this number cannot be made; 0: all can */
} library;

/* The linker's option --wrap puts these in the place of the functions that the library calls. */
int __wrap_PMPI_Type_create_resized(MPI_Datatype type, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *ret_type)
{
    if (library.made + 1 == library.fails_at)
        return MPI_ERR_NO_MEM;
    library.made++;
    return __real_PMPI_Type_create_resized(type, lb, extent, ret_type);
}

int __wrap_PMPI_Type_free(MPI_Datatype *type)
{
    library.freed++;
    return __real_PMPI_Type_free(type);
}

static int reset(void **state)
{
    (void)state;
    memset(&library, 0, sizeof library);
    return 0;
}

/* Numbers 1 and 3 of every five, which begin at place -1. */
static MPI_Datatype make_type(void)
{
    const int places[] = {1, 3};
    MPI_Datatype pair, type;
    MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &pair);
    MPI_Type_create_resized(pair, -(MPI_Aint)sizeof(int), 5 * sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&pair);
    return type;
}

static void expect_type(MPI_Datatype type)
{
    const int from[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    int packed[4] = {0}, position = 0;
    MPI_Aint lb, extent;
    MPI_Type_get_extent(type, &lb, &extent);
    assert_int_equal(lb, -(MPI_Aint)sizeof(int));
    assert_int_equal(extent, 5 * sizeof(int));
    MPI_Pack(from, 2, type, packed, sizeof packed, &position, MPI_COMM_SELF);
    assert_memory_equal(packed, ((int[]){1, 3, 6, 8}), sizeof packed);
}

static struct ct_operands gather_at(int root, MPI_Datatype send, MPI_Datatype recv)
{
    static int from[10], to[10];
    return (struct ct_operands){.send = {.buffer = from, .count = 1, .type = send},
                                .recv = {.buffer = to, .count = 1, .type = recv},
                                .root = root};
}

static void types_may_be_freed(void **state)
{
    (void)state;
    MPI_Datatype type = make_type();
    struct ct_operands operands = gather_at(0, type, type);
    struct ct_held_types held;
    assert_int_equal(ct_types_hold(CT_COLLECTIVE_GATHER, 0, (const size_t[]){1, 1}, &operands, &held),
                     MPI_SUCCESS);
    assert_true(operands.send.type != type && operands.recv.type != type);
    MPI_Type_free(&type);
    expect_type(operands.send.type);
    expect_type(operands.recv.type);
    ct_held_types_release(&held);
    assert_int_equal(library.made, 2);
    assert_int_equal(library.freed, 2);
}

static void predefined_types_stay(void **state)
{
    (void)state;
    struct ct_operands operands = gather_at(0, MPI_DOUBLE, MPI_DOUBLE_INT);
    struct ct_held_types held;
    assert_int_equal(ct_types_hold(CT_COLLECTIVE_GATHER, 0, (const size_t[]){1, 1}, &operands, &held),
                     MPI_SUCCESS);
    assert_true(operands.send.type == MPI_DOUBLE && operands.recv.type == MPI_DOUBLE_INT);
    ct_held_types_release(&held);
    assert_int_equal(library.made + library.freed, 0);
}

/* At other ranks than the root, and of a buffer in place. */
static void types_that_mean_nothing_stay(void **state)
{
    (void)state;
    MPI_Datatype type = make_type();
    struct ct_operands operands = gather_at(1, type, MPI_DATATYPE_NULL);
    struct ct_held_types held;
    assert_int_equal(ct_types_hold(CT_COLLECTIVE_GATHER, 0, (const size_t[]){2, 2}, &operands, &held),
                     MPI_SUCCESS);
    assert_true(operands.recv.type == MPI_DATATYPE_NULL);
    expect_type(operands.send.type);
    ct_held_types_release(&held);
    operands = gather_at(0, MPI_DATATYPE_NULL, type);
    operands.send.buffer = MPI_IN_PLACE;
    assert_int_equal(ct_types_hold(CT_COLLECTIVE_GATHER, 0, (const size_t[]){2, 2}, &operands, &held),
                     MPI_SUCCESS);
    assert_true(operands.send.type == MPI_DATATYPE_NULL);
    expect_type(operands.recv.type);
    ct_held_types_release(&held);
    assert_int_equal(library.made, 2);
    assert_int_equal(library.freed, 2);
    MPI_Type_free(&type);
}

enum { BLOCKS = 3 };

/* An alltoallw whose last block has no elements. */
static struct ct_operands alltoallw(const MPI_Datatype *types)
{
    static const int counts[BLOCKS] = {1, 1, 0}, places[BLOCKS];
    static int from[10], to[10];
    return (struct ct_operands){
        .send = {.buffer = from, .counts = counts, .displacements = places, .types = types},
        .recv = {.buffer = to, .counts = counts, .displacements = places, .types = types}};
}

static void tables_are_kept(void **state)
{
    (void)state;
    MPI_Datatype types[BLOCKS] = {make_type(), MPI_INT, MPI_DATATYPE_NULL};
    struct ct_operands operands = alltoallw(types);
    struct ct_held_types held;
    assert_int_equal(
        ct_types_hold(CT_COLLECTIVE_ALLTOALLW, 0, (const size_t[]){BLOCKS, BLOCKS}, &operands, &held),
        MPI_SUCCESS);
    MPI_Type_free(&types[0]);
    expect_type(operands.send.types[0]);
    expect_type(operands.recv.types[0]);
    assert_true(operands.send.types[1] == MPI_INT && operands.recv.types[1] == MPI_INT);
    ct_held_types_release(&held);
    assert_int_equal(library.made, 2);
    assert_int_equal(library.freed, 2);
}

static void nothing_is_left_after_an_error(void **state)
{
    (void)state;
    MPI_Datatype types[BLOCKS] = {make_type(), make_type(), MPI_INT};
    for (library.fails_at = 1; library.fails_at <= 4; library.fails_at++) {
        struct ct_operands operands = alltoallw(types);
        struct ct_held_types held;
        library.made = library.freed = 0;
        assert_int_equal(
            ct_types_hold(CT_COLLECTIVE_ALLTOALLW, 0, (const size_t[]){BLOCKS, BLOCKS}, &operands, &held),
            MPI_ERR_NO_MEM);
        assert_true(operands.send.types == types && operands.recv.types == types);
        assert_int_equal(library.made, library.fails_at - 1);
        assert_int_equal(library.freed, library.made);
    }
    MPI_Type_free(&types[0]);
    MPI_Type_free(&types[1]);
}

static void add(void *from, void *to, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)to)[i] += ((int *)from)[i];
}

static void own_operations_cannot_be_held(void **state)
{
    (void)state;
    MPI_Op own;
    MPI_Op_create(add, true, &own);
    struct ct_operands operands = ct_reduction(NULL, NULL, 1, MPI_INT, own, 0);
    assert_false(ct_can_be_held(CT_COLLECTIVE_ALLREDUCE, &operands));
    operands.op = MPI_SUM;
    assert_true(ct_can_be_held(CT_COLLECTIVE_ALLREDUCE, &operands));
    operands.op = MPI_OP_NULL;
    assert_true(ct_can_be_held(CT_COLLECTIVE_BCAST, &operands));
    MPI_Op_free(&own);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(types_may_be_freed, reset),
        cmocka_unit_test_setup(predefined_types_stay, reset),
        cmocka_unit_test_setup(types_that_mean_nothing_stay, reset),
        cmocka_unit_test_setup(tables_are_kept, reset),
        cmocka_unit_test_setup(nothing_is_left_after_an_error, reset),
        cmocka_unit_test_setup(own_operations_cannot_be_held, reset),
    };
    MPI_Init(&argc, &argv);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
