/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "c45/c45_program_internal.h"

#include <stdlib.h>

/* A run of the program. */
struct run {
    const struct ct_c45_program *program;
    struct ct_c45_engine engine;
    struct ct_c45_random *random; /* NULL without windows */
    struct ct_c45_trial *trials;
    size_t trial_count;
    struct ct_text *report;
};

static void print_tree(const struct run *run, const struct ct_c45_node *root)
{
    ct_text_append(run->report, "Decision Tree:\n");
    ct_c45_print(run->engine.names, root, run->report);
}

/* Grows and prunes a tree, and prints both trees. */
static int run_trial(struct run *run, size_t index)
{
    struct ct_c45_engine *engine = &run->engine;
    struct ct_c45_trial *trial = &run->trials[index];
    int status;
    engine->pool = &trial->pool;
    if (run->random) {
        ct_text_append(run->report, "\n--------\nTrial %zu\n--------\n\n", index);
        status = ct_c45_grow_windows(engine, run->program, run->random, trial, run->report);
    } else {
        status = ct_c45_grow(engine, engine->cases->count, &trial->grown);
    }
    if (status != CT_OK)
        return status;
    ct_text_append(run->report, "\n");
    print_tree(run, trial->grown);
    trial->pruned = ct_c45_node_copy(&trial->pool, trial->grown, engine->classes);
    if (!trial->pruned)
        return CT_E_MEMORY;
    if (engine->tell)
        ct_text_append(run->report, "\n");
    status = ct_c45_prune(engine, trial->pruned, &trial->changed);
    if (status == CT_OK && trial->changed) {
        ct_text_append(run->report, "\nSimplified ");
        print_tree(run, trial->pruned);
    }
    return status;
}

static int run_trials(struct run *run, const struct ct_c45_cases *tests)
{
    struct ct_text *report = run->report;
    size_t best = 0;
    for (size_t t = 0; t < run->trial_count; t++) {
        int status = run_trial(run, t);
        if (status != CT_OK)
            return status;
        if (run->trials[t].pruned->errors < run->trials[best].pruned->errors)
            best = t;
    }
    if (run->random)
        ct_text_append(report, "\n--------\n");
    if (run->program->soft) {
        ct_text_append(report, "Softening thresholds\n");
        ct_c45_soften(&run->engine, run->trials[best].pruned, report);
        ct_text_append(report, "\n");
        print_tree(run, run->trials[best].pruned);
    }
    if (run->random)
        ct_text_append(report, "\nBest tree from trial %zu saved\n", best);
    else
        ct_text_append(report, "\nTree saved\n");
    return ct_c45_evaluate(run->engine.names, run->engine.cases, tests, run->trials, run->trial_count, best,
                           report);
}

int ct_c45_report(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                  const struct ct_c45_cases *tests, const struct ct_c45_program *program,
                  struct ct_error *error, struct ct_text *report)
{
    const bool has_windows = program->trials > 0;
    struct run run = {.program = program, .trial_count = has_windows ? program->trials : 1, .report = report};
    struct ct_c45_trace trace = {report, program->verbosity};
    /* traces are of the slower way to grow, and each trial continues from the order of the one before */
    int status =
        ct_c45_engine_make(names, cases, &program->learn, has_windows || trace.verbosity > 0, &run.engine);
    ct_c45_trace_begin(&run.engine, &trace);
    run.trials = ct_allocate(run.trial_count, sizeof *run.trials);
    if (has_windows)
        run.random = ct_c45_random_make();
    if (!run.trials || (has_windows && !run.random))
        status = CT_E_MEMORY;
    ct_text_append(report, "\nRead %zu cases (%zu attributes) from %s.data\n", cases->count,
                   names->attribute_count, program->stem);
    if (status == CT_OK)
        status = run_trials(&run, tests);
    for (size_t t = 0; run.trials && t < run.trial_count; t++)
        ct_c45_pool_free(&run.trials[t].pool);
    free(run.trials);
    free(run.random);
    ct_c45_engine_free(&run.engine);
    return ct_c45_fail(report->failed ? CT_E_MEMORY : status, error);
}
