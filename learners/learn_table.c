/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/learn_table.h"
#include "learners/all_learners.h"
#include "learners/divided.h"
#include "learners/learn_settings.h"
#include "learners/learner.h"
#include "learners/permitted.h"

#include <stdlib.h>

int ct_learn_map(const struct ct_map *map, const struct ct_learn_settings *settings, struct ct_error *error,
                 struct ct_decision_tree *ret_tree)
{
    bool *allowed;
    if (ct_collectives[map->collective].is_sparse && !settings->learner->knows_patterns)
        return ct_fail(
            error, CT_E_INPUT,
            "the learner %s knows sizes, but no patterns as those of %s; expected another learner, "
            "such as %s",
            settings->learner->name, ct_collectives[map->collective].name, ct_learners[0]->name);
    int status = ct_learn_permitted(map, settings, error, &allowed);
    if (status != CT_OK)
        return status;
    status = ct_learn_divided(map, settings, allowed, error, ret_tree);
    free(allowed);
    return status;
}

int ct_learn_joint_maps(const struct ct_run *run, struct ct_error *error, struct ct_map *ret_maps,
                        size_t *ret_count)
{
    int status = CT_OK;
    size_t count = 0;
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++)
        if (ct_collectives[i].has_size && ct_run_measures(run, (enum ct_collective)i)) {
            status = ct_map_make(run, (enum ct_collective)i, error, &ret_maps[count]);
            count += status == CT_OK;
        }
    if (status == CT_OK && count < 2)
        status = ct_fail(error, CT_E_INPUT, "%s: expected two collectives with a message size for --joint",
                         run->folder);
    if (status == CT_OK)
        *ret_count = count;
    else
        while (count > 0)
            ct_map_free(&ret_maps[--count]);
    return status;
}

/* A table that is being filled from one run. */
struct filling {
    const struct ct_run *run;
    const struct ct_learn_settings *settings;
    struct ct_error *error;
    struct ct_table table;
    size_t run_index;
    struct ct_text options; /* as the table states them */
};

static int add_tree(struct filling *filling, const struct ct_map *map, struct ct_decision_tree *tree)
{
    struct ct_score score;
    int status = ct_score_tree(tree, map, filling->error, &score);
    return status == CT_OK ? ct_table_add_tree(&filling->table, tree, filling->run_index,
                                               filling->settings->learner->name, filling->options.data,
                                               &score, filling->error)
                           : status;
}

/* Marks the cells in which native is to be chosen. */
static void take_native(const struct ct_learn_settings *settings, struct ct_map *map)
{
    for (size_t i = 0; i < settings->native_in_count; i++)
        for (size_t c = 0; settings->native_in[i].collective == map->collective && c < map->cell_count; c++) {
            const struct ct_cell_key *is = &map->cells[c].key, *wanted = &settings->native_in[i].key;
            map->cells[c].native_alone |= is->comm_size == wanted->comm_size &&
                                          is->msg_bytes == wanted->msg_bytes && is->mode == wanted->mode &&
                                          is->root == wanted->root;
        }
}

static int learn_collective(struct filling *filling, enum ct_collective collective)
{
    struct ct_map map;
    struct ct_decision_tree tree = {.collective = collective};
    int status = ct_map_make(filling->run, collective, filling->error, &map);
    if (status != CT_OK)
        return status;
    take_native(filling->settings, &map);
    status = ct_learn_map(&map, filling->settings, filling->error, &tree);
    if (status == CT_OK)
        status = add_tree(filling, &map, &tree);
    ct_tree_free(&tree);
    ct_map_free(&map);
    return status;
}

static int learn_joint(struct filling *filling)
{
    struct ct_map maps[CT_COLLECTIVES];
    struct ct_decision_tree trees[CT_COLLECTIVES] = {0}, *wanted[CT_COLLECTIVES];
    size_t count;
    int status = ct_learn_joint_maps(filling->run, filling->error, maps, &count);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        wanted[i] = &trees[i];
        take_native(filling->settings, &maps[i]);
    }
    status = filling->settings->learner->learn_joint(maps, count, filling->settings, filling->error, wanted);
    for (size_t i = 0; i < count; i++) {
        if (status == CT_OK)
            status = add_tree(filling, &maps[i], &trees[i]);
        ct_tree_free(&trees[i]);
        ct_map_free(&maps[i]);
    }
    return status;
}

static int fill(struct filling *filling, enum ct_collective collective)
{
    const struct ct_run *run = filling->run;
    enum ct_collective wanted[CT_COLLECTIVES];
    size_t count = 0;
    ct_learn_settings_spell(filling->settings, &filling->options);
    if (filling->options.failed)
        return ct_fail(filling->error, CT_E_MEMORY, "out of memory");
    int status = ct_table_add_run(&filling->table, run, filling->error, &filling->run_index);
    if (status == CT_OK && filling->settings->joint)
        status = learn_joint(filling);
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if ((collective == CT_COLLECTIVES || collective == (enum ct_collective)i) &&
            ct_run_measures(run, (enum ct_collective)i) &&
            !ct_decisions_find(&filling->table.decisions, (enum ct_collective)i))
            wanted[count++] = (enum ct_collective)i;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        ct_watch_progress(
            filling->settings->watch,
            &(struct ct_progress){.what = "learning", .units = "collectives", .done = i, .total = count});
        status = ct_watch_is_stopped(filling->settings->watch)
                     ? ct_fail(filling->error, CT_E_STOPPED, "stopped")
                     : learn_collective(filling, wanted[i]);
    }
    if (status == CT_OK && filling->table.decisions.tree_count == 0)
        status = ct_fail(filling->error, CT_E_INPUT, "%s: the run has no samples%s%s", run->folder,
                         collective == CT_COLLECTIVES ? "" : " of ",
                         collective == CT_COLLECTIVES ? "" : ct_collectives[collective].name);
    return status;
}

int ct_learn_table(const struct ct_run *run, const struct ct_learn_settings *settings,
                   enum ct_collective collective, struct ct_error *error, struct ct_table *ret_table)
{
    struct filling filling = {.run = run, .settings = settings, .error = error};
    if (settings->joint && collective != CT_COLLECTIVES)
        return ct_fail(error, CT_E_INPUT, "--joint: cannot be combined with --collective");
    if (ct_table_begin(&filling.table) != CT_OK)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    int status = fill(&filling, collective);
    ct_text_free(&filling.options);
    if (status == CT_OK)
        *ret_table = filling.table;
    else
        ct_table_free(&filling.table);
    return status;
}
