/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/bootstrap.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/statistics.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

enum { DRAWS = 2000, SEED = 1 };

struct member {
    size_t group;
    double value;
};

struct group {
    double sum;
    size_t count;
};

static int compare_members(const void *a, const void *b)
{
    const struct member *left = a, *right = b;
    return left->group != right->group ? CT_COMPARE(left->group, right->group)
                                       : CT_COMPARE(left->value, right->value);
}

/* Sums by group, into `groups`; returns how many there are. */
static size_t add_up(struct member *members, size_t count, struct group *groups)
{
    size_t last = 0;
    qsort(members, count, sizeof *members, compare_members);
    for (size_t i = 0; i < count; i++) {
        last += i > 0 && members[i].group != members[i - 1].group;
        groups[last].sum += members[i].value;
        groups[last].count++;
    }
    return count > 0 ? last + 1 : 0;
}

static void draw(const struct group *groups, size_t count, gsl_rng *random, double *means)
{
    for (int i = 0; i < DRAWS; i++) {
        struct group drawn = {0};
        for (size_t k = 0; k < count; k++) {
            const struct group *group = &groups[gsl_rng_uniform_int(random, count)];
            drawn.sum += group->sum;
            drawn.count += group->count;
        }
        means[i] = drawn.sum / (double)drawn.count;
    }
    ct_sort(means, DRAWS);
}

int ct_bootstrap_mean(const double *values, const size_t *groups, size_t count,
                      struct ct_mean_interval *ret_interval)
{
    const double tail = 0.025;
    struct member *members = ct_allocate(count, sizeof *members);
    struct group *sums = ct_allocate(count, sizeof *sums);
    double *means = ct_allocate(DRAWS, sizeof *means);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    int status = members && sums && means && random ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        size_t known = 0;
        for (size_t i = 0; i < count; i++)
            if (!isnan(values[i]))
                members[known++] = (struct member){groups[i], values[i]};
        struct ct_mean_interval interval = {.groups = add_up(members, known, sums)};
        gsl_rng_set(random, SEED);
        if (interval.groups > 1) {
            draw(sums, interval.groups, random, means);
            interval.low = ct_quantile(means, DRAWS, tail);
            interval.high = ct_quantile(means, DRAWS, 1 - tail);
        }
        *ret_interval = interval;
    }
    if (random)
        gsl_rng_free(random);
    free(members);
    free(sums);
    free(means);
    return status;
}
