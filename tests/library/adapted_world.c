/* SPDX-License-Identifier: BSD-3-Clause */
#include "adapted_world.h"
#include "base/random.h"
#include "library/adapt/joint_maximum.h"
#include "library/adapt/learned.h"
#include "library/mpi/predefined_ops.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { MAXIMA_MOST = 64 };

struct ct_joint_maximum {
    int number;
    bool is_under_way;
    double own[CT_JOINT_NUMBERS];
};

/* What the functions below simulate. */
static struct {
    struct world *world;
    int rank; /* whose turn it is */
    double clock;
    uint64_t random; /* by which a rank knows the short way of a call */
    size_t made[WORLD_RANKS];
    struct ct_joint_maximum maxima[WORLD_RANKS][MAXIMA_MOST];
} now;

static struct ct_choice choices[CT_COLLECTIVES][METHODS];

/* --- in place of the tuner, the messages and the clock --- */

const struct ct_tuner *ct_tuner(void)
{
    static const struct ct_tuner tuners[] = {
        {.configuration = {.adapt = 1}},
        {.configuration = {.adapt = 1, .adapts_by_model = true}},
    };
    return &tuners[now.world->by_model];
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
    return now.world->unfit == 0 || call->count != now.world->unfit_bytes ||
           choice->method.values[0] != now.world->unfit;
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
    now.world->classes++;
    now.world->settled += class->is_settled;
    now.world->changed += class->chosen != class->decided;
    now.world->untimed += class->chosen != class->decided && class->decided_seconds == 0;
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
    for (int rank = 0; rank < WORLD_RANKS; rank++) {
        const struct ct_joint_maximum *other = &now.maxima[rank][which];
        /* The ranks take turns: those before this one have taken theirs already. */
        now.world->has_parted |= other->is_under_way != (rank > now.rank) || other->number != maximum->number;
        for (int i = 0; i < CT_JOINT_NUMBERS; i++)
            ret_greatest[i] = fmax(ret_greatest[i], other->own[i]);
    }
    if (now.world->is_selfish && now.rank == WORLD_RANKS - 1)
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

void begin_world(struct world *world, uint64_t seed)
{
    memset(&now, 0, sizeof now);
    now.world = world;
    for (int c = 0; c < CT_DENSE_COLLECTIVES; c++)
        for (int i = 0; i < METHODS; i++)
            choices[c][i].method = (struct ct_method){.values = {(size_t)i}};
    world->random = seed;
    for (now.rank = 0; now.rank < WORLD_RANKS; now.rank++)
        world->calls[now.rank] = ct_adapted_calls_make(NULL);
}

void end_world(struct world *world)
{
    for (now.rank = 0; now.rank < WORLD_RANKS; now.rank++)
        ct_adapted_calls_free(world->calls[now.rank]);
}

void call_kind(struct world *world, struct kind *kind)
{
    struct ct_known_call known[WORLD_RANKS];
    struct ct_adapted_call calls[WORLD_RANKS];
    struct ct_choice *list = choices[kind->collective];
    double begun = now.clock;
    bool is_passed[WORLD_RANKS];
    unsigned passed = 0;
    for (now.rank = 0; now.rank < WORLD_RANKS; now.rank++) {
        struct ct_known_call *own = &known[now.rank];
        *own = (struct ct_known_call){
            .collective = kind->collective,
            .call = {.rank = now.rank, .size = WORLD_RANKS, .count = kind->bytes, .unit_bytes = 1},
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
    for (now.rank = 0; now.rank < WORLD_RANKS; now.rank++) {
        now.clock = begun + kind->seconds[method] * (1 - 0.2 * now.rank + world->noise * share(world));
        if (!is_passed[now.rank])
            ct_adapted_call_end(&known[now.rank], &calls[now.rank]);
    }
    now.world->passed += passed > 0 && passed < WORLD_RANKS;
    kind->last = calls[0].choice;
    now.clock = begun + 2 * kind->seconds[method];
}

void call_often(struct world *world, struct kind *kind, unsigned calls)
{
    for (unsigned i = 0; i < calls; i++)
        call_kind(world, kind);
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

void run_world(struct world *world, const struct kind *one, unsigned more)
{
    unsigned until[KINDS];
    for (int i = 0; i < KINDS; i++)
        until[i] = world->kinds[i].calls + (!one || one == &world->kinds[i] ? more : 0);
    for (int i = 0; i < KINDS && !world->has_parted;) {
        if (world->kinds[i].calls >= until[i])
            i++;
        else
            call_kind(world, next_kind(world));
    }
}

double best_of(const struct kind *kind)
{
    double best = kind->seconds[0];
    for (int i = 1; i < METHODS; i++)
        best = fmin(best, kind->seconds[i]);
    return best;
}

double mean_since(const struct kind *kind, const struct kind *then)
{
    return (kind->spent - then->spent) / (kind->calls - then->calls);
}
