/* SPDX-License-Identifier: BSD-3-Clause */
/* For which calls are algorithms verified? */
#include "plan/shapes.h"
#include "plan/verify/verifier_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS_MOST = 512, COUNTS_MOST = 16, VALUES_MOST = 64, NODES_MOST = 8 };

/* What a visit of all cases comes across. */
struct seen {
    size_t cases;
    size_t roots[RANKS_MOST];
    size_t counts[COUNTS_MOST];
    size_t count_count;
    bool kinds[2][2][2]; /* in place, ordered, uneven */
    size_t zeros;        /* of uneven counts */
    size_t segments_most;
    bool values[VALUES_MOST][VALUES_MOST];
    char nodes[NODES_MOST][CT_NODES_TEXT];
    size_t node_count;
};

static void note_count(struct seen *seen, size_t count)
{
    for (size_t i = 0; i < seen->count_count; i++)
        if (seen->counts[i] == count)
            return;
    assert_true(seen->count_count < COUNTS_MOST);
    seen->counts[seen->count_count++] = count;
}

static void note_nodes(struct seen *seen, const struct ct_nodes *nodes)
{
    char text[CT_NODES_TEXT];
    ct_nodes_format(nodes, text);
    for (size_t i = 0; i < seen->node_count; i++)
        if (strcmp(seen->nodes[i], text) == 0)
            return;
    assert_true(seen->node_count < NODES_MOST);
    memcpy(seen->nodes[seen->node_count++], text, sizeof text);
}

static int note(const struct ct_method *method, const struct ct_call *call, void *context)
{
    struct seen *seen = context;
    const struct ct_descriptor *descriptor = method->algorithm->descriptor;
    const size_t *counts = call->send_counts ? call->send_counts : call->recv_counts;
    seen->cases++;
    seen->roots[call->root]++;
    note_count(seen, call->count);
    seen->kinds[call->in_place][!call->commutative][counts != NULL] = true;
    for (int i = 0; counts && i < call->size; i++)
        seen->zeros += counts[i] == 0;
    for (int i = 0; i < ct_parameter_count(descriptor); i++) {
        if (!descriptor->parameters[i]->in_bytes || method->values[i] == 0)
            continue;
        size_t segments = ct_segments_cut(call->count, call->unit_bytes, method->values[i]).count;
        seen->segments_most = segments > seen->segments_most ? segments : seen->segments_most;
    }
    if (method->values[0] < VALUES_MOST && method->values[1] < VALUES_MOST)
        seen->values[method->values[0]][method->values[1]] = true;
    if (call->nodes)
        note_nodes(seen, call->nodes);
    return CT_OK;
}

static void build_nothing(struct ct_plan *plan, const struct ct_call *call)
{
    (void)plan;
    (void)call;
}

static struct seen visit(enum ct_collective collective, const struct ct_descriptor *descriptor, int size)
{
    static struct seen seen;
    const struct ct_algorithm algorithm = {collective, "any", descriptor};
    const struct ct_cases cases = {.algorithm = &algorithm, .size = size};
    struct ct_cases_skipped skipped;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(ct_cases_visit(&cases, note, &seen, &skipped), CT_OK);
    assert_true(seen.cases > 0);
    return seen;
}

static bool has_count(const struct seen *seen, size_t count)
{
    for (size_t i = 0; i < seen->count_count; i++)
        if (seen->counts[i] == count)
            return true;
    return false;
}

/* All roots, then four, then two; counts around the number of ranks and beyond 32 bits. */
static void test_calls(void **state)
{
    (void)state;
    const struct ct_descriptor segmented = {.parameters = {&ct_segment_parameter}, .build = build_nothing};
    const struct {
        int size;
        size_t roots, counts, segments;
    } expected[] = {{33, 33, 7, 17}, {34, 4, 7, 5}, {130, 4, 7, 5}, {256, 4, 7, 5}, {257, 2, 3, 5}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        size_t size = (size_t)expected[i].size, roots = 0;
        struct seen seen = visit(CT_COLLECTIVE_REDUCE, &segmented, expected[i].size);
        for (size_t root = 0; root < size; root++)
            roots += seen.roots[root] > 0;
        assert_int_equal(roots, expected[i].roots);
        assert_true(seen.roots[0] && seen.roots[size / 2]);
        assert_true(roots == 2 || (seen.roots[1] && seen.roots[size - 1]));
        assert_int_equal(seen.count_count, expected[i].counts);
        const size_t counts[] = {1, size + 1, 6442450945, 0, size - 1, size, 17};
        for (size_t k = 0; k < expected[i].counts; k++)
            assert_true(has_count(&seen, counts[k]));
        assert_int_equal(seen.segments_most, expected[i].segments);
        for (int kind = 0; kind < 4; kind++)
            assert_true(seen.kinds[kind / 2][kind % 2][0]);
        assert_false(seen.kinds[0][0][1]);
    }
}

static void test_uneven_calls(void **state)
{
    (void)state;
    const enum ct_collective varying[] = {CT_COLLECTIVE_SCATTERV, CT_COLLECTIVE_GATHERV,
                                          CT_COLLECTIVE_ALLGATHERV, CT_COLLECTIVE_ALLTOALLV,
                                          CT_COLLECTIVE_REDUCE_SCATTER};
    const struct ct_descriptor plain = {.build = build_nothing};
    for (size_t i = 0; i < sizeof varying / sizeof varying[0]; i++) {
        for (int size = 5; size <= 300; size *= 4) {
            struct seen seen = visit(varying[i], &plain, size);
            assert_true(seen.kinds[0][0][0] && seen.kinds[0][0][1]);
            assert_true(seen.zeros > seen.cases / 2); /* in half of them, one at least */
        }
    }
}

/* A call has but a part of the combinations of values, all calls together have all. */
static void test_values(void **state)
{
    (void)state;
    const struct ct_descriptor descriptor = {.parameters = {&ct_radix_parameter, &ct_requests_parameter},
                                             .build = build_nothing};
    const size_t radices[] = {2, 3, 4, 8}, requests[] = {2, 3, 4, 16};
    for (int size = 8; size <= 64; size *= 8) {
        struct seen seen = visit(CT_COLLECTIVE_REDUCE, &descriptor, size);
        for (size_t i = 0; i < 4; i++)
            for (size_t k = 0; k < 4; k++)
                assert_true(seen.values[radices[i]][requests[k]]);
    }
}

static void test_nodes(void **state)
{
    (void)state;
    const struct ct_descriptor on_nodes = {.constraints = CT_CONSTRAINT_NODES_KNOWN, .build = build_nothing};
    struct seen seen = visit(CT_COLLECTIVE_BARRIER, &on_nodes, 7);
    assert_int_equal(seen.node_count, 4);
    assert_string_equal(seen.nodes[0], "0 0 1 1 2 2 3");
    assert_string_equal(seen.nodes[1], "0 1 1 2 2 2 3");
    assert_string_equal(seen.nodes[2], "0 1 2 0 1 2 0");
    assert_string_equal(seen.nodes[3], "0 0 0 0 0 1 2");
    assert_int_equal(visit(CT_COLLECTIVE_BARRIER, &on_nodes, 300).node_count, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_uneven_calls),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
