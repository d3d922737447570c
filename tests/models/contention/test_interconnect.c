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

enum { NODES_MOST = 3, LINKS_MOST = 6, FACTORS = 2 };

/* The links of ways are digits, and a comma ends each way. */
struct network {
    double window, weight;
    struct ct_network_factor factors[FACTORS]; /* both, or none if the second is 0 */
    double slowness[NODES_MOST];               /* 0 ends */
    struct ct_network_link links[LINKS_MOST];  /* a rate of 0 ends */
    const char *ways;
};

/* Messages of a latency of 3 seconds and a rate of 10 were measured. */
static struct ct_network_routes *routes_of(const struct network *network)
{
    struct ct_network_counts counts = {.steps = strlen(network->ways),
                                       .factors = network->factors[1].factor > 0 ? FACTORS : 0};
    while (counts.nodes < NODES_MOST && network->slowness[counts.nodes] > 0)
        counts.nodes++;
    while (counts.links < LINKS_MOST && network->links[counts.links].rate > 0)
        counts.links++;
    struct ct_network_routes *routes = ct_network_routes_new(&counts);
    assert_non_null(routes);
    routes->measured = (struct ct_network_way){.latency = 3, .rate = 10};
    routes->window = network->window;
    routes->weight = network->weight;
    memcpy(routes->factors.all, network->factors, counts.factors * sizeof network->factors[0]);
    memcpy(routes->slowness, network->slowness, counts.nodes * sizeof network->slowness[0]);
    memcpy(routes->all_links, network->links, counts.links * sizeof network->links[0]);
    const char *at = network->ways;
    for (size_t pair = 0; pair < counts.nodes * counts.nodes; pair++) {
        uint32_t way[WAY_MOST];
        size_t count = 0;
        if (pair % (counts.nodes + 1) == 0)
            continue;
        while (*at != ',')
            way[count++] = (uint32_t)(*at++ - '0');
        at++;
        ct_network_routes_add(routes, pair / counts.nodes, pair % counts.nodes, way, count);
    }
    assert_int_equal(*at, '\0');
    return routes;
}

/* Two hosts with links of rate 10 and one with rate 5, behind a link that messages do not share. */
static void any_network(void **state)
{
    (void)state;
    static const struct network network = {
        .factors = {{0, 1}, {99, 2}},
        .slowness = {1, 1, 2},
        .links = {{10, 1, true}, {10, 2, true}, {5, 1, true}, {20, 0.5, false}},
        .ways = "01,032,10,132,20,21,"};
    struct ct_network_routes *routes = routes_of(&network);
    const struct ct_interconnect topology = ct_interconnect_of_routes(routes);
    assert_int_equal(topology.nodes, 3);
    assert_int_equal(hops(&topology, 0, 2), 2);
    assert_int_equal(shared(&topology, 0, 2, 1, 2), 1);
    assert_int_equal(shared(&topology, 2, 0, 2, 1), 1);
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
    ct_network_routes_free(routes);
}

/* A message may have 6 bytes on a way there and back of 6 seconds; links count as a second of 10 bytes. */
static void a_window_bounds_rates(void **state)
{
    (void)state;
    static const struct network network = {.window = 6,
                                           .weight = 10,
                                           .slowness = {1, 1},
                                           .links = {{10, 1, true}, {10, 2, true}},
                                           .ways = "01,10,"};
    struct ct_network_routes *routes = routes_of(&network);
    const struct ct_interconnect topology = ct_interconnect_of_routes(routes);
    assert_true(ct_interconnect_share_of(&topology, 0, 1, 2).most == 0.1);
    assert_true(ct_interconnect_share_of(&topology, 0, 1, 2).weight == 1 / 5.);
    ct_network_routes_free(routes);
}

static void some_networks_are_a_switch(void **state)
{
    (void)state;
#define LINK                                                                                                 \
    {                                                                                                        \
        9, 1, true                                                                                           \
    }
    static const struct {
        struct network network;
        bool is_switch;
    } cases[] = {
        {{.slowness = {1, 1, 1}, .links = {LINK, LINK, LINK, LINK, LINK, LINK}, .ways = "04,05,13,15,23,24,"},
         true},
        {{.slowness = {1, 1}, .links = {LINK, LINK}, .ways = "0,1,"}, true},
        {{.factors = {{0, 1}, {99, 2}}, .slowness = {1, 1}, .links = {LINK, LINK}, .ways = "0,1,"}, false},
        {{.slowness = {1, 2}, .links = {LINK, LINK}, .ways = "0,1,"}, false},
        {{.slowness = {1, 1}, .links = {LINK, {8, 1, true}}, .ways = "0,1,"}, false},
        {{.slowness = {1, 1}, .links = {LINK, {9, 2, true}}, .ways = "0,1,"}, false},
        {{.slowness = {1, 1}, .links = {LINK, {9, 1, false}}, .ways = "0,1,"}, false},
        {{.slowness = {1, 1, 1}, .links = {LINK}, .ways = "0,0,0,0,0,0,"}, false}, /* one link for all */
    };
#undef LINK
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ct_network_routes *routes = routes_of(&cases[i].network);
        if (ct_network_routes_are_switch(routes) != cases[i].is_switch)
            fail_msg("case %zu", i);
        ct_network_routes_free(routes);
    }
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
