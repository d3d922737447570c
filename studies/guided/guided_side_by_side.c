/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/number.h"
#include "measure/sweep/node_pool.h"
#include "samples/run_folder.h"
#include "studies/guided/guided_replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* guided_side_by_side RUN HOSTS PPN: how long a guided sweep of all collectives of RUN would take with its
 * jobs one after another, and side by side on the hosts, with PPN ranks on each, as CSV. The run, an
 * exhaustive one, says how long each call takes. Both measure the same cells with the same methods, round by
 * round. */

/* What each method in a cell costs, and a job beside its methods: seconds. */
struct costs {
    double method;
    double start;
};

static const struct costs costs[] = {{0.05, 0}, {0.05, 1}, {0.05, 5}, {0.5, 0}, {0.5, 1}, {0.5, 5}};

enum { COSTS = sizeof costs / sizeof costs[0], FURTHER_LAUNCHES = 2 /* by default */ };

struct study {
    struct ct_map maps[CT_COLLECTIVES];
    struct guided_replay replays[CT_COLLECTIVES];
    size_t count;
    struct ct_node_pool nodes;
    size_t ppn;
    const size_t *sizes; /* communicator sizes, rising */
    size_t size_count;
    double serial[COSTS];
    double parallel[COSTS];
    size_t rounds;
    size_t slots;
};

/* Seconds of one round in the cells of each batch, by [cost][place of the size * CT_COLLECTIVES +
 * collective]. */
struct round {
    double *seconds[COSTS];
};

/* Is each collective a batch of its own there? As in sweeps. */
static bool is_divided(const struct study *study, size_t comm_size)
{
    return comm_size <= study->nodes.count / 2 * study->ppn;
}

/* Adds a method in a cell to its batch. */
static void add_slot(struct study *study, size_t which, size_t slot, struct round *round)
{
    const struct guided_replay *replay = &study->replays[which];
    const size_t comm_size = replay->keys[slot / replay->space.methods].comm_size;
    size_t place = 0;
    while (study->sizes[place] != comm_size)
        place++;
    study->slots++;
    for (int c = 0; c < COSTS; c++)
        round->seconds[c][place * CT_COLLECTIVES + (is_divided(study, comm_size) ? which : 0)] +=
            costs[c].method;
}

/* Adds what a step has measured beside `before`. */
static void add_step(struct study *study, size_t which, const double *before, struct round *round)
{
    const struct ct_guide_space *space = &study->replays[which].space;
    for (size_t s = 0; s < space->points * space->methods; s++)
        if (space->seconds[s] > 0 && !(before[s] > 0))
            add_slot(study, which, s, round);
}

/* What a further launch repeats: in each cell native, and the methods that were near the best. */
static void add_repeated(struct study *study, size_t which, struct round *round)
{
    const double near = 1.25;
    const struct ct_guide_space *space = &study->replays[which].space;
    for (size_t p = 0; p < space->points; p++) {
        const double *seconds = &space->seconds[p * space->methods];
        double best = HUGE_VAL;
        for (size_t m = 0; m < space->methods; m++)
            best = seconds[m] > 0 ? fmin(best, seconds[m]) : best;
        for (size_t m = 0; m < space->methods; m++)
            if (seconds[m] > 0 && (space->kept[m] || seconds[m] <= near * best))
                add_slot(study, which, p * space->methods + m, round);
    }
}

/* The jobs of some launches, the largest of each first, each as soon as there are nodes for it, as in sweeps.
 * Returns when the last one ends. */
static double schedule(struct study *study, const double *seconds, size_t launches, double start,
                       double *ends, bool *is_begun)
{
    const size_t batches = study->size_count * CT_COLLECTIVES, count = launches * batches;
    double now = 0;
    for (size_t i = 0; i < count; i++) {
        is_begun[i] = seconds[i % batches] <= 0;
        ends[i] = HUGE_VAL;
    }
    for (;;) {
        for (size_t i = count; i-- > 0;) {
            const size_t ranks = study->sizes[i % batches / CT_COLLECTIVES];
            if (is_begun[i] ||
                !ct_node_pool_take(&study->nodes, i + 1, (ranks + study->ppn - 1) / study->ppn))
                continue;
            is_begun[i] = true;
            ends[i] = now + start + seconds[i % batches];
        }
        size_t next = 0;
        for (size_t i = 1; i < count; i++)
            if (ends[i] < ends[next])
                next = i;
        if (ends[next] == HUGE_VAL)
            return now;
        now = ends[next];
        ends[next] = HUGE_VAL;
        ct_node_pool_give_back(&study->nodes, next + 1);
    }
}

/* The times of launches that begin together. */
static void take_times(struct study *study, const struct round *round, size_t launches, double *ends,
                       bool *is_begun)
{
    for (int c = 0; c < COSTS; c++) {
        double all = 0;
        for (size_t i = 0; i < study->size_count * CT_COLLECTIVES; i++)
            all += round->seconds[c][i];
        study->serial[c] += (double)launches * (costs[c].start + all);
        study->parallel[c] += schedule(study, round->seconds[c], launches, costs[c].start, ends, is_begun);
    }
}

static int clear(const struct study *study, struct round *round)
{
    const size_t batches = study->size_count * CT_COLLECTIVES;
    for (int c = 0; c < COSTS; c++) {
        free(round->seconds[c]);
        if (!(round->seconds[c] = ct_allocate(batches, sizeof(double))))
            return CT_E_MEMORY;
    }
    return CT_OK;
}

/* One round of all collectives. */
static int step_all(struct study *study, struct round *round, bool *ret_any)
{
    *ret_any = false;
    for (size_t c = 0; c < study->count; c++) {
        struct guided_replay *replay = &study->replays[c];
        const struct ct_guide_space *space = &replay->space;
        const size_t slots = space->points * space->methods;
        double *before = ct_allocate(slots, sizeof *before);
        bool any = false;
        if (!before)
            return CT_E_MEMORY;
        for (size_t s = 0; s < slots; s++)
            before[s] = space->seconds[s];
        int status = guided_replay_step(replay, &ct_guide_standard, &any);
        if (status == CT_OK)
            add_step(study, c, before, round);
        free(before);
        if (status != CT_OK)
            return status;
        *ret_any |= any;
    }
    return CT_OK;
}

static int replay_all(struct study *study)
{
    const size_t batches = study->size_count * CT_COLLECTIVES;
    struct round round = {{NULL}};
    double *ends = ct_allocate(FURTHER_LAUNCHES * batches, sizeof *ends);
    bool *is_begun = ct_allocate(FURTHER_LAUNCHES * batches, sizeof *is_begun);
    int status = ends && is_begun ? CT_OK : CT_E_MEMORY;
    for (bool any = true; status == CT_OK && any;) {
        if ((status = clear(study, &round)) == CT_OK && (status = step_all(study, &round, &any)) == CT_OK &&
            any) {
            take_times(study, &round, 1, ends, is_begun);
            study->rounds++;
        }
    }
    if (status == CT_OK && (status = clear(study, &round)) == CT_OK) {
        for (size_t c = 0; c < study->count; c++)
            add_repeated(study, c, &round);
        take_times(study, &round, FURTHER_LAUNCHES, ends, is_begun);
    }
    for (int c = 0; c < COSTS; c++)
        free(round.seconds[c]);
    free(ends);
    free(is_begun);
    return status;
}

static int begin(const struct ct_run *run, struct study *study, struct ct_error *error)
{
    int status = CT_OK;
    for (size_t c = 0; status == CT_OK && c < run->description.collective_count; c++) {
        struct ct_map *map = &study->maps[study->count];
        if ((status = ct_map_make(run, run->description.collectives[c], error, map)) == CT_OK)
            status = guided_replay_begin(map, &study->replays[study->count++]);
    }
    study->sizes = run->description.comm_sizes;
    study->size_count = run->description.comm_size_count;
    const size_t most = study->size_count > 0 ? study->sizes[study->size_count - 1] : 0;
    if (status == CT_OK && most > study->nodes.count * study->ppn)
        return ct_fail(error, CT_E_INPUT, "%zu ranks do not fit on %zu hosts with %zu on each", most,
                       study->nodes.count, study->ppn);
    return status;
}

int main(int argc, char **argv)
{
    struct ct_error error = {""};
    struct ct_run run = {0};
    struct study study = {0};
    if (argc != 4 || ct_whole_parse(argv[3], SIZE_MAX, &study.ppn) != CT_OK || study.ppn == 0) {
        fprintf(stderr, "usage: guided_side_by_side RUN HOSTS PPN\n");
        return 2;
    }
    int status = ct_node_pool_read(argv[2], NULL, &error, &study.nodes);
    if (status == CT_OK)
        status = ct_run_read(argv[1], false, &error, &run);
    if (status == CT_OK)
        status = begin(&run, &study, &error);
    if (status == CT_OK)
        status = replay_all(&study);
    if (status == CT_OK) {
        printf("method,start,rounds,measurements,serial,parallel,ratio\n");
        for (int c = 0; c < COSTS; c++)
            printf("%g,%g,%zu,%zu,%.0f,%.0f,%.3f\n", costs[c].method, costs[c].start, study.rounds,
                   study.slots, study.serial[c], study.parallel[c], study.parallel[c] / study.serial[c]);
    } else {
        fprintf(stderr, "guided_side_by_side: %s\n", error.text[0] ? error.text : "out of memory");
    }
    for (size_t c = 0; c < study.count; c++) {
        guided_replay_free(&study.replays[c]);
        ct_map_free(&study.maps[c]);
    }
    ct_node_pool_free(&study.nodes);
    ct_run_free(&run);
    return status == CT_OK ? 0 : 1;
}
