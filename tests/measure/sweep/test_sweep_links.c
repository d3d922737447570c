/* SPDX-License-Identifier: BSD-3-Clause */
/* Which cells are marked when links between nodes become slow, and fast again. */
#include "measure/sweep/sweep_links.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CELLS = 6 };

/* A sweep of six cells, the last two on other ranks. */
struct world {
    struct ct_sweep_cell all[CELLS];
    struct ct_sweep_grid grid;
    struct ct_sweep_links links;
    struct ct_link_cells cells; /* of the job */
    struct ct_sweep_state state;
    size_t notices;
    char notice[512];
};

static void note(void *context, const char *line)
{
    struct world *world = context;
    world->notices++;
    snprintf(world->notice, sizeof world->notice, "%s", line);
}

static void open_world(struct world *world)
{
    *world = (struct world){.grid = {.cells = world->all, .cell_count = CELLS}};
    for (size_t i = 0; i < CELLS; i++)
        world->all[i] = (struct ct_sweep_cell){.launch = 1,
                                               .collective = CT_COLLECTIVE_BCAST,
                                               .key = {.comm_size = i < 4 ? 4 : 2, .msg_bytes = 8 + i}};
}

static void close_world(struct world *world)
{
    ct_sweep_links_free(&world->links);
    ct_link_cells_free(&world->cells);
    free(world->state.link_cells);
}

static void check(struct world *world, size_t ranks, size_t nodes, double seconds)
{
    const struct ct_watch watch = {.notice = note, .context = world};
    const struct ct_link_time now = {ranks, nodes, 1, seconds};
    assert_int_equal(
        ct_sweep_links_take(&world->links, &now, &world->grid, &watch, &world->cells, &world->state), CT_OK);
}

static void measure(struct world *world, size_t cell)
{
    world->all[cell].done = true;
    assert_int_equal(ct_link_cells_add(&world->cells, &world->grid, cell, &world->state), CT_OK);
}

static void expect_marked(const struct world *world, const char *cells, double factor)
{
    assert_string_equal(world->state.link_cells ? world->state.link_cells : "", cells);
    assert_true(world->state.link_factor >= 0.999 * factor && world->state.link_factor <= 1.001 * factor);
}

/* Cells since the last good check, and until the next one. */
static void marks_what_was_measured_meanwhile(void **state)
{
    struct world world;
    (void)state;
    open_world(&world);
    check(&world, 4, 4, 1e-3);
    measure(&world, 0);
    check(&world, 4, 4, 1.5e-3);
    measure(&world, 1);
    expect_marked(&world, "", 0);
    check(&world, 4, 4, 9e-3);
    expect_marked(&world, "bcast/4/9/1", 9);
    assert_int_equal(world.notices, 1);
    assert_non_null(strstr(world.notice, "take 9.0 times as long as before, on 4 ranks"));
    measure(&world, 2);
    expect_marked(&world, "bcast/4/9/1 bcast/4/10/1", 9);
    check(&world, 4, 4, 8e-3);
    assert_int_equal(world.notices, 1);
    check(&world, 4, 4, 1e-3);
    measure(&world, 3);
    check(&world, 4, 4, 1.1e-3);
    expect_marked(&world, "bcast/4/9/1 bcast/4/10/1", 9);
    close_world(&world);
}

/* Links that are slow from the beginning show when they are fast. */
static void marks_what_was_measured_before(void **state)
{
    struct world world;
    (void)state;
    open_world(&world);
    check(&world, 4, 4, 10e-3);
    measure(&world, 0);
    measure(&world, 1);
    check(&world, 2, 2, 1e-3);
    measure(&world, 4);
    check(&world, 4, 4, 1e-3);
    measure(&world, 2);
    expect_marked(&world, "bcast/4/8/1 bcast/4/9/1", 10);
    assert_int_equal(world.notices, 1);
    assert_non_null(strstr(world.notice, "took 10.0 times as long before, on 4 ranks"));
    close_world(&world);
}

/* Other numbers of ranks and other placements take other times; a cell that ends with the name of another is
 * not that one. */
static void compares_what_is_alike(void **state)
{
    struct world world;
    (void)state;
    open_world(&world);
    world.all[1].key.msg_bytes = 80;
    check(&world, 4, 4, 1e-3);
    measure(&world, 0);
    check(&world, 2, 2, 9e-3);
    check(&world, 4, 2, 9e-3);
    expect_marked(&world, "", 0);
    measure(&world, 1);
    check(&world, 4, 4, 9e-3);
    expect_marked(&world, "bcast/4/80/1", 9);
    world.all[2].key.msg_bytes = 8;
    world.all[2].collective = CT_COLLECTIVE_BCAST;
    measure(&world, 2);
    expect_marked(&world, "bcast/4/80/1 bcast/4/8/1", 9);
    measure(&world, 2);
    expect_marked(&world, "bcast/4/80/1 bcast/4/8/1", 9);
    close_world(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_what_was_measured_meanwhile),
        cmocka_unit_test(marks_what_was_measured_before),
        cmocka_unit_test(compares_what_is_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
