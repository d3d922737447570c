/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/map_divided.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

const enum ct_feature ct_map_dividing[CT_MAP_DIVIDING] = {CT_FEATURE_MODE, CT_FEATURE_BY};

static size_t value_of(const struct ct_cell_key *key, enum ct_feature feature)
{
    return ct_key_value(key, ct_feature_descriptors[feature]);
}

int ct_map_having(const struct ct_map *map, enum ct_feature feature, size_t value, struct ct_map *ret_part)
{
    struct ct_map part = *map;
    part.cells = ct_allocate(map->cell_count + 1, sizeof *part.cells);
    if (!part.cells)
        return CT_E_MEMORY;
    part.cell_count = 0;
    for (size_t c = 0; c < map->cell_count; c++)
        if (value_of(&map->cells[c].key, feature) == value)
            part.cells[part.cell_count++] = map->cells[c];
    *ret_part = part;
    return CT_OK;
}

bool ct_keys_share_part(const struct ct_cell_key *a, const struct ct_cell_key *b)
{
    for (size_t i = 0; i < CT_MAP_DIVIDING; i++)
        if (value_of(a, ct_map_dividing[i]) != value_of(b, ct_map_dividing[i]))
            return false;
    return a->root == b->root;
}

const char *ct_part_format(const struct ct_cell_key *key, char text[CT_PART_TEXT])
{
    const bool has_mode = key->mode != CT_MODE_BLOCKING, has_by = key->by != CT_MAPPED_BY_UNKNOWN;
    char root[24] = "";
    if (key->root > 0)
        snprintf(root, sizeof root, ", root %u", key->root);
    snprintf(text, CT_PART_TEXT, "%s%s%s%s%s", has_mode ? ", " : "", has_mode ? ct_mode_names[key->mode] : "",
             has_by ? ", by " : "", has_by ? ct_mapped_names[key->by] : "", root);
    return text;
}

/* --- all parts --- */

struct parts {
    struct ct_map *data;
    size_t count;
    size_t capacity;
};

void ct_map_parts_free(struct ct_map *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(parts[i].cells);
    free(parts);
}

/* Divides a part, whose cells become the parts', by the features from number `next` on. */
static int divide(struct ct_map *part, size_t next, struct parts *parts)
{
    size_t *values = NULL, count = 0;
    int status = CT_OK;
    if (next == CT_MAP_DIVIDING || part->cell_count == 0) {
        status = ct_grow(&parts->data, &parts->capacity, parts->count + 1, sizeof *parts->data);
        if (status == CT_OK)
            parts->data[parts->count++] = *part;
        else
            free(part->cells);
        return status;
    }
    status = ct_map_values(part, ct_map_dividing[next], &values, &count);
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        struct ct_map smaller;
        status = ct_map_having(part, ct_map_dividing[next], values[i], &smaller);
        if (status == CT_OK)
            status = divide(&smaller, next + 1, parts);
    }
    free(values);
    free(part->cells);
    return status;
}

int ct_map_divide(const struct ct_map *map, struct ct_map **ret_parts, size_t *ret_count)
{
    struct parts parts = {0};
    struct ct_map whole = *map;
    whole.cells = ct_allocate(map->cell_count + 1, sizeof *whole.cells);
    if (!whole.cells)
        return CT_E_MEMORY;
    for (size_t c = 0; c < map->cell_count; c++)
        whole.cells[c] = map->cells[c];
    int status = divide(&whole, 0, &parts);
    if (status != CT_OK) {
        ct_map_parts_free(parts.data, parts.count);
        return status;
    }
    *ret_parts = parts.data;
    *ret_count = parts.count;
    return CT_OK;
}
