/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/cross_validate.h"
#include "base/memory.h"
#include "base/sort.h"
#include "decision/map_divided.h"
#include "decision/score.h"
#include "decision/tree/tree_depth.h"
#include "learners/learn_table.h"
#include "learners/map_parts.h"
#include "samples/join.h"

#include <stdlib.h>

const struct ct_left_out_description ct_left_out_descriptions[CT_LEFT_OUT_PARTS] = {
    [CT_LEFT_OUT_COMM_SIZES] = {"sizes", "communicator sizes"},
    [CT_LEFT_OUT_MSG_SIZES] = {"messages", "message sizes"},
    [CT_LEFT_OUT_RUNS] = {"runs", "runs"},
};

/* Maps that are learned jointly, and the one whose tree is wanted. */
struct companions {
    struct ct_map maps[CT_COLLECTIVES];
    size_t count; /* 0: a collective is learned by itself */
    size_t wanted;
};

/* What was chosen for the calls of one mode. */
struct choosing {
    struct ct_tallies tallies;
    struct ct_method single; /* of the parts so far */
    bool disagree;
};

struct validating {
    const struct ct_learn_settings *settings;
    struct ct_error *error;
    struct choosing choosing[CT_MODES];
    struct companions companions;
    enum ct_left_out left_out;
    size_t *sizes; /* rising: those that are left out in turn */
    size_t size_count;
    size_t most_parts;
    size_t part_count; /* to be left out */
    size_t part;       /* that is left out now; SIZE_MAX: none */
    struct ct_cross_validation result;
};

/* --- sizes --- */

static size_t size_of(const struct ct_cell *cell, enum ct_left_out left_out)
{
    return left_out == CT_LEFT_OUT_COMM_SIZES ? cell->key.comm_size : cell->key.msg_bytes;
}

/* Is the size among those that are left out now? */
static bool is_left_out(const struct validating *validating, size_t size)
{
    const size_t *found =
        bsearch(&size, validating->sizes, validating->size_count, sizeof *found, ct_compare_sizes);
    return found && (size_t)(found - validating->sizes) % validating->part_count == validating->part;
}

/* Splits the cells by whether their size is left out now; caller frees ret_kept->cells. */
static int split(const struct validating *validating, const struct ct_map *map, struct ct_map *ret_kept,
                 struct ct_map *ret_left_out)
{
    bool *keep = ct_allocate(map->cell_count, sizeof *keep);
    if (!keep)
        return CT_E_MEMORY;
    for (size_t c = 0; c < map->cell_count; c++)
        keep[c] = !is_left_out(validating, size_of(&map->cells[c], validating->left_out));
    int status = ct_learn_split(map, keep, ret_kept, ret_left_out);
    free(keep);
    return status;
}

/* --- learning --- */

/* The tree of the wanted map; the size that is left out is left out of its companions, too. */
static int learn_joint(const struct validating *validating, struct ct_decision_tree *tree)
{
    const struct companions *companions = &validating->companions;
    struct ct_decision_tree *trees[CT_COLLECTIVES] = {NULL};
    struct ct_map maps[CT_COLLECTIVES];
    size_t made = 0;
    int status = CT_OK;
    trees[companions->wanted] = tree;
    while (status == CT_OK && made < companions->count) {
        status = split(validating, &companions->maps[made], &maps[made], NULL);
        made += status == CT_OK;
    }
    status = status == CT_OK ? validating->settings->learner->learn_joint(
                                   maps, companions->count, validating->settings, validating->error, trees)
                             : ct_fail(validating->error, status, "out of memory");
    while (made > 0)
        free(maps[--made].cells);
    return status;
}

static int learn(const struct validating *validating, const struct ct_map *map, struct ct_decision_tree *tree)
{
    if (validating->companions.count > 0)
        return learn_joint(validating, tree);
    return ct_learn_map(map, validating->settings, validating->error, tree);
}

/* The one best method of the cells of this mode that were learned from. */
static int find_single(struct choosing *choosing, const struct ct_map *learned_from, size_t mode,
                       const struct ct_map *scored, size_t *ret_single)
{
    struct ct_map part;
    int status = ct_map_having(learned_from, CT_FEATURE_MODE, mode, &part);
    if (status != CT_OK)
        return status;
    size_t single = ct_map_best_method(&part, NULL, part.cell_count, NULL);
    free(part.cells);
    *ret_single = SIZE_MAX;
    if (single == SIZE_MAX)
        return CT_OK;
    const struct ct_method *method = &learned_from->methods[single];
    choosing->disagree |= choosing->single.algorithm && !ct_method_equal(method, &choosing->single);
    choosing->single = *method;
    *ret_single = ct_map_find_method(scored, method);
    return CT_OK;
}

/* Learns from one map and chooses in the cells of another, which may have other methods. */
static int take_part(struct validating *validating, const struct ct_map *learned_from,
                     const struct ct_map *scored)
{
    struct ct_decision_tree tree = {.collective = scored->collective};
    const struct ct_watch *watch = validating->settings->watch;
    ct_watch_progress(watch,
                      &(struct ct_progress){.what = ct_collectives[scored->collective].name,
                                            .units = ct_left_out_descriptions[validating->left_out].text,
                                            .done = validating->result.parts,
                                            .total = validating->part_count});
    int status = ct_watch_is_stopped(watch) ? ct_fail(validating->error, CT_E_STOPPED, "stopped")
                                            : learn(validating, learned_from, &tree);
    if (status != CT_OK)
        return status;
    size_t native = ct_score_native(scored), singles[CT_MODES];
    for (size_t mode = 0; status == CT_OK && mode < CT_MODES; mode++)
        status = find_single(&validating->choosing[mode], learned_from, mode, scored, &singles[mode]);
    for (size_t c = 0; status == CT_OK && c < scored->cell_count; c++) {
        const struct ct_cell *cell = &scored->cells[c];
        const uint32_t mode = cell->key.mode;
        status = ct_tallies_add(&validating->choosing[mode].tallies, cell,
                                ct_score_choice(&tree, scored, cell), native, singles[mode]);
    }
    ct_tree_free(&tree);
    validating->result.parts++;
    return status == CT_OK ? CT_OK : ct_fail(validating->error, status, "out of memory");
}

/* --- parts --- */

static int leave_sizes(struct validating *validating, const struct ct_map *map)
{
    int status = validating->left_out == CT_LEFT_OUT_COMM_SIZES
                     ? ct_map_comm_sizes(map, &validating->sizes, &validating->size_count)
                     : ct_map_msg_sizes(map, &validating->sizes, &validating->size_count);
    if (status != CT_OK)
        return ct_fail(validating->error, status, "out of memory");
    const size_t count = validating->size_count;
    validating->part_count = count < validating->most_parts ? count : validating->most_parts;
    for (size_t i = 0; count > 1 && status == CT_OK && i < validating->part_count; i++) {
        struct ct_map kept, part;
        validating->part = i;
        status = split(validating, map, &kept, &part);
        if (status != CT_OK) {
            ct_fail(validating->error, status, "out of memory");
            break;
        }
        status = take_part(validating, &kept, &part);
        free(kept.cells);
    }
    validating->part = SIZE_MAX;
    return status;
}

/* Runs of other conditions have their own line. */
static int fail_to_join(struct ct_error *error, int status)
{
    return status == CT_E_INPUT ? status : ct_fail(error, status, "out of memory");
}

static int leave_run(struct validating *validating, const struct ct_run *runs, size_t count, size_t left_out,
                     enum ct_collective collective)
{
    struct ct_run others;
    struct ct_map map = {0}, part = {0};
    int status = ct_run_join(runs, count, left_out, validating->error, &others);
    if (status != CT_OK)
        return fail_to_join(validating->error, status);
    status = ct_map_make(&others, collective, validating->error, &map);
    if (status == CT_OK)
        status = ct_map_make(&runs[left_out], collective, validating->error, &part);
    if (status == CT_OK)
        status = take_part(validating, &map, &part);
    ct_map_free(&part);
    ct_map_free(&map);
    ct_run_join_free(&others);
    return status;
}

static int leave_runs(struct validating *validating, const struct ct_run *runs, size_t count,
                      enum ct_collective collective)
{
    size_t measuring = 0;
    for (size_t i = 0; i < count; i++)
        measuring += ct_run_measures(&runs[i], collective);
    int status = CT_OK;
    validating->part_count = measuring;
    for (size_t i = 0; measuring > 1 && status == CT_OK && i < count; i++)
        if (ct_run_measures(&runs[i], collective))
            status = leave_run(validating, runs, count, i, collective);
    return status;
}

static int find_companions(const struct ct_run *run, enum ct_collective collective, struct ct_error *error,
                           struct companions *companions)
{
    int status = ct_learn_joint_maps(run, error, companions->maps, &companions->count);
    for (size_t i = 0; i < companions->count; i++)
        if (companions->maps[i].collective == collective)
            companions->wanted = i;
    return status;
}

/* The scores of all modes of which there are choices. */
static int finish(int status, struct validating *validating, const struct ct_map *map)
{
    struct ct_cross_validation *result = &validating->result;
    struct ct_decision_tree tree = {.collective = map->collective};
    if (status == CT_OK)
        status = learn(validating, map, &tree);
    const bool learned = status == CT_OK;
    for (size_t mode = 0; mode < CT_MODES; mode++) {
        struct choosing *choosing = &validating->choosing[mode];
        const bool occurs = choosing->tallies.tree.count > 0;
        struct ct_score score = {.collective = map->collective, .modes = 1U << mode};
        status = ct_tallies_finish(status, &choosing->tallies, &score);
        if (status != CT_OK || !occurs)
            continue;
        score.leaves = ct_tree_leaf_count(&tree);
        score.depth = ct_tree_depths(&tree);
        if (!choosing->disagree)
            score.single_method = choosing->single;
        result->scores[result->count++] = score;
    }
    ct_tree_free(&tree);
    return learned && status != CT_OK ? ct_fail(validating->error, status, "out of memory") : status;
}

static int validate(struct validating *validating, const struct ct_run *runs, size_t run_count,
                    const struct ct_map *map)
{
    enum ct_left_out left_out = validating->left_out;
    int status = left_out == CT_LEFT_OUT_RUNS ? leave_runs(validating, runs, run_count, map->collective)
                                              : leave_sizes(validating, map);
    if (status == CT_OK && validating->result.parts == 0)
        return ct_fail(validating->error, CT_E_ANSWER, "%s: expected two %s or more, to leave one out",
                       ct_collectives[map->collective].name, ct_left_out_descriptions[left_out].text);
    return status;
}

int ct_cross_validate(const struct ct_run *runs, size_t run_count, enum ct_left_out left_out,
                      size_t most_parts, enum ct_collective collective,
                      const struct ct_learn_settings *settings, struct ct_error *error,
                      struct ct_cross_validation *ret_validation)
{
    struct validating validating = {.settings = settings,
                                    .error = error,
                                    .left_out = left_out,
                                    .most_parts = most_parts,
                                    .part_count = 1,
                                    .part = SIZE_MAX};
    struct ct_run joined;
    struct ct_map map;
    if (settings->joint && left_out == CT_LEFT_OUT_RUNS)
        return ct_fail(error, CT_E_INPUT,
                       "--joint: expected sizes or messages to leave out with --cross-validate");
    int status = ct_run_join(runs, run_count, run_count, error, &joined);
    if (status != CT_OK)
        return fail_to_join(error, status);
    status = ct_map_make(&joined, collective, error, &map);
    if (status != CT_OK)
        goto done;
    if (settings->joint && ct_collectives[collective].has_size)
        status = find_companions(&joined, collective, error, &validating.companions);
    if (status == CT_OK)
        status = validate(&validating, runs, run_count, &map);
    status = finish(status, &validating, &map);
    for (size_t i = 0; i < validating.companions.count; i++)
        ct_map_free(&validating.companions.maps[i]);
    ct_map_free(&map);
    free(validating.sizes);
    if (status == CT_OK)
        *ret_validation = validating.result;
done:
    ct_run_join_free(&joined);
    return status;
}
