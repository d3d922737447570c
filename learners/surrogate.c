/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/surrogate.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "decision/launch_spread.h"
#include "learners/surrogate_levels.h"
#include "learners/surrogate_scales.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct ct_surrogate_extent thorough = {160, CT_SURROGATE_SEARCH_CELLS,
                                                    CT_SURROGATE_SEARCH_METHODS},
                                        quick = {48, 36, 4};

bool ct_surrogate_follows_plans(const struct ct_surrogate *surrogate)
{
    return surrogate->base != NULL;
}

static bool is_stopped(const struct ct_surrogate *surrogate)
{
    return surrogate->stop && *surrogate->stop;
}

/* --- cells --- */

static size_t count_measured(const struct ct_surrogate *surrogate, const struct ct_cell *cell)
{
    size_t count = 0;
    for (size_t m = 0; m < surrogate->map->method_count; m++)
        count += surrogate->allowed[m] && cell->methods[m].count > 0;
    return count;
}

/* The spread of samples within a job, from the extremes of cells with few samples of one launch. */
static int find_sampling(struct ct_surrogate *surrogate)
{
    const struct ct_map *map = surrogate->map;
    double *deviations = ct_allocate(map->cell_count * map->method_count, sizeof *deviations);
    size_t count = 0;
    if (!deviations)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count * map->method_count; i++) {
        const struct ct_statistics *statistics =
            &map->cells[i / map->method_count].methods[i % map->method_count];
        const double range = ct_expected_range(statistics->count);
        if (range > 0 && statistics->launches <= 1 && statistics->low > 0)
            deviations[count++] = log(statistics->high / statistics->low) / range;
    }
    if (count > 0) {
        ct_sort(deviations, count);
        double usual = ct_quantile(deviations, count, 0.5);
        surrogate->sampling = usual * usual;
    }
    free(deviations);
    return CT_OK;
}

/* By method and cell, what its plan says; no base where plans say nothing. */
static int find_base(struct ct_surrogate *surrogate, size_t calls)
{
    const struct ct_map *map = surrogate->map;
    int status = ct_surrogate_base_new(map, surrogate->allowed, calls, surrogate->stop, &surrogate->base);
    if (status != CT_OK || !surrogate->base)
        return status;
    for (size_t m = 0; m < map->method_count; m++) {
        surrogate->is_based[m] = surrogate->allowed[m];
        for (size_t c = 0; c < map->cell_count; c++) {
            double *log_seconds = &surrogate->base_logs[c * map->method_count + m];
            if (!surrogate->is_based[m] || !ct_surrogate_measured(map, c, m))
                continue;
            status = ct_surrogate_base_at(surrogate->base, &map->methods[m], &map->cells[c].key, log_seconds);
            if (status != CT_OK)
                return status;
            surrogate->is_based[m] = !isnan(*log_seconds);
        }
    }
    return CT_OK;
}

/* --- boxes --- */

static double distance_to(const struct ct_surrogate *surrogate, const struct ct_surrogate_range *range,
                          const double *place)
{
    double squares = 0;
    for (size_t i = 0; i < surrogate->axes; i++) {
        double beyond = fmax(fmax(range->low[i] - place[i], place[i] - range->high[i]), 0);
        beyond /= surrogate->scales[CT_SURROGATE_PLAIN].lengths[i];
        squares += beyond * beyond;
    }
    return squares;
}

struct distant {
    double distance;
    size_t cell;
};

static int compare_distant(const void *a, const void *b)
{
    const struct distant *left = a, *right = b;
    return left->distance != right->distance ? CT_COMPARE(left->distance, right->distance)
                                             : CT_COMPARE(left->cell, right->cell);
}

/* Fits a process to the cells nearest to the box. It stays NULL if it has nothing to learn from. */
static int fit_process(struct ct_surrogate *surrogate, const struct ct_surrogate_box *box,
                       enum ct_surrogate_form form, size_t method, struct ct_process **process)
{
    const struct ct_map *map = surrogate->map;
    struct distant *distant = ct_allocate(map->cell_count, sizeof *distant);
    size_t count = 0;
    if (!distant)
        return CT_E_MEMORY;
    for (size_t c = 0; surrogate->allowed[method] && c < map->cell_count; c++)
        if (ct_surrogate_has_value(surrogate, form, c, method))
            distant[count++] = (struct distant){distance_to(surrogate, &box->range, surrogate->places[c]), c};
    if (count > surrogate->extent.box_cells) {
        qsort(distant, count, sizeof *distant, compare_distant);
        count = surrogate->extent.box_cells;
    }
    for (size_t i = 0; i < count; i++)
        surrogate->values[i] = ct_surrogate_value(surrogate, form, distant[i].cell, method);
    free(distant);
    return count == 0 ? CT_OK
                      : ct_process_fit(surrogate->values, count, surrogate->axes, &surrogate->scales[form],
                                       map->exact, process);
}

/* The axis along which the cells extend most, on the scale of lengths. */
static int widest(const struct ct_surrogate *surrogate, const struct ct_surrogate_range *range)
{
    int best = 0;
    double most = -1;
    for (size_t i = 0; i < surrogate->axes; i++) {
        double width = (range->high[i] - range->low[i]) / surrogate->scales[CT_SURROGATE_PLAIN].lengths[i];
        if (width > most) {
            most = width;
            best = (int)i;
        }
    }
    return best;
}

static struct ct_surrogate_range range_of(const struct ct_surrogate *surrogate, const size_t *cells,
                                          size_t count)
{
    struct ct_surrogate_range range;
    for (size_t i = 0; i < CT_PLACE_AXES; i++) {
        range.low[i] = range.high[i] = surrogate->places[cells[0]][i];
        for (size_t c = 1; c < count; c++) {
            range.low[i] = fmin(range.low[i], surrogate->places[cells[c]][i]);
            range.high[i] = fmax(range.high[i], surrogate->places[cells[c]][i]);
        }
    }
    return range;
}

/* Adds the box of these cells, and halves it until half of what it learns from may lie outside. The recursion
 * is as deep as a range of doubles can be halved. */
static int make_box(struct ct_surrogate *surrogate, size_t *cells, size_t count, size_t *ret_box)
{
    int status = ct_grow(&surrogate->boxes, &surrogate->box_capacity, surrogate->box_count + 1,
                         sizeof *surrogate->boxes);
    if (status != CT_OK)
        return status;
    struct ct_surrogate_box box = {.axis = CT_SURROGATE_LEAF, .range = range_of(surrogate, cells, count)};
    int axis = widest(surrogate, &box.range);
    double low = box.range.low[axis], high = box.range.high[axis];
    const size_t most = surrogate->extent.box_cells;
    bool is_small = count <= most / 2 || surrogate->map->cell_count <= most || !(high > low);
    if (is_small) {
        box.processes = ct_allocate(CT_SURROGATE_FORMS * surrogate->map->method_count, sizeof *box.processes);
        if (!box.processes)
            return CT_E_MEMORY;
    }
    size_t place = surrogate->box_count++, lows = 0;
    *ret_box = place;
    surrogate->boxes[place] = box;
    if (is_small)
        return CT_OK;
    box.axis = axis;
    box.threshold = (low + high) / 2;
    for (size_t c = 0; c < count; c++)
        if (surrogate->places[cells[c]][axis] <= box.threshold) {
            size_t cell = cells[c];
            cells[c] = cells[lows];
            cells[lows++] = cell;
        }
    assert(lows > 0 && lows < count);
    status = make_box(surrogate, cells, lows, &box.low);
    if (status == CT_OK)
        status = make_box(surrogate, cells + lows, count - lows, &box.high);
    surrogate->boxes[place] = box;
    return status;
}

static int make_boxes(struct ct_surrogate *surrogate)
{
    size_t *cells = ct_allocate(surrogate->map->cell_count, sizeof *cells), root;
    if (!cells)
        return CT_E_MEMORY;
    for (size_t c = 0; c < surrogate->map->cell_count; c++)
        cells[c] = c;
    int status = make_box(surrogate, cells, surrogate->map->cell_count, &root);
    free(cells);
    return status;
}

/* --- the whole --- */

void ct_surrogate_free(struct ct_surrogate *surrogate)
{
    if (!surrogate)
        return;
    for (size_t i = 0; i < surrogate->box_count; i++) {
        struct ct_process **processes = surrogate->boxes[i].processes;
        for (size_t j = 0; processes && j < CT_SURROGATE_FORMS * surrogate->map->method_count; j++)
            ct_process_free(processes[j]);
        free(processes);
    }
    free(surrogate->boxes);
    ct_surrogate_base_free(surrogate->base);
    free(surrogate->places);
    free(surrogate->base_logs);
    free(surrogate->is_based);
    free(surrogate->levels);
    free(surrogate->values);
    free(surrogate->relative);
    free(surrogate->relative_deviations);
    free(surrogate);
}

static int allocate(const struct ct_map *map, struct ct_surrogate **ret_surrogate)
{
    size_t slots;
    if (!ct_multiply(map->cell_count, map->method_count, &slots))
        return CT_E_LIMIT;
    struct ct_surrogate *s = ct_allocate(1, sizeof *s);
    if (!s)
        return CT_E_MEMORY;
    s->map = map;
    s->places = ct_allocate(map->cell_count, sizeof *s->places);
    s->base_logs = ct_allocate(slots, sizeof *s->base_logs);
    s->is_based = ct_allocate(map->method_count, sizeof *s->is_based);
    s->levels = ct_allocate(map->cell_count, sizeof *s->levels);
    s->values = ct_allocate(map->cell_count, sizeof *s->values);
    s->relative = ct_allocate(map->method_count, sizeof *s->relative);
    s->relative_deviations = ct_allocate(map->method_count, sizeof *s->relative_deviations);
    if (!s->places || !s->base_logs || !s->is_based || !s->levels || !s->values || !s->relative ||
        !s->relative_deviations) {
        ct_surrogate_free(s);
        return CT_E_MEMORY;
    }
    *ret_surrogate = s;
    return CT_OK;
}

/* Prepares what is known of each cell; are there any measurements at all? */
static bool take_cells(struct ct_surrogate *surrogate)
{
    const struct ct_map *map = surrogate->map;
    bool any = false;
    surrogate->axes = ct_place_axes(map);
    for (size_t c = 0; c < map->cell_count; c++) {
        any |= count_measured(surrogate, &map->cells[c]) > 0;
        ct_place_of(&map->cells[c].key, surrogate->places[c]);
    }
    return any;
}

int ct_surrogate_new(const struct ct_map *map, const bool *allowed,
                     const struct ct_surrogate_options *options, struct ct_error *error,
                     struct ct_surrogate **ret_surrogate)
{
    const char *collective = ct_collectives[map->collective].name;
    struct ct_surrogate *surrogate;
    int status = allocate(map, &surrogate);
    if (status != CT_OK)
        return ct_fail(error, status, "the times of %s do not fit into memory", collective);
    surrogate->allowed = allowed;
    surrogate->stop = options->stop;
    surrogate->extent = options->quick ? quick : thorough;
    if (!take_cells(surrogate)) {
        ct_surrogate_free(surrogate);
        return ct_fail(error, CT_E_INPUT, "no allowed method of %s was measured in any cell", collective);
    }
    status = map->exact ? CT_OK : find_sampling(surrogate);
    if (status == CT_OK && !options->no_plans)
        status = find_base(surrogate, options->calls);
    if (status == CT_OK)
        status = ct_surrogate_find_levels(map, allowed, surrogate->levels);
    if (status == CT_OK)
        status = ct_surrogate_find_scales(surrogate);
    if (status == CT_OK)
        status = make_boxes(surrogate);
    if (status == CT_OK && is_stopped(surrogate))
        status = CT_E_STOPPED;
    if (status == CT_OK) {
        *ret_surrogate = surrogate;
        return CT_OK;
    }
    ct_surrogate_free(surrogate);
    return ct_fail(error, status,
                   status == CT_E_STOPPED ? "stopped while %s was learned"
                                          : "the times of %s do not fit into memory",
                   collective);
}

/* The process of a method in a box, which is fitted when it is first needed; NULL: it has nothing to learn
 * from. */
static int process_of(struct ct_surrogate *surrogate, size_t box, enum ct_surrogate_form form, size_t method,
                      struct ct_process **ret_process)
{
    struct ct_process **process =
        &surrogate->boxes[box].processes[form * surrogate->map->method_count + method];
    int status = *process ? CT_OK : fit_process(surrogate, &surrogate->boxes[box], form, method, process);
    *ret_process = *process;
    return status;
}

/* The box of a place. */
static size_t box_of(const struct ct_surrogate *surrogate, const double *place)
{
    size_t at = 0;
    while (surrogate->boxes[at].axis != CT_SURROGATE_LEAF) {
        const struct ct_surrogate_box *box = &surrogate->boxes[at];
        at = place[box->axis] <= box->threshold ? box->low : box->high;
    }
    return at;
}

/* By method: how it differs from what methods have in common; NAN if nothing tells. */
static int relative_at(struct ct_surrogate *surrogate, size_t box, const double *place, double *ret_means,
                       double *ret_deviations)
{
    for (size_t m = 0; m < surrogate->map->method_count; m++) {
        struct ct_process *process = NULL;
        int status = CT_OK;
        ret_means[m] = NAN;
        if (surrogate->allowed[m])
            status = process_of(surrogate, box, CT_SURROGATE_RELATIVE, m, &process);
        if (status != CT_OK)
            return status;
        if (process)
            ret_means[m] = ct_process_at(process, place, &ret_deviations[m]);
    }
    return CT_OK;
}

/* The mean of two estimates, each of which is as likely as the other to be right: how long each method takes,
 * and how methods differ. The latter's level is that of the former. */
static int average_with_relative(struct ct_surrogate *surrogate, size_t box, const double *place,
                                 double *means, double *deviations)
{
    const double *relative = surrogate->relative, *relative_deviations = surrogate->relative_deviations;
    double level = 0, count = 0;
    int status = relative_at(surrogate, box, place, surrogate->relative, surrogate->relative_deviations);
    if (status != CT_OK)
        return status;
    for (size_t m = 0; m < surrogate->map->method_count; m++)
        if (!isnan(relative[m])) {
            level += means[m] - relative[m];
            count++;
        }
    for (size_t m = 0; m < surrogate->map->method_count; m++) {
        if (isnan(relative[m]))
            continue;
        const double half = (relative[m] + level / count - means[m]) / 2;
        const double squares =
            deviations[m] * deviations[m] + relative_deviations[m] * relative_deviations[m];
        means[m] += half;
        deviations[m] = sqrt(squares / 2 + half * half);
    }
    return CT_OK;
}

int ct_surrogate_at(struct ct_surrogate *surrogate, const struct ct_cell_key *key, double *ret_means,
                    double *ret_deviations)
{
    const struct ct_map *map = surrogate->map;
    double place[CT_PLACE_AXES];
    int status = CT_OK;
    ct_place_of(key, place);
    const size_t box = box_of(surrogate, place);
    for (size_t m = 0; m < map->method_count; m++) {
        struct ct_process *process;
        double base = NAN;
        ret_means[m] = ret_deviations[m] = NAN;
        if (!surrogate->allowed[m])
            continue;
        if (surrogate->base && surrogate->is_based[m])
            status = ct_surrogate_base_at(surrogate->base, &map->methods[m], key, &base);
        if (status == CT_OK)
            status = process_of(surrogate, box, isnan(base) ? CT_SURROGATE_PLAIN : CT_SURROGATE_BASED, m,
                                &process);
        if (status != CT_OK)
            return status;
        if (process)
            ret_means[m] = ct_process_at(process, place, &ret_deviations[m]) + (isnan(base) ? 0 : base);
    }
    if (!surrogate->base)
        status = average_with_relative(surrogate, box, place, ret_means, ret_deviations);
    return status == CT_OK && is_stopped(surrogate) ? CT_E_STOPPED : status;
}
