/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "c45/c45_program_internal.h"
#include "learners/c45/c45_engine.h"
#include "learners/c45/c45_grow.h"
#include "learners/c45/c45_prune.h"

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

/* --- the evaluation --- */

/* The matrix of more classes would not fit on a line. */
enum { CONFUSION_CLASSES_MAX = 21 };

/* The number of misclassified cases. Adds the cases to `confusion`, by class and then by the class that the
 * tree chooses, if it is not NULL. */
static size_t count_wrong(const struct ct_c45_node *root, const struct ct_c45_cases *cases, size_t classes,
                          float *votes, size_t *confusion)
{
    size_t wrong = 0;
    for (size_t i = 0; i < cases->count; i++) {
        uint16_t guess = ct_c45_classify(root, cases, i, classes, votes);
        wrong += guess != cases->classes[i];
        if (confusion)
            confusion[cases->classes[i] * classes + guess]++;
    }
    return wrong;
}

static void print_heading(size_t trial_count, struct ct_text *report)
{
    bool several = trial_count > 1;
    ct_text_append(report,
                   "\n%s\t Before Pruning           After Pruning\n"
                   "%s\t----------------   ---------------------------\n"
                   "\tSize      Errors   Size      Errors   Estimate\n\n",
                   several ? "Trial" : "", several ? "-----" : "");
}

static void print_confusion(const struct ct_c45_names *names, const size_t *confusion, struct ct_text *report)
{
    const size_t classes = names->classes.count;
    ct_text_append(report, "\n\n\t");
    for (size_t c = 0; c < classes; c++)
        ct_text_append(report, "  (%c)", (int)('a' + c));
    ct_text_append(report, "\t<-classified as\n\t");
    for (size_t c = 0; c < classes; c++)
        ct_text_append(report, " ----");
    ct_text_append(report, "\n");
    for (size_t c = 0; c < classes; c++) {
        ct_text_append(report, "\t");
        for (size_t guess = 0; guess < classes; guess++) {
            size_t count = confusion[c * classes + guess];
            if (count > 0)
                ct_text_append(report, " %4zu", count);
            else
                ct_text_append(report, "     ");
        }
        ct_text_append(report, "\t(%c): class %s\n", (int)('a' + c), names->classes.words[c]);
    }
    ct_text_append(report, "\n");
}

static void print_trial(const struct ct_c45_trial *trial, size_t items, size_t wrong_grown,
                        size_t wrong_pruned, struct ct_text *report)
{
    /* in single precision, as all errors */
    float estimate = 100 * trial->pruned->errors / trial->pruned->items;
    ct_text_append(report, "\t%4zu  %3zu(%4.1f%%)   %4zu  %3zu(%4.1f%%)    (%4.1f%%)",
                   ct_c45_size(trial->grown), wrong_grown, 100.0 * (double)wrong_grown / (double)items,
                   ct_c45_size(trial->pruned), wrong_pruned, 100.0 * (double)wrong_pruned / (double)items,
                   (double)estimate);
}

static void evaluate_on(const struct run *run, const struct ct_c45_cases *cases, size_t best, float *votes,
                        size_t *confusion)
{
    const size_t classes = run->engine.classes;
    print_heading(run->trial_count, run->report);
    for (size_t t = 0; t < run->trial_count; t++) {
        const struct ct_c45_trial *trial = &run->trials[t];
        size_t grown = count_wrong(trial->grown, cases, classes, votes, NULL);
        size_t pruned = count_wrong(trial->pruned, cases, classes, votes, t == best ? confusion : NULL);
        if (run->trial_count > 1)
            ct_text_append(run->report, "%4zu", t);
        print_trial(trial, cases->count, grown, pruned, run->report);
        ct_text_append(run->report, t == best ? "   <<\n" : "\n");
    }
}

/* Evaluates the trials on the cases and, if `tests` is not NULL, on those, with the confusion matrix of trial
 * `best`. */
static int evaluate(const struct run *run, const struct ct_c45_cases *tests, size_t best)
{
    const struct ct_c45_cases *cases = run->engine.cases;
    struct ct_text *report = run->report;
    const size_t classes = run->engine.classes;
    float *votes = ct_allocate(classes, sizeof *votes);
    const bool has_matrix = tests && classes <= CONFUSION_CLASSES_MAX;
    size_t *confusion = ct_allocate(has_matrix ? classes * classes : 0, sizeof *confusion);
    int status = votes && confusion ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        ct_text_append(report, "\n\nEvaluation on training data (%zu items):\n", cases->count);
        evaluate_on(run, cases, best, votes, NULL);
    }
    if (status == CT_OK && tests) {
        ct_text_append(report, "\nEvaluation on test data (%zu items):\n", tests->count);
        evaluate_on(run, tests, best, votes, has_matrix ? confusion : NULL);
        if (has_matrix)
            print_confusion(run->engine.names, confusion, report);
    }
    free(votes);
    free(confusion);
    return status;
}

/* --- the trials --- */

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
        status = ct_c45_grow_windows(engine, run->random, trial, run->report);
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
    return evaluate(run, tests, best);
}

int ct_c45_report(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                  const struct ct_c45_cases *tests, const struct ct_c45_program *program,
                  struct ct_error *error, struct ct_text *report)
{
    const bool has_windows = program->learn.trials > 0;
    struct run run = {
        .program = program, .trial_count = has_windows ? program->learn.trials : 1, .report = report};
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
