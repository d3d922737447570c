/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/section.h"

#include "base/memory.h"
#include "decision/map.h"
#include "report/colours.h"

#include <stdlib.h>

static int make_grid(const struct ct_map *map, struct ct_grid *ret_grid)
{
    struct ct_place *places = ct_allocate(map->cell_count + 1, sizeof *places);
    if (!places)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count; i++)
        places[i] = (struct ct_place){map->cells[i].key.comm_size, map->cells[i].key.msg_bytes};
    int status = ct_grid_make(places, map->cell_count, ct_collectives[map->collective].has_size, ret_grid);
    free(places);
    return status;
}

static int find_native(const struct ct_map *map, struct ct_choices *ret_native)
{
    for (size_t i = 0; i < map->method_count; i++)
        if (ct_is_native(map->methods[i].algorithm))
            return ct_choices_of_method(map, i, ret_native);
    return CT_OK;
}

/* The yardstick for all decisions: one method that need not decide anything. Native has a line of its own. */
static int find_single(struct ct_section *section)
{
    size_t best = ct_map_best_method(section->map, NULL, section->map->cell_count, NULL);
    if (best == SIZE_MAX || ct_is_native(section->map->methods[best].algorithm))
        return CT_OK;
    section->single_method = best;
    return ct_choices_of_method(section->map, best, &section->single);
}

static void mark(const struct ct_choices *choices, bool *shown)
{
    for (size_t i = 0; i < choices->count; i++)
        if (choices->methods[i] != SIZE_MAX)
            shown[choices->methods[i]] = true;
}

/* Letters for those that a picture shows, in the map's order; beyond 52 they go without. */
static int give_letters(struct ct_section *section)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    size_t count = section->map->method_count, given = 0;
    bool *shown = ct_allocate(count + 1, sizeof *shown);
    if (!shown)
        return CT_E_MEMORY;
    mark(&section->best, shown);
    mark(&section->native, shown);
    for (size_t i = 0; i < section->report->table_count; i++)
        mark(&section->tables[i], shown);
    for (size_t i = 0; i < count; i++)
        if (shown[i])
            section->letters[i] = given < sizeof letters - 1 ? letters[given++] : ' ';
    free(shown);
    return CT_OK;
}

int ct_section_make(const struct ct_report *report, const struct ct_map *map, struct ct_section *ret_section)
{
    struct ct_section *section = ret_section;
    *section = (struct ct_section){.report = report, .map = map, .single_method = SIZE_MAX};
    section->colours = ct_allocate(map->method_count + 1, sizeof *section->colours);
    section->letters = ct_allocate(map->method_count + 1, sizeof *section->letters);
    section->tables = ct_allocate(report->table_count + 1, sizeof *section->tables);
    if (!section->colours || !section->letters || !section->tables)
        return CT_E_MEMORY;
    ct_colours_of_methods(map, section->colours);
    int status = make_grid(map, &section->grid);
    if (status == CT_OK)
        status = ct_choices_of_best(map, &section->best);
    if (status == CT_OK)
        status = find_native(map, &section->native);
    if (status == CT_OK)
        status = find_single(section);
    for (size_t i = 0; status == CT_OK && i < report->table_count; i++) {
        const struct ct_decision_tree *tree =
            ct_decisions_find(&report->tables[i].table->decisions, map->collective);
        if (tree)
            status = ct_choices_of_tree(map, tree, &section->tables[i]);
    }
    return status == CT_OK ? give_letters(section) : status;
}

void ct_section_free(struct ct_section *section)
{
    ct_grid_free(&section->grid);
    ct_choices_free(&section->best);
    ct_choices_free(&section->native);
    ct_choices_free(&section->single);
    for (size_t i = 0; section->tables && i < section->report->table_count; i++)
        ct_choices_free(&section->tables[i]);
    free(section->tables);
    free(section->colours);
    free(section->letters);
    *section = (struct ct_section){0};
}
