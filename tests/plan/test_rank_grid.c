/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/rank_grid.h"
#include "tests/plan/grid_neighbors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIZES = 130, WIDEST = 2 * SIZES };

/* Selvitopi and Aykanat 2019, section 5: the lengths, where they are printed, and the bound of messages. */
static void test_lengths_for_powers_of_two(void **state)
{
    (void)state;
    static const struct {
        int size;
        int dimensions;
        const char *lengths;
        int neighbors;
    } rows[] = {
        {64, 1, "64", 63},          {64, 2, "8 8", 14},
        {64, 3, "4 4 4", 9},        {64, 4, "4 4 2 2", 8},
        {64, 5, NULL, 7},           {64, 6, "2 2 2 2 2 2", 6},
        {128, 2, "16 8", 22},       {128, 3, "8 4 4", 13},
        {128, 4, "4 4 4 2", 10},    {128, 5, NULL, 9},
        {128, 6, NULL, 8},          {128, 7, NULL, 7},
        {256, 2, "16 16", 30},      {256, 3, "8 8 4", 17},
        {256, 4, "4 4 4 4", 12},    {256, 5, NULL, 11},
        {256, 6, NULL, 10},         {256, 7, NULL, 9},
        {256, 8, NULL, 8},          {512, 2, "32 16", 46},
        {512, 3, "8 8 8", 21},      {512, 4, "8 4 4 4", 16},
        {512, 5, NULL, 13},         {512, 6, NULL, 12},
        {512, 7, NULL, 11},         {512, 8, NULL, 10},
        {512, 9, NULL, 9},          {4096, 2, "64 64", 126},
        {4096, 3, "16 16 16", 45},  {4096, 4, "8 8 8 8", 28},
        {4096, 7, NULL, 17},        {4096, 8, NULL, 16},
        {4096, 11, NULL, 13},       {4096, 12, NULL, 12},
        {8192, 2, "128 64", 190},   {8192, 3, "32 16 16", 61},
        {8192, 4, "16 8 8 8", 36},  {8192, 7, NULL, 19},
        {8192, 8, NULL, 18},        {8192, 12, NULL, 14},
        {8192, 13, NULL, 13},       {16384, 2, "128 128", 254},
        {16384, 3, "32 32 16", 77}, {16384, 4, "16 16 8 8", 44},
        {16384, 8, NULL, 20},       {16384, 9, NULL, 19},
        {16384, 13, NULL, 15},      {16384, 14, NULL, 14},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ct_rank_grid grid = ct_rank_grid_make(rows[i].size, rows[i].dimensions);
        assert_int_equal(grid.dimensions, rows[i].dimensions);
        assert_int_equal(grid_neighbors(&grid), rows[i].neighbors);
        char text[100] = "";
        for (int d = 0; d < grid.dimensions; d++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", d > 0 ? " " : "",
                     grid.length[d]);
        if (rows[i].lengths)
            assert_string_equal(text, rows[i].lengths);
    }
}

/* No division of a power of two into so many powers of two has less neighbours, by trying the last one. */
static int fewest_neighbors(int digits, int dimensions)
{
    if (dimensions == 1)
        return (1 << digits) - 1;
    int fewest = 1 << digits;
    for (int last = 1; last + dimensions - 1 <= digits; last++) {
        int count = (1 << last) - 1 + fewest_neighbors(digits - last, dimensions - 1);
        if (count < fewest)
            fewest = count;
    }
    return fewest;
}

static void test_no_division_is_better(void **state)
{
    (void)state;
    for (int digits = 1; digits <= 12; digits++)
        for (int n = 1; n <= digits; n++) {
            struct ct_rank_grid grid = ct_rank_grid_make(1 << digits, n);
            assert_int_equal(grid_neighbors(&grid), fewest_neighbors(digits, n));
        }
}

static void test_lengths_for_other_sizes(void **state)
{
    (void)state;
    struct ct_rank_grid grid = ct_rank_grid_make(95, 6);
    static const int of_95[] = {2, 2, 2, 2, 2, 3};
    assert_int_equal(grid.dimensions, 6);
    assert_memory_equal(grid.length, of_95, sizeof of_95);
    grid = ct_rank_grid_make(7, 2);
    assert_int_equal(grid.length[0], 2);
    assert_int_equal(grid.length[1], 4);
    for (int size = 1; size <= 3; size++) /* no room for two dimensions */
        assert_int_equal(ct_rank_grid_make(size, 5).dimensions, 1);
    assert_int_equal(ct_rank_grid_make(1, 1).length[0], 1);
    grid = ct_rank_grid_make(1000003, 2);
    assert_int_equal(grid.length[0], 1000);
    assert_int_equal(grid.length[1], 1001);
    for (int size = 3; size <= 5000; size++) /* holes leave two complete layers at least */
        for (int n = 1; n <= 12; n++) {
            grid = ct_rank_grid_make(size, n);
            int last = grid.dimensions - 1;
            assert_true(size % grid.stride[last] == 0 || grid.length[last] >= 3);
        }
}

/* Kumar 2005, figures 3.1 and 3.2: which ranks stand for holes. */
static void test_holes_in_print(void **state)
{
    (void)state;
    int senders[WIDEST];
    struct ct_rank_grid grid = ct_rank_grid_of_lengths(14, (int[]){4, 4}, 2);
    assert_int_equal(ct_rank_grid_hop(&grid, 12, 10, 0), 2); /* for column 2, whose last row is empty */
    assert_int_equal(ct_rank_grid_hop(&grid, 12, 11, 0), 3);
    assert_int_equal(ct_rank_grid_hop(&grid, 13, 10, 0), 6);
    assert_int_equal(ct_rank_grid_hop(&grid, 13, 11, 0), 7);
    for (int rank = 0; rank < 14; rank++) {
        bool stands = rank == 2 || rank == 3 || rank == 6 || rank == 7;
        assert_int_equal(ct_rank_grid_senders(&grid, rank, 0, senders), rank >= 12 ? 1 : stands ? 4 : 3);
    }
    grid = ct_rank_grid_of_lengths(11, (int[]){4, 3}, 2);
    assert_int_equal(ct_rank_grid_senders(&grid, 3, 0, senders), 5);
    assert_int_equal(senders[3], 8);
    assert_int_equal(senders[4], 10);
    grid = ct_rank_grid_of_lengths(23, (int[]){3, 3, 3}, 3);
    assert_int_equal(ct_rank_grid_hop(&grid, 20, 5, 1), 5);
    assert_int_equal(ct_rank_grid_hop(&grid, 20, 8, 1), 8);
}

static bool is_sender(const int *senders, int count, int rank)
{
    for (int i = 0; i < count; i++)
        if (senders[i] == rank)
            return true;
    return false;
}

/* Every rank sends to all: each message arrives, travels only to the senders' receivers, and a rank neither
 * sends nor receives more messages than is said. */
static void follow_all(const struct ct_rank_grid *grid)
{
    static int senders[SIZES][WIDEST], counts[SIZES], holder[SIZES][SIZES];
    static bool sends[SIZES][SIZES];
    int size = grid->size, sent[SIZES] = {0}, received[SIZES] = {0}, moves = 0;
    for (int from = 0; from < size; from++)
        for (int to = 0; to < size; to++)
            holder[from][to] = from;
    for (int stage = 0; stage < grid->dimensions; stage++) {
        memset(sends, 0, sizeof sends);
        for (int rank = 0; rank < size; rank++) {
            counts[rank] = ct_rank_grid_senders(grid, rank, stage, senders[rank]);
            for (int i = 1; i < counts[rank]; i++)
                assert_true(senders[rank][i - 1] < senders[rank][i]);
        }
        for (int from = 0; from < size; from++)
            for (int to = 0; to < size; to++) {
                int at = holder[from][to], next = ct_rank_grid_hop(grid, at, to, stage);
                assert_in_range(next, 0, size - 1);
                assert_int_equal(ct_rank_grid_digit(grid, next, stage), ct_rank_grid_digit(grid, to, stage));
                if (next != at) {
                    assert_true(is_sender(senders[next], counts[next], at));
                    sends[at][next] = true;
                    moves++;
                }
                holder[from][to] = next;
            }
        for (int at = 0; at < size; at++)
            for (int next = 0; next < size; next++)
                if (sends[at][next]) {
                    sent[at]++;
                    received[next]++;
                    counts[next]--;
                }
        for (int rank = 0; rank < size; rank++)
            assert_int_equal(counts[rank], 0); /* no sender without a message */
    }
    for (int from = 0; from < size; from++) {
        for (int to = 0; to < size; to++)
            assert_int_equal(holder[from][to], to);
        assert_true(sent[from] <= grid_neighbors(grid));
        assert_true(received[from] <= grid_neighbors(grid) + 4);
    }
    int last = grid->dimensions - 1;
    if (size % grid->stride[last] == 0) { /* without holes: the volume of Selvitopi and Aykanat, section 4 */
        int expected = 0;
        for (int d = 0; d <= last; d++)
            expected += size * (size / grid->length[d]) * (grid->length[d] - 1);
        assert_int_equal(moves, expected);
    }
}

static void test_messages_arrive(void **state)
{
    (void)state;
    for (int size = 1; size <= SIZES; size++)
        for (int n = 1; n <= 7; n++) {
            struct ct_rank_grid grid = ct_rank_grid_make(size, n);
            if (grid.dimensions == n)
                follow_all(&grid);
        }
}

/* Without holes a message makes one hop for each digit that differs. */
static void test_hops(void **state)
{
    (void)state;
    struct ct_rank_grid grid = ct_rank_grid_of_lengths(64, (int[]){4, 4, 4}, 3);
    int a = 1 - 1 + 4 * (2 - 1) + 16 * (2 - 1), c = 3 - 1 + 4 * (3 - 1) + 16 * (2 - 1);
    assert_int_equal(ct_rank_grid_hop(&grid, a, c, 0), a + 2);
    assert_int_equal(ct_rank_grid_hop(&grid, a + 2, c, 1), c);
    assert_int_equal(ct_rank_grid_hop(&grid, c, c, 2), c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths_for_powers_of_two), cmocka_unit_test(test_no_division_is_better),
        cmocka_unit_test(test_lengths_for_other_sizes),   cmocka_unit_test(test_holes_in_print),
        cmocka_unit_test(test_messages_arrive),           cmocka_unit_test(test_hops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
