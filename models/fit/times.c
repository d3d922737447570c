/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/fit/times.h"
#include "base/memory.h"
#include "base/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The largest ratio between partners of one kind of link; sockets and switches make less of a difference. */
static const double most_apart = 5;

static const double least_error = 0.0025;

/* Half the width of a 95 % interval in standard errors. */
static const double deviations_of_interval = 1.96;

static int compare(const void *a, const void *b)
{
    const struct ct_point_sample *left = a, *right = b;
    int by_bytes = CT_COMPARE(left->bytes, right->bytes);
    return by_bytes ? by_bytes : CT_COMPARE(left->seconds, right->seconds);
}

static int compare_partners(const void *a, const void *b)
{
    const struct ct_point_sample *left = a, *right = b;
    bool differ = left->bytes == right->bytes && left->partner != right->partner;
    return differ ? CT_COMPARE(left->partner, right->partner) : compare(a, b);
}

static double median_of(const struct ct_point_sample *sorted, size_t count)
{
    return (sorted[(count - 1) / 2].seconds + sorted[count / 2].seconds) / 2;
}

/* A partner at one size. */
struct standing {
    uint32_t partner;
    double ratio; /* its median over that of the fastest */
};

static int compare_standings(const void *a, const void *b)
{
    const struct standing *left = a, *right = b;
    int by_partner = CT_COMPARE(left->partner, right->partner);
    return by_partner ? by_partner : CT_COMPARE(left->ratio, right->ratio);
}

/* Writes one standing for each partner and size of `chosen`, which is sorted by size, partner and time;
 * returns their number. */
static size_t find_standings(const struct ct_point_sample *chosen, size_t count, struct standing *standings)
{
    size_t made = 0;
    for (size_t i = 0; i < count;) {
        size_t bytes = chosen[i].bytes, first = made;
        double fastest = INFINITY;
        while (i < count && chosen[i].bytes == bytes) {
            size_t end = i;
            while (end < count && chosen[end].bytes == bytes && chosen[end].partner == chosen[i].partner)
                end++;
            standings[made] = (struct standing){chosen[i].partner, median_of(&chosen[i], end - i)};
            fastest = fmin(fastest, standings[made++].ratio);
            i = end;
        }
        for (size_t k = first; k < made; k++)
            standings[k].ratio /= fastest;
    }
    return made;
}

/* The partner with the largest median of its ratios at all sizes. */
static struct standing find_slowest(struct standing *standings, size_t count)
{
    struct standing slowest = {0};
    qsort(standings, count, sizeof *standings, compare_standings);
    for (size_t i = 0, end; i < count; i = end) {
        end = i;
        while (end < count && standings[end].partner == standings[i].partner)
            end++;
        const struct standing *middle = &standings[i + (end - i - 1) / 2];
        slowest = middle->ratio > slowest.ratio ? *middle : slowest;
    }
    return slowest;
}

static int check_partners(const struct ct_point_samples *samples, struct ct_point_sample *chosen,
                          size_t count, struct ct_error *error)
{
    struct standing *standings = ct_allocate(count, sizeof *standings);
    if (!standings)
        return ct_fail(error, CT_E_MEMORY, "%s: out of memory", samples->name);
    qsort(chosen, count, sizeof *chosen, compare_partners);
    struct standing slowest = find_slowest(standings, find_standings(chosen, count, standings));
    free(standings);
    if (slowest.ratio <= most_apart)
        return CT_OK;
    return ct_fail(
        error, CT_E_INPUT,
        "%s: round trips of the link %s: partner %u takes %.0f times as long as the fastest; expected "
        "partners within %.0f times: measure without the slow one",
        samples->name, samples->subjects[chosen->subject], slowest.partner, slowest.ratio, most_apart);
}

/* Takes samples that are sorted by size and time. */
static int fill(const struct ct_point_samples *samples, const struct ct_point_sample *sorted, size_t count,
                double scale, struct ct_error *error, struct ct_times *times)
{
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || sorted[i].bytes != sorted[i - 1].bytes) {
            if (times->count == CT_SIZES_MAX)
                return ct_fail(error, CT_E_INPUT, "%s: %s at more than %d sizes: expected fewer",
                               samples->name, ct_point_kind_names[sorted->kind], CT_SIZES_MAX);
            times->at[times->count++] = (struct ct_times_at){.bytes = (double)sorted[i].bytes, .first = i};
        }
        times->at[times->count - 1].count++;
        times->seconds[i] = scale * sorted[i].seconds;
    }
    times->sample_count = count;
    return CT_OK;
}

int ct_times_gather(const struct ct_point_samples *samples, enum ct_point_kind kind, size_t subject,
                    double scale, struct ct_error *error, struct ct_times *ret_times)
{
    struct ct_times times = {0};
    size_t count = 0;
    int status = CT_OK;
    struct ct_point_sample *chosen = ct_allocate(samples->sample_count, sizeof *chosen);
    times.at = ct_allocate(CT_SIZES_MAX, sizeof *times.at);
    times.seconds = ct_allocate(samples->sample_count, sizeof *times.seconds);
    if (!chosen || !times.at || !times.seconds) {
        status = ct_fail(error, CT_E_MEMORY, "%s: out of memory", samples->name);
        goto done;
    }
    for (size_t i = 0; i < samples->sample_count; i++)
        if (samples->samples[i].kind == kind && samples->samples[i].subject == subject)
            chosen[count++] = samples->samples[i];
    if (count > 0 && kind == CT_POINT_ROUND_TRIP)
        status = check_partners(samples, chosen, count, error);
    if (status != CT_OK)
        goto done;
    qsort(chosen, count, sizeof *chosen, compare);
    status = fill(samples, chosen, count, scale, error, &times);
    if (status == CT_OK) {
        *ret_times = times;
        times = (struct ct_times){0};
    }
done:
    free(chosen);
    ct_times_free(&times);
    return status;
}

void ct_times_free(struct ct_times *times)
{
    free(times->at);
    free(times->seconds);
    *times = (struct ct_times){0};
}

void ct_times_medians(const struct ct_times *times, struct ct_fit_point points[CT_SIZES_MAX])
{
    double errors[CT_SIZES_MAX];
    for (size_t i = 0; i < times->count; i++) {
        const double *seconds = times->seconds + times->at[i].first;
        size_t count = times->at[i].count, low, high;
        ct_median_interval(count, &low, &high);
        double median = ct_quantile(seconds, count, 0.5);
        double half = (seconds[high] - seconds[low]) / 2;
        points[i] = (struct ct_fit_point){times->at[i].bytes, median, half / deviations_of_interval / median};
        errors[i] = points[i].error;
    }
    if (times->count == 0)
        return;
    double usual = fmax(ct_median(errors, times->count), least_error);
    for (size_t i = 0; i < times->count; i++)
        points[i].error = fmax(points[i].error, usual);
}

void ct_times_resample(const struct ct_times *times, gsl_rng *random, double *scratch,
                       struct ct_fit_point points[CT_SIZES_MAX])
{
    for (size_t i = 0; i < times->count; i++) {
        const double *seconds = times->seconds + times->at[i].first;
        size_t count = times->at[i].count;
        for (size_t k = 0; k < count; k++)
            scratch[k] = seconds[gsl_rng_uniform_int(random, count)];
        points[i].seconds = ct_median(scratch, count);
    }
}

size_t ct_times_most(const struct ct_times *times)
{
    size_t most = 0;
    for (size_t i = 0; i < times->count; i++)
        most = times->at[i].count > most ? times->at[i].count : most;
    return most;
}
