/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/map_launches.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "decision/map_internal.h"

#include <stdlib.h>
#include <string.h>

static int compare_launches(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
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

/* `medians` is scratch for as many as the method has launches. */
static struct ct_statistics part_of(const struct ct_cell *cell, size_t method, uint32_t launch, bool others,
                                    double *medians)
{
    const struct ct_statistics *whole = &cell->methods[method];
    struct ct_statistics part = {0};
    for (size_t i = 0; i < whole->launches; i++) {
        const struct ct_launch_median *of_launch = &cell->launches[whole->first_launch + i];
        if ((of_launch->launch == launch) == others)
            continue;
        medians[part.launches++] = of_launch->median;
        part.count += of_launch->count;
    }
    if (part.launches == 0)
        return part;
    ct_sort(medians, part.launches);
    part.median = part.low = part.high = ct_quantile(medians, part.launches, 0.5);
    part.launches = 0; /* the part knows no launches any more */
    return part;
}

static int make_cell(const struct ct_cell *whole, size_t method_count, uint32_t launch, bool others,
                     struct ct_cell *ret_part)
{
    struct ct_cell part = {.key = whole->key,
                           .methods = ct_allocate(method_count, sizeof *part.methods),
                           .standings = ct_allocate(method_count, sizeof *part.standings),
                           .best = SIZE_MAX};
    double *medians = ct_allocate(whole->launch_count + 1, sizeof *medians);
    if (!part.methods || !part.standings || !medians) {
        free(medians);
        ct_map_free_cell(&part);
        return CT_E_MEMORY;
    }
    for (size_t m = 0; m < method_count; m++) {
        part.methods[m] = part_of(whole, m, launch, others, medians);
        if (part.methods[m].count == 0)
            continue;
        part.standings[m] = CT_STANDING_UNDECIDED;
        if (part.best == SIZE_MAX || part.methods[m].median < part.methods[part.best].median)
            part.best = m;
    }
    if (part.best != SIZE_MAX)
        part.standings[part.best] = CT_STANDING_BEST;
    free(medians);
    *ret_part = part;
    return CT_OK;
}

int ct_map_part(const struct ct_map *map, uint32_t launch, bool others, struct ct_map *ret_part)
{
    struct ct_map part = {.collective = map->collective,
                          .methods = ct_allocate(map->method_count, sizeof *part.methods),
                          .method_count = map->method_count,
                          .cells = ct_allocate(map->cell_count, sizeof *part.cells),
                          .margin = map->margin,
                          .exact = map->exact};
    int status = part.methods && part.cells ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK && map->method_count > 0)
        memcpy(part.methods, map->methods, map->method_count * sizeof *part.methods);
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++) {
        status = make_cell(&map->cells[c], map->method_count, launch, others, &part.cells[c]);
        part.cell_count += status == CT_OK;
    }
    if (status == CT_OK)
        *ret_part = part;
    else
        ct_map_free(&part);
    return status;
}
