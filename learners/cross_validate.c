/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/cross_validate.h"
#include "base/memory.h"
#include "decision/cell_group.h"
#include "decision/run_join.h"
#include "decision/tally.h"

#include <stdlib.h>

const struct ct_left_out_description ct_left_out_descriptions[CT_LEAVE_PARTS] = {
    [CT_LEAVE_COMM_SIZES] = {"sizes", "communicator sizes"},
    [CT_LEAVE_MSG_SIZES] = {"messages", "message sizes"},
    [CT_LEAVE_RUNS] = {"runs", "runs"},
};

struct validating {
    const struct ct_learner *learner;
    const struct ct_learn_options *options;
    struct ct_error *error;
    struct ct_tallies tallies;
    struct ct_method single; /* of the parts so far */
    bool disagree;
    struct ct_validation result;
};

static int learn(const struct validating *validating, const struct ct_map *map, struct ct_decision_tree *tree)
{
    bool *allowed;
    int status = ct_learn_allowed(map, validating->options->exclude, validating->error, &allowed);
    if (status != CT_OK)
        return status;
    status = validating->learner->learn(map, validating->options, allowed, validating->error, tree);
    free(allowed);
    return status;
}

/* The one best method of the cells that were learned from. */
static size_t find_single(struct validating *validating, const struct ct_map *learned_from,
                          const struct ct_map *scored)
{
    size_t single = ct_group_best(learned_from, NULL, learned_from->cell_count, NULL);
    if (single == SIZE_MAX)
        return SIZE_MAX;
    const struct ct_method *method = &learned_from->methods[single];
    validating->disagree |= validating->result.parts > 0 && !ct_method_equal(method, &validating->single);
    validating->single = *method;
    return ct_map_find_method(scored, method);
}

/* Learns from one map, and chooses in the cells of another, whose methods may be others. */
static int take_part(struct validating *validating, const struct ct_map *learned_from,
                     const struct ct_map *scored)
{
    struct ct_decision_tree tree = {.collective = scored->collective};
    int status = learn(validating, learned_from, &tree);
    if (status != CT_OK)
        return status;
    size_t native = ct_score_native(scored), single = find_single(validating, learned_from, scored);
    for (size_t c = 0; status == CT_OK && c < scored->cell_count; c++) {
        const struct ct_cell *cell = &scored->cells[c];
        status =
            ct_tallies_add(&validating->tallies, cell, ct_score_choice(&tree, scored, cell), native, single);
    }
    ct_tree_free(&tree);
    validating->result.parts++;
    return status == CT_OK ? CT_OK : ct_fail(validating->error, status, "out of memory");
}

/* --- sizes --- */

static size_t size_of(const struct ct_cell *cell, enum ct_left_out left_out)
{
    return left_out == CT_LEAVE_COMM_SIZES ? cell->comm_size : cell->msg_bytes;
}

/* Splits the cells by that size; what they hold stays the map's. Returns how many are left out, which stand
 * behind the others. */
static size_t split_cells(const struct ct_map *map, enum ct_left_out left_out, size_t size,
                          struct ct_cell *cells)
{
    size_t kept = 0, behind = map->cell_count;
    for (size_t c = 0; c < map->cell_count; c++)
        if (size_of(&map->cells[c], left_out) != size)
            cells[kept++] = map->cells[c];
    for (size_t c = map->cell_count; c-- > 0;)
        if (size_of(&map->cells[c], left_out) == size)
            cells[--behind] = map->cells[c];
    return map->cell_count - kept;
}

static int leave_sizes(struct validating *validating, const struct ct_map *map, enum ct_left_out left_out)
{
    size_t *sizes, count;
    int status = left_out == CT_LEAVE_COMM_SIZES ? ct_map_comm_sizes(map, &sizes, &count)
                                                 : ct_map_msg_sizes(map, &sizes, &count);
    if (status != CT_OK)
        return ct_fail(validating->error, status, "out of memory");
    struct ct_cell *cells = ct_allocate(map->cell_count, sizeof *cells);
    if (!cells)
        status = ct_fail(validating->error, CT_E_MEMORY, "out of memory");
    for (size_t i = 0; count > 1 && status == CT_OK && i < count; i++) {
        struct ct_map others = *map, part = *map;
        part.cell_count = split_cells(map, left_out, sizes[i], cells);
        others.cells = cells;
        others.cell_count = map->cell_count - part.cell_count;
        part.cells = cells + others.cell_count;
        status = take_part(validating, &others, &part);
    }
    free(cells);
    free(sizes);
    return status;
}

/* --- runs --- */

static int leave_run(struct validating *validating, const struct ct_run *runs, size_t count, size_t left_out,
                     enum ct_collective collective)
{
    struct ct_run others;
    struct ct_map map, part = {0};
    int status = ct_run_join(runs, count, left_out, &others);
    if (status != CT_OK)
        return ct_fail(validating->error, status, "out of memory");
    status = ct_map_make(&others, collective, validating->error, &map);
    if (status == CT_OK) {
        status = ct_map_make(&runs[left_out], collective, validating->error, &part);
        if (status == CT_OK)
            status = take_part(validating, &map, &part);
        ct_map_free(&part);
        ct_map_free(&map);
    }
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
    for (size_t i = 0; measuring > 1 && status == CT_OK && i < count; i++)
        if (ct_run_measures(&runs[i], collective))
            status = leave_run(validating, runs, count, i, collective);
    return status;
}

/* --- all of it --- */

static int describe(struct validating *validating, const struct ct_map *map)
{
    struct ct_score *score = &validating->result.score;
    struct ct_decision_tree tree = {.collective = map->collective};
    int status = learn(validating, map, &tree);
    if (status != CT_OK)
        return status;
    score->collective = map->collective;
    score->leaves = ct_tree_leaf_count(&tree);
    score->depth = ct_tree_depths(&tree);
    if (!validating->disagree)
        score->single_method = validating->single;
    ct_tree_free(&tree);
    return CT_OK;
}

static int validate(struct validating *validating, const struct ct_run *runs, size_t run_count,
                    enum ct_left_out left_out, const struct ct_map *map)
{
    int status = left_out == CT_LEAVE_RUNS ? leave_runs(validating, runs, run_count, map->collective)
                                           : leave_sizes(validating, map, left_out);
    if (status == CT_OK && validating->result.parts == 0)
        return ct_fail(validating->error, CT_E_ANSWER, "%s: expected two %s or more, to leave one out",
                       ct_collectives[map->collective].name, ct_left_out_descriptions[left_out].text);
    return status == CT_OK ? describe(validating, map) : status;
}

int ct_cross_validate(const struct ct_run *runs, size_t run_count, enum ct_left_out left_out,
                      enum ct_collective collective, const struct ct_learner *learner,
                      const struct ct_learn_options *options, struct ct_error *error,
                      struct ct_validation *ret_validation)
{
    struct validating validating = {.learner = learner, .options = options, .error = error};
    struct ct_run joined;
    struct ct_map map;
    int status = ct_learn_check(learner, options, error);
    if (status == CT_OK && options->together)
        status = ct_fail(error, CT_E_INPUT, "collectives together: each is validated by itself");
    if (status != CT_OK)
        return status;
    status = ct_run_join(runs, run_count, run_count, &joined);
    if (status != CT_OK)
        return ct_fail(error, status, "out of memory");
    status = ct_map_make(&joined, collective, error, &map);
    if (status == CT_OK) {
        status = validate(&validating, runs, run_count, left_out, &map);
        bool counted = status == CT_OK;
        status = ct_tallies_finish(status, &validating.tallies, &validating.result.score);
        if (counted && status != CT_OK)
            ct_fail(error, status, "out of memory");
        ct_map_free(&map);
    }
    ct_run_join_free(&joined);
    if (status == CT_OK)
        *ret_validation = validating.result;
    return status;
}
