/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/between.h"
#include "base/memory.h"
#include "base/sort.h"
#include "learners/map_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void free_kind(struct ct_between_kind *kind)
{
    free(kind->values);
    ct_surface_free(&kind->times);
    ct_surface_free(&kind->ratios);
}

void ct_between_free(struct ct_between *between)
{
    for (size_t i = 0; i < between->count; i++)
        free_kind(&between->kinds[i]);
    free(between->kinds);
    free(between->values);
    *between = (struct ct_between){0};
}

static bool is_of_kind(const struct ct_between *between, const struct ct_between_kind *kind,
                       const struct ct_features *call)
{
    ct_feature_columns_take(&between->apart, call, between->values);
    return memcmp(between->values, kind->values, between->apart.count * sizeof *kind->values) == 0;
}

/* The kind of a call; the first, which has all cells, if its own is not there. */
static const struct ct_between_kind *kind_of(const struct ct_between *between, const struct ct_features *call)
{
    for (size_t i = 1; i < between->count; i++)
        if (is_of_kind(between, &between->kinds[i], call))
            return &between->kinds[i];
    return &between->kinds[0];
}

/* --- which features tell kinds apart --- */

/* Does the feature fall from some communicator size to the next larger one? */
static bool falls(const struct ct_map *map, const struct ct_surface *all, const struct ct_feature_set *set,
                  size_t number)
{
    size_t before = 0;
    for (size_t row = 0; row < all->rows; row++) {
        const struct ct_features call = {{[CT_FEATURE_COMM_SIZE] = all->comm_sizes[row],
                                          [CT_FEATURE_MSG_BYTES] = map->cells[0].key.msg_bytes,
                                          [CT_FEATURE_NODES] = all->placings[row].nodes,
                                          [CT_FEATURE_PPN] = all->placings[row].ppn,
                                          [CT_FEATURE_YIELD] = ct_map_yields(map, all->placings[row].ppn)}};
        size_t value = ct_feature_value(set, number, &call);
        if (value < before)
            return true;
        before = value;
    }
    return false;
}

static struct ct_feature_columns find_apart(const struct ct_map *map, const struct ct_surface *all,
                                            const struct ct_feature_columns *columns)
{
    struct ct_feature_columns apart = {.set = columns->set};
    for (size_t i = 0; i < columns->count; i++)
        if (!ct_feature_uses(columns->set, columns->numbers[i], CT_FEATURE_MSG_BYTES) &&
            falls(map, all, columns->set, columns->numbers[i]))
            apart.numbers[apart.count++] = columns->numbers[i];
    return apart;
}

/* --- surfaces --- */

static int make_ratios(const struct ct_map *map, const struct ct_between *between, struct ct_error *error,
                       struct ct_between_kind *kind)
{
    const struct ct_surface *times = &kind->times;
    struct ct_surface *ratios = &kind->ratios;
    int status = ct_surface_make(map, ratios);
    if (status != CT_OK)
        return status;
    ratios->is_level = true;
    for (size_t i = 0; i < times->rows * times->columns * times->methods; i++) {
        size_t row = i / times->methods / times->columns, column = i / times->methods % times->columns;
        double seconds = NAN;
        if (!isnan(times->logs[i]))
            status = ct_predicted_times_at(between->prior, &between->methods[i % times->methods],
                                           times->comm_sizes[row], times->msg_sizes[column], error, &seconds);
        if (status != CT_OK)
            return status;
        ratios->logs[i] = times->logs[i] - log(seconds);
    }
    ct_surface_fill(ratios);
    return CT_OK;
}

/* Adds a kind with all cells of the map. The kind owns `values`, on failure they are freed. */
static int add_kind(const struct ct_map *map, struct ct_between *between, size_t *capacity,
                    struct ct_error *error, size_t *values)
{
    struct ct_between_kind kind = {.values = values};
    int status = ct_surface_make(map, &kind.times);
    if (status == CT_OK && !map->exact)
        status = ct_surface_smooth(&kind.times);
    if (status == CT_OK && between->prior)
        status = make_ratios(map, between, error, &kind);
    if (status == CT_OK)
        status = ct_grow(&between->kinds, capacity, between->count + 1, sizeof *between->kinds);
    if (status != CT_OK) {
        free_kind(&kind);
        return status;
    }
    ct_surface_fill(&kind.times);
    between->kinds[between->count++] = kind;
    return CT_OK;
}

/* Adds the kind of this cell, if it has at least two communicator sizes. `keep` has room for all cells. */
static int add_kind_of(const struct ct_map *map, const struct ct_cell *cell, struct ct_between *between,
                       size_t *capacity, struct ct_error *error, bool *keep)
{
    const struct ct_features call = ct_key_features(&cell->key);
    struct ct_between_kind like = {.values = ct_allocate(between->apart.count, sizeof *like.values)};
    bool has_several = false;
    struct ct_map part;
    if (!like.values)
        return CT_E_MEMORY;
    ct_feature_columns_take(&between->apart, &call, like.values);
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_features other = ct_key_features(&map->cells[c].key);
        keep[c] = is_of_kind(between, &like, &other);
        has_several |= keep[c] && map->cells[c].key.comm_size != cell->key.comm_size;
    }
    int status = has_several ? ct_learn_split(map, keep, &part, NULL) : CT_OK;
    if (!has_several || status != CT_OK) {
        free(like.values);
        return status;
    }
    status = add_kind(&part, between, capacity, error, like.values);
    free(part.cells);
    return status;
}

int ct_between_make(const struct ct_map *map, const struct ct_feature_columns *columns,
                    struct ct_predicted_times *prior, struct ct_error *error, struct ct_between *ret_between)
{
    struct ct_between between = {.methods = map->methods,
                                 .prior = prior,
                                 .values = ct_allocate(columns->count, sizeof *between.values)};
    bool *keep = ct_allocate(map->cell_count, sizeof *keep);
    size_t capacity = 0;
    int status = between.values && keep ? add_kind(map, &between, &capacity, error, NULL) : CT_E_MEMORY;
    if (status == CT_OK)
        between.apart = find_apart(map, &between.kinds[0].times, columns);
    for (size_t c = 0; status == CT_OK && between.apart.count > 0 && c < map->cell_count; c++) {
        const struct ct_features call = ct_key_features(&map->cells[c].key);
        if (kind_of(&between, &call) == &between.kinds[0])
            status = add_kind_of(map, &map->cells[c], &between, &capacity, error, keep);
    }
    free(keep);
    if (status == CT_OK)
        *ret_between = between;
    else
        ct_between_free(&between);
    return status;
}

/* --- times --- */

int ct_between_times(const struct ct_between *between, const struct ct_features *call, struct ct_error *error,
                     double *ret_seconds)
{
    size_t comm_size = call->value[CT_FEATURE_COMM_SIZE], msg_bytes = call->value[CT_FEATURE_MSG_BYTES];
    double comm_place = ct_surface_place(comm_size), msg_place = ct_surface_place(msg_bytes);
    const struct ct_between_kind *kind = kind_of(between, call);
    for (size_t m = 0; m < kind->times.methods; m++) {
        double ratio = NAN, predicted = NAN;
        if (between->prior)
            ratio = ct_surface_at(&kind->ratios, comm_place, msg_place, m);
        if (!isnan(ratio)) {
            int status = ct_predicted_times_at(between->prior, &between->methods[m], comm_size, msg_bytes,
                                               error, &predicted);
            if (status != CT_OK)
                return status;
        }
        double seconds = ratio + log(predicted);
        if (isnan(seconds))
            seconds = ct_surface_at(&kind->times, comm_place, msg_place, m);
        ret_seconds[m] = exp(seconds);
    }
    return CT_OK;
}

struct ct_placing ct_between_placing(const struct ct_between *between, size_t comm_size)
{
    const struct ct_surface *all = &between->kinds[0].times;
    size_t row = 0;
    while (row + 1 < all->rows && all->comm_sizes[row + 1] <= comm_size)
        row++;
    return all->placings[row];
}

/* --- layouts --- */

void ct_layouts_free(struct ct_layouts *layouts)
{
    free(layouts->ppn);
    *layouts = (struct ct_layouts){0};
}

bool ct_layout_has(size_t ppn, const struct ct_cell *cell)
{
    return cell->key.nodes > 1 ? cell->key.ppn == ppn : cell->key.comm_size <= ppn;
}

static bool uses_layout(const struct ct_feature_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        if (ct_feature_uses(columns->set, columns->numbers[i], CT_FEATURE_NODES) ||
            ct_feature_uses(columns->set, columns->numbers[i], CT_FEATURE_PPN))
            return true;
    return false;
}

/* Is there a communicator size whose ranks lie in several ways? */
static bool is_mixed(const struct ct_map *map)
{
    for (size_t a = 0; a < map->cell_count; a++)
        for (size_t b = a + 1; b < map->cell_count; b++)
            if (map->cells[a].key.comm_size == map->cells[b].key.comm_size &&
                (map->cells[a].key.nodes != map->cells[b].key.nodes ||
                 map->cells[a].key.ppn != map->cells[b].key.ppn))
                return true;
    return false;
}

/* Each ppn of a cell with several nodes is a layout. One more has room for all ranks on one node, if these
 * fit into none of the others. */
static int find_layouts(const struct ct_map *map, struct ct_layouts *ret_layouts)
{
    struct ct_layouts layouts = {.ppn = ct_allocate(map->cell_count + 1, sizeof *layouts.ppn)};
    size_t most = 0;
    if (!layouts.ppn)
        return CT_E_MEMORY;
    for (size_t c = 0; c < map->cell_count; c++)
        if (map->cells[c].key.nodes > 1)
            layouts.ppn[layouts.count++] = map->cells[c].key.ppn;
    layouts.count = ct_sort_unique(layouts.ppn, layouts.count);
    for (size_t c = 0; c < map->cell_count; c++) {
        size_t i = 0;
        while (i < layouts.count && !ct_layout_has(layouts.ppn[i], &map->cells[c]))
            i++;
        if (i == layouts.count && map->cells[c].key.comm_size > most)
            most = map->cells[c].key.comm_size;
    }
    if (most > 0) {
        layouts.ppn[layouts.count++] = most;
        layouts.count = ct_sort_unique(layouts.ppn, layouts.count);
    }
    *ret_layouts = layouts;
    return CT_OK;
}

int ct_layouts_of(const struct ct_map *map, const struct ct_feature_columns *columns, struct ct_error *error,
                  struct ct_layouts *ret_layouts)
{
    struct ct_layouts layouts = {0};
    if (uses_layout(columns) && is_mixed(map) && find_layouts(map, &layouts) != CT_OK)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    if (layouts.count > CT_LAYOUTS_MAX) {
        ct_fail(error, CT_E_INPUT,
                "%s: the nodes have %zu different numbers of ranks: expected at most %d to learn from nodes "
                "or ppn between the measured sizes; penalty learns from the cells alone",
                ct_collectives[map->collective].name, layouts.count, CT_LAYOUTS_MAX);
        ct_layouts_free(&layouts);
        return CT_E_INPUT;
    }
    *ret_layouts = layouts;
    return CT_OK;
}
