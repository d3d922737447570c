/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges on grids with every number of dimensions, of which a verification tries the least: they are
 * right, no rank sends to more than its neighbours in the grid, and folded hypercubes send what they should.
 */
#include "plan/rank_grid.h"
#include "plan/verify/verifier.h"
#include "tests/plan/grid_neighbors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static const struct ct_traffic *verify(struct ct_verifier *verifier, enum ct_collective collective,
                                       const char *name, size_t value, int size, size_t count)
{
    struct ct_method method = {.algorithm = ct_algorithm_find(collective, name), .values = {value}};
    struct ct_call call = {.size = size, .unit_bytes = 1, .commutative = true, .count = count};
    struct ct_error error = {{0}};
    struct ct_verdict verdict;
    if (ct_verify(verifier, &method, &call, &error, &verdict) != CT_OK)
        fail_msg("%s, %d dimensions, %d ranks: %s", name, (int)value, size, error.text);
    return verdict.traffic;
}

static void try_grid(struct ct_verifier *verifier, enum ct_collective collective, int size)
{
    for (int n = 1; n <= CT_RANK_GRID_DIMENSIONS_MAX - 1; n++) {
        struct ct_rank_grid grid = ct_rank_grid_make(size, n);
        if (grid.dimensions < n)
            break;
        const struct ct_traffic *traffic = verify(verifier, collective, "grid", (size_t)n, size, 3);
        for (int rank = 0; rank < size; rank++)
            assert_true(traffic[rank].messages <= (size_t)grid_neighbors(&grid));
    }
}

static void test_all_dimensions(void **state)
{
    (void)state;
    struct ct_verifier *verifier = ct_verifier_new();
    for (int size = 1; size <= (FEWER_CASES ? 40 : 130); size++) {
        try_grid(verifier, CT_COLLECTIVE_ALLTOALL, size);
        try_grid(verifier, CT_COLLECTIVE_ALLGATHER, size);
    }
    ct_verifier_free(verifier);
}

/* The most blocks that a rank sends, by counting (Kumar's scheme, section 3.1.3). */
static void test_hypercube(void **state)
{
    (void)state;
    static const struct {
        int size;
        size_t blocks;
    } rows[] = {{8, 12}, {9, 27}, {12, 43}, {15, 60}, {16, 32}, {17, 63}, {31, 156}, {32, 80}};
    struct ct_verifier *verifier = ct_verifier_new();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ct_traffic *traffic =
            verify(verifier, CT_COLLECTIVE_ALLTOALL, "hypercube", 0, rows[i].size, 1);
        size_t most = 0;
        for (int rank = 0; rank < rows[i].size; rank++)
            most = traffic[rank].units > most ? traffic[rank].units : most;
        assert_int_equal(most, rows[i].blocks);
    }
    ct_verifier_free(verifier);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_dimensions),
                                       cmocka_unit_test(test_hypercube)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
