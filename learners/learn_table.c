/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "learners/learner.h"

#include <stdlib.h>

/* The options that differ from the standard, as a table states them. */
static void spell_options(const struct ct_learn_options *options, struct ct_text *text)
{
    char number[CT_NUMBER_TEXT];
    ct_text_append(text, "%s", "");
    if (options->max_depth != ct_learn_standard.max_depth)
        ct_text_append(text, " max-depth=%zu", options->max_depth);
    if (options->threshold < ct_learn_standard.threshold)
        ct_text_append(text, " threshold=%s", ct_number_format(options->threshold, number));
    if (options->exclude)
        ct_text_append(text, " exclude=%s", options->exclude);
    if (options->features)
        ct_learn_features_spell(options->features, text);
}

static int learn_collective(const struct ct_run *run, const struct ct_learner *learner,
                            const struct ct_learn_options *options, enum ct_collective collective,
                            size_t run_index, struct ct_error *error, struct ct_table *table)
{
    struct ct_map map;
    int status = ct_map_make(run, collective, error, &map);
    if (status != CT_OK)
        return status;
    bool *allowed = NULL;
    struct ct_decision_tree tree = {.collective = collective};
    struct ct_score score;
    struct ct_text spelled = {0};
    spell_options(options, &spelled);
    status = spelled.failed ? ct_fail(error, CT_E_MEMORY, "out of memory")
                            : ct_learn_allowed(&map, options->exclude, error, &allowed);
    if (status == CT_OK)
        status = learner->learn(&map, options, allowed, error, &tree);
    if (status == CT_OK)
        status = ct_score_tree(&tree, &map, error, &score);
    if (status == CT_OK)
        status = ct_table_add_tree(table, &tree, run_index, learner->name,
                                   spelled.data + (spelled.length > 0), &score, error);
    ct_text_free(&spelled);
    ct_tree_free(&tree);
    free(allowed);
    ct_map_free(&map);
    return status;
}

static int fill(const struct ct_run *run, const struct ct_learner *learner,
                const struct ct_learn_options *options, enum ct_collective collective, struct ct_error *error,
                struct ct_table *table)
{
    size_t run_index;
    int status = ct_table_add_run(table, run, error, &run_index);
    bool found = false;
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++) {
        bool asked_for = collective == CT_COLLECTIVES || collective == (enum ct_collective)i;
        if (!asked_for || !ct_run_measures(run, (enum ct_collective)i))
            continue;
        found = true;
        status = learn_collective(run, learner, options, (enum ct_collective)i, run_index, error, table);
    }
    if (status == CT_OK && !found)
        status = ct_fail(error, CT_E_INPUT, "%s: the run has no samples%s%s", run->folder,
                         collective == CT_COLLECTIVES ? "" : " of ",
                         collective == CT_COLLECTIVES ? "" : ct_collectives[collective].name);
    return status;
}

int ct_learn_check(const struct ct_learner *learner, const struct ct_learn_options *options,
                   struct ct_error *error)
{
    if (!(options->threshold > 0 && options->threshold <= 100))
        return ct_fail(error, CT_E_INPUT, "the threshold is a percentage: expected more than 0, at most 100");
    if (options->features && !learner->any_features)
        return ct_fail(error, CT_E_INPUT, "%s tests %s alone: no other features expected", learner->name,
                       CT_LEARN_FEATURES);
    return CT_OK;
}

int ct_learn_table(const struct ct_run *run, const struct ct_learner *learner,
                   const struct ct_learn_options *options, enum ct_collective collective,
                   struct ct_error *error, struct ct_table *ret_table)
{
    int status = ct_learn_check(learner, options, error);
    if (status != CT_OK)
        return status;
    struct ct_table table;
    if (ct_table_begin(&table) != CT_OK)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    status = fill(run, learner, options, collective, error, &table);
    if (status == CT_OK)
        *ret_table = table;
    else
        ct_table_free(&table);
    return status;
}
