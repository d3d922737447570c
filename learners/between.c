/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/between.h"
#include "base/memory.h"
#include "learners/map_cells.h"

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
    if (!kind->values)
        return true;
    ct_feature_columns_take(&between->apart, call, between->values);
    return memcmp(between->values, kind->values, between->apart.count * sizeof *kind->values) == 0;
}

/* --- what tells kinds apart --- */

/* Does it become less somewhere, from one communicator size to the next larger one? */
static bool falls(const struct ct_map *map, const struct ct_surface *all, const struct ct_feature_set *set,
                  size_t number)
{
    size_t before = 0;
    for (size_t row = 0; row < all->rows; row++) {
        const struct ct_features call = {{[CT_FEATURE_COMM_SIZE] = all->comm_sizes[row],
                                          [CT_FEATURE_MSG_BYTES] = map->cells[0].key.msg_bytes,
                                          [CT_FEATURE_NODES] = all->placings[row].nodes,
                                          [CT_FEATURE_PPN] = all->placings[row].ppn}};
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

static int make_times(const struct ct_map *map, struct ct_between_kind *kind)
{
    int status = ct_surface_make(map, &kind->times);
    return status == CT_OK && !map->exact ? ct_surface_smooth(&kind->times) : status;
}

static int take_ratios(const struct ct_between *between, const struct ct_surface *times,
                       struct ct_error *error, struct ct_surface *ratios)
{
    for (size_t i = 0; i < times->rows * times->columns * times->methods; i++) {
        size_t row = i / times->methods / times->columns, column = i / times->methods % times->columns;
        double seconds = NAN;
        int status =
            isnan(times->logs[i])
                ? CT_OK
                : ct_predicted_times_at(between->prior, &between->methods[i % times->methods],
                                        times->comm_sizes[row], times->msg_sizes[column], error, &seconds);
        if (status != CT_OK)
            return status;
        ratios->logs[i] = times->logs[i] - log(seconds);
    }
    return CT_OK;
}

static int make_ratios(const struct ct_map *map, const struct ct_between *between, struct ct_error *error,
                       struct ct_between_kind *kind)
{
    int status = ct_surface_make(map, &kind->ratios);
    if (status != CT_OK)
        return status;
    kind->ratios.is_level = true;
    status = take_ratios(between, &kind->times, error, &kind->ratios);
    if (status == CT_OK)
        ct_surface_fill(&kind->ratios);
    return status;
}

static int add_kind(const struct ct_map *map, struct ct_between *between, size_t *capacity,
                    struct ct_error *error, size_t *values)
{
    struct ct_between_kind kind = {.values = values};
    int status = make_times(map, &kind);
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

/* The cells of the same kind as this one; where they have two communicator sizes at least. */
static int add_kind_of(const struct ct_map *map, const struct ct_cell *cell, struct ct_between *between,
                       size_t *capacity, struct ct_error *error, bool *keep)
{
    const struct ct_features call = ct_key_features(&cell->key);
    struct ct_between_kind like = {.values = ct_allocate(between->apart.count, sizeof *like.values)};
    bool is_several = false;
    struct ct_map part;
    if (!like.values)
        return CT_E_MEMORY;
    ct_feature_columns_take(&between->apart, &call, like.values);
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_features other = ct_key_features(&map->cells[c].key);
        keep[c] = is_of_kind(between, &like, &other);
        is_several |= keep[c] && map->cells[c].key.comm_size != cell->key.comm_size;
    }
    int status = is_several ? ct_map_cells(map, keep, &part) : CT_OK;
    if (!is_several || status != CT_OK) {
        free(like.values);
        return status;
    }
    status = add_kind(&part, between, capacity, error, like.values);
    ct_map_cells_free(&part);
    return status;
}

static bool is_known(const struct ct_between *between, const struct ct_features *call)
{
    for (size_t i = 1; i < between->count; i++)
        if (is_of_kind(between, &between->kinds[i], call))
            return true;
    return false;
}

static int add_kinds(const struct ct_map *map, struct ct_between *between, size_t *capacity,
                     struct ct_error *error)
{
    bool *keep = ct_allocate(map->cell_count, sizeof *keep);
    int status = keep ? CT_OK : CT_E_MEMORY;
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++) {
        const struct ct_features call = ct_key_features(&map->cells[c].key);
        if (!is_known(between, &call))
            status = add_kind_of(map, &map->cells[c], between, capacity, error, keep);
    }
    free(keep);
    return status;
}

int ct_between_make(const struct ct_map *map, const struct ct_feature_columns *columns,
                    struct ct_predicted_times *prior, struct ct_error *error, struct ct_between *ret_between)
{
    struct ct_between between = {.methods = map->methods,
                                 .prior = prior,
                                 .values = ct_allocate(columns->count, sizeof *between.values)};
    size_t capacity = 0;
    int status = between.values ? add_kind(map, &between, &capacity, error, NULL) : CT_E_MEMORY;
    if (status == CT_OK)
        between.apart = find_apart(map, &between.kinds[0].times, columns);
    if (status == CT_OK && between.apart.count > 0)
        status = add_kinds(map, &between, &capacity, error);
    if (status == CT_OK)
        *ret_between = between;
    else
        ct_between_free(&between);
    return status;
}

/* --- times --- */

static const struct ct_between_kind *kind_of(const struct ct_between *between, const struct ct_features *call)
{
    for (size_t i = 1; i < between->count; i++)
        if (is_of_kind(between, &between->kinds[i], call))
            return &between->kinds[i];
    return &between->kinds[0];
}

/* log(seconds) by the model and the ratio; NAN where either is not known. */
static int follow_model(const struct ct_between *between, const struct ct_between_kind *kind,
                        const struct ct_features *call, size_t method, struct ct_error *error,
                        double *ret_log)
{
    size_t comm_size = call->value[CT_FEATURE_COMM_SIZE], msg_bytes = call->value[CT_FEATURE_MSG_BYTES];
    double seconds = NAN, ratio = ct_surface_at(&kind->ratios, ct_surface_place(comm_size),
                                                ct_surface_place(msg_bytes), method);
    int status = isnan(ratio) ? CT_OK
                              : ct_predicted_times_at(between->prior, &between->methods[method], comm_size,
                                                      msg_bytes, error, &seconds);
    *ret_log = ratio + log(seconds);
    return status;
}

int ct_between_times(const struct ct_between *between, const struct ct_features *call, struct ct_error *error,
                     double *ret_seconds)
{
    double comm_place = ct_surface_place(call->value[CT_FEATURE_COMM_SIZE]);
    double msg_place = ct_surface_place(call->value[CT_FEATURE_MSG_BYTES]);
    const struct ct_between_kind *kind = kind_of(between, call);
    int status = CT_OK;
    for (size_t m = 0; status == CT_OK && m < kind->times.methods; m++) {
        double seconds = NAN;
        if (between->prior)
            status = follow_model(between, kind, call, m, error, &seconds);
        if (isnan(seconds))
            seconds = ct_surface_at(&kind->times, comm_place, msg_place, m);
        ret_seconds[m] = exp(seconds);
    }
    return status;
}

struct ct_placing ct_between_placing(const struct ct_between *between, size_t comm_size)
{
    const struct ct_surface *all = &between->kinds[0].times;
    size_t row = 0;
    while (row + 1 < all->rows && all->comm_sizes[row + 1] <= comm_size)
        row++;
    return all->placings[row];
}
