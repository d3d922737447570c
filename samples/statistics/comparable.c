/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/comparable.h"
#include "base/memory.h"
#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>

/* A cell's times, by method and launch. */
struct times {
    size_t methods;
    size_t launches;
    uint32_t *names; /* of the launches, rising */
    double *seconds; /* NAN: not measured; 0: too short for the clock */
    double *ratios;  /* by two launches: logarithm of what the first one's times are of the second one's */
    double *weights; /* likewise; 0: they have no method in common */
    double *room;    /* for as many as there are methods, or launches */
};

static int compare_names(const void *a, const void *b)
{
    return CT_COMPARE(*(const uint32_t *)a, *(const uint32_t *)b);
}

static size_t name_launches(const struct ct_evidence *methods, size_t method_count, int64_t without,
                            uint32_t *names)
{
    size_t all = 0, count = 0;
    for (size_t m = 0; m < method_count; m++)
        for (size_t i = 0; i < methods[m].launch_count; i++)
            if (methods[m].launches[i].launch != without)
                names[all++] = methods[m].launches[i].launch;
    qsort(names, all, sizeof *names, compare_names);
    for (size_t i = 0; i < all; i++)
        if (count == 0 || names[i] != names[count - 1])
            names[count++] = names[i];
    return count;
}

static void free_times(struct times *times)
{
    free(times->names);
    free(times->seconds);
    free(times->ratios);
    free(times->weights);
    free(times->room);
}

/* Returns whether launches have measured all methods. */
static bool take_times(const struct ct_evidence *methods, struct times *times)
{
    size_t missing = times->methods * times->launches;
    for (size_t i = 0; i < times->methods * times->launches; i++)
        times->seconds[i] = NAN;
    for (size_t m = 0; m < times->methods; m++) {
        for (size_t i = 0; i < methods[m].launch_count; i++) {
            const struct ct_launch_median *of_launch = &methods[m].launches[i];
            const uint32_t *name = bsearch(&of_launch->launch, times->names, times->launches,
                                           sizeof *times->names, compare_names);
            if (!name)
                continue;
            times->seconds[m * times->launches + (size_t)(name - times->names)] = of_launch->median;
            missing--;
        }
    }
    return missing == 0;
}

/* Compares two launches. */
static void compare(struct times *times, size_t first, size_t second)
{
    size_t common = 0;
    for (size_t m = 0; m < times->methods; m++) {
        const double *own = &times->seconds[m * times->launches];
        if (own[first] > 0 && own[second] > 0)
            times->room[common++] = log(own[first] / own[second]);
    }
    const double weight = (double)common / (double)(common + 1);
    const size_t at = first * times->launches + second, other = second * times->launches + first;
    times->weights[at] = times->weights[other] = weight;
    times->ratios[at] = common > 0 ? weight * ct_median(times->room, common) : 0;
    times->ratios[other] = -times->ratios[at];
}

/* The time that is expected of a method in a launch; NAN: none is. */
static double expected(const struct times *times, const double *own, size_t launch)
{
    const size_t row = launch * times->launches;
    double sum = 0, weights = 0;
    for (size_t i = 0; i < times->launches; i++)
        if (own[i] > 0) {
            sum += times->weights[row + i] * (log(own[i]) + times->ratios[row + i]);
            weights += times->weights[row + i];
        }
    return weights > 0 ? exp(sum / weights) : NAN;
}

static double median_of(struct times *times, size_t method)
{
    const double *own = &times->seconds[method * times->launches];
    size_t count = 0;
    bool is_measured = false;
    for (size_t i = 0; i < times->launches; i++) {
        is_measured = is_measured || !isnan(own[i]);
        double value = isnan(own[i]) ? expected(times, own, i) : own[i];
        if (!isnan(value))
            times->room[count++] = value;
    }
    return is_measured ? ct_median(times->room, count) : NAN;
}

/* The names of the launches are there. */
static bool make_room(struct times *times)
{
    const size_t launches = times->launches + 1, most = times->methods > launches ? times->methods : launches;
    size_t all, pairs;
    if (!ct_multiply(times->methods, launches, &all) || !ct_multiply(launches, launches, &pairs))
        return false;
    times->seconds = ct_allocate(all, sizeof *times->seconds);
    times->ratios = ct_allocate(pairs, sizeof *times->ratios);
    times->weights = ct_allocate(pairs, sizeof *times->weights);
    times->room = ct_allocate(most, sizeof *times->room);
    return times->seconds && times->ratios && times->weights && times->room;
}

int ct_comparable_medians(const struct ct_evidence *methods, size_t method_count, int64_t without,
                          double *ret_medians)
{
    size_t most = 1;
    for (size_t m = 0; m < method_count; m++)
        most += methods[m].launch_count;
    struct times times = {.methods = method_count, .names = ct_allocate(most, sizeof *times.names)};
    times.launches = times.names ? name_launches(methods, method_count, without, times.names) : 0;
    const bool has_room = times.names && make_room(&times);
    if (has_room) {
        const bool are_all_there = take_times(methods, &times);
        for (size_t i = 0; !are_all_there && i < times.launches; i++)
            for (size_t k = 0; k < i; k++)
                compare(&times, i, k);
        for (size_t m = 0; m < method_count; m++)
            ret_medians[m] = median_of(&times, m);
    }
    free_times(&times);
    return has_room ? CT_OK : CT_E_MEMORY;
}
