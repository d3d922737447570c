/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "learners/c45/c45_trial.h"

#include <stdlib.h>

static void print_tree(const struct ct_c45_engine *engine, const struct ct_c45_node *root,
                       struct ct_text *report)
{
    ct_text_append(report, "Decision Tree:\n");
    ct_c45_print(engine->names, root, report);
}

/* The pruned tree, a copy of the grown one that has its place in the same pool. */
static int prune(struct ct_c45_engine *engine, struct ct_c45_trial *trial)
{
    trial->pruned = ct_c45_node_copy(&trial->pool, trial->grown, engine->classes);
    return trial->pruned ? ct_c45_prune(engine, trial->pruned, &trial->changed) : CT_E_MEMORY;
}

/* Grows and prunes a tree, and tells. */
static int run_trial(struct ct_c45_engine *engine, struct ct_c45_random *random, size_t index,
                     struct ct_c45_trial *trial, struct ct_text *report)
{
    int status;
    if (random) {
        ct_text_append(report, "\n--------\nTrial %zu\n--------\n\n", index);
        status = ct_c45_grow_windows(engine, random, trial, report);
    } else {
        engine->pool = &trial->pool;
        status = ct_c45_grow(engine, engine->cases->count, &trial->grown);
    }
    if (status != CT_OK)
        return status;
    ct_text_append(report, "\n");
    print_tree(engine, trial->grown, report);
    status = prune(engine, trial);
    if (status == CT_OK && trial->changed) {
        ct_text_append(report, "\nSimplified ");
        print_tree(engine, trial->pruned, report);
    }
    return status;
}

static void soften(struct ct_c45_engine *engine, struct ct_c45_trial *trial, struct ct_text *report)
{
    ct_text_append(report, "Softening thresholds\n");
    ct_c45_soften(engine, trial->pruned, report);
    ct_text_append(report, "\n");
    print_tree(engine, trial->pruned, report);
}

static int run_trials(struct ct_c45_engine *engine, const struct ct_c45_cases *tests,
                      struct ct_c45_random *random, struct ct_c45_trial *trials, size_t count,
                      struct ct_text *report)
{
    size_t best = 0;
    for (size_t t = 0; t < count; t++) {
        int status = run_trial(engine, random, t, &trials[t], report);
        if (status != CT_OK)
            return status;
        if (trials[t].pruned->errors < trials[best].pruned->errors)
            best = t;
    }
    if (random)
        ct_text_append(report, "\n--------\n");
    if (engine->options->soft)
        soften(engine, &trials[best], report);
    if (random)
        ct_text_append(report, "\nBest tree from trial %zu saved\n", best);
    else
        ct_text_append(report, "\nTree saved\n");
    return ct_c45_evaluate(engine->names, engine->cases, tests, trials, count, best, report);
}

static int fail(int status, struct ct_error *error)
{
    if (status == CT_E_LIMIT)
        return ct_fail(error, status, "the tree has a path of more than %d tests", CT_C45_DEPTH_MAX);
    return status == CT_OK ? status : ct_fail(error, status, "out of memory");
}

int ct_c45_report(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                  const struct ct_c45_cases *tests, const struct ct_c45_options *options,
                  struct ct_error *error, struct ct_text *report)
{
    const size_t count = options->trials > 0 ? options->trials : 1;
    struct ct_c45_engine engine;
    struct ct_c45_trial *trials = ct_allocate(count, sizeof *trials);
    struct ct_c45_random *random = options->trials > 0 ? ct_c45_random_make() : NULL;
    /* traces are of one way to grow, and random trials go on from the order that it leaves */
    bool ordered = options->trials > 0 || options->verbosity > 0;
    int status = ct_c45_engine_make(names, cases, options, ordered, &engine);
    engine.trace = options->verbosity > 0 ? report : NULL;
    if (!trials || (options->trials > 0 && !random))
        status = CT_E_MEMORY;
    ct_text_append(report, "\nRead %zu cases (%zu attributes) from %s.data\n", cases->count,
                   names->attribute_count, options->stem);
    if (status == CT_OK)
        status = run_trials(&engine, tests, random, trials, count, report);
    for (size_t t = 0; trials && t < count; t++)
        ct_c45_pool_free(&trials[t].pool);
    free(trials);
    free(random);
    ct_c45_engine_free(&engine);
    return fail(report->failed ? CT_E_MEMORY : status, error);
}

int ct_c45_learn(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                 const struct ct_c45_options *options, struct ct_c45_pool *pool, struct ct_error *error,
                 struct ct_c45_node **ret_root)
{
    struct ct_c45_engine engine;
    struct ct_c45_node *root = NULL;
    bool changed;
    int status = ct_c45_engine_make(names, cases, options, false, &engine);
    engine.pool = pool;
    if (status == CT_OK)
        status = ct_c45_grow(&engine, cases->count, &root);
    if (status == CT_OK)
        status = ct_c45_prune(&engine, root, &changed);
    ct_c45_engine_free(&engine);
    if (status == CT_OK)
        *ret_root = root;
    return fail(status, error);
}
