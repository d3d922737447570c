/* SPDX-License-Identifier: BSD-3-Clause */
/* All schedules of a rank that falls asleep and one that gives it work. The functions of doze.h run on a
 * memory that a rank's stores reach later, in their order, as on x86: at any moment, or by a fence or system
 * call at the latest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint32_t load(const _Atomic uint32_t *address, memory_order order);
static void store(_Atomic uint32_t *address, uint32_t value, memory_order order);
static void fence(memory_order order);
#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_thread_fence
#define atomic_load_explicit  load
#define atomic_store_explicit store
#define atomic_thread_fence   fence
#include "library/node/doze.h"

enum rank { SLEEPER, WAKER, RANKS };
enum { ASLEEP, WORK, PLACES };
enum { ANNOUNCE, LOOK, SLEEP, ASLEEP_NOW }; /* steps of the sleeper */
enum { GIVE, WAKE };                        /* steps of the waker */
enum { DONE = 9, MOST_STORES = 4 };

struct state {
    uint32_t memory[PLACES];
    struct {
        struct {
            int place;
            uint32_t value;
        } late[MOST_STORES]; /* stores that have not reached the memory */
        int count;
        int step;
    } ranks[RANKS];
};

static struct state state;
static enum rank turn;
static bool ignores_fences[RANKS];
static unsigned long schedules, oversleeps;
static _Atomic uint32_t places[PLACES]; /* their addresses only */

static void reach_memory(enum rank rank)
{
    state.memory[state.ranks[rank].late[0].place] = state.ranks[rank].late[0].value;
    state.ranks[rank].count--;
    for (int i = 0; i < state.ranks[rank].count; i++)
        state.ranks[rank].late[i] = state.ranks[rank].late[i + 1];
}

static void drain(void)
{
    while (state.ranks[turn].count > 0)
        reach_memory(turn);
}

static uint32_t load(const _Atomic uint32_t *address, memory_order order)
{
    int place = (int)(address - places);
    uint32_t value = state.memory[place];
    (void)order;
    for (int i = 0; i < state.ranks[turn].count; i++)
        if (state.ranks[turn].late[i].place == place)
            value = state.ranks[turn].late[i].value;
    return value;
}

static void store(_Atomic uint32_t *address, uint32_t value, memory_order order)
{
    int i = state.ranks[turn].count++;
    (void)order;
    assert_true(i < MOST_STORES);
    state.ranks[turn].late[i].place = (int)(address - places);
    state.ranks[turn].late[i].value = value;
}

static void fence(memory_order order)
{
    if (order == memory_order_seq_cst && !ignores_fences[turn])
        drain();
}

/* As in doze.c, but for the system call. */
void ct_doze_wake_now(_Atomic uint32_t *asleep)
{
    ct_doze_renounce(asleep);
    drain();
    if (state.ranks[SLEEPER].step == ASLEEP_NOW)
        state.ranks[SLEEPER].step = ANNOUNCE;
}

static void run_sleeper(int *step)
{
    switch (*step) {
    case ANNOUNCE:
        ct_doze_announce(&places[ASLEEP]);
        *step = LOOK;
        break;
    case LOOK:
        *step = load(&places[WORK], memory_order_acquire) ? DONE : SLEEP;
        break;
    default:
        drain();
        *step = load(&places[ASLEEP], memory_order_relaxed) ? ASLEEP_NOW : ANNOUNCE;
    }
}

static void run_waker(int *step)
{
    if (*step == GIVE)
        store(&places[WORK], 1, memory_order_release);
    else
        ct_doze_wake(&places[ASLEEP]);
    *step = *step == GIVE ? WAKE : DONE;
}

static bool can_run(enum rank rank)
{
    return state.ranks[rank].step != DONE && !(rank == SLEEPER && state.ranks[rank].step == ASLEEP_NOW);
}

/* Runs all that can follow: a rank's next step, or its oldest store reaches the memory. */
static void explore(void)
{
    const struct state before = state;
    bool is_end = true;
    for (int i = 0; i < 2 * RANKS; i++) {
        enum rank rank = i / 2;
        turn = rank;
        if (i % 2 == 0 ? !can_run(rank) : state.ranks[rank].count == 0)
            continue;
        is_end = false;
        if (i % 2 == 1)
            reach_memory(rank);
        else if (rank == SLEEPER)
            run_sleeper(&state.ranks[rank].step);
        else
            run_waker(&state.ranks[rank].step);
        explore();
        state = before;
    }
    schedules += is_end;
    oversleeps += is_end && state.ranks[SLEEPER].step == ASLEEP_NOW;
}

static unsigned long oversleeps_without(bool fence_of_sleeper, bool fence_of_waker)
{
    state = (struct state){0};
    ignores_fences[SLEEPER] = fence_of_sleeper;
    ignores_fences[WAKER] = fence_of_waker;
    schedules = oversleeps = 0;
    explore();
    return oversleeps;
}

static void no_rank_sleeps_through(void **unused)
{
    (void)unused;
    assert_int_equal(oversleeps_without(false, false), 0);
    print_message("%lu schedules\n", schedules);
    assert_true(schedules > 10);
}

static void both_fences_are_needed(void **unused)
{
    (void)unused;
    assert_true(oversleeps_without(true, false) > 0);
    assert_true(oversleeps_without(false, true) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_rank_sleeps_through),
                                       cmocka_unit_test(both_fences_are_needed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
