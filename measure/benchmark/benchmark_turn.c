/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/benchmark_turn.h"
#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>
#include <sys/mman.h>

void *ct_bench_allocate(size_t count, size_t size)
{
    void *memory = ct_allocate(count ? count : 1, size);
    if (!memory)
        ct_bench_abort("out of memory");
    return memory;
}

void ct_bench_tell(const struct ct_bench_cell *run, uint64_t method)
{
    struct ct_job_state *state = run->bench->state;
    state->cell = run->cell->id;
    state->method = method;
    __atomic_store_n(&state->beat, state->beat + 1, __ATOMIC_RELEASE);
    if (run->bench->state_remote)
        msync(state, sizeof *state, MS_SYNC);
}

static void call_once(struct ct_bench_cell *run, size_t trial)
{
    double gathered = ct_bench_gather(run->bench, run->group);
    if (run->bench->rank == 0)
        ct_bench_tell(run, run->trials[trial].index);
    run->late[run->calls] = ct_bench_release(run->bench, run->group, gathered);
    run->begin[run->calls] = ct_bench_now(run->bench);
    ct_bench_run(run->group, run->trials[trial].method, &run->call->operands);
    run->end[run->calls] = ct_bench_now(run->bench);
    run->callee[run->calls++] = trial;
    ct_bench_rest();
}

/* All ranks' view of the turn: maxima, through our own plan. `wrong` per trial may be NULL. */
static void agree(struct ct_bench_cell *run, const bool *wrong, double turn_began)
{
    size_t n = run->calls, methods = run->cell->method_count, count = 2 * n + methods + 1;
    bool may_be_late = run->bench->job.sync == CT_SYNC_WINDOW;
    for (size_t i = 0; i < n; i++) {
        run->mine[i] = run->bench->common_clock ? run->end[i] : run->end[i] - run->begin[i];
        run->mine[n + i] = run->bench->common_clock ? -run->begin[i] : 0;
    }
    for (size_t i = 0; i < methods; i++)
        run->mine[2 * n + i] = wrong && wrong[i];
    run->mine[2 * n + methods] = ct_bench_now(run->bench) - turn_began;
    for (size_t i = 0; may_be_late && i < n; i++)
        run->mine[count + i] = run->late[i];
    const struct ct_operands operands =
        ct_reduction(run->mine, run->agreed, may_be_late ? count + n : count, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(run->group, &run->bench->agreement, &operands);
    run->elapsed += run->agreed[2 * n + methods];
    for (size_t i = 0; i < methods; i++)
        run->trials[i].wrong |= run->agreed[2 * n + i] > 0;
    for (size_t i = 0; may_be_late && i < n; i++)
        run->late[i] = run->agreed[count + i] > 0;
}

static void keep(struct ct_bench_trial *trial, double seconds)
{
    if (trial->count == trial->capacity) {
        size_t capacity = trial->capacity ? 2 * trial->capacity : 16;
        double *times = realloc(trial->times, capacity * sizeof *times);
        double *sorted = realloc(trial->sorted, capacity * sizeof *sorted);
        if (!times || !sorted)
            ct_bench_abort("out of memory");
        trial->times = times;
        trial->sorted = sorted;
        trial->capacity = capacity;
    }
    trial->times[trial->count++] = seconds;
}

/* Takes the agreed times over, as samples or as mere warm-up. */
static void settle(struct ct_bench_cell *run, bool samples)
{
    const double shortest = 1e-9; /* a clock may not have moved */
    size_t lost = 0;
    for (size_t i = 0; i < run->calls; i++) {
        struct ct_bench_trial *trial = &run->trials[run->callee[i]];
        double seconds = run->agreed[i] + run->agreed[run->calls + i];
        seconds = seconds > shortest ? seconds : shortest;
        trial->busy += seconds;
        trial->calls++;
        lost += run->late[i];
        if (samples && !run->late[i] && trial->count < run->bench->job.rule.most)
            keep(trial, seconds);
    }
    run->lost += lost;
    run->counted += run->calls;
    ct_window_adapt(&run->bench->window, run->calls, lost);
    run->calls = 0;
}

void ct_bench_first_turn(struct ct_bench_cell *run)
{
    const struct ct_job_cell *cell = run->cell;
    bool *wrong = ct_bench_allocate(cell->method_count, sizeof *wrong);
    double began = ct_bench_now(run->bench);
    ct_shuffle(run->order, run->active, sizeof *run->order, &run->random);
    for (size_t i = 0; i < run->active; i++) {
        ct_bench_call_fill(run->call);
        call_once(run, run->order[i]);
        wrong[run->order[i]] = !ct_bench_call_right(run->call);
    }
    agree(run, wrong, began);
    free(wrong);
    settle(run, run->bench->job.warmup == 0);
}

void ct_bench_turn(struct ct_bench_cell *run, size_t rounds, bool samples)
{
    double began = ct_bench_now(run->bench);
    for (size_t round = 0; round < rounds; round++) {
        ct_shuffle(run->order, run->active, sizeof *run->order, &run->random);
        for (size_t i = 0; i < run->active; i++)
            call_once(run, run->order[i]);
    }
    agree(run, NULL, began);
    settle(run, samples);
}
