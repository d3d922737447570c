/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/change_test.h"
#include "base/error.h"
#include "base/memory.h"
#include "samples/statistics/comparison.h"
#include "samples/statistics/moderation.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct group {
    const struct ct_change_pair *pairs;
    size_t count;
    double *variances; /* by pair: between the job launches of a run, from both */
    double *freedoms;  /* by pair: of that */
    double *scratch;   /* as many as there are pairs */
    double most;       /* degrees of freedom that the whole group has at most */
};

static double squares(const double *logs, size_t count)
{
    double mean = gsl_stats_mean(logs, 1, count), sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (logs[i] - mean) * (logs[i] - mean);
    return sum;
}

static void take_variances(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct ct_change_pair *pair = &group->pairs[i];
        double sum = squares(pair->before, pair->before_count) + squares(pair->after, pair->after_count);
        group->freedoms[i] = (double)(pair->before_count + pair->after_count - 2);
        group->variances[i] = group->freedoms[i] > 0 ? sum / group->freedoms[i] : 0;
    }
}

/* The mean over pairs of what the job launch at that place does to each; false where no pair has so many. */
static bool find_effect(const struct group *group, bool after, size_t place, double *ret_effect)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct ct_change_pair *pair = &group->pairs[i];
        const double *logs = after ? pair->after : pair->before;
        size_t launches = after ? pair->after_count : pair->before_count;
        if (place >= launches || launches < 2)
            continue;
        sum += logs[place] - gsl_stats_mean(logs, 1, launches);
        known++;
    }
    if (known > 0)
        *ret_effect = sum / (double)known;
    return known > 0;
}

/* The squares of these means, added over the job launches of both runs. */
static double common_squares(const struct group *group)
{
    double sum = 0, effect;
    for (int after = 0; after < 2; after++)
        for (size_t place = 0; find_effect(group, after, place, &effect); place++)
            sum += effect * effect;
    return sum;
}

static void limit_freedom(struct group *group)
{
    const double error_of_bound = 0.25;
    double variances = 0, freedoms = 0;
    size_t known = 0;
    for (size_t i = 0; i < group->count; i++) {
        variances += group->variances[i];
        freedoms += group->freedoms[i];
        known += group->freedoms[i] > 0;
    }
    if (known == 0)
        return;
    double own = freedoms / (double)known, mean = variances / (double)known;
    double common = common_squares(group) / gsl_cdf_chisq_Pinv(error_of_bound, own);
    double effect = common > 0 ? mean / common : (double)known;
    group->most = own * fmax(1, fmin(effect, (double)known));
}

static struct ct_change_p_values test_pair(const struct group *group, const struct ct_prior *prior,
                                           size_t index, double margin)
{
    const struct ct_change_pair *pair = &group->pairs[index];
    double freedom = fmin(group->most, prior->freedom + group->freedoms[index]);
    if (!(freedom > 0))
        return (struct ct_change_p_values){1, 1, 1};
    double variance = ct_prior_moderate(prior, group->variances[index], group->freedoms[index]);
    double error = sqrt(variance * (1 / (double)pair->before_count + 1 / (double)pair->after_count));
    double slower = gsl_stats_mean(pair->after, 1, pair->after_count) -
                    gsl_stats_mean(pair->before, 1, pair->before_count);
    return (struct ct_change_p_values){.not_slower = ct_upper_tail(slower, error, freedom),
                                       .not_faster = ct_upper_tail(-slower, error, freedom),
                                       .not_equivalent =
                                           fmax(ct_upper_tail(margin - slower, error, freedom),
                                                ct_upper_tail(margin + slower, error, freedom))};
}

int ct_change_test(const struct ct_change_pair *pairs, size_t count, double margin,
                   struct ct_change_p_values *ret_p_values)
{
    struct group group = {.pairs = pairs, .count = count};
    group.variances = ct_allocate(count + 1, sizeof *group.variances);
    group.freedoms = ct_allocate(count + 1, sizeof *group.freedoms);
    group.scratch = ct_allocate(count + 1, sizeof *group.scratch);
    int status = group.variances && group.freedoms && group.scratch ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        take_variances(&group);
        limit_freedom(&group);
        struct ct_prior prior = ct_prior_find(group.variances, group.freedoms, count, group.scratch);
        for (size_t i = 0; i < count; i++)
            ret_p_values[i] = test_pair(&group, &prior, i, margin);
    }
    free(group.variances);
    free(group.freedoms);
    free(group.scratch);
    return status;
}

struct ct_change_p_values ct_change_order_test(const double *before, size_t before_count, const double *after,
                                               size_t after_count, double margin)
{
    const double factor = exp(margin);
    return (struct ct_change_p_values){
        .not_slower = ct_order_test(before, before_count, after, after_count, 1),
        .not_faster = ct_order_test(after, after_count, before, before_count, 1),
        .not_equivalent = fmax(ct_order_test(after, after_count, before, before_count, factor),
                               ct_order_test(before, before_count, after, after_count, factor))};
}
