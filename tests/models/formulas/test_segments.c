/* SPDX-License-Identifier: BSD-3-Clause */
/* Optimal segment sizes against numerical minimisation. */
#include "models/formulas/segment.h"
#include "tests/models/formulas/machines.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { RANDOM_MACHINES = 400, STEPS = 300 };

static const double rank_counts[] = {2, 3, 4, 7, 8, 64, 1000};
static const double sizes[] = {2, 100, 65536, 786432, 2097152, 100000000};
enum { RANK_COUNTS = sizeof rank_counts / sizeof rank_counts[0], SIZES = sizeof sizes / sizeof sizes[0] };

struct problem {
    const struct ct_formula *formula;
    enum ct_communication_model model;
    struct ct_formula_call call;
};

/* Beyond 1 byte and all that is cut it rises, so that a minimum at an end is one. */
static double seconds_of(double logarithm, void *context)
{
    const struct problem *problem = context;
    double most = ct_formula_part(problem->formula, problem->call.ranks, problem->call.bytes);
    double inside = fmin(fmax(logarithm, 0), log(most));
    return (1 + fabs(logarithm - inside)) *
           smooth_seconds(problem->formula, problem->model, &problem->call, fmin(fmax(exp(inside), 1), most));
}

/* Brent's method around the best of many points, whatever the function has of hills and valleys. */
static double least_seconds(struct problem *problem)
{
    double most = log(ct_formula_part(problem->formula, problem->call.ranks, problem->call.bytes));
    double step = most / STEPS, best = 0;
    for (int i = 0; i <= STEPS; i++)
        if (seconds_of(i * step, problem) < seconds_of(best, problem))
            best = i * step;
    double low = best - step, high = best + step;
    double least = seconds_of(best, problem);
    gsl_function function = {seconds_of, problem};
    gsl_min_fminimizer *minimizer = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    if (gsl_min_fminimizer_set(minimizer, &function, best, low, high) == GSL_SUCCESS)
        for (int i = 0; i < 100; i++) {
            gsl_min_fminimizer_iterate(minimizer);
            least = fmin(least, gsl_min_fminimizer_f_minimum(minimizer));
        }
    gsl_min_fminimizer_free(minimizer);
    return least;
}

static void is_least(const struct ct_formula *formula, enum ct_communication_model model,
                     const struct machine *machine, double ranks, double bytes)
{
    struct problem problem = {formula, model, call_on(machine, ranks, bytes, 0)};
    double m_s = ct_segment_optimal(formula, model, &problem.call);
    double seconds = smooth_seconds(formula, model, &problem.call, m_s);
    double least = least_seconds(&problem);
    /* a method that looks for smooth valleys comes less near to the bottom of a kink */
    if (!(seconds <= least * (1 + 1e-9) && seconds >= least * (1 - 1e-6)))
        fail_msg("%s, %s/%s, %s, P = %g, m = %g: m_s = %g, %.12g s, but %.12g s can be had", machine->name,
                 formula->collective, formula->algorithm, ct_communication_model_names[model], ranks, bytes,
                 m_s, seconds, least);
}

static void are_least_on_published_machines(void **state)
{
    (void)state;
    for (int which = 0; which < PUBLISHED_MACHINES; which++) {
        struct machine machine;
        published_machine(which, &machine);
        for (size_t i = 0; i < FORMULAS; i++)
            for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
                for (int n = 0; n < RANK_COUNTS * SIZES && has_optimum(ct_formula_at(i), model); n++)
                    is_least(ct_formula_at(i), model, &machine, rank_counts[n / SIZES], sizes[n % SIZES]);
    }
}

static void are_least_on_random_machines(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int n = 0; n < RANDOM_MACHINES; n++) {
        struct machine machine;
        random_machine(random, &machine);
        for (size_t i = 0; i < FORMULAS; i++)
            for (int model = 0; model < CT_COMMUNICATION_MODELS; model++) {
                if (!has_optimum(ct_formula_at(i), model))
                    continue;
                double ranks = floor(pow(2, 1 + 9 * gsl_rng_uniform(random)));
                is_least(ct_formula_at(i), model, &machine, ranks,
                         floor(pow(2, 27 * gsl_rng_uniform(random))));
            }
    }
    gsl_rng_free(random);
}

/* Every method that cuts has a closed form in the tables, or is PLogP; only split_binary has one there, too.
 */
static void cover_all_rows_that_are_cut(void **state)
{
    (void)state;
    int plogp = 0;
    for (size_t i = 0; i < FORMULAS; i++) {
        for (int model = 0; model < CT_MODEL_PLOGP; model++)
            assert_true(has_optimum(ct_formula_at(i), model) == ct_formula_is_segmented(ct_formula_at(i)));
        plogp += has_optimum(ct_formula_at(i), CT_MODEL_PLOGP);
    }
    assert_int_equal(plogp, 1);
}

static const struct ct_formula *found(const char *spelling)
{
    struct ct_method method;
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, NULL, &method), CT_OK);
    return ct_formula_find(&method);
}

/* Corollary 5.4 says that there is nothing inside a piece: with a gap that is one straight line there is. */
static void lie_inside_a_piece(void **state)
{
    (void)state;
    struct machine machine;
    published_machine(2, &machine);
    const struct ct_formula *formula = found("bcast/split_binary");
    const struct ct_formula_call call = call_on(&machine, 64, 786432, 0);
    double m_s = ct_segment_optimal(formula, CT_MODEL_PLOGP, &call);
    assert_true(m_s > 100 && m_s < 100000);
    double seconds = smooth_seconds(formula, CT_MODEL_PLOGP, &call, m_s);
    assert_true(seconds < smooth_seconds(formula, CT_MODEL_PLOGP, &call, 1) / 2);
    assert_true(seconds < smooth_seconds(formula, CT_MODEL_PLOGP, &call, 786432 / 2) / 2);
}

/* Theorem 5.6 says that linear bcast has no best size: where a protocol begins to cost, it has. */
static void lie_where_a_protocol_ends(void **state)
{
    (void)state;
    struct machine machine;
    published_machine(2, &machine);
    struct ct_curve_point eager[] = {{0, 1e-5}, {65536, 2e-4}, {65537, 4e-4}, {1 << 20, 6.4e-3}};
    machine.link.plogp.gap = (struct ct_curve){eager, 4};
    const struct ct_formula_call call = call_on(&machine, 16, 1 << 20, 0);
    struct ct_segment_choice choice;
    assert_int_equal(
        ct_segment_choose(found("bcast/linear"), CT_MODEL_PLOGP, &call, CT_SEGMENT_BY_SEARCH, NULL, &choice),
        CT_OK);
    assert_int_equal(choice.segment, 65536);
}

/* Table 6.1, 64 ranks on Grig over MX and TCP. LogGP's other three figures in print do not follow from its
 * theorem 5.2. */
static void give_table_6_1(void **state)
{
    (void)state;
    const struct {
        int machine;
        enum ct_communication_model model;
        double bytes, printed, tolerance;
    } rows[] = {{0, CT_MODEL_HOCKNEY, 786432, 10308, 1e-3},  {1, CT_MODEL_HOCKNEY, 786432, 10116, 1e-3},
                {0, CT_MODEL_HOCKNEY, 2097152, 16834, 1e-3}, {1, CT_MODEL_HOCKNEY, 2097152, 16519, 1e-3},
                {0, CT_MODEL_LOGGP, 2097152, 12185, 5e-3},   {0, CT_MODEL_LOGGP, 786432, 7438, 1e-3},
                {1, CT_MODEL_LOGGP, 786432, 3125, 1e-3},     {1, CT_MODEL_LOGGP, 2097152, 5102, 1e-3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine machine;
        published_machine(rows[i].machine, &machine);
        const struct ct_formula_call call = call_on(&machine, 64, rows[i].bytes, 0);
        double m_s = ct_segment_optimal(found("bcast/split_binary"), rows[i].model, &call);
        if (fabs(m_s / rows[i].printed - 1) > rows[i].tolerance)
            fail_msg("%s, %g bytes: %g, expected %g", machine.name, rows[i].bytes, m_s, rows[i].printed);
    }
}

int main(void)
{
    gsl_set_error_handler_off();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_least_on_published_machines), cmocka_unit_test(are_least_on_random_machines),
        cmocka_unit_test(cover_all_rows_that_are_cut),     cmocka_unit_test(lie_inside_a_piece),
        cmocka_unit_test(lie_where_a_protocol_ends),       cmocka_unit_test(give_table_6_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
