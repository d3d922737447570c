/* SPDX-License-Identifier: BSD-3-Clause */
/* Why formulas do not equal the evaluation of plans: reasons that name a case in which they are equal are
 * right. */
#include "studies/formulas/printed_formulas.h"
#include "tests/models/formulas/formula_checks.h"
#include "tests/models/formulas/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void have_a_reason_exactly_where_they_are_not_equal(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORMULAS; i++)
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++) {
            bool is_equal = strcmp(ct_formula_class(ct_formula_at(i), model, 4), "equal") == 0 &&
                            strcmp(ct_formula_class(ct_formula_at(i), model, 3), "equal") == 0;
            assert_true(is_equal == !printed_rows[i].formulas[model].reason);
        }
}

enum { POWERS = 1, OTHERS = 2, ALL = 3, TREES = 4 };

/* What reasons say: there it is equal. */
static const struct {
    const char *method;
    enum ct_communication_model model;
    unsigned changes;
    int ranks;
    bool whole;
} equalities[] = {
    {"barrier/linear", CT_MODEL_LOGGP, RATIO_GAP_IS_OVERHEAD, ALL, false},
    {"barrier/double_ring", CT_MODEL_LOGGP, RATIO_GAP_IS_OVERHEAD, ALL, false},
    {"barrier/recursive_doubling", CT_MODEL_LOGGP, RATIO_GAP_IS_OVERHEAD, POWERS, false},
    {"barrier/dissemination", CT_MODEL_LOGGP, RATIO_GAP_IS_OVERHEAD, ALL, false},
    {"bcast/pipeline", CT_MODEL_LOGGP, 0, ALL, true},
    {"bcast/binary", CT_MODEL_HOCKNEY, 0, TREES, false},
    {"bcast/binary", CT_MODEL_LOGGP, 0, TREES, true},
    {"bcast/binary", CT_MODEL_PLOGP, 0, TREES, false},
    {"bcast/split_binary", CT_MODEL_HOCKNEY, 0, TREES, false},
    {"bcast/split_binary", CT_MODEL_LOGGP, 0, TREES, true},
    {"bcast/split_binary", CT_MODEL_PLOGP, 0, TREES, false},
    {"alltoall/pairwise", CT_MODEL_LOGGP, RATIO_GAP_IS_OVERHEAD, ALL, false},
    {"alltoall/bruck", CT_MODEL_HOCKNEY, RATIO_WITHOUT_DELTA, POWERS, false},
    {"alltoall/bruck", CT_MODEL_LOGGP, RATIO_WITHOUT_DELTA, POWERS, false},
    {"alltoall/bruck", CT_MODEL_PLOGP, RATIO_WITHOUT_DELTA, POWERS, false},
    {"reduce/linear", CT_MODEL_HOCKNEY, RATIO_WITHOUT_GAMMA, ALL, false},
    {"reduce/linear", CT_MODEL_PLOGP, RATIO_WITHOUT_GAMMA, ALL, false},
    {"reduce/pipeline", CT_MODEL_HOCKNEY, RATIO_WITHOUT_GAMMA, ALL, false},
    {"reduce/binomial", CT_MODEL_HOCKNEY, RATIO_WITHOUT_GAMMA, ALL, false},
    {"reduce/binomial", CT_MODEL_LOGGP, RATIO_WITHOUT_GAMMA | RATIO_GAP_IS_OVERHEAD, POWERS, false},
    {"reduce/binomial", CT_MODEL_PLOGP, RATIO_WITHOUT_GAMMA, POWERS, false},
    {"reduce/binary", CT_MODEL_HOCKNEY, RATIO_WITHOUT_GAMMA, TREES, false},
    {"reduce_scatter/ring", CT_MODEL_HOCKNEY, RATIO_WITHOUT_DELTA, ALL, false},
    {"reduce_scatter/ring", CT_MODEL_LOGGP, RATIO_WITHOUT_DELTA, ALL, false},
    {"reduce_scatter/ring", CT_MODEL_PLOGP, RATIO_WITHOUT_DELTA, ALL, false},
    {"scan/linear_segmented", CT_MODEL_HOCKNEY, RATIO_WITHOUT_GAMMA, ALL, false},
};

static void are_equal_where_reasons_say_so(void **state)
{
    (void)state;
    const int *const lists[] = {ratio_ranks[RATIO_POWERS_OF_TWO], ratio_ranks[RATIO_OTHER_RANKS],
                                ratio_full_trees};
    for (size_t i = 0; i < sizeof equalities / sizeof equalities[0]; i++) {
        const struct ct_formula *formula = formula_of(equalities[i].method);
        const struct ratio_subject subject = {.formula = formula,
                                              .model = equalities[i].model,
                                              .seconds = formula->seconds[equalities[i].model],
                                              .changes = equalities[i].changes,
                                              .whole = equalities[i].whole};
        for (int list = 0; list < 3; list++) {
            if (!(equalities[i].ranks >> list & 1))
                continue;
            const struct formula_ratios ratios = ratios_of(&subject, lists[list]);
            if (strcmp(class_of_ratios(&ratios), "equal") != 0)
                fail_msg("%s, %s: ratios from %.12g to %.12g", equalities[i].method,
                         ct_communication_model_names[equalities[i].model], ratios.least, ratios.most);
        }
    }
}

/* Table 4.5, linear with synchronisation: the longer of its cases; in LogGP each message has its gap. */
static double sync_loggp(const struct ct_formula_terms *x)
{
    double light = 2 * x->L + 4 * x->o + (x->m_s - 1) * x->G;
    double hidden = (x->P - 1) * light + x->g + (x->m - x->m_s - 1) * x->G;
    double second = 2 * x->L + 4 * x->o + (x->m - 2) * x->G + x->g;
    return fmax(hidden, second + (x->P - 2) * (2 * x->g + (x->m - 2) * x->G));
}

static double sync_plogp(const struct ct_formula_terms *x)
{
    double light = ct_curve_at(&x->plogp->gap, 0), first = ct_curve_at(&x->plogp->gap, x->m_s);
    double rest = ct_curve_at(&x->plogp->gap, x->m - x->m_s);
    return fmax((x->P - 1) * (2 * x->L + first + light) + rest,
                2 * x->L + light + (x->P - 1) * (first + rest));
}

/* Tables 4.8 and 4.11, segments along a chain of three ranks at least. */
static double chain_loggp(const struct ct_formula_terms *x)
{
    double rest = (x->m_s - 1) * x->G, combined = x->gamma * x->m_s;
    return (x->P - 1) * (x->L + 2 * x->o + rest + combined) +
           (x->n_s - 1) * fmax(x->g + rest, 2 * x->o + combined);
}

/* Where a reason says what it should be, that is equal. */
static void what_reasons_put_in_its_place_is_equal(void **state)
{
    (void)state;
    static const struct {
        const char *method;
        enum ct_communication_model model;
        ct_formula_function *seconds;
    } rights[] = {{"gather/linear_sync", CT_MODEL_LOGGP, sync_loggp},
                  {"gather/linear_sync", CT_MODEL_PLOGP, sync_plogp},
                  {"reduce/pipeline", CT_MODEL_LOGGP, chain_loggp},
                  {"scan/linear_segmented", CT_MODEL_LOGGP, chain_loggp}};
    for (size_t i = 0; i < sizeof rights / sizeof rights[0]; i++) {
        const struct ratio_subject subject = {
            .formula = formula_of(rights[i].method), .model = rights[i].model, .seconds = rights[i].seconds};
        const struct formula_ratios ratios = ratios_of(&subject, ratio_ranks[RATIO_OTHER_RANKS]);
        if (strcmp(class_of_ratios(&ratios), "equal") != 0)
            fail_msg("%s: ratios from %.12g to %.12g", rights[i].method, ratios.least, ratios.most);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(have_a_reason_exactly_where_they_are_not_equal),
        cmocka_unit_test(are_equal_where_reasons_say_so),
        cmocka_unit_test(what_reasons_put_in_its_place_is_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
