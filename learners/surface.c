/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/surface.h"
#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

double ct_surface_place(size_t size)
{
    return size > 1 ? log2((double)size) : 0;
}

void ct_surface_free(struct ct_surface *surface)
{
    free(surface->comm_sizes);
    free(surface->msg_sizes);
    free(surface->placings);
    free(surface->places);
    free(surface->logs);
    free(surface->least);
    *surface = (struct ct_surface){0};
}

static int make_room(struct ct_surface *surface)
{
    size_t points, count;
    if (!ct_multiply(surface->rows, surface->columns, &points) ||
        !ct_multiply(points, surface->methods, &count))
        return CT_E_LIMIT;
    surface->placings = ct_allocate(surface->rows, sizeof *surface->placings);
    surface->places = ct_allocate(surface->rows + surface->columns, sizeof *surface->places);
    surface->logs = ct_allocate(count, sizeof *surface->logs);
    surface->least = ct_allocate(count, sizeof *surface->least);
    return surface->placings && surface->places && surface->logs && surface->least ? CT_OK : CT_E_MEMORY;
}

/* Index of `size` in rising sizes that include it. */
static size_t find(const size_t *sizes, size_t count, size_t size)
{
    const size_t *found = bsearch(&size, sizes, count, sizeof *sizes, ct_compare_sizes);
    assert(found);
    return (size_t)(found - sizes);
}

/* Are there enough samples for an interval? With fewer, `low` is only their minimum. */
static bool has_interval(const struct ct_statistics *statistics)
{
    return statistics->launches > 1 || statistics->count >= 6;
}

/* Adds the times to sums; `counts` has the number of terms. */
static void add_cell(struct ct_surface *surface, const struct ct_cell *cell, size_t *counts)
{
    size_t row = find(surface->comm_sizes, surface->rows, cell->key.comm_size);
    size_t column = find(surface->msg_sizes, surface->columns, cell->key.msg_bytes);
    surface->placings[row] = (struct ct_placing){cell->key.nodes, cell->key.ppn};
    for (size_t m = 0; m < surface->methods; m++) {
        const struct ct_statistics *statistics = &cell->methods[m];
        size_t i = ct_surface_index(surface, row, column, m);
        if (statistics->count == 0)
            continue;
        surface->logs[i] += log(statistics->median);
        surface->least[i] += has_interval(statistics) ? log(statistics->low) : -INFINITY;
        counts[i]++;
    }
}

static int take_cells(const struct ct_map *map, struct ct_surface *surface)
{
    size_t count = surface->rows * surface->columns * surface->methods;
    size_t *counts = ct_allocate(count, sizeof *counts);
    if (!counts)
        return CT_E_MEMORY;
    for (size_t i = 0; i < surface->rows; i++)
        surface->places[i] = ct_surface_place(surface->comm_sizes[i]);
    for (size_t i = 0; i < surface->columns; i++)
        surface->places[surface->rows + i] = ct_surface_place(surface->msg_sizes[i]);
    for (size_t c = 0; c < map->cell_count; c++)
        add_cell(surface, &map->cells[c], counts);
    for (size_t i = 0; i < count; i++) {
        surface->logs[i] = counts[i] ? surface->logs[i] / (double)counts[i] : NAN;
        surface->least[i] = counts[i] ? surface->least[i] / (double)counts[i] : -INFINITY;
    }
    free(counts);
    return CT_OK;
}

int ct_surface_make(const struct ct_map *map, struct ct_surface *ret_surface)
{
    struct ct_surface surface = {.methods = map->method_count};
    int status = ct_map_comm_sizes(map, &surface.comm_sizes, &surface.rows);
    if (status == CT_OK)
        status = ct_map_msg_sizes(map, &surface.msg_sizes, &surface.columns);
    if (status == CT_OK)
        status = make_room(&surface);
    if (status == CT_OK)
        status = take_cells(map, &surface);
    if (status == CT_OK)
        *ret_surface = surface;
    else
        ct_surface_free(&surface);
    return status;
}

/* --- between the points --- */

/* The last place at or before `place`; never the very last one. */
static size_t before(const double *places, size_t count, double place)
{
    size_t low = 0, high = count - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (places[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The straight line through two points; beyond them its slope is from 0 to `steepest`. */
static double line(double a, double at_a, double b, double at_b, double place, double steepest)
{
    double slope = (b - a) / (at_b - at_a);
    if (place > at_b)
        return b + fmin(fmax(slope, 0), steepest) * (place - at_b);
    if (place < at_a)
        return a - fmin(fmax(slope, 0), steepest) * (at_a - place);
    return a + slope * (place - at_a);
}

/* log(seconds) in one row. */
static double along(const struct ct_surface *surface, size_t row, double place, size_t method)
{
    const double *places = surface->places + surface->rows;
    const double *logs = surface->logs + ct_surface_index(surface, row, 0, method);
    if (surface->columns == 1)
        return logs[0];
    size_t i = before(places, surface->columns, place);
    double steepest = surface->is_level ? 0 : M_LN2;
    double low = logs[i * surface->methods], high = logs[(i + 1) * surface->methods];
    if (place <= places[i])
        return place < places[i] ? line(low, places[i], high, places[i + 1], place, steepest) : low;
    if (place == places[i + 1])
        return high;
    return line(low, places[i], high, places[i + 1], place, steepest);
}

/* The first row from `row` on, by steps, in which the time is known at that place; surface->rows if there is
 * none. */
static size_t known_row(const struct ct_surface *surface, size_t row, size_t step, double place,
                        size_t method)
{
    for (; row < surface->rows; row += step) /* a step of SIZE_MAX goes down, and wraps below 0 */
        if (!isnan(along(surface, row, place, method)))
            return row;
    return surface->rows;
}

double ct_surface_at(const struct ct_surface *surface, double comm_place, double msg_place, size_t method)
{
    const double *places = surface->places;
    size_t rows = surface->rows, first = 0;
    if (rows > 1)
        first = before(places, rows, comm_place);
    size_t low = known_row(surface, first, SIZE_MAX, msg_place, method);
    if (low < rows && places[low] == comm_place)
        return along(surface, low, msg_place, method);
    size_t high = known_row(surface, first + 1, 1, msg_place, method);
    if (low == rows && high == rows)
        return NAN;
    if (comm_place > places[rows - 1]) { /* beyond the end: the last two rows */
        high = low == rows - 1 || high == rows - 1 ? rows - 1 : rows;
        low = high == rows ? rows : known_row(surface, high - 1, SIZE_MAX, msg_place, method);
    } else if (comm_place < places[0]) {
        low = low == 0 ? 0 : rows;
        high = low == rows ? rows : known_row(surface, 1, 1, msg_place, method);
    }
    if (low == rows || high == rows)
        return rows == 1 ? along(surface, 0, msg_place, method) : NAN;
    return line(along(surface, low, msg_place, method), places[low], along(surface, high, msg_place, method),
                places[high], comm_place, surface->is_level ? 0 : 2 * M_LN2);
}

/* One row and method; `step` leads from column to column. */
static void fill_row(double *logs, size_t step, const double *places, size_t columns)
{
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < columns; i++) {
        if (isnan(logs[i * step]))
            continue;
        for (size_t j = last + 1; last != SIZE_MAX && j < i; j++)
            logs[j * step] = line(logs[last * step], places[last], logs[i * step], places[i], places[j], 0);
        last = i;
    }
}

void ct_surface_fill(struct ct_surface *surface)
{
    for (size_t row = 0; row < surface->rows; row++)
        for (size_t m = 0; m < surface->methods; m++)
            fill_row(surface->logs + ct_surface_index(surface, row, 0, m), surface->methods,
                     surface->places + surface->rows, surface->columns);
}

/* --- smoothing --- */

enum { WITNESSES = 2 };

/* The shortest times with more ranks and more bytes, and their points. */
struct shortest {
    double logs[WITNESSES]; /* rising */
    size_t points[WITNESSES];
};

static const struct shortest none = {{INFINITY, INFINITY}, {SIZE_MAX, SIZE_MAX}};

static void enter(struct shortest *shortest, double value, size_t point)
{
    if (isnan(value) || point == shortest->points[0] || point == shortest->points[1])
        return;
    if (value < shortest->logs[0])
        *shortest = (struct shortest){{value, shortest->logs[0]}, {point, shortest->points[0]}};
    else if (value < shortest->logs[1])
        *shortest = (struct shortest){{shortest->logs[0], value}, {shortest->points[0], point}};
}

static void enter_all(struct shortest *shortest, const struct shortest *others)
{
    for (int i = 0; i < WITNESSES; i++)
        enter(shortest, others->logs[i], others->points[i]);
}

/* Bounds each time by the second shortest with more ranks and more bytes. `seen` has room for all points. */
static void limit(struct ct_surface *surface, size_t method, struct shortest *seen)
{
    const double slack = 0.05;
    size_t columns = surface->columns;
    for (size_t point = surface->rows * columns; point-- > 0;) {
        size_t i = point * surface->methods + method;
        double measured = surface->logs[i];
        seen[point] = none;
        if (point / columns + 1 < surface->rows)
            enter_all(&seen[point], &seen[point + columns]);
        if (point % columns + 1 < columns)
            enter_all(&seen[point], &seen[point + 1]);
        double most = fmax(seen[point].logs[WITNESSES - 1] + slack, surface->least[i]);
        enter(&seen[point], measured, point);
        if (measured > most)
            surface->logs[i] = most;
    }
}

static double median_of_3(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* Reduces a time to at most `most`, but not below its confidence interval; NAN is no bound. */
static void shorten(struct ct_surface *surface, size_t i, double most)
{
    if (surface->logs[i] > most)
        surface->logs[i] = fmax(most, surface->least[i]);
}

/* Running medians of 3 over message sizes, if they are shorter (Tukey 1977, Exploratory Data Analysis,
 * chapter 7). The first and the last size have one neighbour: the first should not take longer than it, the
 * last at most twice as long as in proportion to it. */
static void take_medians(struct ct_surface *surface, size_t row, size_t method)
{
    double *logs = surface->logs, before = NAN;
    const double *places = surface->places + surface->rows;
    size_t first = ct_surface_index(surface, row, 0, method), step = surface->methods;
    size_t columns = surface->columns, last = first + (columns - 1) * step;
    if (columns < 3)
        return;
    for (size_t i = first; i < last; i += step) {
        double here = logs[i], next = logs[i + step];
        if (i > first && !isnan(before) && !isnan(next))
            shorten(surface, i, median_of_3(before, here, next));
        before = here;
    }
    shorten(surface, first, logs[first + step]);
    shorten(surface, last, logs[last - step] + M_LN2 * (1 + places[columns - 1] - places[columns - 2]));
}

int ct_surface_smooth(struct ct_surface *surface)
{
    struct shortest *seen = ct_allocate(surface->rows * surface->columns, sizeof *seen);
    if (!seen)
        return CT_E_MEMORY;
    for (size_t m = 0; m < surface->methods; m++) {
        limit(surface, m, seen);
        for (size_t row = 0; row < surface->rows; row++)
            take_medians(surface, row, m);
    }
    free(seen);
    return CT_OK;
}
