/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of methods while an application runs, with ranks and times that are simulated. */
#include "base/random.h"
#include "library/adapt/adaptation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum {
    RANKS_MOST = 8,
    CANDIDATES = CT_ADAPTATION_CANDIDATES,
    AGREEMENT_CALLS = 8,
    SETTLED_WITHIN = 200,
    LEFT_WITHIN = 50
};

struct world {
    int ranks;
    unsigned candidates;
    double seconds[CANDIDATES]; /* of a call, without noise */
    const double *predicted;    /* seconds of the candidates, 0 where not; NULL: none is */
    double noise;               /* the greatest share by which a rank's call takes longer */
    double disturbed;           /* the share of a rank's calls that take ten times as long */
    uint64_t random;
    struct ct_adaptation ranks_own[RANKS_MOST];

    /* The agreement under way. */
    int calls_left;
    double agreed[CANDIDATES];

    /* What is wrong, for trials that must fail. */
    bool misses_a_call; /* the last rank */
    bool trusts_itself; /* the last rank */
    bool is_mistaken;   /* the times are those of another candidate */

    bool has_parted; /* the ranks have chosen differently */
    uint64_t calls;
    uint64_t last_use[CANDIDATES]; /* the number of the last call */
    double spent;                  /* seconds, without noise */
};

static void begin(struct world *world, uint64_t seed)
{
    world->random = seed;
    for (int i = 0; i < world->ranks; i++)
        ct_adaptation_begin(&world->ranks_own[i], world->candidates, world->predicted);
}

/* From 0 to 1. */
static double share(struct world *world)
{
    return (double)(ct_random(&world->random) >> 11) * 0x1p-53;
}

/* The ranks differ, as in a broadcast whose root leaves first. */
static double time_at(struct world *world, int rank, unsigned candidate)
{
    double factor = 1 - 0.5 * rank / world->ranks + world->noise * share(world);
    unsigned timed = world->is_mistaken ? world->candidates - 1 - candidate : candidate;
    return world->seconds[timed] * factor * (share(world) < world->disturbed ? 10 : 1);
}

static void agree(struct world *world)
{
    for (int rank = 0; rank < world->ranks; rank++) {
        double own[CANDIDATES];
        ct_adaptation_measured(&world->ranks_own[rank], own);
        bool is_selfish = world->trusts_itself && rank == world->ranks - 1;
        ct_adaptation_agree(&world->ranks_own[rank], is_selfish ? own : world->agreed);
    }
}

static void begin_agreement(struct world *world)
{
    world->calls_left = AGREEMENT_CALLS;
    for (int i = 0; i < CANDIDATES; i++)
        world->agreed[i] = 0;
    for (int rank = 0; rank < world->ranks; rank++) {
        double own[CANDIDATES];
        ct_adaptation_measured(&world->ranks_own[rank], own);
        for (int i = 0; i < CANDIDATES; i++)
            world->agreed[i] = fmax(world->agreed[i], own[i]);
    }
}

static void call(struct world *world)
{
    unsigned candidate = ct_adaptation_candidate(&world->ranks_own[0]);
    bool is_due = true;
    for (int rank = 0; rank < world->ranks; rank++) {
        struct ct_adaptation *own = &world->ranks_own[rank];
        world->has_parted |= ct_adaptation_candidate(own) != candidate;
        if (ct_adaptation_is_timed(own))
            ct_adaptation_note(own, time_at(world, rank, candidate));
        bool is_missed = world->misses_a_call && world->calls == 10 && rank == world->ranks - 1;
        is_due &= !is_missed && ct_adaptation_count(own);
    }
    world->spent += world->seconds[candidate];
    world->last_use[candidate] = ++world->calls;
    if (world->calls_left > 0) {
        if (--world->calls_left == 0)
            agree(world);
    } else if (is_due) {
        begin_agreement(world);
    }
}

/* Carries out so many calls; returns the mean seconds of one. */
static double run(struct world *world, int calls)
{
    double before = world->spent;
    for (int i = 0; i < calls && !world->has_parted; i++)
        call(world);
    return (world->spent - before) / calls;
}

static double best_of(const struct world *world)
{
    double best = world->seconds[0];
    for (unsigned i = 1; i < world->candidates; i++)
        best = fmin(best, world->seconds[i]);
    return best;
}

/* --- the worlds --- */

static const struct world right = {.ranks = 2, .candidates = 3, .seconds = {1e-6, 2e-6, 3e-6}, .noise = 0.1};
static const struct world close_to = {
    .ranks = 5, .candidates = 4, .seconds = {1e-6, 1.02e-6, 0.99e-6, 1.01e-6}, .noise = 0.3};
static const struct world wrong = {.ranks = 3,
                                   .candidates = 8,
                                   .seconds = {9e-5, 5e-5, 4e-5, 3e-5, 1.4e-5, 1.2e-5, 1e-5, 1.6e-5},
                                   .noise = 0.2};
static const struct world noisy = {.ranks = 8,
                                   .candidates = 8,
                                   .seconds = {2e-6, 2.5e-6, 1e-6, 9e-6, 3e-6, 1.3e-6, 1.6e-6, 1.1e-6},
                                   .noise = 0.5,
                                   .disturbed = 0.02};
/* The times of one candidate lie far above those of the others. */
static const struct world hopeless = {
    .ranks = 4, .candidates = 3, .seconds = {1e-5, 5e-3, 0.8e-5}, .noise = 0.1, .disturbed = 0.01};

static const struct world *const worlds[] = {&right, &close_to, &wrong, &noisy, &hopeless};
enum { WORLDS = sizeof worlds / sizeof worlds[0], SEEDS = 20, PARTS = 20 };

/* --- the tests --- */

static void choice_is_settled_and_is_near_the_best(void **state)
{
    (void)state;
    for (int i = 0; i < WORLDS; i++) {
        double most = 0, most_in_part = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            struct world world = *worlds[i];
            double sum = 0;
            begin(&world, (uint64_t)seed);
            run(&world, SETTLED_WITHIN);
            assert_false(world.has_parted);
            assert_true(ct_adaptation_is_settled(&world.ranks_own[0]));
            for (int part = 0; part < PARTS; part++) {
                double slowdown = run(&world, 1000) / best_of(&world);
                most_in_part = fmax(most_in_part, slowdown);
                sum += slowdown;
            }
            most = fmax(most, sum / PARTS);
        }
        print_message("world %d: at most %.3f times the best, in 1000 calls %.3f times\n", i, most,
                      most_in_part);
        assert_true(most <= 1.05);
        assert_true(most_in_part <= 1.05 || worlds[i]->noise >= 0.5);
    }
}

/* A method that turns slow while it is in use. */
static void slow_method_is_left(void **state)
{
    (void)state;
    for (int seed = 0; seed < SEEDS; seed++) {
        struct world world = wrong;
        begin(&world, (uint64_t)seed);
        run(&world, 1000 + 7 * seed);
        unsigned used = ct_adaptation_candidate(&world.ranks_own[0]);
        uint64_t before = world.calls;
        world.seconds[used] *= 10;
        run(&world, 1000);
        assert_false(world.has_parted);
        assert_in_range(world.last_use[used], before + 1, before + LEFT_WITHIN);
        assert_true(run(&world, 10000) <= 1.1 * best_of(&world));
    }
}

/* For some time all methods are slow. What is chosen then is no worse than what was chosen before. */
static void nothing_is_left_where_all_are_slow(void **state)
{
    (void)state;
    double sum = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        struct world world = wrong, *all = &world;
        begin(all, (uint64_t)seed);
        run(all, 1000);
        for (int i = 0; i < CANDIDATES; i++)
            world.seconds[i] *= 10;
        run(all, 100 + 10 * seed);
        for (int i = 0; i < CANDIDATES; i++)
            world.seconds[i] /= 10;
        run(all, 1000);
        sum += run(all, 10000) / best_of(all);
    }
    assert_true(sum / SEEDS <= 1.05);
}

/* A method that has become fast is found without an alarm. */
static void faster_method_is_found(void **state)
{
    (void)state;
    struct world world = right;
    begin(&world, 1);
    run(&world, 1000);
    assert_int_equal(ct_adaptation_candidate(&world.ranks_own[0]), 0);
    world.seconds[1] = 0.5e-6;
    run(&world, 20000);
    assert_true(run(&world, 1000) <= 1.05 * world.seconds[1]);
}

/* What a model predicts to be the best is used from the first call on. */
static void best_by_prediction_needs_no_trial(void **state)
{
    (void)state;
    for (int seed = 0; seed < SEEDS; seed++) {
        struct world world = wrong;
        world.predicted = wrong.seconds;
        begin(&world, (uint64_t)seed);
        assert_true(ct_adaptation_is_settled(&world.ranks_own[0]));
        double mean = run(&world, 1000);
        assert_false(world.has_parted);
        assert_true(mean <= 1.001 * best_of(&world));
    }
}

/* Candidates that no model predicts are tried; the others only if they may be the best. */
static void candidates_without_prediction_are_tried(void **state)
{
    (void)state;
    double predicted[CANDIDATES];
    struct world world = wrong;
    for (int i = 0; i < CANDIDATES; i++)
        predicted[i] = i >= 5 ? 0 : wrong.seconds[i];
    world.predicted = predicted;
    begin(&world, 1);
    assert_true(ct_adaptation_is_untried(&world.ranks_own[0]));
    run(&world, SETTLED_WITHIN);
    assert_true(ct_adaptation_is_settled(&world.ranks_own[0]));
    for (int i = 0; i < CANDIDATES; i++)
        assert_int_equal(world.last_use[i] > 0, i >= 4);
    assert_true(run(&world, 1000) <= 1.05 * best_of(&world));
}

/* The model predicts that some of the worst are the best. */
static void wrong_prediction_is_left(void **state)
{
    (void)state;
    static const double predicted[CANDIDATES] = {2e-5, 1e-6, 3e-6, 1e-5, 3e-5, 2e-5, 1e-5, 4e-5};
    for (int seed = 0; seed < SEEDS; seed++) {
        struct world world = wrong;
        world.predicted = predicted;
        begin(&world, (uint64_t)seed);
        assert_int_equal(ct_adaptation_candidate(&world.ranks_own[0]), 1);
        run(&world, LEFT_WITHIN + SETTLED_WITHIN);
        assert_false(world.has_parted);
        assert_in_range(world.last_use[1], 1, LEFT_WITHIN);
        run(&world, SETTLED_WITHIN);
        assert_true(run(&world, 1000) <= 1.1 * best_of(&world));
    }
}

/* The table's choice stays if no other is predicted to be clearly faster. */
static void prediction_keeps_the_table(void **state)
{
    (void)state;
    struct world world = close_to;
    world.predicted = close_to.seconds;
    begin(&world, 1);
    assert_int_equal(ct_adaptation_candidate(&world.ranks_own[0]), 0);
}

/* Calls of one rank alone, with the seconds of each candidate; 0: it does not apply. */
static void call_alone(struct ct_adaptation *adaptation, int calls, const double *by_candidate)
{
    double seconds[CANDIDATES];
    for (int i = 0; i < calls; i++) {
        unsigned candidate = ct_adaptation_candidate(adaptation);
        if (ct_adaptation_is_timed(adaptation) && by_candidate[candidate] > 0)
            ct_adaptation_note(adaptation, by_candidate[candidate]);
        if (!ct_adaptation_count(adaptation))
            continue;
        ct_adaptation_measured(adaptation, seconds);
        ct_adaptation_agree(adaptation, seconds);
    }
}

/* Two ranks, between which a message takes a microsecond. By all candidates but the last one rank 0 receives
 * from rank 1, and answers. So rank 1 leaves a microsecond later, and the next call waits for it. By the last
 * one the ranks exchange messages: half the time, if such calls follow each other. Where methods take turns
 * call by call, a rank spends two microseconds in each of them. */
static void what_ranks_leave_behind_counts_as_its_own(void **state)
{
    (void)state;
    const double message = 1e-6;
    const unsigned candidates = 4, last = candidates - 1;
    struct ct_adaptation ranks[2];
    double now[2] = {0, 0}, seconds[2][CANDIDATES], greatest[CANDIDATES];
    for (int rank = 0; rank < 2; rank++)
        ct_adaptation_begin(&ranks[rank], candidates, NULL);
    for (int i = 0; i < SETTLED_WITHIN; i++) {
        const bool is_answered = ct_adaptation_candidate(&ranks[0]) != last;
        const double root = fmax(now[0], now[1] + message), other = fmax(now[1], now[0] + message);
        const double left[2] = {root, is_answered ? root + message : other};
        bool is_due = false;
        for (int rank = 0; rank < 2; rank++) {
            if (ct_adaptation_is_timed(&ranks[rank]))
                ct_adaptation_note(&ranks[rank], left[rank] - now[rank]);
            is_due = ct_adaptation_count(&ranks[rank]);
            now[rank] = left[rank];
            ct_adaptation_measured(&ranks[rank], seconds[rank]);
        }
        for (int j = 0; j < CANDIDATES; j++)
            greatest[j] = fmax(seconds[0][j], seconds[1][j]);
        for (int rank = 0; is_due && rank < 2; rank++)
            ct_adaptation_agree(&ranks[rank], greatest);
    }
    assert_true(ct_adaptation_is_settled(&ranks[0]));
    assert_int_equal(ct_adaptation_candidate(&ranks[0]), last);
    assert_float_equal(ranks[0].known[last], message, 0.1 * message);
}

/* A candidate that does not apply is never timed, and never chosen. */
static void untimed_candidates_lose(void **state)
{
    (void)state;
    struct ct_adaptation adaptation;
    ct_adaptation_begin(&adaptation, 2, NULL);
    call_alone(&adaptation, 1000, (double[]){1e-6, 0});
    assert_true(ct_adaptation_is_settled(&adaptation));
    assert_int_equal(ct_adaptation_candidate(&adaptation), 0);
}

/* After calls to which the choice did not apply, it is watched as before. */
static void untimed_calls_teach_nothing(void **state)
{
    (void)state;
    struct ct_adaptation adaptation;
    ct_adaptation_begin(&adaptation, 2, NULL);
    call_alone(&adaptation, 1000, (double[]){1e-6, 2e-6});
    call_alone(&adaptation, 5000, (double[]){0, 0});
    call_alone(&adaptation, 500, (double[]){1e-6, 2e-6});
    assert_int_equal(ct_adaptation_candidate(&adaptation), 0);
    call_alone(&adaptation, 500, (double[]){1e-5, 2e-6});
    assert_int_equal(ct_adaptation_candidate(&adaptation), 1);
}

/* A choice that a model predicts, but that applies to no call, is left. Others that are predicted to be
 * hopeless are not tried for that. */
static void untimed_prediction_is_left(void **state)
{
    (void)state;
    struct ct_adaptation adaptation;
    unsigned slow_calls = 0;
    ct_adaptation_begin(&adaptation, 4, (double[]){1e-5, 1e-6, 2e-6, 9e-5});
    assert_int_equal(ct_adaptation_candidate(&adaptation), 1);
    for (int i = 0; i < LEFT_WITHIN + SETTLED_WITHIN; i++) {
        slow_calls += ct_adaptation_candidate(&adaptation) == 3;
        call_alone(&adaptation, 1, (double[]){1e-5, 0, 2e-6, 9e-5});
        assert_true(i < LEFT_WITHIN || ct_adaptation_candidate(&adaptation) != 1);
    }
    assert_true(ct_adaptation_is_settled(&adaptation));
    assert_int_equal(ct_adaptation_candidate(&adaptation), 2);
    assert_false(ct_adaptation_is_measured(&adaptation, 1));
    assert_int_equal(slow_calls, 0);
}

/* A candidate that is predicted to be faster than the choice, but that applies to no call, has one duel. */
static void untimed_rival_has_one_duel(void **state)
{
    (void)state;
    struct ct_adaptation adaptation;
    ct_adaptation_begin(&adaptation, 3, (double[]){9e-5, 1e-6, 2e-6});
    call_alone(&adaptation, LEFT_WITHIN, (double[]){9e-5, 5e-6, 0});
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(ct_adaptation_candidate(&adaptation), 1);
        call_alone(&adaptation, 1, (double[]){9e-5, 5e-6, 0});
    }
}

/* A choice that did not apply before its first fence, but does since then, is watched. */
static void choice_timed_late_is_watched(void **state)
{
    (void)state;
    struct ct_adaptation adaptation;
    ct_adaptation_begin(&adaptation, 2, (double[]){1e-5, 1e-6});
    call_alone(&adaptation, 30, (double[]){1e-5, 0});
    call_alone(&adaptation, 500, (double[]){1e-5, 1e-6});
    assert_int_equal(ct_adaptation_candidate(&adaptation), 1);
    call_alone(&adaptation, 500, (double[]){1e-5, 1e-4});
    assert_int_equal(ct_adaptation_candidate(&adaptation), 0);
}

/* The tests of this file notice ranks that do not follow the calls, or the agreement. */
static void ranks_that_part_are_noticed(void **state)
{
    (void)state;
    struct world late = wrong, selfish = close_to;
    late.misses_a_call = true;
    begin(&late, 1);
    run(&late, SETTLED_WITHIN);
    assert_true(late.has_parted);
    selfish.trusts_itself = true;
    begin(&selfish, 1);
    run(&selfish, 10000);
    assert_true(selfish.has_parted);
}

/* They also notice a choice by the times of other methods. */
static void wrong_times_are_noticed(void **state)
{
    (void)state;
    struct world mistaken = wrong;
    mistaken.is_mistaken = true;
    begin(&mistaken, 1);
    run(&mistaken, SETTLED_WITHIN);
    assert_true(run(&mistaken, 1000) > 1.5 * best_of(&mistaken));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choice_is_settled_and_is_near_the_best),
        cmocka_unit_test(slow_method_is_left),
        cmocka_unit_test(nothing_is_left_where_all_are_slow),
        cmocka_unit_test(faster_method_is_found),
        cmocka_unit_test(best_by_prediction_needs_no_trial),
        cmocka_unit_test(candidates_without_prediction_are_tried),
        cmocka_unit_test(wrong_prediction_is_left),
        cmocka_unit_test(prediction_keeps_the_table),
        cmocka_unit_test(what_ranks_leave_behind_counts_as_its_own),
        cmocka_unit_test(untimed_candidates_lose),
        cmocka_unit_test(untimed_calls_teach_nothing),
        cmocka_unit_test(untimed_prediction_is_left),
        cmocka_unit_test(untimed_rival_has_one_duel),
        cmocka_unit_test(choice_timed_late_is_watched),
        cmocka_unit_test(ranks_that_part_are_noticed),
        cmocka_unit_test(wrong_times_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
