/* SPDX-License-Identifier: BSD-3-Clause */
/* COLLTUNE_ADAPT=1,model: what was learned of other sizes spares trials. */
#include "adapted_world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum {
    SEEDS = 5,
    SETTLED_WITHIN = 200,
    LEFT_WITHIN = 50,
    DUEL_WITHIN = 54, /* the first fence, its agreement, a duel, and its agreement */
    LONG = 1000       /* calls of a kind */
};

/* Broadcasts of one world: methods whose times are those of Hockney's model, and lengths of messages. The
 * first method is the table's; others are the best for short, for middling and for long messages. */
static struct world by_size(void)
{
    static const struct {
        double start;
        double per_byte;
    } methods[METHODS] = {{9e-5, 1e-7}, {1e-6, 2e-8}, {3e-6, 5e-9}, {2e-5, 1e-9},
                          {4e-5, 1e-7}, {9e-6, 9e-8}, {5e-6, 3e-8}, {3e-5, 4e-9}};
    static const size_t bytes[KINDS] = {64, 256, 128, 1024, 512, 20, 9000, 40000};
    struct world world = {.noise = 0.1};
    for (int i = 0; i < KINDS; i++) {
        world.kinds[i] = (struct kind){.collective = CT_COLLECTIVE_BCAST, .bytes = bytes[i], .weight = 1};
        for (int m = 0; m < METHODS; m++)
            world.kinds[i].seconds[m] = methods[m].start + methods[m].per_byte * (double)bytes[i];
    }
    return world;
}

/* Seconds of the first calls of some kinds, over the best, after two kinds of near sizes have been tried. */
static double first_calls(bool by_model, uint64_t seed)
{
    struct world world = by_size();
    double spent = 0, best = 0;
    begin_world(&world, seed);
    world.by_model = by_model;
    for (int i = 0; i < 6; i++) {
        struct kind *kind = &world.kinds[i];
        call_often(&world, kind, SETTLED_WITHIN);
        spent += i < 2 ? 0 : kind->spent / kind->calls;
        best += i < 2 ? 0 : best_of(kind);
    }
    assert_false(world.has_parted);
    end_world(&world);
    return spent / best;
}

static void model_spares_trials(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        double by_trial = first_calls(false, seed), by_model = first_calls(true, seed);
        print_message("first calls: %.3f times the best by the model, %.3f by trial\n", by_model, by_trial);
        assert_true(by_model <= 1.02);
        assert_true(by_trial >= 1.2);
    }
}

/* A kind that was called before there was a model goes by it from a fence of the others on. */
static void model_decides_at_a_fence(void **state)
{
    (void)state;
    struct world world = by_size();
    struct kind *kind = &world.kinds[4];
    begin_world(&world, 1);
    world.by_model = true;
    call_often(&world, kind, 3);
    for (int i = 0; i < 4; i++)
        call_often(&world, &world.kinds[i], SETTLED_WITHIN);
    struct kind then = *kind;
    call_often(&world, kind, SETTLED_WITHIN);
    assert_true(mean_since(&then, &(struct kind){0}) > 1.5 * best_of(kind));
    assert_true(mean_since(kind, &then) <= 1.01 * best_of(kind));
    assert_false(world.has_parted);
    end_world(&world);
}

/* One size is no place for what the model expects there. */
static void wrong_model_is_left(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct world world = by_size();
        struct kind *kind = &world.kinds[4];
        begin_world(&world, seed);
        world.by_model = true;
        for (int i = 0; i < 4; i++)
            call_often(&world, &world.kinds[i], SETTLED_WITHIN);
        call_kind(&world, kind);
        unsigned expected = kind->used[0];
        kind->seconds[expected] *= 20;
        call_often(&world, kind, 500);
        assert_in_range(kind->last_use[expected], 1, LEFT_WITHIN);
        struct kind then = *kind;
        call_often(&world, kind, LONG);
        assert_true(mean_since(kind, &then) <= 1.1 * best_of(kind));
        assert_false(world.has_parted);
        end_world(&world);
    }
}

/* What is predicted is no time of a method that was never called. */
static void predictions_are_not_told(void **state)
{
    (void)state;
    struct world world = by_size();
    begin_world(&world, 1);
    world.by_model = true;
    for (int i = 0; i < 5; i++)
        call_often(&world, &world.kinds[i], SETTLED_WITHIN);
    assert_int_equal(world.kinds[4].last_use[0], 0);
    end_world(&world);
    assert_int_equal(world.changed, 5 * WORLD_RANKS);
    assert_int_equal(world.untimed, 3 * WORLD_RANKS);
}

/* The sizes before have two or more times of each method, but the one that is predicted to be the best, or
 * that seems so once the best has turned slow, does not apply to this size. Those calls use the table's
 * method, until another one is tried. */
static void unfit_prediction_is_left(void **state)
{
    (void)state;
    static const struct {
        size_t unfit;
        double best_turns; /* slower by this factor */
    } cases[] = {{2, 1}, {1, 2.7}};
    for (int c = 0; c < 2; c++) {
        struct world world = by_size();
        struct kind *kind = &world.kinds[4];
        begin_world(&world, 1);
        world.by_model = true;
        world.unfit = cases[c].unfit;
        world.unfit_bytes = kind->bytes;
        kind->seconds[2] *= cases[c].best_turns;
        for (int i = 0; i < 4; i++)
            call_often(&world, &world.kinds[i], SETTLED_WITHIN);
        call_often(&world, kind, LONG);
        assert_false(world.has_parted);
        assert_in_range(kind->last_use[0], 1, DUEL_WITHIN);
        end_world(&world);
        assert_int_equal(world.settled, 5 * WORLD_RANKS);
    }
}

/* Other collectives, and sizes far away, tell nothing. */
static void others_are_tried(void **state)
{
    (void)state;
    static const struct {
        enum ct_collective collective;
        size_t bytes;
    } strangers[] = {{CT_COLLECTIVE_ALLGATHER, 128}, {CT_COLLECTIVE_BCAST, 1 << 20}};
    for (int s = 0; s < 2; s++) {
        struct world world = by_size();
        struct kind *kind = &world.kinds[4];
        kind->collective = strangers[s].collective;
        kind->bytes = strangers[s].bytes;
        begin_world(&world, 1);
        world.by_model = true;
        for (int i = 0; i < 4; i++)
            call_often(&world, &world.kinds[i], SETTLED_WITHIN);
        call_often(&world, kind, 16);
        for (int m = 0; m < METHODS; m++)
            assert_true(kind->last_use[m] > 0);
        end_world(&world);
        assert_int_equal(world.classes, 5 * WORLD_RANKS);
        assert_int_equal(world.settled, 4 * WORLD_RANKS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_spares_trials),      cmocka_unit_test(model_decides_at_a_fence),
        cmocka_unit_test(wrong_model_is_left),      cmocka_unit_test(predictions_are_not_told),
        cmocka_unit_test(unfit_prediction_is_left), cmocka_unit_test(others_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
