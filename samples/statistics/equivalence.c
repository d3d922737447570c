/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/equivalence.h"
#include "base/error.h"
#include "base/memory.h"
#include "samples/statistics/comparison.h"
#include "samples/statistics/holm.h"

#include <math.h>
#include <stdlib.h>

const char *const ct_standing_names[CT_STANDINGS] = {
    [CT_STANDING_UNMEASURED] = "",           [CT_STANDING_BEST] = "best",
    [CT_STANDING_EQUIVALENT] = "equivalent", [CT_STANDING_UNDECIDED] = "undecided",
    [CT_STANDING_WORSE] = "worse",
};

static size_t find_best(const struct ct_evidence *methods, size_t count)
{
    size_t best = SIZE_MAX;
    for (size_t m = 0; m < count; m++)
        if (methods[m].launch_count > 0 && (best == SIZE_MAX || methods[m].estimate < methods[best].estimate))
            best = m;
    return best;
}

static void judge_exactly(const struct ct_evidence *methods, size_t count, size_t best, double margin,
                          enum ct_standing *standings)
{
    for (size_t m = 0; m < count; m++)
        if (methods[m].launch_count > 0)
            standings[m] = m == best ? CT_STANDING_BEST
                           : methods[m].estimate <= (1 + margin) * methods[best].estimate
                               ? CT_STANDING_EQUIVALENT
                               : CT_STANDING_WORSE;
}

/* --- several job launches --- */

static bool has_launches_of(const struct ct_evidence *method, const struct ct_evidence *best)
{
    size_t found = 0;
    for (size_t i = 0; i < method->launch_count && found < best->launch_count; i++)
        found += method->launches[i].launch == best->launches[found].launch;
    return found == best->launch_count;
}

/* The logarithms of its medians in the best one's job launches, all of which it has. */
static void take_logs(const struct ct_evidence *method, const struct ct_evidence *best, double *logs)
{
    size_t found = 0;
    for (size_t i = 0; found < best->launch_count; i++)
        if (method->launches[i].launch == best->launches[found].launch)
            logs[found++] = log(method->launches[i].median);
}

/* Tests the methods that have all job launches of the best one; the p-values of others stay as they are. */
static int test_launches(const struct ct_evidence *methods, size_t count, size_t best, double margin,
                         struct ct_p_values *p_values)
{
    size_t launches = methods[best].launch_count, tested = 0, best_row = 0, room;
    if (!ct_multiply(count, launches, &room))
        return CT_E_MEMORY;
    double *logs = ct_allocate(room, sizeof *logs);
    size_t *rows = ct_allocate(count, sizeof *rows);
    struct ct_p_values *found = ct_allocate(count, sizeof *found);
    int status = logs && rows && found ? CT_OK : CT_E_MEMORY;
    for (size_t m = 0; status == CT_OK && m < count; m++) {
        if (!has_launches_of(&methods[m], &methods[best]))
            continue;
        take_logs(&methods[m], &methods[best], logs + tested * launches);
        best_row = m == best ? tested : best_row;
        rows[tested++] = m;
    }
    if (status == CT_OK && tested > 1)
        status = ct_launch_test(logs, tested, launches, best_row, log1p(margin), found);
    for (size_t i = 0; status == CT_OK && i < tested; i++)
        if (rows[i] != best)
            p_values[rows[i]] = found[i];
    free(logs);
    free(rows);
    free(found);
    return status;
}

/* --- one job launch --- */

static double order_test(const struct ct_evidence *a, const struct ct_evidence *b, double factor)
{
    return ct_order_test(a->samples, a->sample_count, b->samples, b->sample_count, factor);
}

static void test_samples(const struct ct_evidence *methods, size_t count, size_t best, double margin,
                         struct ct_p_values *p_values)
{
    const struct ct_evidence *leader = &methods[best];
    for (size_t m = 0; m < count; m++) {
        const struct ct_evidence *method = &methods[m];
        if (method->launch_count == 1 && method->launches[0].launch == leader->launches[0].launch)
            p_values[m] =
                (struct ct_p_values){.not_slower = order_test(leader, method, 1),
                                     .not_equivalent = fmax(order_test(method, leader, 1 + margin),
                                                            order_test(leader, method, 1 + margin))};
    }
}

/* --- decisions --- */

/* Holm's correction: gives the standing to the methods whose hypothesis is rejected at family-wise level
 * alpha. `methods` are those of the hypotheses. */
static int state(const double *p_values, const size_t *methods, size_t count, double alpha,
                 enum ct_standing standing, enum ct_standing *standings)
{
    bool *rejected = ct_allocate(count + 1, sizeof *rejected);
    int status = rejected ? ct_holm(p_values, count, alpha, rejected) : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < count; i++)
        if (rejected[i])
            standings[methods[i]] = standing;
    free(rejected);
    return status;
}

/* A method that is both slower and equivalent counts as equivalent. */
static int conclude(const struct ct_evidence *methods, const struct ct_p_values *p_values, size_t count,
                    size_t best, enum ct_standing *standings)
{
    double *worse = ct_allocate(count, sizeof *worse), *equivalent = ct_allocate(count, sizeof *equivalent);
    size_t *others = ct_allocate(count, sizeof *others), other_count = 0;
    int status = worse && equivalent && others ? CT_OK : CT_E_MEMORY;
    for (size_t m = 0; status == CT_OK && m < count; m++) {
        if (methods[m].launch_count == 0 || m == best)
            continue;
        standings[m] = CT_STANDING_UNDECIDED;
        worse[other_count] = p_values[m].not_slower;
        equivalent[other_count] = p_values[m].not_equivalent;
        others[other_count++] = m;
    }
    if (status == CT_OK)
        standings[best] = CT_STANDING_BEST;
    const double alpha = CT_ALPHA / (double)(other_count + 1);
    if (status == CT_OK)
        status = state(worse, others, other_count, alpha, CT_STANDING_WORSE, standings);
    if (status == CT_OK)
        status = state(equivalent, others, other_count, alpha, CT_STANDING_EQUIVALENT, standings);
    free(worse);
    free(equivalent);
    free(others);
    return status;
}

int ct_judge(const struct ct_evidence *methods, size_t count, double margin, bool exact,
             enum ct_standing *ret_standings)
{
    size_t best = find_best(methods, count);
    for (size_t m = 0; m < count; m++)
        ret_standings[m] = CT_STANDING_UNMEASURED;
    if (best == SIZE_MAX)
        return CT_OK;
    if (exact) {
        judge_exactly(methods, count, best, margin, ret_standings);
        return CT_OK;
    }
    struct ct_p_values *p_values = ct_allocate(count, sizeof *p_values);
    if (!p_values)
        return CT_E_MEMORY;
    for (size_t m = 0; m < count; m++)
        p_values[m] = (struct ct_p_values){1, 1};
    int status = CT_OK;
    if (methods[best].launch_count > 1)
        status = test_launches(methods, count, best, margin, p_values);
    else
        test_samples(methods, count, best, margin, p_values);
    if (status == CT_OK)
        status = conclude(methods, p_values, count, best, ret_standings);
    free(p_values);
    return status;
}
