/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/contradictions.h"
#include "base/number.h"
#include "decision/contradiction.h"
#include "decision/map_divided.h"
#include "samples/leave_out.h"

#include <stdio.h>
#include <stdlib.h>

int ct_without_apply(const char *list, struct ct_run *run, struct ct_error *error)
{
    size_t *sizes, count;
    if (!list)
        return CT_OK;
    int status = ct_sizes_read("without", list, 1, UINT32_MAX, error, &sizes, &count);
    if (status != CT_OK)
        return status;
    status = ct_run_leave_out(run, sizes, count, error);
    free(sizes);
    return status;
}

static int tell(const struct ct_command *command, const struct ct_map *map)
{
    struct ct_contradiction *found;
    size_t count;
    int status = ct_contradictions_find(map, &found, &count);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        bool is_faster = found[i].factor < 1;
        char method[CT_METHOD_TEXT], part[CT_PART_TEXT], others[64] = "", factor[CT_NUMBER_TEXT];
        ct_method_format(&map->methods[found[i].method], false, method);
        if (found[i].methods > 1)
            snprintf(others, sizeof others, ", and %zu other%s alike", found[i].methods - 1,
                     found[i].methods > 2 ? "s" : "");
        ct_tell(command,
                "%s%s, %zu ranks: %s is %s times %s than at the sizes around it%s: measure again, or set "
                "aside with --without %zu",
                ct_collectives[map->collective].name, ct_part_format(&map->cells[0].key, part),
                found[i].comm_size, method,
                ct_rounded_format(is_faster ? 1 / found[i].factor : found[i].factor, 2, factor),
                is_faster ? "faster" : "slower", others, found[i].comm_size);
    }
    free(found);
    return CT_OK;
}

int ct_contradictions_tell(const struct ct_command *command, const struct ct_map *map)
{
    struct ct_map *parts = NULL;
    size_t count = 0;
    int status = ct_map_divide(map, &parts, &count);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = tell(command, &parts[i]);
    ct_map_parts_free(parts, count);
    return status;
}

int ct_contradictions_tell_all(const struct ct_command *command, const struct ct_run *run, int collective,
                               struct ct_error *error)
{
    struct ct_map *maps = NULL;
    size_t count = 0;
    int status = ct_maps_make(run, collective, CT_MARGIN, error, &maps, &count);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = ct_contradictions_tell(command, &maps[i]);
    ct_maps_free(maps, count);
    return status;
}
