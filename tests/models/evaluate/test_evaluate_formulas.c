/* SPDX-License-Identifier: BSD-3-Clause */
/* Closed formulas of the literature that evaluation equals, at powers of two: Pjesivac-Grbovic 2007,
 * tables 4.2 to 4.11. Where a formula is another than the evaluated time, its place is empty:
 * docs/evaluation.md says why. */
#include "models/evaluate/evaluate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* o <= g <= L + o, as the formulas presuppose. */
static struct ct_curve_point sending[] = {{0, 0.5e-6}, {1e6, 100e-6}},
                             receiving[] = {{0, 0.7e-6}, {1e6, 120e-6}},
                             gaps[] = {{0, 2e-6}, {1000, 9e-6}, {1e6, 4000e-6}};
static const struct ct_model model = {
    .links = {{.known = {true, true, true},
               .hockney = {5e-6, 4e-9},
               .loggp = {.latency = 9e-6, .overhead = 1.5e-6, .gap = 4e-6, .gap_per_byte = 4.4e-9},
               .plogp = {.latency = 20e-6,
                         .send_overhead = {sending, 2},
                         .receive_overhead = {receiving, 2},
                         .gap = {gaps, 3}}}},
    .gamma = 5e-10};

struct terms {
    double P, lg; /* ranks; their logarithm to base 2 */
    double m;     /* bytes of the message size */
    double s, n;  /* bytes of a segment; segments */
    double gamma;
};

typedef double formula(const struct terms *terms);

/* One message. */
static double hockney(double m)
{
    return 5e-6 + 4e-9 * m;
}

static double rest(double m)
{
    return fmax(m - 1, 0) * 4.4e-9;
}

static double loggp(double m)
{
    return 9e-6 + 2 * 1.5e-6 + rest(m);
}

static double g(double m)
{
    return ct_curve_at(&model.links[CT_LINK_NETWORK].plogp.gap, m);
}

static double plogp(double m)
{
    return 20e-6 + g(m);
}

static const double gap = 4e-6;

/* Sums of messages of m, 2 m, 4 m ... */
static double doubling(const struct terms *t, double (*one)(double))
{
    double sum = 0;
    for (double k = 1; k < t->P; k *= 2)
        sum += one(k * t->m);
    return sum;
}

/* (P - 1) messages out of or into one rank. */
static double flat_hockney(const struct terms *t)
{
    return (t->P - 1) * hockney(t->m);
}
static double flat_loggp(const struct terms *t)
{
    return loggp(t->m) + (t->P - 2) * (gap + rest(t->m));
}
static double flat_plogp(const struct terms *t)
{
    return plogp(t->m) + (t->P - 2) * g(t->m);
}
/* Segments down a chain. */
static double chain_hockney(const struct terms *t)
{
    return (t->P + t->n - 2) * hockney(t->s);
}
static double chain_plogp(const struct terms *t)
{
    return (t->P - 1) * plogp(t->s) + (t->n - 1) * g(t->s);
}
/* lg P messages on end. */
static double tree_hockney(const struct terms *t)
{
    return t->lg * hockney(t->m);
}
static double tree_loggp(const struct terms *t)
{
    return t->lg * loggp(t->m);
}
static double tree_plogp(const struct terms *t)
{
    return t->lg * plogp(t->m);
}
/* P - 1 messages on end. */
static double ring_hockney(const struct terms *t)
{
    return (t->P - 1) * hockney(t->m);
}
static double ring_loggp(const struct terms *t)
{
    return (t->P - 1) * loggp(t->m);
}
static double ring_plogp(const struct terms *t)
{
    return (t->P - 1) * plogp(t->m);
}
static double doubling_hockney(const struct terms *t)
{
    return doubling(t, hockney);
}
static double doubling_loggp(const struct terms *t)
{
    return doubling(t, loggp);
}
static double doubling_plogp(const struct terms *t)
{
    return doubling(t, plogp);
}
/* Reductions of all the data after each message. */
static double reducing_tree_hockney(const struct terms *t)
{
    return tree_hockney(t) + t->lg * t->gamma * t->m;
}
static double reducing_tree_loggp(const struct terms *t)
{
    return tree_loggp(t) + t->lg * t->gamma * t->m;
}
static double reducing_tree_plogp(const struct terms *t)
{
    return tree_plogp(t) + t->lg * t->gamma * t->m;
}
static double reducing_ring_hockney(const struct terms *t)
{
    return ring_hockney(t) + (t->P - 1) * t->gamma * t->m;
}
static double reducing_ring_loggp(const struct terms *t)
{
    return ring_loggp(t) + (t->P - 1) * t->gamma * t->m;
}
static double reducing_ring_plogp(const struct terms *t)
{
    return ring_plogp(t) + (t->P - 1) * t->gamma * t->m;
}
/* Twice round the ring with a P-th of the data. */
static double twice_round(const struct terms *t, double (*one)(double))
{
    return 2 * (t->P - 1) * one(t->m / t->P) + (t->P - 1) * t->gamma * t->m / t->P;
}
static double twice_round_hockney(const struct terms *t)
{
    return twice_round(t, hockney);
}
static double twice_round_loggp(const struct terms *t)
{
    return twice_round(t, loggp);
}
static double twice_round_plogp(const struct terms *t)
{
    return twice_round(t, plogp);
}
static double double_ring_hockney(const struct terms *t)
{
    return 2 * t->P * hockney(0);
}
static double double_ring_plogp(const struct terms *t)
{
    return 2 * t->P * plogp(0);
}
static double neighbor_hockney(const struct terms *t)
{
    return hockney(t->m) + (t->P / 2 - 1) * hockney(2 * t->m);
}
static double neighbor_loggp(const struct terms *t)
{
    return loggp(t->m) + (t->P / 2 - 1) * loggp(2 * t->m);
}
static double neighbor_plogp(const struct terms *t)
{
    return plogp(t->m) + (t->P / 2 - 1) * plogp(2 * t->m);
}
/* Equations 4.11 and 4.14, in whose first case the table has one g(m - m_s) more than the equation. */
static double sync_hockney(const struct terms *t)
{
    return hockney(0) + (t->P - 1) * (hockney(t->s) + hockney(t->m - t->s));
}
static double sync_plogp(const struct terms *t)
{
    double second = g(t->m - t->s);
    return second < 2 * 20e-6 + g(0) ? (t->P - 1) * (plogp(0) + plogp(t->s)) + second
                                     : plogp(0) + 20e-6 + (t->P - 1) * (g(t->s) + second);
}

static const struct {
    const char *method;
    formula *formulas[CT_COMMUNICATION_MODELS];
} subjects[] = {
    {"bcast/linear", {flat_hockney, flat_loggp, flat_plogp}},
    {"bcast/pipeline:seg=1K", {chain_hockney, NULL, chain_plogp}},
    {"bcast/binomial", {tree_hockney, tree_loggp, tree_plogp}},
    {"scatter/linear", {flat_hockney, flat_loggp, flat_plogp}},
    {"scatter/binomial", {doubling_hockney, doubling_loggp, doubling_plogp}},
    {"gather/linear", {flat_hockney, flat_loggp, flat_plogp}},
    {"gather/linear_sync:first=1K", {sync_hockney, NULL, sync_plogp}},
    {"gather/binomial", {doubling_hockney, doubling_loggp, doubling_plogp}},
    {"allgather/bruck", {doubling_hockney, doubling_loggp, doubling_plogp}},
    {"allgather/recursive_doubling", {doubling_hockney, doubling_loggp, doubling_plogp}},
    {"allgather/ring", {ring_hockney, ring_loggp, ring_plogp}},
    {"allgather/neighbor_exchange", {neighbor_hockney, neighbor_loggp, neighbor_plogp}},
    {"alltoall/pairwise", {ring_hockney, ring_loggp, ring_plogp}},
    {"reduce/binomial", {reducing_tree_hockney, NULL, NULL}},
    {"allreduce/recursive_doubling", {reducing_tree_hockney, reducing_tree_loggp, reducing_tree_plogp}},
    {"allreduce/ring", {twice_round_hockney, twice_round_loggp, twice_round_plogp}},
    {"scan/linear", {reducing_ring_hockney, reducing_ring_loggp, reducing_ring_plogp}},
    {"barrier/double_ring", {double_ring_hockney, NULL, double_ring_plogp}},
    {"barrier/recursive_doubling", {tree_hockney, tree_loggp, tree_plogp}},
    {"barrier/dissemination", {tree_hockney, tree_loggp, tree_plogp}},
};

static void compare(struct ct_evaluator *evaluator, const char *spelling, int kind, formula *formula_of,
                    int size, size_t bytes)
{
    struct ct_method method;
    struct ct_error error;
    struct ct_evaluation evaluation;
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, NULL, &method), CT_OK);
    const struct ct_collective_description *about = &ct_collectives[method.algorithm->collective];
    const struct ct_call call = {
        .size = size, .count = about->has_data ? bytes : 0, .unit_bytes = 1, .commutative = true};
    struct terms terms = {.P = size, .lg = log2(size), .m = (double)call.count, .gamma = model.gamma};
    terms.s = fmin(1024, terms.m);
    terms.n = terms.m / fmax(terms.s, 1);
    if (ct_evaluate(evaluator, &method, &call, &model, (enum ct_communication_model)kind, NULL, &error,
                    &evaluation) != CT_OK)
        fail_msg("%s", error.text);
    double expected = formula_of(&terms);
    if (fabs(evaluation.seconds - expected) > 1e-9 * expected)
        fail_msg("%s, %d ranks, %zu bytes, %s: %.12g, by the formula %.12g", spelling, size, bytes,
                 ct_communication_model_names[kind], evaluation.seconds, expected);
}

static void equals_the_formulas(void **state)
{
    (void)state;
    static const size_t sizes[] = {2048, 8192, 65536};
    struct ct_evaluator *evaluator = ct_evaluator_new();
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++)
        for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
            for (int size = 2; subjects[i].formulas[kind] && size <= 64; size *= 2)
                for (size_t b = 0; b < sizeof sizes / sizeof sizes[0]; b++)
                    compare(evaluator, subjects[i].method, kind, subjects[i].formulas[kind], size, sizes[b]);
    ct_evaluator_free(evaluator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
