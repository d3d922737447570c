/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/run_folder.h"
#include "studies/guided/guided_replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A guided sweep of the shipped study, whose simulated times are exact: as guided-sweeps-replayed.md says. */

static struct ct_run run;
static struct ct_map truth;

static int open_study(void **state)
{
    (void)state;
    struct ct_error error = {""};
    if (ct_run_read(SHIPPED_STUDY, false, &error, &run) != CT_OK)
        return -1;
    return ct_map_make(&run, CT_COLLECTIVE_BCAST, &error, &truth);
}

static int close_study(void **state)
{
    (void)state;
    ct_map_free(&truth);
    ct_run_free(&run);
    return 0;
}

static struct ct_penalty follow(const struct ct_guide_rules *rules, size_t *ret_repetitions)
{
    struct guided_replay replay;
    struct ct_penalty penalty;
    struct ct_error error = {""};
    assert_int_equal(guided_replay_begin(&truth, &replay), CT_OK);
    for (bool any = true; any;)
        assert_int_equal(guided_replay_step(&replay, rules, &any), CT_OK);
    assert_int_equal(guided_replay_score(&replay, "quadtree", &error, &penalty), CT_OK);
    *ret_repetitions = replay.repetitions;
    guided_replay_free(&replay);
    return penalty;
}

/* At most one point worse than the exhaustive sweep, with at most a tenth of its repetitions. */
static void guided_is_nearly_as_good(void **state)
{
    (void)state;
    size_t repetitions;
    const struct ct_penalty penalty = follow(&ct_guide_standard, &repetitions);
    assert_int_equal(penalty.cells, truth.cell_count);
    assert_int_equal(penalty.unmeasured, 0);
    assert_true(penalty.mean <= 0.01);
    assert_true(repetitions * 10 <= run.sample_count);
}

/* The exhaustive one loses nothing; a regular grid of as many repetitions loses much more. */
static void regular_grids_are_worse(void **state)
{
    (void)state;
    size_t repetitions, guided;
    struct ct_guide_rules rules = {.coarse = 27, .trust = 1, .margin = 1e9, .near = 1, .hopeless = 1e9};
    struct ct_penalty penalty = follow(&rules, &repetitions);
    assert_int_equal(repetitions, run.sample_count);
    assert_true(penalty.mean <= 0);
    follow(&ct_guide_standard, &guided);
    rules.coarse = 8;
    penalty = follow(&rules, &repetitions);
    assert_true(repetitions >= guided);
    assert_true(penalty.mean > 0.02);
}

static void finish_boxes(struct guided_replay *replay)
{
    assert_int_equal(guided_replay_begin(&truth, replay), CT_OK);
    for (bool any = true; any;)
        assert_int_equal(guided_replay_step(replay, &ct_guide_standard, &any), CT_OK);
}

/* After the last box, cells are measured until none is worth it, or no repetitions are left. */
static void gains_come_to_an_end(void **state)
{
    (void)state;
    struct guided_replay replay, bounded;
    struct ct_error error = {""};
    finish_boxes(&replay);
    finish_boxes(&bounded);
    size_t boxes = replay.cells, repetitions = replay.repetitions;
    for (bool any = true; any;)
        assert_int_equal(
            guided_replay_further(&replay, &ct_guide_standard, GUIDED_REPLAY_BY_GAIN, &error, &any), CT_OK);
    assert_true(replay.cells > boxes && replay.cells < truth.cell_count);
    bounded.most = repetitions + 1;
    for (bool any = true; any;)
        assert_int_equal(
            guided_replay_further(&bounded, &ct_guide_standard, GUIDED_REPLAY_BY_GAIN, &error, &any), CT_OK);
    assert_int_equal(bounded.cells, boxes + 1);
    guided_replay_free(&replay);
    guided_replay_free(&bounded);
}

/* By chance all cells are measured in the end, each once; which ones come first depends on the seed. */
static void chance_measures_everything(void **state)
{
    (void)state;
    struct guided_replay replay, other;
    struct ct_error error = {""};
    bool any = true, differs = false;
    finish_boxes(&replay);
    finish_boxes(&other);
    other.seed = 1;
    assert_int_equal(
        guided_replay_further(&replay, &ct_guide_standard, GUIDED_REPLAY_BY_CHANCE, &error, &any), CT_OK);
    assert_int_equal(guided_replay_further(&other, &ct_guide_standard, GUIDED_REPLAY_BY_CHANCE, &error, &any),
                     CT_OK);
    for (size_t p = 0; p < replay.space.points; p++)
        differs |= replay.space.measured[p] != other.space.measured[p];
    assert_true(differs);
    while (any)
        assert_int_equal(
            guided_replay_further(&replay, &ct_guide_standard, GUIDED_REPLAY_BY_CHANCE, &error, &any), CT_OK);
    assert_int_equal(replay.cells, truth.cell_count);
    guided_replay_free(&replay);
    guided_replay_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guided_is_nearly_as_good),
        cmocka_unit_test(regular_grids_are_worse),
        cmocka_unit_test(gains_come_to_an_end),
        cmocka_unit_test(chance_measures_everything),
    };
    return cmocka_run_group_tests(tests, open_study, close_study);
}
