/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "learners/cross_validate.h"
#include "learners/learn_settings.h"
#include "tests/learners/learner_fixture.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { METHODS = 4, COMM_SIZES = 6, MSG_SIZES = 5, CELLS = COMM_SIZES * MSG_SIZES };

static const size_t comm_sizes[COMM_SIZES] = {2, 3, 5, 8, 13, 16};
static const size_t msg_sizes[MSG_SIZES] = {1, 64, 1000, 8192, 100000};

/* Runs of random times that never touched a disk. Methods come in another order where `reversed`. */
struct made {
    struct ct_run run;
    struct ct_method methods[METHODS];
    struct ct_sample samples[CELLS * METHODS];
};

static void make_run(unsigned *seed, bool reversed, struct made *made)
{
    static const char *const names[METHODS] = {"native", "linear", "binomial:seg=8K", "chain"};
    static char folder[] = "made", backend[] = "simulated";
    *made = (struct made){.run = {.folder = folder, .description = {.backend = backend}}};
    for (int m = 0; m < METHODS; m++)
        assert_int_equal(ct_method_parse(names[reversed ? METHODS - 1 - m : m], CT_COLLECTIVE_BCAST, NULL,
                                         &made->methods[m]),
                         CT_OK);
    for (size_t i = 0; i < CELLS * METHODS; i++)
        made->samples[i] = (struct ct_sample){
            .method = (uint32_t)(i % METHODS),
            .key = {.nodes = (uint32_t)comm_sizes[i / METHODS / MSG_SIZES],
                    .ppn = 1,
                    .comm_size = (uint32_t)comm_sizes[i / METHODS / MSG_SIZES],
                    .msg_bytes = msg_sizes[i / METHODS % MSG_SIZES]},
            .seconds = 1 + (double)fixture_random(seed, 1000),
        };
    made->run.methods = made->methods;
    made->run.method_count = METHODS;
    made->run.samples = made->samples;
    made->run.sample_count = CELLS * METHODS;
}

static struct ct_score validate(const struct ct_run *runs, size_t count, enum ct_left_out left_out,
                                size_t parts)
{
    struct ct_cross_validation validation;
    struct ct_error error = {""};
    struct ct_learn_settings *settings = fixture_settings("quadtree", "");
    int status = ct_cross_validate(runs, count, left_out, SIZE_MAX, CT_COLLECTIVE_BCAST, settings, &error,
                                   &validation);
    ct_learn_settings_free(settings);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    assert_int_equal(validation.parts, parts);
    assert_int_equal(validation.count, 1);
    return validation.scores[0];
}

/* The run with only the samples of that size, or only all others. */
static void restrict_run(const struct made *from, bool by_comm_size, size_t size, bool others,
                         struct made *made)
{
    *made = *from;
    made->run.methods = made->methods;
    made->run.samples = made->samples;
    made->run.sample_count = 0;
    for (size_t i = 0; i < CELLS * METHODS; i++) {
        size_t is = by_comm_size ? from->samples[i].key.comm_size : from->samples[i].key.msg_bytes;
        if ((is == size) != others)
            made->samples[made->run.sample_count++] = from->samples[i];
    }
}

/* A tree learned from one run, scored on another. */
static struct ct_score score_of(const struct ct_run *learned_from, const struct ct_run *scored)
{
    struct ct_map map;
    struct ct_score score;
    assert_int_equal(ct_map_make(learned_from, CT_COLLECTIVE_BCAST, NULL, &map), CT_OK);
    struct ct_decision_tree tree = fixture_learn("quadtree", "", &map, NULL);
    ct_map_free(&map);
    assert_int_equal(ct_map_make(scored, CT_COLLECTIVE_BCAST, NULL, &map), CT_OK);
    assert_int_equal(ct_score_tree(&tree, &map, NULL, &score), CT_OK);
    ct_map_free(&map);
    ct_tree_free(&tree);
    return score;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-9))
        fail_msg("got %.17g, expected %.17g", value, expected);
}

/* Leaving sizes out is what it says: the same as runs without these sizes, learned from, and runs of these
 * sizes alone, scored. With random times that costs; on what was learned from it would cost nothing. */
static void test_sizes(void **state)
{
    (void)state;
    unsigned seed = 5;
    struct made all, others, part;
    for (int by_comm_size = 0; by_comm_size < 2; by_comm_size++) {
        const size_t *sizes = by_comm_size ? comm_sizes : msg_sizes;
        size_t count = by_comm_size ? COMM_SIZES : MSG_SIZES;
        make_run(&seed, false, &all);
        struct ct_score score =
            validate(&all.run, 1, by_comm_size ? CT_LEFT_OUT_COMM_SIZES : CT_LEFT_OUT_MSG_SIZES, count);
        double sum = 0, native = 0, most = 0, fastest = 0;
        for (size_t i = 0; i < count; i++) {
            restrict_run(&all, by_comm_size, sizes[i], true, &others);
            restrict_run(&all, by_comm_size, sizes[i], false, &part);
            struct ct_score of_part = score_of(&others.run, &part.run);
            sum += of_part.tree.mean / (double)count;
            native += of_part.native.mean / (double)count;
            most = fmax(most, of_part.tree.most);
            fastest = fmax(fastest, of_part.speedup.most);
        }
        struct ct_score seen = score_of(&all.run, &all.run);
        assert_near(seen.tree.mean, 0);
        assert_true(score.tree.mean > 0.5);
        assert_int_equal(score.tree.cells, CELLS);
        assert_near(score.tree.mean, sum);
        assert_near(score.tree.most, most);
        assert_near(score.native.mean, native);
        assert_near(score.native.mean, seen.native.mean);
        assert_near(score.speedup.most, fastest);
        assert_int_equal(score.leaves, seen.leaves);
        assert_int_equal(score.depth.most, seen.depth.most);
        assert_true(score.depth.mean == seen.depth.mean);
        assert_true(score.tree_mean.low < sum && sum < score.tree_mean.high);
        assert_int_equal(score.tree_mean.groups, COMM_SIZES);
    }
}

/* Of three runs each is chosen for by what the two others say together. */
static void test_runs(void **state)
{
    (void)state;
    unsigned seed = 9;
    struct made made[3];
    struct ct_run runs[3];
    for (int i = 0; i < 3; i++) {
        make_run(&seed, i == 1, &made[i]);
        runs[i] = made[i].run;
    }
    struct ct_score score = validate(runs, 3, CT_LEFT_OUT_RUNS, 3);
    assert_int_equal(score.tree.cells, 3 * CELLS);
    assert_true(score.tree.mean > 0.5);
    /* two that are alike agree about the third, which is the same, too */
    runs[1] = runs[2] = runs[0];
    score = validate(runs, 3, CT_LEFT_OUT_RUNS, 3);
    assert_near(score.tree.mean, 0);
    assert_near(score.native.mean, score_of(&runs[0], &runs[0]).native.mean);
    assert_non_null(score.single_method.algorithm);
    /* and of two runs each is learned from the other alone */
    runs[1] = made[1].run;
    score = validate(runs, 2, CT_LEFT_OUT_RUNS, 2);
    struct ct_score there = score_of(&runs[0], &runs[1]), back = score_of(&runs[1], &runs[0]);
    assert_near(score.tree.mean, (there.tree.mean + back.tree.mean) / 2);
    assert_near(score.tree.most, fmax(there.tree.most, back.tree.most));
}

/* Where there is nothing to leave out, or to choose, it says so. */
static void test_refusals(void **state)
{
    (void)state;
    unsigned seed = 1;
    struct made all, part;
    struct ct_cross_validation validation = {.parts = 77};
    make_run(&seed, false, &all);
    restrict_run(&all, true, 8, false, &part);
    const struct {
        const struct ct_run *run;
        enum ct_left_out left_out;
        enum ct_collective collective;
        const char *words;
        int status;
        const char *what;
    } wrong[] = {
        {&part.run, CT_LEFT_OUT_COMM_SIZES, CT_COLLECTIVE_BCAST, "", CT_E_ANSWER,
         "bcast: expected two communicator sizes or more"},
        {&all.run, CT_LEFT_OUT_RUNS, CT_COLLECTIVE_BCAST, "", CT_E_ANSWER, "expected two runs or more"},
        {&all.run, CT_LEFT_OUT_RUNS, CT_COLLECTIVE_BARRIER, "", CT_E_INPUT, "no samples of barrier"},
        {&all.run, CT_LEFT_OUT_MSG_SIZES, CT_COLLECTIVE_BCAST, "exclude=native,linear,binomial,chain",
         CT_E_INPUT, "no allowed method"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct ct_error error = {""};
        struct ct_learn_settings *settings = fixture_settings("quadtree", wrong[i].words);
        assert_int_equal(ct_cross_validate(wrong[i].run, 1, wrong[i].left_out, SIZE_MAX, wrong[i].collective,
                                           settings, &error, &validation),
                         wrong[i].status);
        ct_learn_settings_free(settings);
        assert_int_equal(validation.parts, 77);
        if (!strstr(error.text, wrong[i].what))
            fail_msg("%zu: got '%s', expected '%s'", i, error.text, wrong[i].what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
