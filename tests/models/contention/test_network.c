/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/contention/network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES_MOST = 256, TRIALS = 60 };

static struct ct_network network_of(const char *text)
{
    struct ct_error error = {{0}};
    struct ct_network network;
    if (ct_network_parse(text, &error, &network) != CT_OK)
        fail_msg("%s", error.text);
    return network;
}

/* The most messages on a link, of all trials. */
static size_t most_of(struct ct_contention *contention, const struct ct_network_message *messages,
                      size_t count)
{
    uint64_t random = 1;
    size_t most = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct ct_link_load load;
        assert_int_equal(ct_contention_count(contention, messages, count, &random, &load), CT_OK);
        most = load.messages > most ? load.messages : most;
    }
    return most;
}

static size_t shift(size_t node, size_t by, size_t nodes)
{
    return (node + by) % nodes;
}

static size_t exclusive_or(size_t node, size_t by, size_t nodes)
{
    (void)nodes;
    return node ^ by;
}

static size_t most_of_permutation(struct ct_contention *contention, size_t nodes,
                                  size_t (*to)(size_t, size_t, size_t), size_t by)
{
    struct ct_network_message messages[NODES_MOST];
    for (size_t node = 0; node < nodes; node++)
        messages[node] = (struct ct_network_message){node, to(node, by, nodes), 8};
    return most_of(contention, messages, nodes);
}

/* Kumar 2005, lemma 6, by brute force for both directions: shifts by a 4^j, a from 1 to 3, share no link. */
static void test_free_shifts(void **state)
{
    (void)state;
    static const struct {
        const char *network;
        size_t nodes;
        size_t free[19]; /* 0 ends */
    } rows[] = {
        {"fattree:4,2", 16, {1, 2, 3, 4, 8, 12, 13, 14, 15}},
        {"fattree:4,3", 64, {1, 2, 3, 4, 8, 12, 16, 32, 48, 52, 56, 60, 61, 62, 63}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ct_network network = network_of(rows[i].network);
        struct ct_contention *contention = ct_contention_new(&network);
        const size_t *next = rows[i].free;
        assert_int_equal(network.nodes, rows[i].nodes);
        assert_non_null(contention);
        for (size_t by = 1; by < rows[i].nodes; by++) {
            bool is_free = most_of_permutation(contention, rows[i].nodes, shift, by) == 1;
            if (is_free != (by == *next))
                fail_msg("%s: shift by %zu", rows[i].network, by);
            next += by == *next;
        }
        ct_contention_free(contention);
    }
}

/* Lemma 5: partners by exclusive or share no link. */
static void test_free_exclusive_or(void **state)
{
    (void)state;
    static const char *const networks[] = {"fattree:4,2", "fattree:4,3", "fattree:2,6", "fattree:4,4"};
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        struct ct_network network = network_of(networks[i]);
        struct ct_contention *contention = ct_contention_new(&network);
        assert_non_null(contention);
        for (size_t by = 1; by < network.nodes; by++)
            if (most_of_permutation(contention, network.nodes, exclusive_or, by) != 1)
                fail_msg("%s: exclusive or with %zu", networks[i], by);
        ct_contention_free(contention);
    }
}

/* The permutation of 0 ... count - 1 with that number of count! */
static void permute(size_t number, size_t count, size_t *ret_permutation)
{
    for (size_t i = 0; i < count; i++) {
        const size_t place = number % (i + 1);
        number /= i + 1;
        for (size_t k = i; k > place; k--)
            ret_permutation[k] = ret_permutation[k - 1];
        ret_permutation[place] = i;
    }
}

enum { ARITY = 4, ORDERS = 24 };

/* Lemma 2: whole quarters change places. Here as everywhere, what is not so has contention: when the order
 * within a quarter changes besides, by a shift of two. */
static void test_free_quarters(void **state)
{
    (void)state;
    static const char *const networks[] = {"fattree:4,2", "fattree:4,3", "fattree:4,4"};
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        struct ct_network network = network_of(networks[i]);
        struct ct_contention *contention = ct_contention_new(&network);
        struct ct_network_message messages[NODES_MOST];
        const size_t quarter = network.nodes / ARITY;
        assert_non_null(contention);
        for (size_t order = 0; order < ORDERS; order++) {
            size_t quarters[ARITY];
            permute(order, ARITY, quarters);
            for (size_t node = 0; node < network.nodes; node++)
                messages[node] =
                    (struct ct_network_message){node, quarters[node / quarter] * quarter + node % quarter, 8};
            if (most_of(contention, messages, network.nodes) > 1)
                fail_msg("%s: order %zu of the quarters", networks[i], order);
        }
        for (size_t node = 0; node < network.nodes; node++)
            messages[node].to = (node / quarter + 1) % ARITY * quarter + (node % quarter + 5) % quarter;
        if (quarter > ARITY && most_of(contention, messages, network.nodes) == 1)
            fail_msg("%s: a shift within quarters is free", networks[i]);
        ct_contention_free(contention);
    }
}

/* Where a node comes to if the children of each inner node of the tree change places, by `orders`. */
static size_t of_automorphism(size_t node, size_t nodes, const size_t *orders)
{
    size_t to = 0, place = 1; /* inner nodes are numbered as in a heap */
    for (size_t below = nodes / ARITY; below > 0; below /= ARITY) {
        const size_t child = node / below % ARITY;
        size_t children[ARITY];
        permute(orders[place % ORDERS], ARITY, children);
        to += children[child] * below;
        place = place * ARITY + child + 1;
    }
    return to;
}

/* Lemma 3: permutations that map the tree onto itself. */
static void test_free_automorphisms(void **state)
{
    (void)state;
    static const char *const networks[] = {"fattree:4,2", "fattree:4,3", "fattree:4,4"};
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        struct ct_network network = network_of(networks[i]);
        struct ct_contention *contention = ct_contention_new(&network);
        struct ct_network_message messages[NODES_MOST];
        assert_non_null(contention);
        for (size_t trial = 0; trial < 20; trial++) {
            size_t orders[ORDERS];
            for (size_t k = 0; k < ORDERS; k++)
                orders[k] = (k * 7 + trial * 5 + k * k * trial) % ORDERS;
            for (size_t node = 0; node < network.nodes; node++)
                messages[node] =
                    (struct ct_network_message){node, of_automorphism(node, network.nodes, orders), 8};
            if (most_of(contention, messages, network.nodes) > 1)
                fail_msg("%s: automorphism %zu", networks[i], trial);
        }
        /* A stride of five is none of them. */
        for (size_t node = 0; node < network.nodes; node++)
            messages[node].to = node * 5 % network.nodes;
        if (most_of(contention, messages, network.nodes) == 1)
            fail_msg("%s: a stride of five is free", networks[i]);
        ct_contention_free(contention);
    }
}

/* All to one: the last link down has them all, in bytes, too. */
static void test_all_to_one(void **state)
{
    (void)state;
    struct ct_network network = network_of("fattree:4,2");
    struct ct_contention *contention = ct_contention_new(&network);
    struct ct_network_message messages[15];
    struct ct_link_load load;
    uint64_t random = 3;
    for (size_t i = 0; i < 15; i++)
        messages[i] = (struct ct_network_message){i + 1, 0, 10};
    assert_int_equal(ct_contention_count(contention, messages, 15, &random, &load), CT_OK);
    assert_int_equal(load.messages, 15);
    assert_int_equal(load.bytes, 150);
    const struct ct_network_message own = {5, 5, 10};
    assert_int_equal(ct_contention_count(contention, &own, 1, &random, &load), CT_OK);
    assert_int_equal(load.messages, 0); /* nothing is left of the last count, and a node needs no link */
    ct_contention_free(contention);
}

/* On a ring of n nodes a shift by s <= n / 2 puts s messages on each link; on a torus the dimensions do not
 * disturb each other. */
static void test_torus(void **state)
{
    (void)state;
    static const struct {
        const char *network;
        size_t by, most;
    } rows[] = {
        {"torus:16", 1, 1},    {"torus:16", 5, 5},    {"torus:16", 13, 3}, {"torus:4x4", 4, 1},
        {"torus:3x1x5", 3, 1}, {"torus:3,1,5", 3, 1}, {"torus:1", 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ct_network network = network_of(rows[i].network);
        struct ct_contention *contention = ct_contention_new(&network);
        assert_non_null(contention);
        if (most_of_permutation(contention, network.nodes, shift, rows[i].by) != rows[i].most)
            fail_msg("%s: shift by %zu", rows[i].network, rows[i].by);
        ct_contention_free(contention);
    }
}

static void test_broken_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "fattree",
        "fattree:",
        "fattree:4",
        "fattree:4,",
        "fattree:1,3",
        "fattree:4,3,2",
        "fattree:4x3",
        "fattree:4,0",
        "fattree:2,21",
        "fattree:0,1",
        "fattree:-4,3",
        "torus:",
        "torus:x",
        "torus:4x",
        "torus:4x0x2",
        "torus:4,4x2",
        "torus:4x4,2",
        "torus:4 x4",
        "torus:2000x2000",
        "torus:1x1x1x1x1x1x1x1x1",
        "torus:99999999999999999999",
        "mesh:4x4",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ct_error error = {{0}};
        struct ct_network network = {.nodes = 77};
        if (ct_network_parse(texts[i], &error, &network) != CT_E_INPUT)
            fail_msg("'%s' was taken for a network", texts[i]);
        assert_non_null(strstr(error.text, "network"));
        assert_int_equal(network.nodes, 77);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_shifts),   cmocka_unit_test(test_free_exclusive_or),
        cmocka_unit_test(test_free_quarters), cmocka_unit_test(test_free_automorphisms),
        cmocka_unit_test(test_all_to_one),    cmocka_unit_test(test_torus),
        cmocka_unit_test(test_broken_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
