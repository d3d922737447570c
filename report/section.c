/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/section.h"
#include "base/memory.h"
#include "decision/map_divided.h"
#include "decision/score.h"
#include "report/colours.h"

#include <stdio.h>
#include <stdlib.h>

static int make_places(const struct ct_report *report, struct ct_section *section)
{
    const struct ct_map *map = section->map;
    int status = ct_places_make(map, report->description, &section->places);
    struct ct_place *places = NULL;
    if (status == CT_OK && !(places = ct_allocate(section->places.count + 1, sizeof *places)))
        status = CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < section->places.count; i++)
        places[i] = (struct ct_place){section->places.keys[i].comm_size, section->places.keys[i].msg_bytes};
    if (status == CT_OK)
        status = ct_grid_make(places, section->places.count, ct_collectives[map->collective].has_size,
                              &section->grid);
    free(places);
    return status;
}

/* Chooses one method everywhere. */
static int choose(struct ct_section *section, size_t method, struct ct_choices *ret_choices)
{
    return ct_choices_make(section->map, &section->places, NULL, method, &section->methods, ret_choices);
}

static int find_native(struct ct_section *section)
{
    size_t native = ct_score_native(section->map);
    return native == SIZE_MAX ? CT_OK : choose(section, native, &section->native);
}

/* Decisions are compared with the one method that is best over all cells. Native has a line of its own. */
static int find_single(struct ct_section *section)
{
    size_t best = ct_map_best_method(section->map, NULL, section->map->cell_count, NULL);
    if (best == SIZE_MAX || ct_is_native(section->map->methods[best].algorithm))
        return CT_OK;
    section->single_method = best;
    return choose(section, best, &section->single);
}

static void mark(const struct ct_choices *choices, bool *shown)
{
    for (size_t i = 0; i < choices->count; i++)
        if (choices->methods[i] != SIZE_MAX)
            shown[choices->methods[i]] = true;
}

/* Methods that a picture shows get letters, in the map's order; those after the 52nd get none. */
static int give_letters(struct ct_section *section)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    size_t count = section->methods.count, given = 0;
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

static int make_choices(const struct ct_report *report, struct ct_section *section)
{
    int status = choose(section, SIZE_MAX, &section->best);
    if (status == CT_OK)
        status = find_native(section);
    if (status == CT_OK)
        status = find_single(section);
    for (size_t i = 0; status == CT_OK && i < report->table_count; i++) {
        const struct ct_decision_tree *tree =
            ct_decisions_find(&report->tables[i].table->decisions, section->map->collective);
        if (tree)
            status = ct_choices_make(section->map, &section->places, tree, SIZE_MAX, &section->methods,
                                     &section->tables[i]);
    }
    return status;
}

/* Names what the section has alone, in links without blanks. */
static void name(struct ct_section *section)
{
    const char *collective = ct_collectives[section->map->collective].name;
    const bool has_mode = section->mode != CT_MODE_BLOCKING, has_by = section->by != CT_MAPPED_BY_UNKNOWN;
    const char *mode = has_mode ? ct_mode_names[section->mode] : "";
    const char *by = has_by ? ct_mapped_names[section->by] : "";
    const struct ct_cell_key key = {.mode = section->mode, .by = section->by};
    char part[CT_PART_TEXT];
    snprintf(section->title, sizeof section->title, "%s%s", collective, ct_part_format(&key, part));
    snprintf(section->id, sizeof section->id, "%s%s%s%s%s", collective, has_mode ? "-" : "", mode,
             has_by ? "-" : "", by);
}

int ct_section_make(const struct ct_report *report, const struct ct_map *map, struct ct_section *ret_section)
{
    struct ct_section *section = ret_section;
    *section = (struct ct_section){.report = report, .map = map, .single_method = SIZE_MAX};
    if (map->cell_count > 0) {
        section->by = (enum ct_mapped_by)map->cells[0].key.by;
        section->mode = (enum ct_call_mode)map->cells[0].key.mode;
    }
    name(section);
    section->tables = ct_allocate(report->table_count + 1, sizeof *section->tables);
    section->methods.items = ct_allocate(map->method_count + 1, sizeof *section->methods.items);
    if (!section->tables || !section->methods.items)
        return CT_E_MEMORY;
    for (; section->methods.count < map->method_count; section->methods.count++)
        section->methods.items[section->methods.count] = map->methods[section->methods.count];
    int status = make_places(report, section);
    if (status == CT_OK)
        status = make_choices(report, section);
    if (status != CT_OK)
        return status;
    section->colours = ct_allocate(section->methods.count + 1, sizeof *section->colours);
    section->letters = ct_allocate(section->methods.count + 1, sizeof *section->letters);
    if (!section->colours || !section->letters)
        return CT_E_MEMORY;
    ct_colours_of_methods(section->methods.items, section->methods.count, section->colours);
    return give_letters(section);
}

void ct_section_free(struct ct_section *section)
{
    ct_places_free(&section->places);
    ct_grid_free(&section->grid);
    ct_choices_free(&section->best);
    ct_choices_free(&section->native);
    ct_choices_free(&section->single);
    for (size_t i = 0; section->tables && i < section->report->table_count; i++)
        ct_choices_free(&section->tables[i]);
    free(section->tables);
    free(section->methods.items);
    free(section->colours);
    free(section->letters);
    *section = (struct ct_section){0};
}
