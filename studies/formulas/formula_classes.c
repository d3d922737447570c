/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the table of formula-classes.md: what each formula is against the evaluation of plans, computed
 * anew, and why. */
#include "studies/formulas/printed_formulas.h"
#include "tests/models/formulas/formula_ratios.h"
#include "tests/models/formulas/machines.h"

#include <stdio.h>
#include <string.h>

static const char *const groups[RATIO_GROUPS] = {"At powers of two", "At other numbers of ranks"};

struct row {
    const char *classes[RATIO_GROUPS];
    struct formula_ratios ratios[RATIO_GROUPS];
};

/* The rows of one formula lie side by side, by model. */
static int compute(struct row rows[][CT_COMMUNICATION_MODELS], struct ct_error *error)
{
    for (size_t i = 0; i < FORMULAS; i++)
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
            for (int group = 0; group < RATIO_GROUPS; group++) {
                struct row *row = &rows[i][model];
                const struct ratio_subject subject = {
                    .formula = ct_formula_at(i), .model = model, .seconds = ct_formula_at(i)->seconds[model]};
                int status = formula_ratios(&subject, ratio_ranks[group], error, &row->ratios[group]);
                if (status != CT_OK)
                    return status;
                row->classes[group] = class_of_ratios(&row->ratios[group]);
            }
    return CT_OK;
}

static size_t count_class(struct row rows[][CT_COMMUNICATION_MODELS], enum ratio_group group,
                          const char *class)
{
    size_t count = 0;
    for (size_t i = 0; i < FORMULAS; i++)
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
            count += strcmp(rows[i][model].classes[group], class) == 0;
    return count;
}

static void print_counts(struct row rows[][CT_COMMUNICATION_MODELS], enum ratio_group group)
{
    printf("%s %zu of %d are equal, %zu an upper bound, %zu a lower bound, %zu inconsistent.\n",
           groups[group], count_class(rows, group, "equal"), FORMULAS * CT_COMMUNICATION_MODELS,
           count_class(rows, group, "upper bound"), count_class(rows, group, "lower bound"),
           count_class(rows, group, "inconsistent"));
}

static void print_row(const struct printed_row *printed, enum ct_communication_model model,
                      const struct row *row)
{
    const char *reason = printed->formulas[model].reason;
    printf("| %s | %s |", printed->method, ct_communication_model_names[model]);
    for (int group = 0; group < RATIO_GROUPS; group++)
        if (strcmp(row->classes[group], "equal") == 0)
            printf(" equal | |");
        else
            printf(" %s | %.3g-%.3g |", row->classes[group], row->ratios[group].least,
                   row->ratios[group].most);
    printf(reason ? " %s |\n" : " |\n", reason);
}

int main(void)
{
    static struct row rows[FORMULAS][CT_COMMUNICATION_MODELS];
    struct ct_error error;
    if (compute(rows, &error) != CT_OK) {
        fprintf(stderr, "formula_classes: %s\n", error.text);
        return 1;
    }
    for (int group = 0; group < RATIO_GROUPS; group++)
        print_counts(rows, group);
    puts("\n| formula | model | powers of two | ratio | other P | ratio | why "
         "|\n|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < FORMULAS; i++)
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
            print_row(&printed_rows[i], model, &rows[i][model]);
    return 0;
}
