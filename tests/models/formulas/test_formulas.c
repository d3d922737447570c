/* SPDX-License-Identifier: BSD-3-Clause */
/* What must hold of all 105 formulas, whatever the machine. */
#include "tests/models/formulas/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MACHINES = 20 };

static const double rank_counts[] = {2, 3, 4, 5, 6, 7, 8, 12, 16, 31, 33, 64, 100, 1000, 131072};
static const double sizes[] = {1, 2, 7, 64, 1000, 1024, 1025, 8192, 65535, 65536, 786432, 2097152, 100000000};
enum { RANK_COUNTS = sizeof rank_counts / sizeof rank_counts[0], SIZES = sizeof sizes / sizeof sizes[0] };

static const char *name(const struct ct_formula *formula, enum ct_communication_model model)
{
    static char text[CT_METHOD_TEXT];
    snprintf(text, sizeof text, "%s/%s, %s", formula->collective, formula->algorithm,
             ct_communication_model_names[model]);
    return text;
}

static struct ct_method standard_method(const struct ct_formula *formula)
{
    struct ct_method method;
    struct ct_error error;
    if (ct_method_parse(formula->algorithm, ct_formula_collective(formula), &error, &method) != CT_OK)
        fail_msg("%s", error.text);
    return method;
}

static void are_found_by_their_methods(void **state)
{
    (void)state;
    assert_null(ct_formula_at(FORMULAS));
    for (size_t i = 0; i < FORMULAS; i++) {
        const struct ct_method method = standard_method(ct_formula_at(i));
        assert_ptr_equal(ct_formula_find(&method), ct_formula_at(i));
        const struct ct_parameter *first = method.algorithm->descriptor->parameters[0];
        assert_int_equal(first && first->in_bytes, ct_formula_at(i)->cut != CT_CUT_NOTHING);
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
            assert_non_null(ct_formula_at(i)->seconds[model]);
    }
}

static const struct ct_formula *found(const char *spelling)
{
    struct ct_method method;
    struct ct_error error;
    if (ct_method_parse(spelling, CT_COLLECTIVES, &error, &method) != CT_OK)
        fail_msg("%s", error.text);
    return ct_formula_find(&method);
}

static void are_not_found_where_the_tables_have_none(void **state)
{
    (void)state;
    assert_null(found("bcast/native"));
    assert_null(found("bcast/chain"));
    assert_null(found("alltoall/bruck:radix=4"));
    assert_null(found("alltoallv/pairwise"));
    assert_null(found("bcast/kary"));
    assert_null(found("exscan/linear"));
    assert_ptr_equal(found("reduce_scatter_block/ring"), found("reduce_scatter/ring"));
    assert_ptr_equal(found("allgatherv/bruck"), found("allgather/bruck"));

    struct ct_method method;
    assert_int_equal(ct_method_parse("bcast/binary:seg=8K", CT_COLLECTIVES, NULL, &method), CT_OK);
    assert_true(ct_formula_segment(&method) == 8192);
    assert_int_equal(ct_method_parse("allgather/bruck", CT_COLLECTIVES, NULL, &method), CT_OK);
    assert_true(ct_formula_segment(&method) == 0);
}

static void cut_as_the_plans_do(void **state)
{
    (void)state;
    const struct {
        const char *method;
        double ranks, bytes, m_s, n_s;
    } cases[] = {{"bcast/binary:seg=1K", 8, 4097, 1024, 5},
                 {"bcast/binary:seg=1K", 8, 1024, 1024, 1},
                 {"bcast/binary:seg=1K", 8, 10, 10, 1},
                 {"bcast/binary", 8, 4097, 4097, 1},
                 {"bcast/linear:seg=1K", 8, 4097, 1024, 5},
                 {"reduce/linear:seg=1K", 8, 2048, 1024, 2},
                 {"bcast/split_binary:seg=1K", 8, 4096, 1024, 4},
                 {"bcast/split_binary:seg=1K", 8, 4098, 1024, 6},
                 {"bcast/split_binary", 8, 4096, 2048, 2},
                 {"allreduce/ring_segmented:seg=1K", 8, 65536, 1024, 64},
                 {"allreduce/ring_segmented:seg=1M", 8, 65536, 8192, 8},
                 {"gather/linear_sync:first=1K", 8, 4096, 1024, 1},
                 {"gather/linear_sync:first=1K", 8, 100, 100, 1}};
    struct machine machine;
    published_machine(0, &machine);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ct_method method;
        assert_int_equal(ct_method_parse(cases[i].method, CT_COLLECTIVES, NULL, &method), CT_OK);
        const struct ct_formula_call call =
            call_on(&machine, cases[i].ranks, cases[i].bytes, ct_formula_segment(&method));
        struct ct_formula_terms x = ct_formula_terms_of(ct_formula_find(&method), CT_MODEL_HOCKNEY, &call);
        if (x.m_s != cases[i].m_s || x.n_s != cases[i].n_s)
            fail_msg("%s: m_s = %g, n_s = %g", cases[i].method, x.m_s, x.n_s);
    }
}

static void know_what_they_do_not_know(void **state)
{
    (void)state;
    struct machine machine;
    published_machine(0, &machine);
    machine.link.known[CT_MODEL_LOGGP] = false;
    const struct ct_formula *bcast = found("bcast/linear"), *barrier = found("barrier/linear");
    struct ct_formula_call call = call_on(&machine, 8, 1024, 0);
    assert_true(isnan(ct_formula_seconds(bcast, CT_MODEL_LOGGP, &call)));
    assert_true(ct_formula_seconds(bcast, CT_MODEL_HOCKNEY, &call) > 0);
    call.bytes = 0;
    assert_true(ct_formula_seconds(bcast, CT_MODEL_PLOGP, &call) == 0);
    assert_true(ct_formula_seconds(barrier, CT_MODEL_PLOGP, &call) > 0);
    call.ranks = 1;
    assert_true(ct_formula_seconds(barrier, CT_MODEL_PLOGP, &call) == 0);
}

/* More data takes longer, or as long. Gather with synchronisation falls where its two cases meet. */
static bool rises(const struct ct_formula *formula, enum ct_communication_model model,
                  const struct machine *machine, double ranks, double segment)
{
    double before = 0;
    for (int s = 0; s < SIZES; s++) {
        const struct ct_formula_call call = call_on(machine, ranks, sizes[s], segment);
        double seconds = ct_formula_seconds(formula, model, &call);
        if (!(seconds >= before * (1 - 1e-12)))
            return false;
        before = seconds;
    }
    return true;
}

static bool has_cases_that_do_not_meet(const struct ct_formula *formula, enum ct_communication_model model)
{
    return formula->cut == CT_CUT_FIRST && model != CT_MODEL_HOCKNEY;
}

static void rise_with_the_message(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    bool falls = false;
    for (int n = 0; n < MACHINES; n++) {
        struct machine machine;
        random_machine(random, &machine);
        for (size_t i = 0; i < FORMULAS; i++)
            for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
                for (int p = 0; p < RANK_COUNTS; p++) {
                    double segment = n % 2 == 0 ? 0 : 1024;
                    if (rises(ct_formula_at(i), model, &machine, rank_counts[p], segment))
                        continue;
                    falls = true;
                    if (!has_cases_that_do_not_meet(ct_formula_at(i), model))
                        fail_msg("%s, %g ranks", name(ct_formula_at(i), model), rank_counts[p]);
                }
    }
    assert_true(falls); /* what the exception is for */
    gsl_rng_free(random);
}

/* Without G the size of messages counts for nothing, only their number. */
static void are_logp_without_a_gap_per_byte(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct machine machine;
    random_machine(random, &machine);
    machine.link.loggp.gap_per_byte = machine.gamma = machine.delta = 0;
    for (size_t i = 0; i < FORMULAS; i++)
        for (int p = 0; p < RANK_COUNTS; p++) {
            struct ct_formula_call few = call_on(&machine, rank_counts[p], 1, 0);
            struct ct_formula_call many = call_on(&machine, rank_counts[p], 1e6, 0);
            double seconds = ct_formula_seconds(ct_formula_at(i), CT_MODEL_LOGGP, &few);
            assert_true(seconds > 0);
            if (ct_formula_seconds(ct_formula_at(i), CT_MODEL_LOGGP, &many) != seconds)
                fail_msg("%s", name(ct_formula_at(i), CT_MODEL_LOGGP));
        }
    gsl_rng_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_found_by_their_methods),
        cmocka_unit_test(are_not_found_where_the_tables_have_none),
        cmocka_unit_test(cut_as_the_plans_do),
        cmocka_unit_test(know_what_they_do_not_know),
        cmocka_unit_test(rise_with_the_message),
        cmocka_unit_test(are_logp_without_a_gap_per_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
