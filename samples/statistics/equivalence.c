/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/equivalence.h"
#include "base/error.h"
#include "base/memory.h"
#include "samples/statistics/launch_comparison.h"
#include "samples/statistics/order_comparison.h"

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

/* --- several launches --- */

static bool has_launches_of(const struct ct_evidence *method, const struct ct_evidence *best)
{
    size_t found = 0;
    for (size_t i = 0; i < method->launch_count && found < best->launch_count; i++)
        found += method->launches[i].launch == best->launches[found].launch;
    return found == best->launch_count;
}

/* The logarithms of its medians in the best one's launches, all of which it has. */
static void take_logs(const struct ct_evidence *method, const struct ct_evidence *best, double *logs)
{
    size_t found = 0;
    for (size_t i = 0; found < best->launch_count; i++)
        if (method->launches[i].launch == best->launches[found].launch)
            logs[found++] = log(method->launches[i].median);
}

/* Tests what has all launches of the best; the others' doubts are left as they are. */
static int doubt_launches(const struct ct_evidence *methods, size_t count, size_t best, double margin,
                          struct ct_doubt *doubts)
{
    size_t launches = methods[best].launch_count, tested = 0, best_row = 0, room;
    if (!ct_multiply(count, launches, &room))
        return CT_E_MEMORY;
    double *logs = ct_allocate(room, sizeof *logs);
    size_t *rows = ct_allocate(count, sizeof *rows);
    struct ct_doubt *found = ct_allocate(count, sizeof *found);
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
            doubts[rows[i]] = found[i];
    free(logs);
    free(rows);
    free(found);
    return status;
}

/* --- one launch --- */

static double order_test(const struct ct_evidence *a, const struct ct_evidence *b, double factor)
{
    return ct_order_test(a->samples, a->sample_count, b->samples, b->sample_count, factor);
}

static void doubt_samples(const struct ct_evidence *methods, size_t count, size_t best, double margin,
                          struct ct_doubt *doubts)
{
    const struct ct_evidence *leader = &methods[best];
    for (size_t m = 0; m < count; m++) {
        const struct ct_evidence *method = &methods[m];
        if (method->launch_count == 1 && method->launches[0].launch == leader->launches[0].launch)
            doubts[m] = (struct ct_doubt){.not_slower = order_test(leader, method, 1),
                                          .not_equivalent = fmax(order_test(method, leader, 1 + margin),
                                                                 order_test(leader, method, 1 + margin))};
    }
}

/* --- statements --- */

struct statement {
    size_t method;
    double chance; /* p-value */
};

static int compare_statements(const void *a, const void *b)
{
    const struct statement *left = a, *right = b;
    return (left->chance > right->chance) - (left->chance < right->chance);
}

/* Holm's: gives the standing to the methods whose statement holds at the level, all statements together. */
static void state(struct statement *statements, size_t count, double level, enum ct_standing standing,
                  enum ct_standing *standings)
{
    qsort(statements, count, sizeof *statements, compare_statements);
    for (size_t i = 0; i < count && statements[i].chance <= level / (double)(count - i); i++)
        standings[statements[i].method] = standing;
}

/* Who is equivalent and worse is equivalent. */
static int draw_conclusions(const struct ct_evidence *methods, const struct ct_doubt *doubts, size_t count,
                            size_t best, enum ct_standing *standings)
{
    struct statement *worse = ct_allocate(count, sizeof *worse);
    struct statement *equivalent = ct_allocate(count, sizeof *equivalent);
    size_t others = 0;
    if (!worse || !equivalent) {
        free(worse);
        free(equivalent);
        return CT_E_MEMORY;
    }
    for (size_t m = 0; m < count; m++) {
        if (methods[m].launch_count == 0 || m == best)
            continue;
        standings[m] = CT_STANDING_UNDECIDED;
        worse[others] = (struct statement){m, doubts[m].not_slower};
        equivalent[others++] = (struct statement){m, doubts[m].not_equivalent};
    }
    standings[best] = CT_STANDING_BEST;
    double level = CT_SURE_ENOUGH / (double)(others + 1);
    state(worse, others, level, CT_STANDING_WORSE, standings);
    state(equivalent, others, level, CT_STANDING_EQUIVALENT, standings);
    free(worse);
    free(equivalent);
    return CT_OK;
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
    struct ct_doubt *doubts = ct_allocate(count, sizeof *doubts);
    if (!doubts)
        return CT_E_MEMORY;
    for (size_t m = 0; m < count; m++)
        doubts[m] = (struct ct_doubt){1, 1};
    int status = CT_OK;
    if (methods[best].launch_count > 1)
        status = doubt_launches(methods, count, best, margin, doubts);
    else
        doubt_samples(methods, count, best, margin, doubts);
    if (status == CT_OK)
        status = draw_conclusions(methods, doubts, count, best, ret_standings);
    free(doubts);
    return status;
}
