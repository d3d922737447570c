/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the table of docs/formula-classes.md: what each formula is against the evaluation of plans, computed
 * anew, and why. */
#include "tests/models/formulas/formula_ratios.h"

#include <stdio.h>

static const char *const groups[CT_RANK_GROUPS] = {"At powers of two", "At other numbers of ranks"};

enum { CLASSES = CT_FORMULA_CLASS_MIXED + 1 };

struct row {
    enum ct_formula_class classes[CT_RANK_GROUPS];
    struct formula_ratios ratios[CT_RANK_GROUPS];
};

/* The rows of one formula lie side by side, by model. */
static int compute(struct row rows[][CT_COMMUNICATION_MODELS], struct ct_error *error)
{
    for (size_t i = 0; i < ct_formula_count; i++)
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
            for (int group = 0; group < CT_RANK_GROUPS; group++) {
                struct row *row = &rows[i][model];
                const struct ratio_subject subject = {.formula = ct_formulas[i],
                                                      .model = model,
                                                      .seconds = ct_formulas[i]->cells[model].seconds};
                int status = formula_ratios(&subject, ratio_ranks[group], error, &row->ratios[group]);
                if (status != CT_OK)
                    return status;
                row->classes[group] = formula_class_of(&row->ratios[group]);
            }
    return CT_OK;
}

static void print_counts(struct row rows[][CT_COMMUNICATION_MODELS], enum ct_rank_group group)
{
    size_t counts[CLASSES] = {0};
    for (size_t i = 0; i < ct_formula_count; i++)
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
            counts[rows[i][model].classes[group]]++;
    printf("%s %zu of %zu are equal, %zu an upper bound, %zu a lower bound, %zu inconsistent.\n",
           groups[group], counts[CT_FORMULA_CLASS_EQUAL], ct_formula_count * CT_COMMUNICATION_MODELS,
           counts[CT_FORMULA_CLASS_ABOVE], counts[CT_FORMULA_CLASS_BELOW], counts[CT_FORMULA_CLASS_MIXED]);
}

static void print_row(const struct ct_formula *formula, enum ct_communication_model model,
                      const struct row *row)
{
    printf("| %s/%s | %s |", ct_collectives[formula->collective].name, formula->algorithm,
           ct_communication_model_names[model]);
    for (int group = 0; group < CT_RANK_GROUPS; group++)
        if (row->classes[group] == CT_FORMULA_CLASS_EQUAL)
            printf(" equal | |");
        else
            printf(" %s | %.3g-%.3g |", ct_formula_class_names[row->classes[group]], row->ratios[group].least,
                   row->ratios[group].most);
    const char *reason = ct_formula_standing_of(formula, model)->reason;
    printf(reason ? " %s |\n" : " |\n", reason);
}

int main(void)
{
    enum { ROWS_MOST = 64 };
    static struct row rows[ROWS_MOST][CT_COMMUNICATION_MODELS];
    struct ct_error error;
    if (ct_formula_count > ROWS_MOST || compute(rows, &error) != CT_OK) {
        fprintf(stderr, "formula_classes: %s\n", ct_formula_count > ROWS_MOST ? "too many rows" : error.text);
        return 1;
    }
    for (int group = 0; group < CT_RANK_GROUPS; group++)
        print_counts(rows, group);
    puts("\n| formula | model | powers of two | ratio | other P | ratio | why "
         "|\n|---|---|---|---|---|---|---|");
    for (size_t i = 0; i < ct_formula_count; i++)
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
            print_row(ct_formulas[i], model, &rows[i][model]);
    return 0;
}
