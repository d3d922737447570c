/* SPDX-License-Identifier: BSD-3-Clause */
#include "studies/guided/guided_replay.h"
#include "base/memory.h"
#include "base/random.h"
#include "learners/all_learners.h"
#include "learners/learn_settings.h"
#include "learners/learn_table.h"
#include "learners/learner.h"
#include "measure/sweep/guide_gains.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t guided_replay_point(const struct guided_replay *replay, const struct ct_cell *cell)
{
    return ct_guide_axes_point(&replay->axes, &cell->key);
}

/* The sides of the space, and its calls. */
static int make_space(struct guided_replay *replay)
{
    const struct ct_map *truth = replay->truth;
    const struct ct_guide_axes *axes = &replay->axes;
    struct ct_cell_key *keys = ct_allocate(truth->cell_count, sizeof *keys);
    int status = keys ? CT_OK : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < truth->cell_count; i++)
        keys[i] = truth->cells[i].key;
    if (status == CT_OK)
        status = ct_guide_axes_make(keys, truth->cell_count, &replay->axes);
    free(keys);
    if (status == CT_OK)
        status =
            ct_guide_space_make(axes->layers, axes->rows, axes->columns, truth->method_count, &replay->space);
    if (status == CT_OK && !(replay->keys = ct_allocate(replay->space.points, sizeof *replay->keys)))
        status = CT_E_MEMORY;
    return status;
}

int guided_replay_begin(const struct ct_map *truth, struct guided_replay *ret_replay)
{
    struct guided_replay replay = {.truth = truth};
    int status = make_space(&replay);
    if (status != CT_OK) {
        guided_replay_free(&replay);
        return status;
    }
    for (size_t i = 0; i < truth->cell_count; i++) {
        size_t point = guided_replay_point(&replay, &truth->cells[i]);
        replay.keys[point] = truth->cells[i].key;
        for (size_t m = 0; m < truth->method_count; m++) {
            const size_t count = truth->cells[i].methods[m].count;
            replay.space.applies[point * truth->method_count + m] = count > 0;
            replay.all += count;
        }
    }
    for (size_t m = 0; m < truth->method_count; m++)
        replay.space.kept[m] = ct_is_native(truth->methods[m].algorithm);
    *ret_replay = replay;
    return CT_OK;
}

void guided_replay_free(struct guided_replay *replay)
{
    ct_guide_axes_free(&replay->axes);
    free(replay->keys);
    ct_guide_space_free(&replay->space);
    *replay = (struct guided_replay){0};
}

/* Looks the cell's methods up that are in the round. */
static void measure(struct guided_replay *replay, const struct ct_cell *cell, const bool *slots)
{
    size_t point = guided_replay_point(replay, cell), methods = replay->truth->method_count;
    for (size_t m = 0; m < methods; m++) {
        if (!slots[point * methods + m])
            continue;
        replay->space.seconds[point * methods + m] = cell->methods[m].median;
        replay->repetitions += cell->methods[m].count;
    }
    replay->space.measured[point] = true;
    replay->cells++;
}

/* Measures these points of the space, in any order, which matters if repetitions run out. */
static int measure_points(struct guided_replay *replay, const bool *points, const bool *slots, bool *ret_any)
{
    const struct ct_map *truth = replay->truth;
    uint64_t seed = 1;
    size_t *order = ct_allocate(truth->cell_count, sizeof *order);
    if (!order)
        return CT_E_MEMORY;
    for (size_t i = 0; i < truth->cell_count; i++)
        order[i] = i;
    ct_shuffle(order, truth->cell_count, sizeof *order, &seed);
    *ret_any = true;
    for (size_t i = 0; i < truth->cell_count && *ret_any; i++) {
        const struct ct_cell *cell = &truth->cells[order[i]];
        size_t point = guided_replay_point(replay, cell);
        if (points[point] && !replay->space.measured[point])
            measure(replay, cell, slots);
        *ret_any = replay->most == 0 || replay->repetitions < replay->most;
    }
    free(order);
    return CT_OK;
}

int guided_replay_step(struct guided_replay *replay, const struct ct_guide_rules *rules, bool *ret_any)
{
    struct ct_guide_round round;
    int status = ct_guide_next(&replay->space, rules, &round);
    if (status != CT_OK)
        return status;
    *ret_any = round.left > 0;
    if (round.left > 0) {
        status = measure_points(replay, round.points, round.slots, ret_any);
        replay->round = round.number;
    }
    ct_guide_round_free(&round);
    return status;
}

/* Values by which any point is as likely to be taken as another. */
static void value_by_chance(const struct guided_replay *replay, struct ct_guide_offers *offers)
{
    const struct ct_guide_space *space = &replay->space;
    uint64_t state = replay->seed + replay->repetitions;
    for (size_t p = 0; p < space->points; p++) {
        bool any = false;
        for (size_t m = 0; m < space->methods; m++)
            any |= offers->slots[p * space->methods + m];
        offers->value[p] = any ? (double)(ct_random(&state) >> 11) + 1 : 0;
    }
}

/* What the guide offers, from what is measured. */
static int make_offers(const struct guided_replay *replay, const struct ct_map *known,
                       const struct ct_guide_rules *rules, struct ct_error *error,
                       struct ct_guide_offers *ret_offers)
{
    const struct ct_guide_space *space = &replay->space;
    size_t points = space->points;
    size_t *places = ct_allocate(space->methods, sizeof *places);
    double *costs = ct_allocate(points * space->methods, sizeof *costs);
    int status = CT_E_MEMORY;
    if (places && costs) {
        for (size_t m = 0; m < space->methods; m++)
            places[m] = m;
        for (size_t i = 0; i < points * space->methods; i++)
            costs[i] = 1;
        status =
            ct_guide_offers_make(known, space, rules, replay->keys, places, costs, NULL, error, ret_offers);
    }
    free(places);
    free(costs);
    return status;
}

int guided_replay_further(struct guided_replay *replay, const struct ct_guide_rules *rules,
                          enum guided_replay_further way, struct ct_error *error, bool *ret_any)
{
    enum { GROWTH = 4 }; /* a round has so many times fewer slots than are known */
    const struct ct_guide_space *space = &replay->space;
    struct ct_guide_offers offers = {0};
    struct ct_map known;
    size_t slots = 0;
    int status = guided_replay_map(replay, &known);
    if (status != CT_OK)
        return status;
    status = make_offers(replay, &known, rules, error, &offers);
    ct_map_free(&known);
    if (status != CT_OK)
        return status;
    if (way == GUIDED_REPLAY_BY_CHANCE)
        value_by_chance(replay, &offers);
    for (size_t s = 0; s < space->points * space->methods; s++)
        slots += space->seconds[s] > 0;
    *ret_any = ct_guide_take(&offers, 1, slots / GROWTH + 1) > 0;
    if (*ret_any)
        status = measure_points(replay, offers.points, offers.slots, ret_any);
    replay->round++;
    ct_guide_offers_free(&offers);
    return status;
}

/* How the methods that were seen of a cell compare. */
static void restate(const struct ct_map *truth, const struct ct_cell *whole, struct ct_cell *cell)
{
    for (size_t m = 0; m < truth->method_count; m++) {
        if (cell->methods[m].count == 0)
            cell->standings[m] = CT_STANDING_UNMEASURED;
        else if (m == cell->best)
            cell->standings[m] = CT_STANDING_BEST;
        else if (truth->exact)
            cell->standings[m] =
                ct_cell_penalty(cell, m) > truth->margin ? CT_STANDING_WORSE : CT_STANDING_EQUIVALENT;
        else
            cell->standings[m] = whole->best == cell->best ? whole->standings[m] : CT_STANDING_UNDECIDED;
    }
}

/* What was seen of a cell. */
static int copy_cell(const struct guided_replay *replay, const struct ct_cell *whole, struct ct_cell *cell)
{
    const size_t methods = replay->truth->method_count;
    const double *seconds = replay->space.seconds + guided_replay_point(replay, whole) * methods;
    *cell = *whole;
    cell->launches = NULL;
    cell->launch_count = 0;
    cell->times = NULL; /* those are the whole cell's */
    cell->methods = ct_allocate(methods, sizeof *cell->methods);
    cell->standings = ct_allocate(methods, sizeof *cell->standings);
    cell->best = SIZE_MAX;
    if (!cell->methods || !cell->standings) {
        free(cell->methods);
        free(cell->standings);
        return CT_E_MEMORY;
    }
    for (size_t m = 0; m < methods; m++) {
        if (!(seconds[m] > 0))
            continue;
        cell->methods[m] = whole->methods[m];
        if (cell->best == SIZE_MAX || whole->methods[m].median < whole->methods[cell->best].median)
            cell->best = m;
    }
    restate(replay->truth, whole, cell);
    return CT_OK;
}

int guided_replay_map(const struct guided_replay *replay, struct ct_map *ret_map)
{
    const struct ct_map *truth = replay->truth;
    struct ct_map map = {.collective = truth->collective,
                         .methods = ct_allocate(truth->method_count, sizeof *map.methods),
                         .method_count = truth->method_count,
                         .cells = ct_allocate(truth->cell_count, sizeof *map.cells),
                         .margin = truth->margin,
                         .exact = truth->exact};
    int status = map.methods && map.cells ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK)
        memcpy(map.methods, truth->methods, truth->method_count * sizeof *map.methods);
    for (size_t i = 0; status == CT_OK && i < truth->cell_count; i++) {
        if (!replay->space.measured[guided_replay_point(replay, &truth->cells[i])])
            continue;
        status = copy_cell(replay, &truth->cells[i], &map.cells[map.cell_count]);
        map.cell_count += status == CT_OK;
    }
    if (status == CT_OK)
        *ret_map = map;
    else
        ct_map_free(&map);
    return status;
}

static int score(const struct ct_decision_tree *tree, const struct ct_map *truth,
                 struct ct_penalty *ret_penalty)
{
    size_t *choices = ct_allocate(truth->cell_count, sizeof *choices);
    if (!choices)
        return CT_E_MEMORY;
    for (size_t i = 0; i < truth->cell_count; i++)
        choices[i] = ct_score_choice(tree, truth, &truth->cells[i]);
    int status = ct_score_choices(truth, choices, ret_penalty);
    free(choices);
    return status;
}

int guided_replay_score(const struct guided_replay *replay, const char *learner, struct ct_error *error,
                        struct ct_penalty *ret_penalty)
{
    struct ct_map map;
    int status = guided_replay_map(replay, &map);
    if (status != CT_OK)
        return status;
    struct ct_decision_tree tree;
    struct ct_learn_settings *settings = NULL;
    const struct ct_learn_word features = {"features", "comm_size,msg_bytes,nodes,ppn"};
    status = ct_learn_settings_new(ct_learner_find(learner), &features, replay->axes.layers > 1, NULL, error,
                                   &settings);
    if (status == CT_OK)
        status = ct_learn_map(&map, settings, error, &tree);
    ct_learn_settings_free(settings);
    ct_map_free(&map);
    if (status != CT_OK)
        return status;
    status = score(&tree, replay->truth, ret_penalty);
    ct_tree_free(&tree);
    return status;
}
