/* SPDX-License-Identifier: BSD-3-Clause */
/* Every registered method on random calls, under random models: against the reference, and whoever is
 * advanced first. */
#include "algorithms/routing.h"
#include "models/evaluate/evaluate.h"
#include "plan/verify/verifier_values.h"
#include "tests/models/evaluate/reference.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE_MOST = 17, TRIALS = FEWER_CASES ? SIZE_MOST : 60, POINTS = 4 };

struct random {
    uint64_t state;
};

static unsigned draw(struct random *random, unsigned below)
{
    random->state = random->state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((random->state >> 33) % below);
}

static double draw_seconds(struct random *random)
{
    return 1e-6 * (1 + draw(random, 1000) / 37.0);
}

/* A gap that may fall, overheads that may exceed it: no model in use, but nothing that rules forbid. */
static struct ct_curve draw_curve(struct random *random, struct ct_curve_point points[POINTS])
{
    for (int i = 0; i < POINTS; i++)
        points[i] = (struct ct_curve_point){i * 100.0, draw_seconds(random)};
    return (struct ct_curve){points, POINTS};
}

enum { REGIMES = 2 };

struct machine {
    struct ct_curve_point points[CT_LINK_KINDS][3][POINTS];
    struct ct_link regimes[CT_LINK_KINDS][REGIMES];
    struct ct_model model;
};

static void draw_parameters(struct random *random, struct ct_link *link)
{
    link->hockney = (struct ct_hockney){draw_seconds(random), 1e-3 * draw_seconds(random)};
    link->loggp = (struct ct_loggp){draw_seconds(random), draw_seconds(random), draw_seconds(random),
                                    1e-3 * draw_seconds(random)};
}

static void draw_machine(struct random *random, struct machine *machine)
{
    struct ct_model *model = &machine->model;
    *model = (struct ct_model){.gamma = draw(random, 3) ? 1e-3 * draw_seconds(random) : 0,
                               .delta = draw(random, 3) ? 1e-3 * draw_seconds(random) : 0};
    for (int kind = 0; kind < CT_LINK_KINDS; kind++) {
        struct ct_link *link = &model->links[kind];
        for (int i = 0; i < CT_COMMUNICATION_MODELS; i++)
            link->known[i] = kind == CT_LINK_NETWORK || draw(random, 2);
        draw_parameters(random, link);
        link->regimes = machine->regimes[kind];
        link->regime_count = draw(random, REGIMES + 1);
        for (size_t i = 0; i < link->regime_count; i++) {
            link->regimes[i] = (struct ct_link){.from = (i > 0 ? link->regimes[i - 1].from : 0) + 1 +
                                                        (double)draw(random, 100)};
            draw_parameters(random, &link->regimes[i]);
        }
        link->plogp = (struct ct_plogp){.latency = draw_seconds(random),
                                        .send_overhead = draw_curve(random, machine->points[kind][0]),
                                        .receive_overhead = draw_curve(random, machine->points[kind][1]),
                                        .gap = draw_curve(random, machine->points[kind][2])};
    }
}

struct trial {
    struct ct_method method;
    struct ct_call call;
    struct ct_nodes nodes;
    size_t tables[2 * SIZE_MOST * SIZE_MOST];
    struct machine machine;
};

static void draw_values(struct random *random, struct trial *trial)
{
    const struct ct_algorithm *algorithm = trial->method.algorithm;
    for (int i = 0; i < ct_parameter_count(algorithm->descriptor); i++) {
        struct ct_values values;
        assert_int_equal(ct_parameter_tried(algorithm->descriptor->parameters[i], &trial->call, &values),
                         CT_OK);
        trial->method.values[i] = values.items[draw(random, (unsigned)values.count)];
    }
}

static void draw_trial(struct random *random, const struct ct_algorithm *algorithm, int size,
                       struct trial *trial)
{
    const struct ct_collective_description *about = &ct_collectives[algorithm->collective];
    static const size_t units[] = {1, 4, 8, 12};
    int labels[SIZE_MOST];
    trial->method = (struct ct_method){.algorithm = algorithm};
    trial->call =
        (struct ct_call){.size = size,
                         .root = about->has_root ? (int)draw(random, (unsigned)size) : 0,
                         .count = about->has_data ? draw(random, 60) : 0,
                         .unit_bytes = about->reduces ? units[draw(random, 4)] : 1,
                         .in_place = draw(random, 2),
                         .commutative = !about->reduces || draw(random, 2) ||
                                        algorithm->descriptor->constraints & CT_CONSTRAINT_COMMUTATIVE};
    for (int i = 0; i < size; i++)
        labels[i] = (int)draw(random, 4);
    assert_int_equal(ct_nodes_make(labels, size, &trial->nodes), CT_OK);
    if (algorithm->descriptor->constraints & CT_CONSTRAINT_NODES_KNOWN || draw(random, 2))
        trial->call.nodes = &trial->nodes;
    if (about->varies)
        ct_block_counts(algorithm->collective, &trial->call, draw(random, 2), trial->tables);
    draw_values(random, trial);
    draw_machine(random, &trial->machine);
}

static void build(const struct trial *trial, struct ct_plan plans[SIZE_MOST])
{
    struct ct_call routed = trial->call;
    struct ct_routes *routes = NULL;
    struct ct_error error;
    if (ct_needs_routes(&trial->method))
        assert_int_equal(ct_routes_make(&trial->method, &trial->call, &error, &routes), CT_OK);
    routed.routes = routes;
    for (int rank = 0; rank < trial->call.size; rank++) {
        struct ct_call own = ct_call_of_rank(trial->method.algorithm->collective, &routed, rank);
        ct_plan_reset(&plans[rank]);
        assert_int_equal(ct_method_build(&trial->method, &plans[rank], &own), CT_OK);
    }
    ct_routes_free_all(routes, trial->call.size);
}

static void fail_trial(const struct trial *trial, int kind, const char *what)
{
    char spelling[CT_METHOD_TEXT];
    fail_msg("%s, %d ranks, root %d, %zu units of %zu, %s: %s",
             ct_method_format(&trial->method, true, spelling), trial->call.size, trial->call.root,
             trial->call.count, trial->call.unit_bytes, ct_communication_model_names[kind], what);
}

static void compare(const struct trial *trial, int kind, const double *leaves, const double *expected,
                    double tolerance)
{
    char what[120];
    for (int rank = 0; rank < trial->call.size; rank++) {
        if (fabs(leaves[rank] - expected[rank]) <= tolerance * fabs(expected[rank]))
            continue;
        snprintf(what, sizeof what, "rank %d leaves at %.17g, expected %.17g", rank, leaves[rank],
                 expected[rank]);
        fail_trial(trial, kind, what);
    }
}

static void shuffle(struct random *random, int *order, int size)
{
    for (int i = 0; i < size; i++)
        order[i] = i;
    for (int i = size - 1; i > 0; i--) {
        int k = (int)draw(random, (unsigned)i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
}

/* With shared links: alike in any order. */
static void try_shared(struct random *random, struct ct_evaluator *evaluator, const struct trial *trial,
                       enum ct_communication_model model)
{
    double first[SIZE_MOST];
    int order[SIZE_MOST];
    struct ct_error error;
    struct ct_evaluation evaluation;
    for (int again = 0; again < 2; again++) {
        const struct ct_evaluation_options options = {.shares_links = true, .order = again ? order : NULL};
        shuffle(random, order, trial->call.size);
        if (ct_evaluate(evaluator, &trial->method, &trial->call, &trial->machine.model, model, &options,
                        &error, &evaluation) != CT_OK)
            fail_trial(trial, model, error.text);
        if (again == 0)
            memcpy(first, evaluation.leaves, (size_t)trial->call.size * sizeof *first);
        else
            compare(trial, model, evaluation.leaves, first, 0);
    }
}

/* Under each model: as the reference, as in other orders, and from plans that are there already. */
static void try(struct random *random, struct ct_evaluator *evaluator, const struct trial *trial,
                struct ct_plan plans[SIZE_MOST])
{
    build(trial, plans);
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++) {
        enum ct_communication_model model = (enum ct_communication_model)kind;
        const struct ct_model *machine = &trial->machine.model;
        double expected[REFERENCE_RANKS], first[SIZE_MOST];
        int order[SIZE_MOST];
        struct ct_error error;
        struct ct_evaluation evaluation;
        if (!reference_evaluate(plans, &trial->call, machine, model, expected))
            fail_trial(trial, kind, "the reference does not come to rest");
        if (ct_evaluate(evaluator, &trial->method, &trial->call, machine, model, NULL, &error, &evaluation) !=
            CT_OK)
            fail_trial(trial, kind, error.text);
        compare(trial, kind, evaluation.leaves, expected, 1e-12);
        memcpy(first, evaluation.leaves, (size_t)trial->call.size * sizeof *first);
        for (int again = 0; again < 3; again++) {
            const struct ct_evaluation_options options = {.order = order};
            shuffle(random, order, trial->call.size);
            int status = again == 0 ? ct_evaluate_plans(evaluator, plans, &trial->call, machine, model,
                                                        &options, &error, &evaluation)
                                    : ct_evaluate(evaluator, &trial->method, &trial->call, machine, model,
                                                  &options, &error, &evaluation);
            if (status != CT_OK)
                fail_trial(trial, kind, error.text);
            compare(trial, kind, evaluation.leaves, first, 0);
        }
        try_shared(random, evaluator, trial, model);
    }
}

/* Trials have no patterns. On grids of ranks two messages often arrive at the same time, and rounding decides
 * which of them is handled while the rank waits: evaluator and reference may then differ by an overhead.
 * test_evaluate_grids.c compares such plans with formulas. */
static bool is_tried(const struct ct_algorithm *algorithm)
{
    return !ct_is_native(algorithm) && !ct_collectives[algorithm->collective].is_sparse &&
           algorithm->descriptor->parameters[0] != &ct_dimensions_parameter &&
           strcmp(algorithm->name, "hypercube") != 0;
}

static void evaluates_every_method_as_the_reference(void **state)
{
    (void)state;
    struct random random = {1};
    struct ct_evaluator *evaluator = ct_evaluator_new();
    static struct ct_plan plans[SIZE_MOST];
    static struct trial trial;
    size_t tried = 0;
    assert_non_null(evaluator);
    for (size_t a = 0; a < ct_algorithm_count; a++) {
        for (int i = 0; is_tried(&ct_algorithms[a]) && i < TRIALS; i++) {
            draw_trial(&random, &ct_algorithms[a], 1 + i % SIZE_MOST, &trial);
            if (ct_method_applies(&trial.method, &trial.call, NULL)) {
                try(&random, evaluator, &trial, plans);
                tried++;
            }
            ct_nodes_free(&trial.nodes);
        }
    }
    print_message("%zu calls\n", tried);
    assert_true(tried > (FEWER_CASES ? 500 : 1000));
    for (int i = 0; i < SIZE_MOST; i++)
        ct_plan_free(&plans[i]);
    ct_evaluator_free(evaluator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(evaluates_every_method_as_the_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
