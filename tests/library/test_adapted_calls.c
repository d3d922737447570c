/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of several classes, in random order, whose methods are chosen while the application runs: the bounds
 * of docs/adaptation.md hold for each class. The ranks are simulated, each with the calls of a communicator.
 * Their messages, clocks and the methods of the tuner are simulated, too. */
#include "base/random.h"
#include "library/adapted_calls.h"
#include "library/joint_maximum.h"
#include "library/learned.h"
#include "library/mpi/predefined_ops.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum {
    RANKS = 3,
    KINDS = 8,
    METHODS = 8,
    MAXIMA_MOST = 64,
    SEEDS = 5,
    PERIOD = 30, /* calls between fences */
    SETTLED_WITHIN = 200,
    LEFT_WITHIN = 50,
    DUEL_WITHIN = 54, /* the first fence, its agreement, a duel, and its agreement */
    NOTED = 1000,     /* calls of a kind, before others are tried anew */
    LONG = 1000       /* calls of a kind */
};

/* Calls that are alike. */
struct kind {
    enum ct_collective collective;
    size_t bytes;
    unsigned weight; /* how often it is called, against the others */
    double seconds[METHODS];

    unsigned calls;
    unsigned last_use[METHODS]; /* the number of the last call, from 1 */
    unsigned used[NOTED];       /* the methods of the first calls */
    double spent;               /* seconds, without noise */
    struct ct_choice *last;     /* of the last call */
};

struct ct_joint_maximum {
    int number;
    bool is_under_way;
    double own[CT_JOINT_NUMBERS];
};

struct world {
    struct kind kinds[KINDS];
    double noise;   /* the greatest share by which a rank's call takes longer */
    unsigned burst; /* so many calls of each of the first two kinds in turn; 0: all in random order */
    uint64_t random;
    struct ct_adapted_calls *calls[RANKS];
    bool has_parted; /* the ranks have chosen differently, or do not agree at the same time */
};

/* What the functions below simulate. */
static struct {
    int rank; /* whose turn it is */
    double clock;
    bool by_model;
    bool has_parted;
    bool is_selfish; /* for trials that must fail: the last rank learns its own times only */
    size_t unfit;    /* number of a method that does not apply to calls of `unfit_bytes`; 0: all apply */
    size_t unfit_bytes;
    unsigned classes; /* that have ended, at all ranks */
    unsigned settled;
    unsigned changed; /* to another method than the table's */
    unsigned untimed; /* of the changed ones those that tell no time of the table's method */
    uint64_t random;  /* by which a rank knows the short way of a call */
    unsigned passed;  /* calls that a rank has passed, and some rank has not */
    size_t made[RANKS];
    struct ct_joint_maximum maxima[RANKS][MAXIMA_MOST];
} now;

static struct ct_choice choices[CT_COLLECTIVES][METHODS];

/* --- in place of the tuner, the messages and the clock --- */

const struct ct_tuner *ct_tuner(void)
{
    static const struct ct_tuner tuners[] = {
        {.configuration = {.adapt = 1}},
        {.configuration = {.adapt = 1, .adapts_by_model = true}},
    };
    return &tuners[now.by_model];
}

bool ct_tuner_has_candidates(enum ct_collective collective)
{
    (void)collective;
    return true;
}

size_t ct_tuner_candidates(enum ct_collective collective, const struct ct_call *call, size_t room,
                           struct ct_choice **ret_choices)
{
    (void)call;
    for (size_t i = 0; i < room && i < METHODS; i++)
        ret_choices[i] = &choices[collective][i];
    return METHODS;
}

bool ct_choice_applies(const struct ct_choice *choice, const struct ct_call *call)
{
    return now.unfit == 0 || call->count != now.unfit_bytes || choice->method.values[0] != now.unfit;
}

/* Each rank finds out for itself whether a plan is kept. */
bool ct_short_call_is_kept(const struct ct_short_call *shorter)
{
    (void)shorter;
    return ct_random(&now.random) >> 63;
}

bool ct_is_exact_reduction(MPI_Op op, MPI_Datatype type)
{
    (void)op;
    (void)type;
    return true;
}

void ct_learned_add(const struct ct_choice *choice, const struct ct_features *features, double seconds)
{
    (void)choice;
    (void)features;
    (void)seconds;
}

void ct_learned_add_class(const struct ct_learned_class *class)
{
    now.classes++;
    now.settled += class->is_settled;
    now.changed += class->chosen != class->decided;
    now.untimed += class->chosen != class->decided && class->decided_seconds == 0;
    assert_true(class->chosen_seconds < INFINITY && class->decided_seconds < INFINITY);
}

struct ct_joint_maximum *ct_joint_maximum_make(struct ct_channel *channel, int number)
{
    (void)channel;
    assert_true(now.made[now.rank] < MAXIMA_MOST);
    struct ct_joint_maximum *maximum = &now.maxima[now.rank][now.made[now.rank]++];
    *maximum = (struct ct_joint_maximum){.number = number};
    return maximum;
}

void ct_joint_maximum_free(struct ct_joint_maximum *maximum)
{
    (void)maximum;
}

int ct_joint_maximum_begin(struct ct_joint_maximum *maximum, const double own[CT_JOINT_NUMBERS])
{
    assert_false(maximum->is_under_way);
    memcpy(maximum->own, own, sizeof maximum->own);
    maximum->is_under_way = true;
    return MPI_SUCCESS;
}

void ct_joint_maximum_advance(struct ct_joint_maximum *maximum)
{
    assert_true(maximum->is_under_way);
}

int ct_joint_maximum_end(struct ct_joint_maximum *maximum, double ret_greatest[CT_JOINT_NUMBERS])
{
    ptrdiff_t which = maximum - now.maxima[now.rank];
    assert_true(maximum->is_under_way);
    maximum->is_under_way = false;
    for (int i = 0; i < CT_JOINT_NUMBERS; i++)
        ret_greatest[i] = 0;
    for (int rank = 0; rank < RANKS; rank++) {
        const struct ct_joint_maximum *other = &now.maxima[rank][which];
        /* The ranks take turns: those before this one have taken theirs already. */
        now.has_parted |= other->is_under_way != (rank > now.rank) || other->number != maximum->number;
        for (int i = 0; i < CT_JOINT_NUMBERS; i++)
            ret_greatest[i] = fmax(ret_greatest[i], other->own[i]);
    }
    if (now.is_selfish && now.rank == RANKS - 1)
        memcpy(ret_greatest, maximum->own, sizeof maximum->own);
    return MPI_SUCCESS;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    time->tv_sec = (time_t)now.clock;
    time->tv_nsec = (long)((now.clock - (double)time->tv_sec) * 1e9);
    return 0;
}

/* --- calls --- */

/* From 0 to 1. */
static double share(struct world *world)
{
    return (double)(ct_random(&world->random) >> 11) * 0x1p-53;
}

static void begin(struct world *world, uint64_t seed)
{
    memset(&now, 0, sizeof now);
    for (int c = 0; c < CT_DENSE_COLLECTIVES; c++)
        for (int i = 0; i < METHODS; i++)
            choices[c][i].method = (struct ct_method){.values = {(size_t)i}};
    world->random = seed;
    for (now.rank = 0; now.rank < RANKS; now.rank++)
        world->calls[now.rank] = ct_adapted_calls_make(NULL);
}

static void end(struct world *world)
{
    for (now.rank = 0; now.rank < RANKS; now.rank++)
        ct_adapted_calls_free(world->calls[now.rank]);
}

static void call(struct world *world, struct kind *kind)
{
    struct ct_known_call known[RANKS];
    struct ct_adapted_call calls[RANKS];
    struct ct_choice *list = choices[kind->collective];
    double begun = now.clock;
    bool is_passed[RANKS];
    unsigned passed = 0;
    for (now.rank = 0; now.rank < RANKS; now.rank++) {
        struct ct_known_call *own = &known[now.rank];
        *own = (struct ct_known_call){
            .collective = kind->collective,
            .call = {.rank = now.rank, .size = RANKS, .count = kind->bytes, .unit_bytes = 1},
            .choice = &list[0],
            .shorter_by = kind->last};
        own->adapted = ct_adapted_class_of(world->calls[now.rank], kind->collective, own);
        calls[now.rank].choice = ct_adapted_call_pass(own);
        is_passed[now.rank] = calls[now.rank].choice != NULL;
        passed += is_passed[now.rank];
        if (!is_passed[now.rank])
            assert_int_equal(ct_adapted_call_begin(own, &calls[now.rank]), MPI_SUCCESS);
        world->has_parted |= calls[now.rank].choice != calls[0].choice;
    }
    ptrdiff_t method = calls[0].choice - list;
    if (kind->calls < NOTED)
        kind->used[kind->calls] = (unsigned)method;
    kind->last_use[method] = ++kind->calls;
    kind->spent += kind->seconds[method];
    for (now.rank = 0; now.rank < RANKS; now.rank++) {
        now.clock = begun + kind->seconds[method] * (1 - 0.2 * now.rank + world->noise * share(world));
        if (!is_passed[now.rank])
            ct_adapted_call_end(&known[now.rank], &calls[now.rank]);
    }
    now.passed += passed > 0 && passed < RANKS;
    kind->last = calls[0].choice;
    now.clock = begun + 2 * kind->seconds[method];
    world->has_parted |= now.has_parted;
}

static struct kind *next_kind(struct world *world)
{
    if (world->burst > 0)
        return &world->kinds[(world->kinds[0].calls + world->kinds[1].calls) / world->burst % 2];
    double total = 0, at = share(world);
    for (int i = 0; i < KINDS; i++)
        total += world->kinds[i].weight;
    int i = 0;
    for (at *= total; i < KINDS - 1 && at >= world->kinds[i].weight; i++)
        at -= world->kinds[i].weight;
    return &world->kinds[i];
}

/* Carries out calls until this kind, or each, has had so many more. */
static void run(struct world *world, const struct kind *one, unsigned more)
{
    unsigned until[KINDS];
    for (int i = 0; i < KINDS; i++)
        until[i] = world->kinds[i].calls + (!one || one == &world->kinds[i] ? more : 0);
    for (int i = 0; i < KINDS && !world->has_parted;) {
        if (world->kinds[i].calls >= until[i])
            i++;
        else
            call(world, next_kind(world));
    }
}

static double best_of(const struct kind *kind)
{
    double best = kind->seconds[0];
    for (int i = 1; i < METHODS; i++)
        best = fmin(best, kind->seconds[i]);
    return best;
}

/* Seconds of a call since then. */
static double mean_since(const struct kind *kind, const struct kind *then)
{
    return (kind->spent - then->spent) / (kind->calls - then->calls);
}

/* Did the method stay the same from the call after so many on? */
static bool is_settled(const struct kind *kind, unsigned after)
{
    for (unsigned i = after; i < NOTED; i++)
        if (kind->used[i] != kind->used[NOTED - 1])
            return false;
    return true;
}

/* --- the worlds --- */

/* Mixed collectives. The table's choice, the first one, is the worst everywhere; in the second world it is
 * the best. Times of the others are near to each other, or far from it. */
static const struct world wrong = {
    .kinds = {{CT_COLLECTIVE_BCAST, 8, 1, {9e-5, 5e-5, 4e-5, 3e-5, 1.4e-5, 1.2e-5, 1e-5, 1.6e-5}},
              {CT_COLLECTIVE_BCAST, 5000, 1, {9e-4, 1e-4, 2e-4, 3e-4, 1.5e-4, 1.7e-4, 1.2e-4, 5e-4}},
              {CT_COLLECTIVE_ALLGATHER, 8, 1, {8e-5, 7e-5, 6e-5, 5e-5, 4e-5, 3e-5, 2e-5, 1e-5}},
              {CT_COLLECTIVE_ALLGATHER, 64, 1, {8e-5, 1e-5, 6e-5, 5e-5, 4e-5, 3e-5, 2e-5, 1.1e-5}},
              {CT_COLLECTIVE_ALLTOALL, 100, 1, {2e-5, 1.1e-5, 1.2e-5, 1e-5, 1.15e-5, 1.1e-5, 1.2e-5, 1.1e-5}},
              {CT_COLLECTIVE_ALLREDUCE, 100, 1, {5e-3, 2e-5, 1e-5, 3e-3, 2e-3, 2e-5, 4e-5, 1e-4}},
              {CT_COLLECTIVE_BARRIER, 0, 1, {9e-6, 8e-6, 7e-6, 5e-6, 6e-6, 5e-6, 8e-6, 4e-6}},
              {CT_COLLECTIVE_GATHERV, 40, 1, {9e-5, 5e-5, 4e-5, 4e-5, 4e-5, 4e-5, 5e-5, 3e-5}}},
    .noise = 0.2};

/* Some are called often, others seldom. */
static struct world uneven(void)
{
    static const unsigned weights[KINDS] = {20, 12, 8, 5, 4, 3, 2, 1};
    struct world world = wrong;
    for (int i = 0; i < KINDS; i++)
        world.kinds[i].weight = weights[i];
    return world;
}

static struct world right(void)
{
    struct world world = wrong;
    for (int i = 0; i < KINDS; i++)
        world.kinds[i].seconds[0] = 0.98 * best_of(&world.kinds[i]);
    return world;
}

static struct world (*const worlds[])(void) = {uneven, right};
enum { WORLDS = sizeof worlds / sizeof worlds[0] };

/* --- the tests --- */

static void each_class_is_settled_near_the_best(void **state)
{
    (void)state;
    for (int w = 0; w < WORLDS; w++) {
        double slowest = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            struct world world = worlds[w]();
            begin(&world, (uint64_t)seed);
            run(&world, NULL, NOTED);
            struct world then = world;
            run(&world, NULL, LONG);
            assert_false(world.has_parted);
            for (int i = 0; i < KINDS; i++) {
                const struct kind *kind = &world.kinds[i], *before = &then.kinds[i];
                assert_true(is_settled(kind, SETTLED_WITHIN));
                assert_false(is_settled(kind, 0));
                slowest = fmax(slowest, mean_since(kind, before) / best_of(kind));
            }
            end(&world);
            assert_int_equal(now.classes, KINDS * RANKS);
            assert_int_equal(now.settled, KINDS * RANKS);
            /* In the other world methods are as fast as the table's within their noise. */
            assert_true(w != 0 || now.changed == KINDS * RANKS);
        }
        print_message("world %d: a class takes at most %.3f times the best\n", w, slowest);
        assert_true(slowest <= 1.05);
    }
}

/* The method of a class turns slow after so many calls. Returns the number of calls within which it is left.
 */
static unsigned left_within(struct world *world, struct kind *kind, unsigned calls)
{
    run(world, kind, calls);
    unsigned before = kind->calls, used = kind->used[before < NOTED ? before - 1 : NOTED - 1];
    kind->seconds[used] *= 10;
    run(world, kind, 500);
    struct kind then = *kind;
    run(world, kind, 500);
    assert_false(world->has_parted);
    assert_true(mean_since(kind, &then) <= 1.1 * best_of(kind));
    return kind->last_use[used] - before;
}

static void slow_method_of_each_class_is_left(void **state)
{
    (void)state;
    unsigned most = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (int i = 0; i < KINDS; i++) {
            struct world world = uneven();
            begin(&world, seed);
            unsigned within = left_within(&world, &world.kinds[i], NOTED + 7 * (unsigned)seed);
            most = within > most ? within : most;
            end(&world);
        }
    print_message("a method that turns slow is left within %u calls\n", most);
    assert_in_range(most, 1, LEFT_WITHIN);
}

/* The fences of two classes that are called in bursts meet in many ways, and one of them turns slow at some
 * time between two fences. With the seed 630 a class that waited for the other's agreement would need 51
 * calls. */
static void no_class_waits_for_another(void **state)
{
    (void)state;
    unsigned most = 0;
    for (uint64_t seed = 600; seed < 640; seed++) {
        struct world world = wrong;
        uint64_t random = seed;
        begin(&world, seed);
        for (int i = 0; i < 2; i++)
            run(&world, &world.kinds[i], 300 + (unsigned)(ct_random(&random) % PERIOD));
        world.burst = PERIOD;
        unsigned within = left_within(&world, &world.kinds[0], 30 + (unsigned)(ct_random(&random) % PERIOD));
        most = within > most ? within : most;
        end(&world);
    }
    print_message("it is left within %u calls\n", most);
    assert_in_range(most, 1, LEFT_WITHIN);
}

/* --- COLLTUNE_ADAPT=1,model --- */

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

static void call_often(struct world *world, struct kind *kind, int calls)
{
    for (int i = 0; i < calls; i++)
        call(world, kind);
}

/* Seconds of the first calls of some kinds, over the best, after two kinds of near sizes have been tried. */
static double first_calls(bool by_model, uint64_t seed)
{
    struct world world = by_size();
    double spent = 0, best = 0;
    begin(&world, seed);
    now.by_model = by_model;
    for (int i = 0; i < 6; i++) {
        struct kind *kind = &world.kinds[i];
        call_often(&world, kind, SETTLED_WITHIN);
        spent += i < 2 ? 0 : kind->spent / kind->calls;
        best += i < 2 ? 0 : best_of(kind);
    }
    assert_false(world.has_parted);
    end(&world);
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
    begin(&world, 1);
    now.by_model = true;
    call_often(&world, kind, 3);
    for (int i = 0; i < 4; i++)
        call_often(&world, &world.kinds[i], SETTLED_WITHIN);
    struct kind then = *kind;
    call_often(&world, kind, SETTLED_WITHIN);
    assert_true(mean_since(&then, &(struct kind){0}) > 1.5 * best_of(kind));
    assert_true(mean_since(kind, &then) <= 1.01 * best_of(kind));
    assert_false(world.has_parted);
    end(&world);
}

/* One size is no place for what the model expects there. */
static void wrong_model_is_left(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct world world = by_size();
        struct kind *kind = &world.kinds[4];
        begin(&world, seed);
        now.by_model = true;
        for (int i = 0; i < 4; i++)
            call_often(&world, &world.kinds[i], SETTLED_WITHIN);
        call(&world, kind);
        unsigned expected = kind->used[0];
        kind->seconds[expected] *= 20;
        call_often(&world, kind, 500);
        assert_in_range(kind->last_use[expected], 1, LEFT_WITHIN);
        struct kind then = *kind;
        call_often(&world, kind, LONG);
        assert_true(mean_since(kind, &then) <= 1.1 * best_of(kind));
        assert_false(world.has_parted);
        end(&world);
    }
}

/* What is predicted is no time of a method that was never called. */
static void predictions_are_not_told(void **state)
{
    (void)state;
    struct world world = by_size();
    begin(&world, 1);
    now.by_model = true;
    for (int i = 0; i < 5; i++)
        call_often(&world, &world.kinds[i], SETTLED_WITHIN);
    assert_int_equal(world.kinds[4].last_use[0], 0);
    end(&world);
    assert_int_equal(now.changed, 5 * RANKS);
    assert_int_equal(now.untimed, 3 * RANKS);
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
        begin(&world, 1);
        now.by_model = true;
        now.unfit = cases[c].unfit;
        now.unfit_bytes = kind->bytes;
        kind->seconds[2] *= cases[c].best_turns;
        for (int i = 0; i < 4; i++)
            call_often(&world, &world.kinds[i], SETTLED_WITHIN);
        call_often(&world, kind, LONG);
        assert_false(world.has_parted);
        assert_in_range(kind->last_use[0], 1, DUEL_WITHIN);
        end(&world);
        assert_int_equal(now.settled, 5 * RANKS);
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
        begin(&world, 1);
        now.by_model = true;
        for (int i = 0; i < 4; i++)
            call_often(&world, &world.kinds[i], SETTLED_WITHIN);
        call_often(&world, kind, 16);
        for (int m = 0; m < METHODS; m++)
            assert_true(kind->last_use[m] > 0);
        end(&world);
        assert_int_equal(now.classes, 5 * RANKS);
        assert_int_equal(now.settled, 4 * RANKS);
    }
}

/* Most calls are passed once all is settled; ranks that pass a call, and ranks that do not, count alike. */
static void calls_are_passed(void **state)
{
    (void)state;
    struct world world = uneven();
    begin(&world, 1);
    run(&world, NULL, NOTED);
    unsigned before = now.passed;
    run(&world, &world.kinds[0], LONG);
    assert_false(world.has_parted);
    assert_true(now.passed - before > LONG / 2);
    end(&world);
}

/* --- trials that must fail --- */

static void ranks_that_part_are_noticed(void **state)
{
    (void)state;
    for (int by_model = 0; by_model < 2; by_model++) {
        struct world world = uneven();
        begin(&world, 1);
        now.by_model = by_model;
        now.is_selfish = true;
        run(&world, NULL, NOTED);
        assert_true(world.has_parted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_is_settled_near_the_best),
        cmocka_unit_test(slow_method_of_each_class_is_left),
        cmocka_unit_test(no_class_waits_for_another),
        cmocka_unit_test(model_spares_trials),
        cmocka_unit_test(model_decides_at_a_fence),
        cmocka_unit_test(wrong_model_is_left),
        cmocka_unit_test(predictions_are_not_told),
        cmocka_unit_test(unfit_prediction_is_left),
        cmocka_unit_test(others_are_tried),
        cmocka_unit_test(calls_are_passed),
        cmocka_unit_test(ranks_that_part_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
