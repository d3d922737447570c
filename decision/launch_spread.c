/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/launch_spread.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "decision/score.h"

#include <math.h>
#include <stdlib.h>

/* The length of a distribution-free interval of the median, in standard errors. */
static const double interval_errors = 2 * 1.96;

/* What is known before anything is measured twice: so many witnesses, which say so much. With Student's t of
 * four degrees of freedom, 95 % of launches are less than twice as long as another. */
static const double prior_witnesses = 4, prior_launch = M_LN2 / 2.776 / M_SQRT2;

/* The variance of the median of so many samples, for a variance of 1. */
static double variance_of_median(size_t count)
{
    enum { FEW = 2 }; /* their median is their mean */
    return (count <= FEW ? 1 : M_PI_2) / (double)count;
}

/* --- samples --- */

double ct_expected_range(size_t count)
{
    static const double ranges[] = {[2] = 1.128, 1.693, 2.059, 2.326};
    return count < sizeof ranges / sizeof ranges[0] ? ranges[count] : 0;
}

/* Standard deviation of a method's samples within its only launch; NAN: unknown. */
static double deviation_within(const struct ct_statistics *statistics)
{
    const double range = ct_expected_range(statistics->count);
    if (statistics->launches > 1 || statistics->count < 2 || !(statistics->low > 0))
        return NAN;
    const double width = log(statistics->high / statistics->low);
    return range > 0 ? width / range : width / interval_errors / sqrt(variance_of_median(statistics->count));
}

/* Half of the methods have less. Those that vary most have several modes, which few samples do not show. */
static double usual_deviation(const struct ct_map *maps, size_t map_count, bool yields, bool of_native,
                              double *room)
{
    size_t count = 0;
    for (size_t i = 0; i < map_count; i++) {
        const size_t native = ct_score_native(&maps[i]);
        for (size_t c = 0; !maps[i].exact && c < maps[i].cell_count; c++) {
            const struct ct_cell *cell = &maps[i].cells[c];
            for (size_t m = 0; (cell->key.yield > 0) == yields && m < maps[i].method_count; m++) {
                const double deviation =
                    (m == native) == of_native ? deviation_within(&cell->methods[m]) : NAN;
                if (!isnan(deviation))
                    room[count++] = deviation;
            }
        }
    }
    return count > 0 ? ct_median(room, count) : 0;
}

/* --- launches --- */

/* What a sample of launches says. */
struct witness {
    double sum; /* of variances of a launch */
    size_t count;
};

static const struct ct_launch_median *launch_of(const struct ct_cell *cell, size_t method, size_t i)
{
    return &cell->launches[cell->methods[method].first_launch + i];
}

/* The first launch of a method that is not before `launch`; NULL: there is none. */
static const struct ct_launch_median *find_launch(const struct ct_cell *cell, size_t method, uint32_t launch)
{
    for (size_t i = 0; i < cell->methods[method].launches; i++)
        if (launch_of(cell, method, i)->launch == launch)
            return launch_of(cell, method, i);
    return NULL;
}

/* Adds what native and the method say of each two launches in a row that measured both. */
static void add_pairs(const struct ct_launch_spread *spread, const struct ct_cell *cell, size_t native,
                      size_t method, struct witness *witness)
{
    enum { TIMES = 4 }; /* in the difference of two ratios */
    const double *samples = spread->sample[cell->key.yield > 0];
    const struct ct_launch_median *before[2] = {NULL, NULL};
    for (size_t i = 0; i < cell->methods[native].launches; i++) {
        const struct ct_launch_median *const now[2] = {
            launch_of(cell, native, i), find_launch(cell, method, launch_of(cell, native, i)->launch)};
        if (!now[1])
            continue;
        if (before[0]) {
            double difference = log(now[0]->median / now[1]->median * before[1]->median / before[0]->median);
            double own = samples[true] * samples[true] *
                             (variance_of_median(now[0]->count) + variance_of_median(before[0]->count)) +
                         samples[false] * samples[false] *
                             (variance_of_median(now[1]->count) + variance_of_median(before[1]->count));
            witness->sum += fmax(difference * difference - own, 0) / TIMES;
            witness->count++;
        }
        before[0] = now[0];
        before[1] = now[1];
    }
}

static void find_launches(const struct ct_map *maps, size_t map_count, bool yields,
                          struct ct_launch_spread *spread)
{
    double sum = prior_witnesses * prior_launch * prior_launch, witnesses = prior_witnesses;
    for (size_t i = 0; i < map_count; i++) {
        const size_t native = ct_score_native(&maps[i]);
        for (size_t c = 0; !maps[i].exact && native != SIZE_MAX && c < maps[i].cell_count; c++) {
            const struct ct_cell *cell = &maps[i].cells[c];
            struct witness witness = {0, 0};
            if ((cell->key.yield > 0) != yields || !cell->launches)
                continue;
            for (size_t m = 0; m < maps[i].method_count; m++)
                if (m != native)
                    add_pairs(spread, cell, native, m, &witness);
            if (witness.count == 0)
                continue;
            sum += witness.sum / (double)witness.count;
            witnesses++;
        }
    }
    spread->launch[yields] = sqrt(sum / witnesses);
    spread->freedom[yields] = witnesses;
}

/* --- both --- */

int ct_launch_spread_find(const struct ct_map *maps, size_t map_count, struct ct_launch_spread *ret_spread)
{
    struct ct_launch_spread spread;
    size_t most = 0;
    for (size_t i = 0; i < map_count; i++)
        most += maps[i].cell_count * maps[i].method_count;
    double *room = ct_allocate(most + 1, sizeof *room);
    if (!room)
        return CT_E_MEMORY;
    for (int yields = 0; yields < 2; yields++) {
        for (int of_native = 0; of_native < 2; of_native++)
            spread.sample[yields][of_native] = usual_deviation(maps, map_count, yields, of_native, room);
        find_launches(maps, map_count, yields, &spread);
    }
    free(room);
    *ret_spread = spread;
    return CT_OK;
}

double ct_launch_spread_of_launch(const struct ct_launch_spread *spread, const struct ct_map *map,
                                  const struct ct_cell *cell)
{
    const double deviation = spread->launch[cell->key.yield > 0];
    return map->exact ? 0 : deviation * deviation;
}

double ct_launch_spread_of_median(const struct ct_launch_spread *spread, const struct ct_map *map,
                                  const struct ct_cell *cell, size_t method)
{
    const struct ct_statistics *statistics = &cell->methods[method];
    const double launches = fmax((double)statistics->launches, 1);
    double error = spread->sample[cell->key.yield > 0][method == ct_score_native(map)] *
                   sqrt(variance_of_median(statistics->count));
    if (map->exact)
        return 0;
    /* enough samples of one launch have an interval of their own */
    if (launches <= 1 && statistics->low > 0 && !(ct_expected_range(statistics->count) > 0) &&
        statistics->count > 1)
        error = log(statistics->high / statistics->low) / interval_errors;
    return error * error + ct_launch_spread_of_launch(spread, map, cell) / launches;
}
