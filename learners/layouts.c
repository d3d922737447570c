/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/layouts.h"
#include "base/memory.h"

#include <stdlib.h>

void ct_layouts_free(struct ct_layouts *layouts)
{
    free(layouts->ppn);
    *layouts = (struct ct_layouts){0};
}

bool ct_layout_has(size_t ppn, const struct ct_cell *cell)
{
    return cell->key.nodes > 1 ? cell->key.ppn == ppn : cell->key.comm_size <= ppn;
}

static bool is_asked(const struct ct_feature_columns *columns)
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

static int add(struct ct_layouts *layouts, size_t *capacity, size_t ppn)
{
    size_t at = 0;
    while (at < layouts->count && layouts->ppn[at] < ppn)
        at++;
    if (at < layouts->count && layouts->ppn[at] == ppn)
        return CT_OK;
    int status = ct_grow(&layouts->ppn, capacity, layouts->count + 1, sizeof *layouts->ppn);
    if (status != CT_OK)
        return status;
    for (size_t i = layouts->count++; i > at; i--)
        layouts->ppn[i] = layouts->ppn[i - 1];
    layouts->ppn[at] = ppn;
    return CT_OK;
}

static bool is_in_any(const struct ct_layouts *layouts, const struct ct_cell *cell)
{
    for (size_t i = 0; i < layouts->count; i++)
        if (ct_layout_has(layouts->ppn[i], cell))
            return true;
    return false;
}

/* Cells of several nodes say what layouts there are; ranks that fit on a node of none of these are one more.
 */
static int find(const struct ct_map *map, struct ct_layouts *layouts)
{
    size_t capacity = 0, most = 0;
    int status = CT_OK;
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++)
        if (map->cells[c].key.nodes > 1)
            status = add(layouts, &capacity, map->cells[c].key.ppn);
    for (size_t c = 0; c < map->cell_count; c++)
        if (!is_in_any(layouts, &map->cells[c]) && map->cells[c].key.comm_size > most)
            most = map->cells[c].key.comm_size;
    return status == CT_OK && most > 0 ? add(layouts, &capacity, most) : status;
}

int ct_layouts_of(const struct ct_map *map, const struct ct_feature_columns *columns, struct ct_error *error,
                  struct ct_layouts *ret_layouts)
{
    struct ct_layouts layouts = {0};
    int status = is_asked(columns) && is_mixed(map) ? find(map, &layouts) : CT_OK;
    if (status != CT_OK)
        ct_fail(error, status, "out of memory");
    else if (layouts.count > CT_LAYOUTS_MAX)
        status =
            ct_fail(error, CT_E_INPUT,
                    "%s: the nodes have %zu different numbers of ranks: expected at most %d to learn from "
                    "nodes or ppn between the measured sizes; penalty learns from the cells alone",
                    ct_collectives[map->collective].name, layouts.count, CT_LAYOUTS_MAX);
    if (status == CT_OK)
        *ret_layouts = layouts;
    else
        ct_layouts_free(&layouts);
    return status;
}
