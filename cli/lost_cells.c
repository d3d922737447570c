/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/lost_cells.h"
#include "base/memory.h"
#include "decision/score.h"
#include "report/validation.h"

#include <stdlib.h>

static bool is_lost(const struct ct_cell *cell, size_t native, size_t chosen)
{
    if (native == SIZE_MAX || chosen == SIZE_MAX || cell->methods[native].count == 0 ||
        cell->methods[chosen].count == 0)
        return false;
    return cell->methods[native].median < CT_VALIDATION_SLOWER * cell->methods[chosen].median;
}

/* Adds those of one tree. */
static int add(const struct ct_decision_tree *tree, const struct ct_run *run, struct ct_error *error,
               struct ct_validation_cell **cells, size_t *count, size_t *capacity)
{
    struct ct_map map;
    int status = ct_map_make(run, tree->collective, error, &map);
    if (status != CT_OK)
        return status;
    const size_t native = ct_score_native(&map);
    for (size_t c = 0; status == CT_OK && c < map.cell_count; c++) {
        const struct ct_cell *cell = &map.cells[c];
        if (!is_lost(cell, native, ct_score_choice(tree, &map, cell)))
            continue;
        if ((status = ct_grow(cells, capacity, *count + 1, sizeof **cells)) != CT_OK)
            break;
        (*cells)[(*count)++] =
            (struct ct_validation_cell){.collective = tree->collective,
                                        .key = {.comm_size = cell->key.comm_size,
                                                .msg_bytes = cell->key.msg_bytes,
                                                .mode = cell->key.mode,
                                                .root = cell->key.root,
                                                .pattern = cell->key.pattern},
                                        .pattern = ct_run_pattern(&run->description, cell->key.pattern)};
    }
    ct_map_free(&map);
    return status;
}

int ct_lost_cells_find(const struct ct_table *table, const struct ct_run *run, struct ct_error *error,
                       struct ct_validation_cell **ret_cells, size_t *ret_count)
{
    struct ct_validation_cell *cells = NULL;
    size_t count = 0, capacity = 0;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < table->decisions.tree_count; i++) {
        const struct ct_decision_tree *tree = &table->decisions.trees[i];
        if (ct_run_measures(run, tree->collective))
            status = add(tree, run, error, &cells, &count, &capacity);
    }
    if (status != CT_OK) {
        free(cells);
        return status;
    }
    *ret_cells = cells;
    *ret_count = count;
    return CT_OK;
}
