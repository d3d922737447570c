/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways of messages, as SimGrid 3.32 routes them. */
#include "models/contention/interconnect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WAY_MOST = 64 };

static struct ct_interconnect topology_of(const char *text)
{
    struct ct_error error = {{0}};
    struct ct_interconnect topology = {0};
    if (ct_interconnect_parse(text, &error, &topology) != CT_OK)
        fail_msg("%s", error.text);
    return topology;
}

static size_t hops(const struct ct_interconnect *topology, size_t from, size_t to)
{
    uint32_t way[WAY_MOST];
    return ct_interconnect_route(topology, from, to, way);
}

/* Links that both ways have. */
static size_t shared(const struct ct_interconnect *topology, size_t from, size_t to, size_t other_from,
                     size_t other_to)
{
    uint32_t way[WAY_MOST], other[WAY_MOST];
    const size_t count = ct_interconnect_route(topology, from, to, way);
    const size_t others = ct_interconnect_route(topology, other_from, other_to, other);
    size_t both = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < others; k++)
            both += way[i] == other[k];
    return both;
}

static void expect_ways_in_bounds(const struct ct_interconnect *topology)
{
    uint32_t way[WAY_MOST];
    for (size_t from = 0; from < topology->nodes; from++)
        for (size_t to = 0; to < topology->nodes; to++) {
            if (from == to)
                continue;
            const size_t count = ct_interconnect_route(topology, from, to, way);
            assert_in_range(count, 1, topology->longest);
            for (size_t i = 0; i < count; i++) {
                assert_in_range(way[i], 0, topology->links - 1);
                for (size_t k = 0; k < i; k++)
                    assert_int_not_equal(way[i], way[k]);
            }
        }
}

static void ways_have_different_links(void **state)
{
    (void)state;
    static const char *const texts[] = {"torus:4,3,2", "torus:5", "fattree:2;4,4;1,2;1,1",
                                        "fattree:3;2,3,2;1,2,2;1,1,3", "dragonfly:4,2;2,1;4,1;2"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct ct_interconnect topology = topology_of(texts[i]);
        expect_ways_in_bounds(&topology);
    }
    const struct ct_interconnect one_switch = ct_interconnect_switch(9);
    expect_ways_in_bounds(&one_switch);
}

static void a_torus(void **state)
{
    (void)state;
    const struct ct_interconnect torus = topology_of("torus:4x3x2");
    assert_int_equal(torus.nodes, 24);
    assert_int_equal(hops(&torus, 0, 1), 1);
    assert_int_equal(hops(&torus, 0, 3), 1); /* around */
    assert_int_equal(hops(&torus, 0, 2), 2);
    assert_int_equal(hops(&torus, 0, 22), 4); /* 2 + 1 + 1 */
    /* 0 and 2 are as far either way: upwards. 3 and 1: downwards, as SimGrid says. */
    assert_int_equal(shared(&torus, 0, 2, 0, 1), 1);
    assert_int_equal(shared(&torus, 3, 1, 3, 2), 0);
    /* Directions are apart. */
    assert_int_equal(shared(&torus, 0, 1, 1, 0), 0);
}

static void a_fat_tree(void **state)
{
    (void)state;
    const struct ct_interconnect tree = topology_of("fattree:2;16,16;1,8;1,1");
    assert_int_equal(tree.nodes, 256);
    assert_int_equal(hops(&tree, 0, 15), 2);
    assert_int_equal(hops(&tree, 0, 16), 4);
    /* To receivers that are equal modulo 8 by the same spine switch. */
    assert_int_equal(shared(&tree, 0, 16, 1, 24), 2);
    assert_int_equal(shared(&tree, 0, 16, 1, 17), 0);
    assert_int_equal(shared(&tree, 0, 24, 32, 16), 1); /* down to the leaf switch */
}

static void a_dragonfly(void **state)
{
    (void)state;
    const struct ct_interconnect dragonfly = topology_of("dragonfly:11,1;2,1;12,1;4");
    assert_int_equal(dragonfly.nodes, 1056);
    assert_int_equal(hops(&dragonfly, 0, 3), 2);   /* one router */
    assert_int_equal(hops(&dragonfly, 0, 4), 3);   /* one chassis */
    assert_int_equal(hops(&dragonfly, 0, 48), 3);  /* one place in both chassis */
    assert_int_equal(hops(&dragonfly, 0, 52), 4);  /* one group */
    assert_int_equal(hops(&dragonfly, 48, 52), 4); /* in the second chassis, as SimGrid goes */
    assert_int_equal(hops(&dragonfly, 4, 96), 3);  /* the routers with the link between two groups */
    assert_int_equal(hops(&dragonfly, 8, 104), 5);
    assert_int_equal(hops(&dragonfly, 56, 152), 7);
    /* All messages between two groups share their link. */
    assert_int_equal(shared(&dragonfly, 12, 96, 20, 121), 1);
    assert_int_equal(shared(&dragonfly, 12, 96, 20, 217), 0);
}

static void capacities(void **state)
{
    (void)state;
    const struct ct_interconnect dragonfly = topology_of("dragonfly:4,5;2,3;4,2;2");
    uint32_t way[WAY_MOST];
    /* From the second chassis of group 0 to that of group 2: green, black, blue, green, black. */
    const double expected[] = {1, 2, 3, 5, 2, 3, 1};
    const size_t count = ct_interconnect_route(&dragonfly, 14, 46, way);
    assert_int_equal(count, 7);
    for (size_t i = 0; i < count; i++)
        assert_true(ct_interconnect_capacity(&dragonfly, way[i]) == expected[i]);
}

/* Two hosts with links of rate 10 and one with rate 5, behind a link that messages do not share. */
static void any_network(void **state)
{
    (void)state;
    struct ct_interconnect topology =
        topology_of("routes:3,10,0,0;0,1,99,2;1,1,2;10,1,1,10,2,1,5,1,1,20,0.5,0;"
                    "0.1,0.3.2,1.0,1.3.2,2.0,2.1");
    const struct ct_network_routes *routes = topology.routes;
    assert_int_equal(topology.nodes, 3);
    assert_int_equal(hops(&topology, 0, 2), 2);
    assert_int_equal(shared(&topology, 0, 2, 1, 2), 1);
    assert_true(ct_interconnect_capacity(&topology, 0) == 1);
    assert_true(ct_interconnect_capacity(&topology, 2) == 0.5);
    assert_true(ct_interconnect_share_of(&topology, 0, 1, 2).most == 1);
    assert_true(ct_interconnect_share_of(&topology, 0, 2, 2).most == 0.5);
    assert_true(ct_interconnect_share_of(&topology, 0, 2, 2).weight == 1 / 2.5);
    assert_true(ct_interconnect_slowness(&topology, 1) == 1);
    assert_true(ct_interconnect_slowness(&topology, 2) == 2);
    assert_true(routes->ways[2].latency == 2.5);
    assert_true(ct_network_factor_of(&routes->factors, 99) == 1);
    assert_true(ct_network_factor_of(&routes->factors, 100) == 2);
    ct_interconnect_free(&topology);
    assert_null(topology.routes);
}

/* A message may have 6 bytes on a way there and back of 6 seconds; links count as a second of 10 bytes. */
static void a_window_bounds_rates(void **state)
{
    (void)state;
    struct ct_interconnect topology = topology_of("routes:3,10,6,10;;1,1;10,1,1,10,2,1;0.1,1.0");
    assert_true(ct_interconnect_share_of(&topology, 0, 1, 2).most == 0.1);
    assert_true(ct_interconnect_share_of(&topology, 0, 1, 2).weight == 1 / 5.);
    ct_interconnect_free(&topology);
}

static bool is_switch(const char *text)
{
    struct ct_interconnect topology = topology_of(text);
    const bool is = ct_network_routes_are_switch(topology.routes);
    ct_interconnect_free(&topology);
    return is;
}

static void some_networks_are_a_switch(void **state)
{
    (void)state;
    assert_true(
        is_switch("routes:0,1,0,0;;1,1,1;9,1,1,9,1,1,9,1,1,9,1,1,9,1,1,9,1,1;0.4,0.5,1.3,1.5,2.3,2.4"));
    assert_true(is_switch("routes:0,1,0,0;0,1;1,1;9,1,1,9,1,1;0,1"));
    assert_false(is_switch("routes:0,1,0,0;0,1,99,2;1,1;9,1,1,9,1,1;0,1")); /* factors */
    assert_false(is_switch("routes:0,1,0,0;;1,2;9,1,1,9,1,1;0,1"));         /* speeds */
    assert_false(is_switch("routes:0,1,0,0;;1,1;9,1,1,8,1,1;0,1"));         /* rates */
    assert_false(is_switch("routes:0,1,0,0;;1,1;9,1,1,9,2,1;0,1"));         /* latencies */
    assert_false(is_switch("routes:0,1,0,0;;1,1;9,1,1,9,1,0;0,1"));         /* not shared */
    assert_false(is_switch("routes:0,1,0,0;;1,1,1;9,1,1;0,0,0,0,0,0"));     /* one link for all */
}

static void what_is_no_topology(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "torus",
                                        "torus:",
                                        "torus:0",
                                        "torus:4,",
                                        "torus:4x",
                                        "torus:4x2,3",
                                        "torus:1048577",
                                        "torus:1024,1025",
                                        "torus:1,1,1,1,1,1,1,1,1",
                                        "fattree:2",
                                        "fattree:2;4;1;1",
                                        "fattree:2;4,4;1,2;1",
                                        "fattree:9;1;1;1",
                                        "fattree:2;4,4;1,2;1,1;",
                                        "fattree:0;;;",
                                        "dragonfly:11,1;2,1;12,1",
                                        "dragonfly:5,1;2,1;4,1;2",
                                        "dragonfly:4,1;2,1;4,1;2,1",
                                        "mesh:4,4",
                                        "routes:",
                                        "routes:3,10,0;;1,1;9,1,1;0,0",
                                        "routes:3,0,0,0;;1,1;9,1,1;0,0",
                                        "routes:3,10,0,0;0;1,1;9,1,1;0,0",
                                        "routes:3,10,0,0;0,1,0,2;1,1;9,1,1;0,0",
                                        "routes:3,10,0,0;;1;9,1,1;",
                                        "routes:3,10,0,0;;1,0;9,1,1;0,0",
                                        "routes:3,10,0,0;;1,1;9,1;0,0",
                                        "routes:3,10,0,0;;1,1;0,1,1;0,0",
                                        "routes:3,10,0,0;;1,1;9,1,2;0,0",
                                        "routes:3,10,0,0;;1,1;9,1,1;0",
                                        "routes:3,10,0,0;;1,1;9,1,1;0,1",
                                        "routes:3,10,0,0;;1,1;9,1,1;0,0.",
                                        "routes:3,10,0,0;;1,1;9,1,1;0,0,0",
                                        "routes:nan,10,0,0;;1,1;9,1,1;0,0",
                                        "torus:99999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ct_error error = {{0}};
        struct ct_interconnect topology;
        if (ct_interconnect_parse(texts[i], &error, &topology) != CT_E_INPUT)
            fail_msg("'%s' is taken", texts[i]);
        assert_non_null(strstr(error.text, "expected"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ways_have_different_links),
                                       cmocka_unit_test(a_torus),
                                       cmocka_unit_test(a_fat_tree),
                                       cmocka_unit_test(a_dragonfly),
                                       cmocka_unit_test(capacities),
                                       cmocka_unit_test(any_network),
                                       cmocka_unit_test(a_window_bounds_rates),
                                       cmocka_unit_test(some_networks_are_a_switch),
                                       cmocka_unit_test(what_is_no_topology)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
