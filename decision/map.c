/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/map.h"
#include "base/memory.h"
#include "base/sort.h"
#include "samples/statistics/comparable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ct_map_free(struct ct_map *map)
{
    for (size_t i = 0; i < map->cell_count; i++) {
        free(map->cells[i].methods);
        free(map->cells[i].standings);
        free(map->cells[i].launches);
        free(map->cells[i].times);
    }
    free(map->cells);
    free(map->methods);
    for (size_t i = 0; map->patterns && map->patterns[i]; i++)
        free(map->patterns[i]);
    free(map->patterns);
    *map = (struct ct_map){0};
}

void ct_maps_free(struct ct_map *maps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ct_map_free(&maps[i]);
    free(maps);
}

size_t ct_map_find_method(const struct ct_map *map, const struct ct_method *method)
{
    const size_t index = ct_method_index(method, map->methods, map->method_count);
    return index < map->method_count ? index : SIZE_MAX;
}

int ct_map_values(const struct ct_map *map, enum ct_feature feature, size_t **ret_values, size_t *ret_count)
{
    size_t *values = ct_allocate(map->cell_count, sizeof *values);
    if (!values)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count; i++)
        values[i] = ct_key_value(&map->cells[i].key, ct_feature_descriptors[feature]);
    *ret_values = values;
    *ret_count = ct_sort_unique(values, map->cell_count);
    return CT_OK;
}

int ct_map_comm_sizes(const struct ct_map *map, size_t **ret_sizes, size_t *ret_count)
{
    return ct_map_values(map, CT_FEATURE_COMM_SIZE, ret_sizes, ret_count);
}

int ct_map_msg_sizes(const struct ct_map *map, size_t **ret_sizes, size_t *ret_count)
{
    return ct_map_values(map, CT_FEATURE_MSG_BYTES, ret_sizes, ret_count);
}

const struct ct_cell *ct_map_find_cell(const struct ct_map *map, size_t comm_size, size_t msg_bytes)
{
    for (size_t i = 0; i < map->cell_count; i++)
        if (map->cells[i].key.comm_size == comm_size && map->cells[i].key.msg_bytes == msg_bytes)
            return &map->cells[i];
    return NULL;
}

static int compare_keys(const void *a, const void *b)
{
    const struct ct_cell *left = a, *right = b;
    return ct_cell_key_compare(&left->key, &right->key);
}

const struct ct_cell *ct_map_find_key(const struct ct_map *map, const struct ct_cell_key *key)
{
    const struct ct_cell sought = {.key = *key};
    return bsearch(&sought, map->cells, map->cell_count, sizeof *map->cells, compare_keys);
}

const char *ct_map_pattern(const struct ct_map *map, const struct ct_cell_key *key)
{
    for (size_t i = 0; key->pattern != 0 && map->patterns && map->patterns[i]; i++)
        if (ct_pattern_id(map->patterns[i]) == key->pattern)
            return map->patterns[i];
    return "";
}

double ct_cell_pays_after(const struct ct_map *map, const struct ct_cell *cell, size_t method)
{
    const struct ct_statistics *own = &cell->methods[method];
    double without = INFINITY;
    if (own->set_up <= 0)
        return 0;
    for (size_t m = 0; m < map->method_count; m++)
        if (cell->methods[m].count > 0 && cell->methods[m].set_up <= 0)
            without = fmin(without, cell->methods[m].median);
    const double gain = isfinite(without) && own->count > 0 ? without - own->median : 0;
    return gain > 0 ? ceil(own->set_up / gain) : INFINITY;
}

bool ct_map_yields(const struct ct_map *map, size_t ppn)
{
    for (size_t i = 0; i < map->cell_count; i++)
        if (map->cells[i].key.yield && map->cells[i].key.ppn <= ppn)
            return true;
    return false;
}

double ct_cell_penalty(const struct ct_cell *cell, size_t method)
{
    if (cell->best == SIZE_MAX || method == SIZE_MAX || cell->methods[method].count == 0)
        return NAN;
    return cell->methods[method].median / cell->methods[cell->best].median - 1;
}

double ct_cell_spread(const struct ct_cell *cell, size_t method)
{
    const struct ct_statistics *statistics = &cell->methods[method];
    if (statistics->count == 0)
        return NAN;
    double least = statistics->median, most = statistics->median;
    for (size_t i = 0; i < statistics->launches; i++) {
        double median = cell->launches[statistics->first_launch + i].median;
        least = fmin(least, median);
        most = fmax(most, median);
    }
    return most / least;
}

size_t ct_map_best_method(const struct ct_map *map, const size_t *cells, size_t count, const bool *allowed)
{
    size_t best = SIZE_MAX, best_measured = 0;
    double best_mean = INFINITY;
    for (size_t method = 0; method < map->method_count; method++) {
        if (allowed && !allowed[method])
            continue;
        size_t measured = 0;
        double sum = 0;
        for (size_t i = 0; i < count; i++) {
            const struct ct_cell *cell = &map->cells[cells ? cells[i] : i];
            if (cell->best == SIZE_MAX || cell->methods[method].count == 0)
                continue;
            /* against the best of the cell: which cells are missing then matters least */
            sum += log(cell->methods[method].median / cell->methods[cell->best].median);
            measured++;
        }
        if (measured == 0 || measured < best_measured)
            continue;
        double mean = sum / (double)measured;
        if (measured > best_measured || mean < best_mean) {
            best = method;
            best_measured = measured;
            best_mean = mean;
        }
    }
    return best;
}

/* --- job launches --- */

static int compare_launches(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return CT_COMPARE(left, right);
}

int ct_map_launches(const struct ct_map *map, uint32_t **ret_launches, size_t *ret_count)
{
    size_t all = 0, count = 0;
    for (size_t c = 0; c < map->cell_count; c++)
        all += map->cells[c].launch_count;
    uint32_t *launches = ct_allocate(all + 1, sizeof *launches);
    if (!launches)
        return CT_E_MEMORY;
    for (size_t c = 0; c < map->cell_count; c++)
        for (size_t i = 0; i < map->cells[c].launch_count; i++)
            launches[count++] = map->cells[c].launches[i].launch;
    qsort(launches, count, sizeof *launches, compare_launches);
    count = 0;
    for (size_t i = 0; i < all; i++)
        if (count == 0 || launches[i] != launches[count - 1])
            launches[count++] = launches[i];
    *ret_launches = launches;
    *ret_count = count;
    return CT_OK;
}

/* The launches that belong to the part have this median, or, if they are one alone, their own. The part
 * itself knows no launches any more. */
static struct ct_statistics part_of(const struct ct_cell *cell, size_t method, uint32_t launch, bool others,
                                    double median)
{
    const struct ct_statistics *whole = &cell->methods[method];
    struct ct_statistics part = {0};
    for (size_t i = 0; i < whole->launches; i++) {
        const struct ct_launch_median *of_launch = &cell->launches[whole->first_launch + i];
        if ((of_launch->launch == launch) == others)
            continue;
        part.count += of_launch->count;
        part.median = others ? median : of_launch->median;
    }
    part.low = part.high = part.median;
    return part;
}

static int find_medians(const struct ct_cell *cell, size_t method_count, uint32_t without,
                        double *ret_medians)
{
    struct ct_evidence *evidence = ct_allocate(method_count, sizeof *evidence);
    for (size_t m = 0; evidence && m < method_count; m++) {
        const struct ct_statistics *own = &cell->methods[m];
        if (own->launches > 0)
            evidence[m] = (struct ct_evidence){.launches = cell->launches + own->first_launch,
                                               .launch_count = own->launches};
    }
    int status = evidence ? ct_comparable_medians(evidence, method_count, without, ret_medians) : CT_E_MEMORY;
    free(evidence);
    return status;
}

/* Fills an empty cell, which is freed with its map also after a failure. */
static int make_cell(const struct ct_cell *whole, size_t method_count, uint32_t launch, bool others,
                     struct ct_cell *part)
{
    double *medians = ct_allocate(method_count, sizeof *medians);
    *part = (struct ct_cell){.key = whole->key,
                             .methods = ct_allocate(method_count, sizeof *part->methods),
                             .standings = ct_allocate(method_count, sizeof *part->standings),
                             .best = SIZE_MAX};
    int status = part->methods && part->standings && medians ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK && others)
        status = find_medians(whole, method_count, launch, medians);
    for (size_t m = 0; status == CT_OK && m < method_count; m++) {
        part->methods[m] = part_of(whole, m, launch, others, medians[m]);
        if (part->methods[m].count == 0)
            continue;
        part->standings[m] = CT_STANDING_UNDECIDED;
        if (part->best == SIZE_MAX || part->methods[m].median < part->methods[part->best].median)
            part->best = m;
    }
    if (status == CT_OK && part->best != SIZE_MAX)
        part->standings[part->best] = CT_STANDING_BEST;
    free(medians);
    return status;
}

int ct_map_part(const struct ct_map *map, uint32_t launch, bool others, struct ct_map *ret_part)
{
    struct ct_map part = {.collective = map->collective,
                          .methods = ct_allocate(map->method_count, sizeof *part.methods),
                          .method_count = map->method_count,
                          .cells = ct_allocate(map->cell_count, sizeof *part.cells),
                          .margin = map->margin,
                          .exact = map->exact,
                          .node_channel = map->node_channel};
    int status = part.methods && part.cells ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK && map->method_count > 0)
        memcpy(part.methods, map->methods, map->method_count * sizeof *part.methods);
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++) {
        status = make_cell(&map->cells[c], map->method_count, launch, others, &part.cells[c]);
        part.cell_count++;
    }
    if (status == CT_OK)
        *ret_part = part;
    else
        ct_map_free(&part);
    return status;
}
