/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/expected_times.h"
#include "base/memory.h"
#include "learners/place.h"

#include <math.h>
#include <stdlib.h>

/* How much interpolated times count. A line between two sizes and a Gaussian process are wrong in different
 * calls, so that their mean is less wrong than either. A half gains hardly more than a third
 * (studies/learners/learners-compared.md). */
static const double interpolated_share = 1.0 / 3;

void ct_expected_times_free(struct ct_expected_times *times)
{
    ct_surrogate_free(times->surrogate);
    ct_between_free(&times->between);
    free(times->seconds);
    *times = (struct ct_expected_times){0};
}

/* Plans know the steps between sizes, which lines would blur. Computed times have no noise for a mean to
 * reduce: there it lost slightly more. Surfaces have no axis for ranks that lie on nodes in several ways. */
static bool is_averaged(const struct ct_map *map, const struct ct_surrogate *surrogate)
{
    return !map->exact && !ct_surrogate_follows_plans(surrogate) && !ct_map_has_layouts(map);
}

int ct_expected_times_make(const struct ct_map *map, const struct ct_feature_columns *columns,
                           const bool *allowed, const struct ct_surrogate_options *options,
                           struct ct_error *error, struct ct_expected_times *ret_times)
{
    struct ct_expected_times times = {.seconds = ct_allocate(map->method_count, sizeof *times.seconds)};
    int status = times.seconds ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_surrogate_new(map, allowed, options, error, &times.surrogate);
    if (status == CT_OK && columns && is_averaged(map, times.surrogate))
        status = ct_between_make(map, columns, NULL, error, &times.between);
    if (status == CT_OK)
        *ret_times = times;
    else
        ct_expected_times_free(&times);
    return status;
}

int ct_expected_times_at(struct ct_expected_times *times, const struct ct_cell_key *key, double *ret_means,
                         double *ret_deviations)
{
    const struct ct_features call = ct_key_features(key);
    int status = ct_surrogate_at(times->surrogate, key, ret_means, ret_deviations);
    if (status == CT_OK && times->between.count > 0)
        status = ct_between_times(&times->between, &call, NULL, times->seconds);
    if (status != CT_OK || times->between.count == 0)
        return status;
    for (size_t m = 0; m < times->between.kinds[0].times.methods; m++)
        if (!isnan(times->seconds[m])) /* a mean of NAN stays NAN */
            ret_means[m] += interpolated_share * (log(times->seconds[m]) - ret_means[m]);
    return CT_OK;
}
