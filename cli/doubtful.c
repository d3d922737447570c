/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/doubtful.h"
#include "base/memory.h"

#include <math.h>

enum { TIMES_MOST = 3 };

static const double much = 1.5;

/* How often the point's cell was measured: in the usual launches, and again, in those behind them. */
static void count_times(const struct ct_run *run, const struct ct_validation_point *point, size_t *ret_usual,
                        size_t *ret_again)
{
    *ret_usual = *ret_again = 0;
    for (size_t i = 0; i < run->cell_count; i++) {
        const struct ct_run_cell *cell = &run->cells[i];
        if (cell->collective != point->collective || cell->key.comm_size != point->key.comm_size ||
            cell->key.msg_bytes != point->key.msg_bytes || cell->key.pattern != point->key.pattern ||
            cell->key.root != point->key.root)
            continue;
        if (cell->launch < run->description.launches)
            ++*ret_usual;
        else
            *ret_again += !ct_run_is_validation(&run->description, cell->launch);
    }
}

static bool are_alike(const struct ct_validation_point *a, const struct ct_validation_point *b)
{
    return a->collective == b->collective && a->key.pattern == b->key.pattern && a->key.root == b->key.root;
}

static bool lags(const struct ct_validation_point *point, const struct ct_validation_point *neighbor)
{
    return neighbor && neighbor->low > much && point->high < sqrt(neighbor->low);
}

/* The point at the same message size on the nearest number of ranks, among `count` points from `point` on, in
 * the direction of `step`. NULL if there is none on the same side of `cpus`. */
static const struct ct_validation_point *on_other_ranks(const struct ct_validation_point *point, size_t count,
                                                        int step, size_t cpus)
{
    for (const struct ct_validation_point *other = point + step; count > 0; other += step, count--)
        if (!are_alike(other, point))
            return NULL;
        else if (other->key.comm_size != point->key.comm_size && other->key.msg_bytes == point->key.msg_bytes)
            return (other->key.comm_size > cpus) == (point->key.comm_size > cpus) ? other : NULL;
    return NULL;
}

/* The next point in the direction of `step`, if it is on as many ranks. */
static const struct ct_validation_point *of_other_size(const struct ct_validation_point *point, size_t count,
                                                       int step)
{
    const struct ct_validation_point *other = point + step;
    return count > 0 && are_alike(other, point) && other->key.comm_size == point->key.comm_size ? other
                                                                                                : NULL;
}

static bool lags_behind_any(const struct ct_validation *validation, size_t i, size_t cpus)
{
    const struct ct_validation_point *point = &validation->points[i];
    const size_t after = validation->count - 1 - i;
    return lags(point, of_other_size(point, i, -1)) || lags(point, of_other_size(point, after, 1)) ||
           lags(point, on_other_ranks(point, i, -1, cpus)) ||
           lags(point, on_other_ranks(point, after, 1, cpus));
}

int ct_doubtful_find(const struct ct_validation *validation, const struct ct_run *run, size_t cpus,
                     bool exact, struct ct_sweep_point **ret_points, size_t *ret_again)
{
    struct ct_sweep_point *points = ct_allocate(validation->count + 1, sizeof *points);
    size_t again = 0;
    if (!points)
        return CT_E_MEMORY;
    for (size_t i = 0; i < validation->count; i++) {
        const struct ct_validation_point *point = &validation->points[i];
        size_t usual, times;
        count_times(run, point, &usual, &times);
        bool slower = ct_validation_is_slower(point) && times < (exact ? 1 : TIMES_MOST);
        points[i] = (struct ct_sweep_point){
            .collective = point->collective,
            .key = point->key,
            .method = point->method,
            .tuned = point->tuned,
            .native = point->native,
            .tuned_overlap = point->tuned_overlap,
            .native_overlap = point->native_overlap,
            .again = slower || (times == 0 && !(exact && usual > 0) && lags_behind_any(validation, i, cpus)),
        };
        again += points[i].again;
    }
    *ret_points = points;
    *ret_again = again;
    return CT_OK;
}
