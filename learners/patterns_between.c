/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/patterns_between.h"
#include "base/memory.h"
#include "decision/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many cells of other patterns are neighbors of one. */
enum { NEAREST = 8 };

/* Places on the way from a cell to its neighbor, and beyond a last one. The first and the last of those
 * between keep the bound of a choice near the cell that shows its gain. */
static const double places[] = {0.25, 0.5, 0.75}, beyond = 2;
enum { PLACES = sizeof places / sizeof places[0] };

/* What tells calls apart. */
static const enum ct_key told_by[] = {CT_KEY_COMM_SIZE,   CT_KEY_MSG_BYTES, CT_KEY_DEGREE,
                                      CT_KEY_MEAN_DEGREE, CT_KEY_IMBALANCE, CT_KEY_ON_NODE};

/* The measured cells and those that are imagined, which have times alone. */
struct imagining {
    const struct ct_map *map;
    size_t linear; /* method of the map */
    struct ct_cell *cells;
    size_t count, capacity;
};

static double scale(size_t value)
{
    return log1p((double)value);
}

/* A value on the way from one to another: `at` 0 is here, 1 there, and more is beyond. */
static size_t value_at(size_t from, size_t to, double at, const struct ct_key_descriptor *descriptor)
{
    const double value = expm1(scale(from) + at * (scale(to) - scale(from))) + 0.5;
    if (!(value > (double)descriptor->least))
        return descriptor->least;
    return value >= (double)descriptor->most ? descriptor->most : (size_t)value;
}

static struct ct_cell_key key_at(const struct ct_cell_key *from, const struct ct_cell_key *to, double at)
{
    struct ct_cell_key key = *from;
    for (int k = 0; k < CT_KEYS; k++) {
        const struct ct_key_descriptor *descriptor = &ct_key_descriptors[k];
        if (k < CT_KEY_COLUMNS || k >= CT_KEY_PATTERNS)
            ct_key_set(
                &key, descriptor,
                value_at(ct_key_value(from, descriptor), ct_key_value(to, descriptor), at, descriptor));
    }
    return key;
}

static bool has_linear(const struct imagining *imagining, const struct ct_cell *cell)
{
    return cell->methods[imagining->linear].count > 0;
}

/* log(time / time of linear) */
static double ratio_of(const struct imagining *imagining, const struct ct_cell *cell, size_t method)
{
    return log(cell->methods[method].median / cell->methods[imagining->linear].median);
}

/* The pessimistic estimate of a method. */
static double pessimistic(double from, double to, double at)
{
    return at <= 1 ? fmax(from, to) : fmax(to, from + at * (to - from));
}

static int imagine(struct imagining *imagining, const struct ct_cell *from, const struct ct_cell *to,
                   double at)
{
    const struct ct_map *map = imagining->map;
    struct ct_cell cell = {.key = key_at(&from->key, &to->key, at), .best = SIZE_MAX};
    int status =
        ct_grow(&imagining->cells, &imagining->capacity, imagining->count + 1, sizeof *imagining->cells);
    if (status != CT_OK)
        return status;
    cell.methods = ct_allocate(map->method_count, sizeof *cell.methods);
    cell.standings = ct_allocate(map->method_count, sizeof *cell.standings);
    imagining->cells[imagining->count++] = cell;
    if (!cell.methods || !cell.standings)
        return CT_E_MEMORY;
    const double here = log(from->methods[imagining->linear].median);
    const double there = log(to->methods[imagining->linear].median), direct = here + at * (there - here);
    for (size_t m = 0; m < map->method_count; m++) {
        cell.standings[m] = CT_STANDING_WORSE;
        if (from->methods[m].count == 0 || to->methods[m].count == 0)
            continue;
        cell.methods[m].count = 1;
        cell.methods[m].median =
            exp(direct + pessimistic(ratio_of(imagining, from, m), ratio_of(imagining, to, m), at));
    }
    return CT_OK;
}

/* The cell of the same pattern with the next larger value of a key, and all others equal; NULL: none. */
static const struct ct_cell *next_cell(const struct imagining *imagining, const struct ct_cell *cell,
                                       enum ct_key which)
{
    const struct ct_map *map = imagining->map;
    const struct ct_key_descriptor *descriptor = &ct_key_descriptors[which];
    const struct ct_cell *next = NULL;
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_cell *other = &map->cells[c];
        if (other->key.pattern != cell->key.pattern || !has_linear(imagining, other) ||
            ct_key_value(&other->key, descriptor) <= ct_key_value(&cell->key, descriptor) ||
            (which == CT_KEY_COMM_SIZE ? other->key.msg_bytes != cell->key.msg_bytes
                                       : other->key.comm_size != cell->key.comm_size))
            continue;
        if (!next || ct_key_value(&other->key, descriptor) < ct_key_value(&next->key, descriptor))
            next = other;
    }
    return next;
}

static int imagine_between(struct imagining *imagining, const struct ct_cell *from, const struct ct_cell *to)
{
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < PLACES; i++)
        status = imagine(imagining, from, to, places[i]);
    return status;
}

/* Between a cell and the next one in a size; and beyond that one, if it is the last. */
static int add_sizes(struct imagining *imagining, const struct ct_cell *cell, enum ct_key which)
{
    const struct ct_cell *next = next_cell(imagining, cell, which);
    int status = next ? imagine_between(imagining, cell, next) : CT_OK;
    if (status == CT_OK && next && !next_cell(imagining, next, which))
        status = imagine(imagining, cell, next, beyond);
    return status;
}

/* The square of how far two cells are apart by sizes and features. */
static double distance(const struct ct_cell *a, const struct ct_cell *b)
{
    double square = 0;
    for (size_t i = 0; i < sizeof told_by / sizeof told_by[0]; i++) {
        const struct ct_key_descriptor *descriptor = &ct_key_descriptors[told_by[i]];
        const double way =
            scale(ct_key_value(&a->key, descriptor)) - scale(ct_key_value(&b->key, descriptor));
        square += way * way;
    }
    return square;
}

/* Between a cell and the nearest of other patterns. */
static int add_patterns(struct imagining *imagining, const struct ct_cell *cell)
{
    const struct ct_map *map = imagining->map;
    const struct ct_cell *nearest[NEAREST] = {NULL};
    size_t count = 0;
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_cell *other = &map->cells[c];
        if (other->key.pattern == cell->key.pattern || !has_linear(imagining, other))
            continue;
        size_t at = count < NEAREST ? count++ : NEAREST;
        for (; at > 0 && distance(cell, other) < distance(cell, nearest[at - 1]); at--)
            if (at < NEAREST)
                nearest[at] = nearest[at - 1];
        if (at < NEAREST)
            nearest[at] = other;
    }
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = imagine_between(imagining, cell, nearest[i]);
    return status;
}

int ct_points_with_calls_between(const struct ct_map *map, const struct ct_feature_columns *columns,
                                 const bool *allowed, const struct ct_loss_settings *settings,
                                 struct ct_error *error, struct ct_points *ret_points)
{
    struct imagining imagining = {.map = map, .linear = ct_score_linear(map)};
    struct ct_map all = *map;
    (void)settings;
    if (imagining.linear == SIZE_MAX)
        return ct_points_of_map(map, columns, allowed, error, ret_points);
    int status = ct_grow(&imagining.cells, &imagining.capacity, map->cell_count, sizeof *imagining.cells);
    if (status == CT_OK) {
        memcpy(imagining.cells, map->cells, map->cell_count * sizeof *map->cells);
        imagining.count = map->cell_count;
    }
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++) {
        if (!has_linear(&imagining, &map->cells[c]))
            continue;
        if ((status = add_sizes(&imagining, &map->cells[c], CT_KEY_MSG_BYTES)) == CT_OK &&
            (status = add_sizes(&imagining, &map->cells[c], CT_KEY_COMM_SIZE)) == CT_OK)
            status = add_patterns(&imagining, &map->cells[c]);
    }
    all.cells = imagining.cells;
    all.cell_count = imagining.count;
    if (status == CT_OK)
        status = ct_points_of_map(&all, columns, allowed, error, ret_points);
    else
        ct_fail(error, status, "the cells of %s do not fit into memory",
                ct_collectives[map->collective].name);
    for (size_t c = map->cell_count; c < imagining.count; c++) {
        free(imagining.cells[c].methods);
        free(imagining.cells[c].standings);
    }
    free(imagining.cells);
    return status;
}
