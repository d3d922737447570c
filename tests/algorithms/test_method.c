/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/method.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* One spelling, whatever way it was written. */
static void test_spellings(void **state)
{
    (void)state;
    static const struct {
        const char *written, *spelled;
    } cases[] = {
        {"bcast/binomial", "bcast/binomial"},
        {"bcast/binomial:", "bcast/binomial"},
        {"bcast/binomial:seg=0", "bcast/binomial"},
        {"bcast/binomial:seg=8192", "bcast/binomial:seg=8K"},
        {"bcast/chain:radix=4,seg=8K", "bcast/chain:seg=8K,radix=4"},
        {"bcast/chain:radix=2", "bcast/chain"},
        {"barrier/native", "barrier/native"},
        {"reduce/linear:seg=8K", "reduce/linear:seg=8K"},
        {"bcast/kary:radix=4", "bcast/kary"},
        {"allgather/gather_bcast:bcast=chain,gather=binomial", "allgather/gather_bcast:bcast=chain"},
        {"reduce_scatter/nonoverlapping:reduce=linear,scatter=pipeline",
         "reduce_scatter/nonoverlapping:reduce=linear,scatter=pipeline"},
        {"reduce/pipeline:seg=1000", "reduce/pipeline:seg=1000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ct_method method, again;
        struct ct_error error;
        char text[CT_METHOD_TEXT];
        assert_int_equal(ct_method_parse(cases[i].written, CT_COLLECTIVES, &error, &method), CT_OK);
        assert_string_equal(ct_method_format(&method, true, text), cases[i].spelled);
        assert_int_equal(ct_method_parse(text, CT_COLLECTIVES, &error, &again), CT_OK);
        assert_true(ct_method_equal(&method, &again));
        /* without the collective where it is clear */
        ct_method_format(&method, false, text);
        assert_string_equal(text, strchr(cases[i].spelled, '/') + 1);
        assert_int_equal(ct_method_parse(text, method.algorithm->collective, &error, &again), CT_OK);
        assert_true(ct_method_equal(&method, &again));
    }
}

/* Methods of others have any name; only readers of runs and tables take them. */
static void test_foreign(void **state)
{
    (void)state;
    struct ct_method method, again;
    struct ct_error error = {""};
    char text[CT_METHOD_TEXT];
    assert_int_equal(ct_method_parse_any("foreign/my-Ring_2.0+x", CT_COLLECTIVE_REDUCE, &error, &method),
                     CT_OK);
    assert_string_equal(ct_method_format(&method, true, text), "reduce/foreign/my-Ring_2.0+x");
    assert_int_equal(ct_method_parse_any(text, CT_COLLECTIVES, &error, &again), CT_OK);
    assert_true(ct_method_equal(&method, &again));
    assert_string_equal(ct_method_format(&method, false, text), "foreign/my-Ring_2.0+x");
    assert_int_equal(ct_method_parse_any("foreign/other", CT_COLLECTIVE_REDUCE, &error, &again), CT_OK);
    assert_false(ct_method_equal(&method, &again));
    assert_int_equal(ct_method_parse_any("binomial", CT_COLLECTIVE_REDUCE, &error, &again), CT_OK);
    assert_true(ct_is_foreign(method.algorithm) && !ct_is_native(method.algorithm) &&
                !ct_has_plan(method.algorithm) && !ct_is_foreign(again.algorithm));
    for (int i = 0; i < CT_COLLECTIVES; i++)
        assert_int_equal(ct_foreign_algorithms[i].collective, i);

    static const struct {
        const char *spelling;
        enum ct_collective collective;
        const char *words;
    } wrong[] = {
        {"foreign/x", CT_COLLECTIVES, "is not one of a collective"},
        {"bcst/foreign/x", CT_COLLECTIVES, "is not one of a collective"},
        {"bcast/foreign/x", CT_COLLECTIVE_REDUCE, "is not one of reduce"},
        {"foreign/", CT_COLLECTIVE_REDUCE, "expected behind foreign/ up to 31"},
        {"foreign/a:seg=8K", CT_COLLECTIVE_REDUCE, "expected behind foreign/"},
        {"foreign/a/b", CT_COLLECTIVE_REDUCE, "expected behind foreign/"},
        {"foreign/12345678901234567890123456789012", CT_COLLECTIVE_REDUCE, "expected behind foreign/"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(ct_method_parse_any(wrong[i].spelling, wrong[i].collective, &error, &method),
                         CT_E_INPUT);
        if (!strstr(error.text, wrong[i].words))
            fail_msg("%s: %s", wrong[i].spelling, error.text);
    }
    assert_int_equal(ct_method_parse("bcast/foreign/x", CT_COLLECTIVES, &error, &method), CT_E_INPUT);
    assert_non_null(strstr(error.text, "cannot carry out"));
    assert_int_equal(ct_method_parse("foreign/x", CT_COLLECTIVE_BCAST, &error, &method), CT_E_INPUT);
    assert_non_null(strstr(error.text, "cannot carry out"));
}

static void test_every_sweep_method_survives(void **state)
{
    (void)state;
    struct ct_method *methods = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < ct_algorithm_count; i++)
        assert_int_equal(ct_methods_of(&ct_algorithms[i], &methods, &count, &capacity), CT_OK);
    assert_true(count >= ct_algorithm_count);
    for (size_t i = 0; i < count; i++) {
        char text[CT_METHOD_TEXT];
        struct ct_method again;
        assert_int_equal(
            ct_method_parse(ct_method_format(&methods[i], true, text), CT_COLLECTIVES, NULL, &again), CT_OK);
        assert_true(ct_method_equal(&methods[i], &again));
        for (size_t j = 0; j < i; j++)
            assert_false(ct_method_equal(&methods[i], &methods[j]));
    }
    free(methods);
}

/* Each with a line that holds the word that is wrong; nothing is written. */
static void test_wrong_spellings(void **state)
{
    (void)state;
    static const struct {
        const char *written;
        enum ct_collective collective;
        const char *told;
    } cases[] = {
        {"bcst/binomial", CT_COLLECTIVES,
         "unknown collective 'bcst' in the method 'bcst/binomial'; did you mean 'bcast'?"},
        {"moon/binomial", CT_COLLECTIVES, "unknown collective 'moon' in the method 'moon/binomial'"},
        {"bcast/binomal", CT_COLLECTIVES,
         "unknown algorithm 'bcast/binomal'; did you mean 'binomial'? bcast has"},
        {"bcast/moon", CT_COLLECTIVES, "unknown algorithm 'bcast/moon': bcast has"},
        {"bcast/tree:radix=3", CT_COLLECTIVES, "did you mean 'kary:radix=3'?"},
        {"tree", CT_COLLECTIVE_REDUCE, "did you mean 'kary'?"},
        {"tree", CT_COLLECTIVE_ALLREDUCE, "unknown algorithm 'tree': allreduce has"},
        {"binomial", CT_COLLECTIVES, "collective"},
        {"bcast", CT_COLLECTIVES, "scatter_allgather"},
        {"reduce/binomial", CT_COLLECTIVE_BCAST, "bcast"},
        {"", CT_COLLECTIVE_BCAST, "unknown"},
        {"bcast/", CT_COLLECTIVES, "unknown"},
        {"bcast/binomial:radix=2", CT_COLLECTIVES, "radix"},
        {"bcast/binomial:seg", CT_COLLECTIVES, "seg"},
        {"bcast/binomial:seg=", CT_COLLECTIVES, "seg="},
        {"bcast/binomial:seg=x", CT_COLLECTIVES, "seg=x"},
        {"bcast/binomial:seg=-1", CT_COLLECTIVES, "seg=-1"},
        {"bcast/binomial:seg=99999999999999999999999", CT_COLLECTIVES, "seg="},
        {"bcast/binomial:seg=1,seg=2", CT_COLLECTIVES, "twice"},
        {"bcast/binomial:seg=1,", CT_COLLECTIVES, "comma"},
        {"bcast/chain:radix=0", CT_COLLECTIVES, "radix=0"},
        {"bcast/chain:radix=65", CT_COLLECTIVES, "64"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ct_error error = {{0}};
        struct ct_method method, untouched;
        memset(&method, 0x5a, sizeof method);
        untouched = method;
        assert_int_equal(ct_method_parse(cases[i].written, cases[i].collective, &error, &method), CT_E_INPUT);
        assert_non_null(strstr(error.text, cases[i].told));
        assert_null(strchr(error.text, '\n'));
        assert_memory_equal(&method, &untouched, sizeof method);
    }
}

static void test_lists(void **state)
{
    (void)state;
    struct ct_error error;
    struct ct_method *methods;
    size_t count;
    assert_int_equal(ct_methods_parse("linear,binomial:seg=8K,chain:seg=1K,radix=3", CT_COLLECTIVE_BCAST,
                                      &error, &methods, &count),
                     CT_OK);
    assert_int_equal(count, 3);
    assert_int_equal(methods[2].values[0], 1024);
    assert_int_equal(methods[2].values[1], 3);
    free(methods);
    assert_int_equal(ct_methods_parse("all", CT_COLLECTIVE_ALLREDUCE, &error, &methods, &count), CT_OK);
    assert_string_equal(methods[0].algorithm->name, "native");
    free(methods);
    assert_int_equal(ct_methods_parse("linear,,binomial", CT_COLLECTIVE_BCAST, &error, &methods, &count),
                     CT_E_INPUT);
    assert_int_equal(ct_methods_parse("linear,tree", CT_COLLECTIVE_BCAST, &error, &methods, &count),
                     CT_E_INPUT);
}

/* The registry: native first, names unique, every constraint known. */
static void test_registry(void **state)
{
    (void)state;
    for (int collective = 0; collective < CT_COLLECTIVES; collective++) {
        const struct ct_algorithm *first = NULL;
        for (size_t i = 0; i < ct_algorithm_count && !first; i++)
            if (ct_algorithms[i].collective == (enum ct_collective)collective)
                first = &ct_algorithms[i];
        assert_non_null(first);
        assert_string_equal(first->name, "native");
    }
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        const struct ct_algorithm *algorithm = &ct_algorithms[i];
        assert_ptr_equal(ct_algorithm_find(algorithm->collective, algorithm->name), algorithm);
        assert_non_null(algorithm->descriptor->text);
        assert_non_null(algorithm->descriptor->cost);
        assert_non_null(algorithm->descriptor->source);
        unsigned known = 0;
        for (const struct ct_constraint_description *each = ct_constraints; each->name; each++)
            known |= (unsigned)each->constraint;
        assert_int_equal(algorithm->descriptor->constraints & ~known, 0);
        for (int p = 0; p < ct_parameter_count(algorithm->descriptor); p++) {
            const struct ct_parameter *parameter = algorithm->descriptor->parameters[p];
            assert_true(parameter->least <= parameter->standard && parameter->standard <= parameter->most);
        }
    }
}

/* The order in which an algorithm declares its parameters does not change its plans. */
static void test_order_of_parameters(void **state)
{
    (void)state;
    enum { SIZE = 7 };
    const struct ct_algorithm *chain = ct_algorithm_find(CT_COLLECTIVE_BCAST, "chain");
    struct ct_descriptor descriptor = *chain->descriptor;
    descriptor.parameters[0] = chain->descriptor->parameters[1];
    descriptor.parameters[1] = chain->descriptor->parameters[0];
    const struct ct_algorithm reordered = {CT_COLLECTIVE_BCAST, "reordered", &descriptor};
    const struct ct_method methods[] = {{chain, .values = {10, 3}}, {&reordered, .values = {3, 10}}};
    for (int rank = 0; rank < SIZE; rank++) {
        struct ct_plan plans[2] = {{0}, {0}};
        for (int i = 0; i < 2; i++) {
            struct ct_call call = {.rank = rank, .size = SIZE, .count = 100, .unit_bytes = 1};
            ct_plan_reset(&plans[i]);
            assert_int_equal(ct_method_build(&methods[i], &plans[i], &call), CT_OK);
        }
        assert_int_equal(plans[0].step_count, plans[1].step_count);
        assert_memory_equal(plans[0].steps, plans[1].steps, plans[0].step_count * sizeof *plans[0].steps);
        ct_plan_free(&plans[0]);
        ct_plan_free(&plans[1]);
    }
}

/* An algorithm may not ask for a parameter that it does not declare. */
static void test_undeclared_parameter(void **state)
{
    (void)state;
    const size_t values[CT_PARAMETERS_MAX] = {8};
    const struct ct_call call = {.descriptor = ct_algorithm_find(CT_COLLECTIVE_BCAST, "binomial")->descriptor,
                                 .values = values};
    assert_int_equal(ct_value(&call, &ct_segment_parameter), 8);
    assert_int_equal(ct_value_or(&call, &ct_radix_parameter, 5), 5);
#ifndef NDEBUG
    int ended;
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        _exit((int)ct_value(&call, &ct_radix_parameter) & 1);
    }
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGABRT);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_every_sweep_method_survives),
        cmocka_unit_test(test_wrong_spellings),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_registry),
        cmocka_unit_test(test_order_of_parameters),
        cmocka_unit_test(test_undeclared_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
