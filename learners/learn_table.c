/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"
#include "learners/c45/c45.h"
#include "learners/c45_learner.h"
#include "learners/c45_together.h"
#include "learners/learner.h"

#include <stdlib.h>

static void spell_prior(const struct ct_predicted_times *prior, struct ct_text *text)
{
    const struct ct_prediction *prediction = ct_predicted_times_prediction(prior);
    ct_text_append(text, " model=%s:%s by=%s%s", prediction->model->name,
                   ct_communication_model_names[ct_predicted_times_kind(prior)],
                   ct_prediction_way_names[prediction->way], prediction->shares_links ? " share-links" : "");
}

void ct_learn_spell_options(const struct ct_learn_options *options, struct ct_text *text)
{
    char number[CT_NUMBER_TEXT];
    ct_text_append(text, "%s", "");
    if (options->max_depth != ct_learn_standard.max_depth)
        ct_text_append(text, " max-depth=%zu", options->max_depth);
    if (options->threshold < ct_learn_standard.threshold)
        ct_text_append(text, " threshold=%s", ct_number_format(options->threshold, number));
    if (options->keep_equal)
        ct_text_append(text, " no-merge");
    if (options->third)
        ct_text_append(text, " third=%s", ct_feature_descriptors[options->third]->name);
    if (options->min_cases > 0)
        ct_text_append(text, " min-cases=%zu", options->min_cases);
    if (options->confidence > 0)
        ct_text_append(text, " confidence=%s", ct_number_format(options->confidence, number));
    if (options->together)
        ct_text_append(text, " together");
    if (options->max_leaves > 0)
        ct_text_append(text, " max-leaves=%zu", options->max_leaves);
    if (options->worst > 0)
        ct_text_append(text, " worst=%s", ct_number_format(100 * options->worst, number));
    if (options->keep_native)
        ct_text_append(text, " keep-native");
    if (options->exclude)
        ct_text_append(text, " exclude=%s", options->exclude);
    if (options->features)
        ct_learn_features_spell(options->features, text);
    if (options->prior)
        spell_prior(options->prior, text);
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
    ct_learn_spell_options(options, &spelled);
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
    bool found = options->together;
    if (status == CT_OK && options->together)
        status = ct_c45_learn_together(run, options, run_index, error, table);
    for (int i = 0; status == CT_OK && i < CT_COLLECTIVES; i++) {
        bool asked_for = collective == CT_COLLECTIVES || collective == (enum ct_collective)i;
        if (!asked_for || !ct_run_measures(run, (enum ct_collective)i) ||
            ct_decisions_find(&table->decisions, (enum ct_collective)i))
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
    if (options->min_cases > CT_C45_LEAST_MAX)
        return ct_fail(error, CT_E_INPUT, "the minimum of cases: expected at most %d", CT_C45_LEAST_MAX);
    if (!(options->confidence >= 0 && options->confidence <= 100))
        return ct_fail(error, CT_E_INPUT, "the confidence is a percentage: expected at most 100");
    if (options->together && learner != &ct_c45_learner)
        return ct_fail(error, CT_E_INPUT, "collectives together: expected c45, not %s", learner->name);
    if (options->features && !learner->any_features)
        return ct_fail(error, CT_E_INPUT, "%s tests %s alone: no other features expected", learner->name,
                       CT_LEARN_FEATURES);
    if ((options->third || options->keep_equal) && !learner->halves)
        return ct_fail(error, CT_E_INPUT,
                       "%s does not halve sizes: neither a third key nor no-merge expected", learner->name);
    if ((options->max_leaves > 0 || options->worst > 0) && !learner->bounds)
        return ct_fail(error, CT_E_INPUT, "%s has no bounds: neither max-leaves nor worst expected",
                       learner->name);
    if (options->keep_native && !learner->bounds)
        return ct_fail(error, CT_E_INPUT, "%s does not weigh times: no keep-native expected", learner->name);
    if (options->prior && !learner->follows)
        return ct_fail(error, CT_E_INPUT, "%s follows no model: none expected", learner->name);
    return CT_OK;
}

int ct_learn_table(const struct ct_run *run, const struct ct_learner *learner,
                   const struct ct_learn_options *options, enum ct_collective collective,
                   struct ct_error *error, struct ct_table *ret_table)
{
    int status = ct_learn_check(learner, options, error);
    if (status == CT_OK && options->together && collective != CT_COLLECTIVES)
        status = ct_fail(error, CT_E_INPUT, "collectives together: expected no one collective");
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
