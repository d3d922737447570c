/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/earlier_points.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

struct ordered {
    struct ct_validation_point point;
    double turn; /* the place in the file of points that fit the CPUs; between 0 and 2 of the others */
    bool oversubscribed;
};

static int compare_ordered(const void *a, const void *b)
{
    const struct ordered *left = a, *right = b;
    const int order = CT_COMPARE(left->oversubscribed, right->oversubscribed);
    return order != 0 ? order : CT_COMPARE(left->turn, right->turn);
}

int ct_earlier_points_order(struct ct_validation *earlier, size_t cpus)
{
    const double golden = 0.6180339887498949; /* multiples of it fill the unit interval evenly */
    struct ordered *ordered = ct_allocate(earlier->count + 1, sizeof *ordered);
    if (!ordered)
        return CT_E_MEMORY;
    for (size_t i = 0; i < earlier->count; i++) {
        const struct ct_validation_point *point = &earlier->points[i];
        const double place = (double)i, turn = golden * place - floor(golden * place);
        const bool oversubscribed = point->key.comm_size > cpus;
        ordered[i] = (struct ordered){
            .point = *point,
            .turn = !oversubscribed ? place : turn + (ct_validation_is_slower(point) ? 0 : 1),
            .oversubscribed = oversubscribed,
        };
    }
    qsort(ordered, earlier->count, sizeof *ordered, compare_ordered);
    for (size_t i = 0; i < earlier->count; i++)
        earlier->points[i] = ordered[i].point;
    free(ordered);
    return CT_OK;
}

int ct_earlier_points_cells(const struct ct_validation *earlier, struct ct_validation_cell **ret_cells)
{
    struct ct_validation_cell *cells = ct_allocate(earlier->count, sizeof *cells);
    if (!cells)
        return CT_E_MEMORY;
    for (size_t i = 0; i < earlier->count; i++) {
        const struct ct_validation_point *point = &earlier->points[i];
        cells[i] = (struct ct_validation_cell){
            .collective = point->collective, .key = point->key, .pattern = point->pattern};
        if (!ct_validation_is_slower(point))
            cells[i].known = point->method;
    }
    *ret_cells = cells;
    return CT_OK;
}
