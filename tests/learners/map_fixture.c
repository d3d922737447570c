/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/learners/map_fixture.h"
#include "base/memory.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

void fixture_map(enum ct_collective collective, const char *comm_sizes, const char *msg_sizes,
                 const char *methods, struct ct_map *ret_map)
{
    size_t *comms, *sizes, comm_count, size_count;
    struct ct_map map = {.collective = collective};
    assert_int_equal(ct_list_parse(comm_sizes, NULL, &comms, &comm_count), CT_OK);
    assert_int_equal(ct_list_parse(msg_sizes, NULL, &sizes, &size_count), CT_OK);
    assert_int_equal(ct_methods_parse(methods, collective, NULL, &map.methods, &map.method_count), CT_OK);
    map.cells = ct_allocate(comm_count * size_count, sizeof *map.cells);
    assert_non_null(map.cells);
    for (size_t c = 0; c < comm_count; c++) {
        const unsigned ranks = (unsigned)comms[c];
        for (size_t s = 0; s < size_count; s++) {
            map.cells[map.cell_count++] = (struct ct_cell){
                .key = {.nodes = 1, .ppn = ranks, .comm_size = ranks, .msg_bytes = sizes[s]},
                .methods = ct_allocate(map.method_count, sizeof *map.cells->methods),
                .best = SIZE_MAX,
                .standings = ct_allocate(map.method_count, sizeof *map.cells->standings),
            };
        }
    }
    free(comms);
    free(sizes);
    *ret_map = map;
}

void fixture_set(struct ct_map *map, size_t cell, size_t method, double seconds)
{
    struct ct_cell *at = &map->cells[cell];
    at->methods[method] =
        (struct ct_statistics){.count = 1, .median = seconds, .low = seconds, .high = seconds};
    at->best = SIZE_MAX;
    for (size_t m = 0; m < map->method_count; m++)
        if (at->methods[m].count > 0 &&
            (at->best == SIZE_MAX || at->methods[m].median < at->methods[at->best].median))
            at->best = m;
}

size_t fixture_random(unsigned *seed, size_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}
