/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "measure/clock.h"
#include "plan/shapes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Ranks with clocks of their own in one process: the truth is known, so what the models say can be held
 * against it. Everything is drawn from fixed seeds; no clock of the machine is read. */

enum { RANKS_MAX = 40 };

struct machine {
    uint64_t random;
    double truth; /* seconds since some beginning */
    double offset[RANKS_MAX];
    double drift[RANKS_MAX];
    double jump[RANKS_MAX];      /* added to the clock from `jump_time` on */
    double jump_time[RANKS_MAX]; /* true time; 0: never */
    double latency;              /* of a message, at least */
    double noise;                /* scale of what comes on top, heavy-tailed */
    double unevenness;           /* more on the way back */
    struct ct_clock_model models[RANKS_MAX];
    int rank; /* whose turn it is, and whom it asks */
    int parent;
};

/* 0 to 1. */
static double draw(struct machine *machine)
{
    uint64_t z = (machine->random += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double clock_of(const struct machine *machine, int rank, double truth)
{
    double jump = machine->jump_time[rank] > 0 && truth >= machine->jump_time[rank] ? machine->jump[rank] : 0;
    return truth * (1 + machine->drift[rank]) + machine->offset[rank] + jump;
}

static double global_of(const struct machine *machine, int rank)
{
    return ct_clock_global(&machine->models[rank], clock_of(machine, rank, machine->truth));
}

/* A Pareto tail: now and then a message takes many times as long. */
static double delay(struct machine *machine)
{
    return machine->latency + machine->noise * (pow(1 - draw(machine), -0.8) - 1);
}

static double now(void *context)
{
    const struct machine *machine = context;
    return clock_of(machine, machine->rank, machine->truth);
}

static void exchange(void *context, struct ct_clock_exchange *ret_exchange)
{
    struct machine *machine = context;
    const struct ct_clock_model *parent = &machine->models[machine->parent];
    ret_exchange->asked = now(machine);
    machine->truth += delay(machine);
    ret_exchange->stamp = global_of(machine, machine->parent);
    ret_exchange->slack = ct_clock_bound(parent, clock_of(machine, machine->parent, machine->truth));
    ret_exchange->wander = parent->wander;
    machine->truth += delay(machine) + machine->unevenness;
    ret_exchange->answered = now(machine);
}

static void pass(void *context, double seconds)
{
    struct machine *machine = context;
    machine->truth += seconds;
}

static struct ct_clock_port port_of(struct machine *machine, int rank, int ranks)
{
    struct ct_tree tree;
    ct_tree_binomial_balanced(rank, ranks, &tree);
    machine->rank = rank;
    machine->parent = tree.parent;
    return (struct ct_clock_port){machine, now, exchange, pass};
}

/* Offsets of seconds to hours, drifts of 1 to 100 ppm either way. */
static struct machine machine_of(uint64_t seed)
{
    struct machine machine = {.random = seed, .truth = 1000, .latency = 2e-6, .noise = 1e-6};
    for (int i = 0; i < RANKS_MAX; i++) {
        machine.offset[i] = 5000 * (2 * draw(&machine) - 1);
        machine.drift[i] = (draw(&machine) < 0.5 ? -1e-6 : 1e-6) * pow(100, draw(&machine));
    }
    return machine;
}

static int learn(struct machine *machine, int ranks)
{
    int status = CT_OK;
    for (int rank = 1; rank < ranks && status == CT_OK; rank++) {
        const struct ct_clock_port port = port_of(machine, rank, ranks);
        status = ct_clock_learn(&port, &ct_clock_usual, &machine->models[rank]);
    }
    return status;
}

static double error_of(const struct machine *machine, int rank)
{
    return fabs(global_of(machine, rank) - clock_of(machine, 0, machine->truth));
}

static double bound_of(const struct machine *machine, int rank)
{
    return ct_clock_bound(&machine->models[rank], clock_of(machine, rank, machine->truth));
}

/* The one thing that matters: whatever the messages did, no rank is further off than its model says, at once
 * or much later. The bound is no proof of itself: a rank's is at most the sum, over the edges up to rank 0,
 * of half a round trip of the better half of the points, and as much again for each tenth of a second since,
 * which is about what the regression over a quarter of a second makes of it. */
static void no_rank_is_further_off_than_its_bound(void **state)
{
    (void)state;
    const double unevennesses[] = {0, 5e-6, 200e-6}, afters[] = {0, 0.1, 1, 10, 100};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct machine machine = machine_of(seed);
        int ranks = 2 + (int)(draw(&machine) * (RANKS_MAX - 2));
        machine.unevenness = unevennesses[seed % 3];
        assert_int_equal(learn(&machine, ranks), CT_OK);
        double begun = machine.truth;
        for (size_t a = 0; a < sizeof afters / sizeof afters[0]; a++) {
            machine.truth = begun + afters[a];
            for (int rank = 0; rank < ranks; rank++) {
                assert_true(error_of(&machine, rank) <= bound_of(&machine, rank));
                /* at most 6 edges up; half a round trip is 3 us and half the unevenness */
                double half = 4e-6 + machine.unevenness / 2, since = machine.truth - 1000;
                assert_true(bound_of(&machine, rank) <= 6 * half * (1 + since / 0.07));
            }
        }
    }
}

/* The bound is no mere large number: with one drift turned round, or one offset off by a little more than the
 * bound, it does not hold. */
static void a_wrong_model_breaks_the_bound(void **state)
{
    (void)state;
    struct machine machine = machine_of(7);
    machine.drift[5] = 80e-6;
    assert_int_equal(learn(&machine, 8), CT_OK);
    machine.truth += 10;
    const struct ct_clock_model good = machine.models[5];
    machine.models[5].drift = -good.drift;
    assert_true(error_of(&machine, 5) > bound_of(&machine, 5));
    machine.models[5] = good;
    machine.models[5].offset += 2 * bound_of(&machine, 5);
    assert_true(error_of(&machine, 5) > bound_of(&machine, 5));
}

/* Without noise, ways alike: the line is found to what doubles hold, and even a model of a model of a model
 * is. */
static void even_messages_give_the_line(void **state)
{
    (void)state;
    struct machine machine = machine_of(3);
    machine.noise = 0;
    assert_int_equal(learn(&machine, 16), CT_OK);
    machine.truth += 1;
    for (int rank = 0; rank < 16; rank++)
        assert_true(error_of(&machine, rank) < 5e-9);
}

/* A clock that jumps while it is learned gives no model, and none is made of the mean. */
static void a_jump_while_learning_is_found(void **state)
{
    (void)state;
    const double jumps[] = {1e-3, -1e-3, 5, -5};
    for (size_t i = 0; i < 4; i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            struct machine machine = machine_of(seed);
            int who = seed % 2 ? 0 : 1;
            machine.jump[who] = jumps[i];
            machine.jump_time[who] = machine.truth + 0.02 + 0.2 * draw(&machine);
            assert_int_equal(learn(&machine, 2), CT_E_ANSWER);
            assert_true(machine.models[1].slack == 0);
            assert_int_equal(learn(&machine, 2), CT_OK); /* behind it all is well */
            assert_true(error_of(&machine, 1) <= bound_of(&machine, 1));
        }
}

static struct ct_clock_skew check(struct machine *machine, int rank, int ranks)
{
    const struct ct_clock_port port = port_of(machine, rank, ranks);
    struct ct_clock_skew skew;
    ct_clock_check(&port, ct_clock_usual.exchanges, &machine->models[rank], &skew);
    return skew;
}

/* Clocks that run evenly never seem to jump, however bad the messages; looking again and again makes the
 * drift better known, and a bad look makes nothing worse. */
static void looking_again_mends_the_model(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct machine machine = machine_of(seed);
        int ranks = 9;
        machine.unevenness = seed % 2 ? 30e-6 : 0;
        assert_int_equal(learn(&machine, ranks), CT_OK);
        double wander = machine.models[8].wander;
        for (int look = 0; look < 50; look++) {
            machine.truth += 2 * draw(&machine);
            machine.noise = look % 7 == 3 ? 1e-3 : 1e-6;
            for (int rank = 1; rank < ranks; rank++) {
                const struct ct_clock_model before = machine.models[rank];
                const struct ct_clock_skew skew = check(&machine, rank, ranks);
                assert_false(skew.jumped);
                assert_true(error_of(&machine, rank) <= bound_of(&machine, rank));
                double local = clock_of(&machine, rank, machine.truth);
                assert_true(bound_of(&machine, rank) <= ct_clock_bound(&before, local) * (1 + 1e-9));
            }
        }
        assert_true(machine.models[8].wander < wander / 5);
    }
}

/* A jump is found at the rank that made it and at no other, by as much as it was; then the clock is right
 * again. */
static void a_jump_is_found_where_it_was(void **state)
{
    (void)state;
    const double jumps[] = {3e-3, -3e-3, 2, -2};
    for (size_t i = 0; i < 4; i++) {
        struct machine machine = machine_of(i + 1);
        assert_int_equal(learn(&machine, 12), CT_OK);
        machine.jump[5] = jumps[i];
        machine.jump_time[5] = machine.truth + 0.5;
        machine.truth += 1;
        for (int rank = 1; rank < 12; rank++) {
            const struct ct_clock_skew skew = check(&machine, rank, 12);
            assert_int_equal(skew.jumped, rank == 5);
            if (rank == 5)
                assert_true(fabs(skew.seconds - jumps[i]) < 1e-3);
            assert_true(error_of(&machine, rank) <= bound_of(&machine, rank));
        }
    }
}

/* A clock that runs backwards between question and answer is one that jumped. */
static void a_clock_that_runs_backwards_has_jumped(void **state)
{
    (void)state;
    struct machine machine = machine_of(2);
    assert_int_equal(learn(&machine, 2), CT_OK);
    machine.jump[1] = -1;
    machine.jump_time[1] = machine.truth + 1e-6;
    const struct ct_clock_skew skew = check(&machine, 1, 2);
    assert_true(skew.jumped);
    assert_true(isinf(skew.seconds));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_rank_is_further_off_than_its_bound),
        cmocka_unit_test(a_wrong_model_breaks_the_bound),
        cmocka_unit_test(even_messages_give_the_line),
        cmocka_unit_test(a_jump_while_learning_is_found),
        cmocka_unit_test(looking_again_mends_the_model),
        cmocka_unit_test(a_jump_is_found_where_it_was),
        cmocka_unit_test(a_clock_that_runs_backwards_has_jumped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
