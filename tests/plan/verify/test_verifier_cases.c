/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct ct_verifier *verifier;

static int set_up(void **state)
{
    (void)state;
    verifier = ct_verifier_new();
    return verifier ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    ct_verifier_free(verifier);
    return 0;
}

static void test_all_algorithms(void **state)
{
    (void)state;
    const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 36};
    const size_t tried = FEWER_CASES ? 7 : sizeof sizes / sizeof sizes[0];
    for (size_t a = 0; a < ct_algorithm_count; a++) {
        const struct ct_descriptor *descriptor = ct_algorithms[a].descriptor;
        if (ct_is_native(&ct_algorithms[a]))
            continue;
        struct ct_cases_totals totals = {0};
        const struct ct_collective_description *about = &ct_collectives[ct_algorithms[a].collective];
        for (size_t s = 0; s < tried; s++) {
            /* All graphs of three or four ranks take long: these are for some of the algorithms. */
            bool has_all_graphs = sizes[s] == 3 || sizes[s] == 4;
            if (about->is_sparse && has_all_graphs &&
                (about->varies || descriptor->constraints || ct_parameter_count(descriptor) > 1))
                continue;
            const struct ct_cases cases = {.algorithm = &ct_algorithms[a], .size = sizes[s]};
            struct ct_case_failure failure;
            int status = ct_cases_verify(verifier, &cases, &totals, &failure);
            if (status == CT_E_ANSWER)
                print_error("%s, %d ranks: %s\n", ct_algorithms[a].name, sizes[s], failure.error.text);
            assert_int_equal(status, CT_OK);
        }
        assert_true(totals.cases >= tried / 2);
        bool names_others = false;
        for (int i = 0; i < ct_parameter_count(descriptor); i++)
            names_others |= descriptor->parameters[i]->standard_name != NULL;
        if (!names_others)
            assert_int_equal(totals.skipped.by_constraints == 0, descriptor->constraints == 0);
    }
}

/* Forgets one rank, among five. */
static void build_forgetful(struct ct_plan *plan, const struct ct_call *call)
{
    if (call->rank != call->root)
        ct_receive(plan, call->root, CT_BUFFER_RECV, 0, call->count);
    for (int peer = 0; call->rank == call->root && peer < call->size; peer++)
        if (peer != call->root && !(call->size == 5 && peer == 3))
            ct_send(plan, peer, CT_BUFFER_RECV, 0, call->count);
}

static void test_finds_the_case(void **state)
{
    (void)state;
    const struct ct_descriptor descriptor = {.build = build_forgetful};
    const struct ct_algorithm forgetful = {CT_COLLECTIVE_BCAST, "forgetful", &descriptor};
    struct ct_cases cases = {.algorithm = &forgetful, .size = 4};
    struct ct_cases_totals totals = {0};
    struct ct_case_failure failure;
    assert_int_equal(ct_cases_verify(verifier, &cases, &totals, &failure), CT_OK);
    cases.size = 5;
    assert_int_equal(ct_cases_verify(verifier, &cases, &totals, &failure), CT_E_ANSWER);
    assert_int_equal(failure.call.size, 5);
    assert_int_equal(failure.call.root, 0);
    assert_int_equal(failure.call.count, 1); /* nothing is sent of 0 units */
    assert_int_equal(failure.verdict.flaw, CT_FLAW_UNMATCHED);
    assert_int_equal(failure.verdict.rank, 3);
    assert_non_null(strstr(failure.error.text, "rank 0 never sends it"));
}

/* Tokens between all pairs. */
static void build_all_pairs(struct ct_plan *plan, const struct ct_call *call)
{
    for (int peer = 0; peer < call->size; peer++) {
        if (peer == call->rank)
            continue;
        ct_receive_token(plan, peer);
        ct_send_token(plan, peer);
    }
}

/* Beyond 256 ranks, what sends too many messages is passed over. */
static void test_many_messages(void **state)
{
    (void)state;
    const struct ct_descriptor descriptor = {.build = build_all_pairs};
    const struct ct_algorithm quadratic = {CT_COLLECTIVE_BARRIER, "all_pairs", &descriptor};
    for (int size = 256; size <= 257; size++) {
        const struct ct_cases cases = {.algorithm = &quadratic, .size = size};
        struct ct_cases_totals totals = {0};
        struct ct_case_failure failure;
        assert_int_equal(ct_cases_verify(verifier, &cases, &totals, &failure), CT_OK);
        assert_int_equal(totals.cases, size == 256);
        assert_int_equal(totals.skipped.by_messages, size == 257);
        assert_int_equal(totals.skipped.by_constraints, 0);
    }
    const struct ct_cases cases = {.algorithm = ct_algorithm_find(CT_COLLECTIVE_BARRIER, "dissemination"),
                                   .size = 1025};
    struct ct_cases_totals totals = {0};
    struct ct_case_failure failure;
    assert_int_equal(ct_cases_verify(verifier, &cases, &totals, &failure), CT_OK);
    assert_true(totals.cases > 0 && totals.skipped.by_messages == 0);
}

struct tally {
    size_t cases;
    size_t empty; /* of count 0 */
};

static int tally_case(const struct ct_method *method, const struct ct_call *call, void *context)
{
    struct tally *tally = context;
    (void)method;
    tally->cases++;
    tally->empty += call->count == 0;
    return CT_OK;
}

/* Up to 16 ranks each of the 8 patterns is tried with all counts; beyond with one, so that each has been
 * tried with all of 3 after 3 sizes. */
static void test_counts_of_patterns(void **state)
{
    (void)state;
    const size_t counts[] = {0, 5, 9};
    struct ct_cases cases = {.algorithm = ct_algorithm_find(CT_COLLECTIVE_NEIGHBOR_ALLTOALL, "linear"),
                             .size = 16,
                             .counts = counts,
                             .count_count = 3};
    struct ct_cases_skipped skipped;
    struct tally small = {0}, large = {0};
    assert_int_equal(ct_cases_visit(&cases, tally_case, &small, &skipped), CT_OK);
    assert_int_equal(small.cases, 8 * 3);
    assert_int_equal(small.empty, 8);
    for (cases.size = 17; cases.size < 17 + 3; cases.size++) {
        size_t before = large.cases;
        assert_int_equal(ct_cases_visit(&cases, tally_case, &large, &skipped), CT_OK);
        assert_int_equal(large.cases - before, 8);
    }
    assert_int_equal(large.empty, 8);
}

/* On nodes, rank 3 is forgotten where it leads none. */
static void build_on_nodes(struct ct_plan *plan, const struct ct_call *call)
{
    for (int peer = 0; peer < call->size; peer++) {
        bool forgotten = call->nodes->place[3] > 0 && (peer == 3 || call->rank == 3);
        if (peer == call->rank || forgotten)
            continue;
        ct_receive_token(plan, peer);
        ct_send_token(plan, peer);
    }
}

/* On nodes, rank 3 is forgotten where the first two ranks are on two nodes. */
static void build_in_order(struct ct_plan *plan, const struct ct_call *call)
{
    for (int peer = 0; peer < call->size; peer++) {
        bool forgotten = call->nodes->node_of[0] != call->nodes->node_of[1] && (peer == 3 || call->rank == 3);
        if (peer == call->rank || forgotten)
            continue;
        ct_receive_token(plan, peer);
        ct_send_token(plan, peer);
    }
}

static void test_failure_names_nodes(void **state)
{
    (void)state;
    const struct ct_descriptor on_nodes = {.constraints = CT_CONSTRAINT_NODES_KNOWN, .build = build_on_nodes};
    const struct ct_descriptor in_order = {.constraints = CT_CONSTRAINT_NODES_KNOWN, .build = build_in_order};
    const struct ct_algorithm forgetful = {CT_COLLECTIVE_BARRIER, "forgetful", &on_nodes};
    const struct ct_algorithm orderly = {CT_COLLECTIVE_BARRIER, "orderly", &in_order};
    struct ct_cases cases = {.algorithm = &forgetful, .size = 5};
    struct ct_cases_totals totals = {0};
    struct ct_case_failure failure;
    assert_int_equal(ct_cases_verify(verifier, &cases, &totals, &failure), CT_E_ANSWER);
    assert_string_equal(failure.nodes, "0 0 1 1 2");
    assert_int_equal(failure.ppn, 2);
    assert_null(failure.call.nodes);
    cases.algorithm = &orderly;
    assert_int_equal(ct_cases_verify(verifier, &cases, &totals, &failure), CT_E_ANSWER);
    assert_string_equal(failure.nodes, "0 1 1 2 2");
    assert_int_equal(failure.ppn, 0);
}

enum change { NO_CHANGE, ANOTHER_LENGTH, ANOTHER_PLACE, ANOTHER_PEER, ONE_LESS, ONE_MORE, CHANGES };
static enum change change;

/* The root sends to each rank; what the last one receives is changed. */
static void build_changed(struct ct_plan *plan, const struct ct_call *call)
{
    bool last = call->rank == call->size - 1;
    enum change own = last ? change : NO_CHANGE;
    for (int peer = 1; call->rank == 0 && peer < call->size; peer++)
        ct_send(plan, peer, CT_BUFFER_RECV, 0, call->count);
    if (call->rank > 0 && own != ONE_LESS)
        ct_receive(plan, own == ANOTHER_PEER ? 1 : 0, CT_BUFFER_RECV, own == ANOTHER_PLACE,
                   call->count - (own == ANOTHER_LENGTH || own == ANOTHER_PLACE));
    if (own == ONE_MORE)
        ct_receive(plan, 0, CT_BUFFER_RECV, 0, 1);
}

/* Plans are known again only if they are the same in all but scale. */
static void test_known_plans(void **state)
{
    (void)state;
    const struct ct_descriptor descriptor = {.build = build_changed};
    const struct ct_algorithm algorithm = {CT_COLLECTIVE_BCAST, "changed", &descriptor};
    const struct ct_method method = {.algorithm = &algorithm};
    const struct ct_call call = {.size = 4, .count = 10, .unit_bytes = 1, .commutative = true};
    struct ct_call longer = call;
    struct ct_error error;
    struct ct_verdict first, verdict;
    struct ct_verifier *own = ct_verifier_new(); /* which knows no plan yet */
    assert_non_null(own);
    change = NO_CHANGE;
    assert_int_equal(ct_verify_once(own, &method, &call, &error, &first), CT_OK);
    assert_non_null(first.traffic);
    assert_int_equal(ct_verify_once(own, &method, &call, &error, &verdict), CT_OK);
    assert_null(verdict.traffic);
    assert_int_equal(verdict.steps, first.steps);
    assert_int_equal(verdict.messages, 3);
    assert_int_equal(verdict.units, 30);
    for (change = NO_CHANGE + 1; change < CHANGES; change++)
        assert_int_equal(ct_verify_once(own, &method, &call, &error, &verdict), CT_E_ANSWER);
    change = NO_CHANGE;
    longer.count++;
    assert_int_equal(ct_verify_once(own, &method, &longer, &error, &verdict), CT_OK);
    assert_null(verdict.traffic);
    assert_int_equal(verdict.units, 33);
    longer.size++;
    assert_int_equal(ct_verify_once(own, &method, &longer, &error, &verdict), CT_OK);
    assert_non_null(verdict.traffic);
    ct_verifier_free(own);
}

static void test_native_has_no_plan(void **state)
{
    (void)state;
    const struct ct_method method = {.algorithm = ct_algorithm_find(CT_COLLECTIVE_BCAST, "native")};
    const struct ct_call call = {.size = 2, .count = 1, .unit_bytes = 1, .commutative = true};
    struct ct_error error;
    struct ct_verdict verdict;
    assert_int_equal(ct_verify(verifier, &method, &call, &error, &verdict), CT_E_INPUT);
    assert_non_null(strstr(error.text, "bcast/native"));
}

static struct ct_verdict verify(const char *spelling, int size, size_t count)
{
    struct ct_method method;
    struct ct_error error;
    struct ct_verdict verdict;
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, &error, &method), CT_OK);
    const struct ct_call call = {.size = size, .count = count, .unit_bytes = 1, .commutative = true};
    assert_int_equal(ct_verify(verifier, &method, &call, &error, &verdict), CT_OK);
    return verdict;
}

/* The counts that the cards in the algorithms' files give. */
static void test_messages(void **state)
{
    (void)state;
    for (int size = 2; size <= 40; size++) {
        size_t p = (size_t)size, log2 = 0;
        while ((size_t)1 << log2 < p)
            log2++;
        assert_int_equal(verify("barrier/linear", size, 0).messages, 2 * (p - 1));
        assert_int_equal(verify("barrier/dissemination", size, 0).messages, p * log2);
        assert_int_equal(verify("bcast/linear", size, 100).messages, p - 1);
        assert_int_equal(verify("bcast/binary:seg=10", size, 100).messages, 10 * (p - 1));
        assert_int_equal(verify("bcast/binomial", size, 100).traffic[0].messages, log2);
        assert_int_equal(verify("bcast/pipeline:seg=10", size, 100).traffic[0].units, 100);
        /* each rank but the root gets both halves */
        assert_int_equal(verify("bcast/split_binary", size, 100).units, 100 * (p - 1));
        assert_int_equal(verify("reduce/pipeline:seg=30", size, 100).messages, 4 * (p - 1));
        assert_int_equal(verify("reduce/binomial", size, 100).units, 100 * (p - 1));
        assert_int_equal(verify("allreduce/reduce_bcast", size, 100).units, 200 * (p - 1));
        assert_int_equal(verify("allreduce/ring", size, 100).units, 2 * 100 * (p - 1));
        if ((size & (size - 1)) == 0)
            assert_int_equal(verify("allreduce/recursive_doubling", size, 100).messages, p * log2);
    }
}

/* The work depends on steps, not on lengths; and many ranks are no trouble. */
static void test_scale(void **state)
{
    (void)state;
    const size_t huge = (size_t)1 << 40;
    struct ct_verdict verdict = verify("allreduce/ring", 9, huge);
    assert_int_equal(verdict.steps, verify("allreduce/ring", 9, 40).steps);
    assert_int_equal(verdict.units, 2 * 8 * huge);
    assert_int_equal(verify("bcast/binomial:seg=512G", 9, huge).messages, 8 * 2);
    assert_int_equal(verify("bcast/binomial", 20000, huge).messages, 19999);
    assert_int_equal(verify("barrier/dissemination", 1025, 0).messages, 11 * 1025);
    assert_int_equal(verify("allreduce/recursive_doubling", 1023, 5).traffic[1022].messages, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_algorithms),
        cmocka_unit_test(test_finds_the_case),
        cmocka_unit_test(test_many_messages),
        cmocka_unit_test(test_counts_of_patterns),
        cmocka_unit_test(test_failure_names_nodes),
        cmocka_unit_test(test_known_plans),
        cmocka_unit_test(test_native_has_no_plan),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_scale),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
