/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "measure/sweep/guide_axes.h"
#include "measure/sweep/placements.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MSGS = 2, MOST = 64 };

static const size_t bytes[MSGS] = {8, 1024};

/* The cells of placements, each with two message sizes. */
static size_t cells_of(const struct ct_placements *placements, struct ct_cell_key *keys)
{
    size_t count = 0;
    for (size_t i = 0; i < placements->count; i++)
        for (size_t m = 0; m < MSGS; m++)
            keys[count++] = (struct ct_cell_key){.comm_size = (uint32_t)placements->items[i].ranks,
                                                 .msg_bytes = bytes[m],
                                                 .nodes = (uint32_t)ct_placement_nodes(&placements->items[i]),
                                                 .ppn = (uint32_t)ct_placement_ppn(&placements->items[i])};
    assert_true(count <= MOST);
    return count;
}

/* Each cell has a point of its own, in the layer of the ranks on a node that were asked for. */
static struct ct_guide_axes check_axes(const struct ct_placements *placements)
{
    struct ct_cell_key keys[MOST];
    struct ct_guide_axes axes;
    bool taken[1024] = {false};
    const size_t count = cells_of(placements, keys);
    assert_int_equal(ct_guide_axes_make(keys, count, &axes), CT_OK);
    assert_true(axes.layers * axes.rows * axes.columns <= 1024);
    for (size_t i = 0; i < count; i++) {
        const size_t point = ct_guide_axes_point(&axes, &keys[i]);
        assert_true(point < axes.layers * axes.rows * axes.columns && !taken[point]);
        taken[point] = true;
        assert_int_equal(axes.msg_sizes[point % axes.columns], keys[i].msg_bytes);
        if (axes.layers > 1)
            assert_int_equal(axes.ppns[point / axes.columns / axes.rows], placements->items[i / MSGS].ppn);
    }
    return axes;
}

/* Numbers of nodes with numbers of ranks on each: a grid that lacks the rank alone. */
static void nodes_are_rows(void **state)
{
    (void)state;
    const size_t nodes[] = {1, 2, 4}, ppns[] = {1, 2, 4};
    struct ct_placements placements;
    struct ct_error error = {""};
    assert_int_equal(ct_placements_of_nodes(nodes, 3, ppns, 3, &error, &placements), CT_OK);
    struct ct_guide_axes axes = check_axes(&placements);
    assert_true(axes.by_nodes);
    assert_int_equal(axes.layers, 3);
    assert_int_equal(axes.rows, 3);
    assert_int_equal(axes.columns, MSGS);
    const struct ct_cell_key key = {.comm_size = 8, .nodes = 2, .ppn = 4, .msg_bytes = 1024, .yield = 1};
    assert_int_equal(ct_guide_axes_point(&axes, &key), (2 * 3 + 1) * MSGS + 1);
    ct_guide_axes_free(&axes);
    ct_placements_free(&placements);
}

/* Communicator sizes with numbers of ranks on a node: nodes are not all full, so sizes are the rows. Ranks
 * that fit on one node lie with those that fill it. */
static void sizes_are_rows(void **state)
{
    (void)state;
    const size_t sizes[] = {2, 3, 6, 8, 12}, ppns[] = {1, 4, 8};
    struct ct_placements placements;
    assert_int_equal(ct_placements_of_sizes(sizes, 5, ppns, 3, &placements), CT_OK);
    struct ct_guide_axes axes = check_axes(&placements);
    assert_false(axes.by_nodes);
    assert_int_equal(axes.layers, 3);
    assert_int_equal(axes.rows, 5);
    ct_guide_axes_free(&axes);
    ct_placements_free(&placements);

    const size_t few[] = {4, 8}, two[] = {2, 8}; /* the larger number only fills one node */
    assert_int_equal(ct_placements_of_sizes(few, 2, two, 2, &placements), CT_OK);
    axes = check_axes(&placements);
    assert_int_equal(axes.layers, 2);
    ct_guide_axes_free(&axes);
    ct_placements_free(&placements);
}

/* Where ranks per node do not vary by themselves there is one layer, also if they are not known beforehand
 * and a measured cell has them. */
static void one_layer_ignores_nodes(void **state)
{
    (void)state;
    const struct ct_cell_key unknown[] = {{.comm_size = 2, .msg_bytes = 8}, {.comm_size = 6, .msg_bytes = 8}};
    const struct ct_cell_key known[] = {{.comm_size = 2, .msg_bytes = 8, .nodes = 1, .ppn = 2},
                                        {.comm_size = 6, .msg_bytes = 8, .nodes = 3, .ppn = 3}};
    for (int i = 0; i < 2; i++) {
        struct ct_guide_axes axes;
        assert_int_equal(ct_guide_axes_make(i == 0 ? unknown : known, 2, &axes), CT_OK);
        assert_int_equal(axes.layers, 1);
        assert_int_equal(axes.rows, 2);
        assert_int_equal(ct_guide_axes_point(&axes, &known[1]), 1);
        ct_guide_axes_free(&axes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_rows),
        cmocka_unit_test(sizes_are_rows),
        cmocka_unit_test(one_layer_ignores_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
