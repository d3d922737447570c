/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/predicted_map.h"
#include "base/memory.h"
#include "base/statistics.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

void ct_predicted_map_free(struct ct_predicted_map *predicted)
{
    free(predicted->seconds);
    *predicted = (struct ct_predicted_map){0};
}

int ct_predicted_map_make(const struct ct_map *map, struct ct_predicted_times *times,
                          enum ct_communication_model kind, struct ct_error *error,
                          struct ct_predicted_map *ret_predicted)
{
    struct ct_predicted_map predicted = {.kind = kind, .map = map};
    size_t room;
    if (!ct_multiply(map->cell_count, map->method_count, &room))
        return CT_E_MEMORY;
    predicted.seconds = ct_allocate(room + 1, sizeof *predicted.seconds);
    int status = predicted.seconds ? CT_OK : CT_E_MEMORY;
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++) {
        const char *pattern = ct_map_pattern(map, &map->cells[c].key);
        ct_predicted_times_set_pattern(times, pattern[0] ? pattern : NULL);
        for (size_t m = 0; status == CT_OK && m < map->method_count; m++) {
            double *seconds = &predicted.seconds[c * map->method_count + m];
            *seconds = NAN;
            if (map->cells[c].methods[m].count > 0)
                status = ct_predicted_times_at(times, &map->methods[m], map->cells[c].key.comm_size,
                                               map->cells[c].key.msg_bytes, error, seconds);
        }
    }
    if (status == CT_OK)
        *ret_predicted = predicted;
    else
        ct_predicted_map_free(&predicted);
    return status;
}

double ct_predicted_map_at(const struct ct_predicted_map *predicted, const struct ct_cell_key *key,
                           size_t method)
{
    const struct ct_map *map = predicted->map;
    const struct ct_cell *cell = ct_map_find_key(map, key);
    return cell ? predicted->seconds[(size_t)(cell - map->cells) * map->method_count + method] : NAN;
}

/* Puts the errors of one method behind one another; returns how many there are. */
static size_t take_errors(const struct ct_predicted_map *predicted, size_t method, double *errors)
{
    const struct ct_map *map = predicted->map;
    size_t count = 0;
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_statistics *measured = &map->cells[c].methods[method];
        const double seconds = predicted->seconds[c * map->method_count + method];
        if (measured->count > 0 && !measured->predicted && !isnan(seconds))
            errors[count++] = fabs(seconds / measured->median - 1);
    }
    return count;
}

/* Sorts the errors. */
static struct ct_prediction_errors summarize(size_t method, double *errors, size_t count)
{
    ct_sort(errors, count);
    return (struct ct_prediction_errors){.method = method,
                                         .cells = count,
                                         .median = ct_quantile(errors, count, 0.5),
                                         .percentile95 = ct_quantile(errors, count, 0.95),
                                         .most = count > 0 ? errors[count - 1] : NAN};
}

int ct_prediction_errors_find(const struct ct_predicted_map *predicted,
                              struct ct_prediction_errors **ret_errors, size_t *ret_count)
{
    const struct ct_map *map = predicted->map;
    struct ct_prediction_errors *found = ct_allocate(map->method_count + 1, sizeof *found);
    double *errors = ct_allocate(map->cell_count * map->method_count + 1, sizeof *errors);
    size_t count = 1, all = 0;
    if (!found || !errors) {
        free(found);
        free(errors);
        return CT_E_MEMORY;
    }
    for (size_t m = 0; m < map->method_count; m++) {
        const size_t own = take_errors(predicted, m, errors + all);
        if (own > 0)
            found[count++] = summarize(m, errors + all, own);
        all += own;
    }
    found[0] = summarize(SIZE_MAX, errors, all);
    free(errors);
    *ret_errors = found;
    *ret_count = all > 0 ? count : 0;
    return CT_OK;
}
