/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "c45/c45_program_internal.h"

#include <stdlib.h>

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

static void evaluate_on(const struct ct_c45_cases *cases, const struct ct_c45_trial *trials,
                        size_t trial_count, size_t best, size_t classes, float *votes, size_t *confusion,
                        struct ct_text *report)
{
    print_heading(trial_count, report);
    for (size_t t = 0; t < trial_count; t++) {
        size_t grown = count_wrong(trials[t].grown, cases, classes, votes, NULL);
        size_t pruned = count_wrong(trials[t].pruned, cases, classes, votes, t == best ? confusion : NULL);
        if (trial_count > 1)
            ct_text_append(report, "%4zu", t);
        print_trial(&trials[t], cases->count, grown, pruned, report);
        ct_text_append(report, t == best ? "   <<\n" : "\n");
    }
}

int ct_c45_evaluate(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                    const struct ct_c45_cases *tests, const struct ct_c45_trial *trials, size_t trial_count,
                    size_t best, struct ct_text *report)
{
    const size_t classes = names->classes.count;
    float *votes = ct_allocate(classes, sizeof *votes);
    size_t *confusion = NULL;
    int status = votes ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK && tests && classes <= CONFUSION_CLASSES_MAX) {
        confusion = ct_allocate(classes * classes, sizeof *confusion);
        status = confusion ? CT_OK : CT_E_MEMORY;
    }
    if (status == CT_OK) {
        ct_text_append(report, "\n\nEvaluation on training data (%zu items):\n", cases->count);
        evaluate_on(cases, trials, trial_count, best, classes, votes, NULL, report);
    }
    if (status == CT_OK && tests) {
        ct_text_append(report, "\nEvaluation on test data (%zu items):\n", tests->count);
        evaluate_on(tests, trials, trial_count, best, classes, votes, confusion, report);
        if (confusion)
            print_confusion(names, confusion, report);
    }
    free(votes);
    free(confusion);
    return status;
}
