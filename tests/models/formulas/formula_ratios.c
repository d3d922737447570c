/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/models/formulas/formula_ratios.h"
#include "tests/models/formulas/machines.h"

#include <math.h>

/* Bytes of a block; a whole message has P of them, so that it can be cut into P, and into the powers of two
 * below P, without a rest. */
static const size_t blocks[] = {64, 1024, 65536};
/* So many segments of what is cut. */
static const size_t segments[] = {1, 2, 8};
enum { BLOCKS = sizeof blocks / sizeof blocks[0], SEGMENTS = sizeof segments / sizeof segments[0] };

static const int powers_of_two[] = {2, 4, 8, 16, 32, 0}, others[] = {3, 5, 6, 7, 12, 24, 31, 0};
const int *const ratio_ranks[RATIO_GROUPS] = {powers_of_two, others};
const int ratio_full_trees[] = {3, 7, 15, 31, 0};

/* The published ones, then random ones. */
enum { MACHINES = PUBLISHED_MACHINES + 3 };

/* o <= g <= L + o, and o_s(m) + o_r(m) + delta m <= g(m). */
static void keep_what_is_presupposed(struct machine *machine)
{
    struct ct_loggp *loggp = &machine->link.loggp;
    const size_t points = machine->link.plogp.gap.count;
    loggp->gap = fmin(fmax(loggp->gap, loggp->overhead), loggp->latency + loggp->overhead);
    for (size_t i = 0; i < points; i++)
        machine->delta = fmin(machine->delta, machine->gap[i].seconds / fmax(machine->gap[i].bytes, 1) / 2);
    for (size_t i = 0; i < points; i++) {
        double both = machine->sending[i].seconds + machine->receiving[i].seconds;
        double share = fmin(1, (machine->gap[i].seconds - machine->delta * machine->gap[i].bytes) / both);
        machine->sending[i].seconds *= share;
        machine->receiving[i].seconds *= share;
    }
}

static void make_machine(int which, unsigned changes, struct machine *ret_machine)
{
    if (which < PUBLISHED_MACHINES) {
        published_machine(which, ret_machine);
    } else {
        gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
        gsl_rng_set(random, (unsigned long)which);
        random_machine(random, ret_machine);
        gsl_rng_free(random);
    }
    keep_what_is_presupposed(ret_machine);
    if (changes & RATIO_WITHOUT_GAMMA)
        ret_machine->gamma = 0;
    if (changes & RATIO_WITHOUT_DELTA)
        ret_machine->delta = 0;
    if (changes & RATIO_GAP_IS_OVERHEAD)
        ret_machine->link.loggp.gap = ret_machine->link.loggp.overhead;
}

struct trial {
    const struct ratio_subject *subject;
    const struct machine *machine;
    struct ct_evaluator *evaluator;
    struct ct_method method;
};

static int compare(const struct trial *trial, int size, size_t bytes, struct ct_error *error,
                   struct formula_ratios *ratios)
{
    const struct machine *machine = trial->machine;
    const struct ct_model model = {
        .links = {machine->link}, .gamma = machine->gamma, .delta = machine->delta};
    const struct ct_call call = {.size = size, .count = bytes, .unit_bytes = 1, .commutative = true};
    struct ct_evaluation evaluation;
    if (!ct_method_applies(&trial->method, &call, NULL))
        return CT_OK;
    int status = ct_evaluate(trial->evaluator, &trial->method, &call, &model, trial->subject->model, NULL,
                             error, &evaluation);
    if (status != CT_OK)
        return status;
    const struct ct_formula_call same =
        call_on(machine, size, (double)bytes, ct_formula_segment(&trial->method));
    const struct ct_formula_terms x =
        ct_formula_terms_of(trial->subject->formula, trial->subject->model, &same);
    double ratio = trial->subject->seconds(&x) / evaluation.seconds;
    ratios->least = fmin(ratios->least, ratio);
    ratios->most = fmax(ratios->most, ratio);
    ratios->calls++;
    return CT_OK;
}

/* The method's parameter in bytes; NULL where it cuts nothing. */
static size_t *segment_of(struct ct_method *method)
{
    for (int i = 0; i < ct_parameter_count(method->algorithm->descriptor); i++)
        if (method->algorithm->descriptor->parameters[i]->in_bytes)
            return &method->values[i];
    return NULL;
}

static bool is_of_blocks(enum ct_collective collective)
{
    return collective == CT_COLLECTIVE_SCATTER || collective == CT_COLLECTIVE_GATHER ||
           collective == CT_COLLECTIVE_ALLGATHER || collective == CT_COLLECTIVE_ALLTOALL ||
           collective == CT_COLLECTIVE_REDUCE_SCATTER;
}

/* A first segment off the beginning is never the whole. */
static int compare_segments(struct trial *trial, int size, size_t bytes, struct ct_error *error,
                            struct formula_ratios *ratios)
{
    const struct ct_formula *formula = trial->subject->formula;
    size_t *segment = segment_of(&trial->method);
    if (!segment)
        return compare(trial, size, bytes, error, ratios);
    int status = CT_OK;
    int last = trial->subject->whole ? 1 : SEGMENTS;
    for (int s = formula->cut == CT_CUT_FIRST; status == CT_OK && s < last; s++) {
        *segment = (size_t)ct_formula_part(formula, size, (double)bytes) / segments[s];
        status = compare(trial, size, bytes, error, ratios);
    }
    return status;
}

static int compare_messages(struct trial *trial, int size, struct ct_error *error,
                            struct formula_ratios *ratios)
{
    enum ct_collective collective = ct_formula_collective(trial->subject->formula);
    if (!ct_collectives[collective].has_data)
        return compare(trial, size, 0, error, ratios);
    int status = CT_OK;
    for (int b = 0; status == CT_OK && b < BLOCKS; b++)
        status = compare_segments(
            trial, size, is_of_blocks(collective) ? blocks[b] : blocks[b] * (size_t)size, error, ratios);
    return status;
}

static int compare_machines(struct trial *trial, const int *ranks, struct ct_error *error,
                            struct formula_ratios *ratios)
{
    int status = CT_OK;
    for (int which = 0; status == CT_OK && which < MACHINES; which++) {
        struct machine machine;
        make_machine(which, trial->subject->changes, &machine);
        trial->machine = &machine;
        for (const int *size = ranks; status == CT_OK && *size; size++)
            status = compare_messages(trial, *size, error, ratios);
    }
    return status;
}

int formula_ratios(const struct ratio_subject *subject, const int *ranks, struct ct_error *error,
                   struct formula_ratios *ret_ratios)
{
    struct trial trial = {.subject = subject};
    struct formula_ratios ratios = {.least = INFINITY};
    int status = ct_method_parse(subject->formula->algorithm, ct_formula_collective(subject->formula), error,
                                 &trial.method);
    if (status != CT_OK)
        return status;
    trial.evaluator = ct_evaluator_new();
    status = trial.evaluator ? compare_machines(&trial, ranks, error, &ratios) : CT_E_MEMORY;
    ct_evaluator_free(trial.evaluator);
    if (status == CT_OK)
        *ret_ratios = ratios;
    return status;
}

const char *class_of_ratios(const struct formula_ratios *ratios)
{
    bool never_below = ratios->least >= 1 - 1e-9, never_above = ratios->most <= 1 + 1e-9;
    if (never_below)
        return never_above ? "equal" : "upper bound";
    return never_above ? "lower bound" : "inconsistent";
}
