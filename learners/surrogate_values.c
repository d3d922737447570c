/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/surrogate_values.h"

#include <math.h>
#include <string.h>

bool ct_surrogate_measured(const struct ct_map *map, size_t cell, size_t method)
{
    return map->cells[cell].methods[method].count > 0;
}

bool ct_surrogate_has_value(const struct ct_surrogate *surrogate, enum ct_surrogate_form form, size_t cell,
                            size_t method)
{
    return ct_surrogate_measured(surrogate->map, cell, method) &&
           (form != CT_SURROGATE_RELATIVE || !isnan(surrogate->levels[cell]));
}

size_t ct_surrogate_group(const struct ct_map *map, size_t cell)
{
    const struct ct_cell_key *key = &map->cells[cell].key, *before = key - 1;
    for (; cell > 0; cell--) {
        before = &map->cells[cell - 1].key;
        if (before->comm_size != key->comm_size || before->ppn != key->ppn || before->nodes != key->nodes)
            break;
    }
    return cell;
}

static uint64_t launches_of(const struct ct_cell *cell, size_t method)
{
    enum { BITS = 64 };
    const struct ct_statistics *statistics = &cell->methods[method];
    uint64_t launches = 0;
    for (size_t i = 0; cell->launches && i < statistics->launches; i++)
        launches |= UINT64_C(1) << cell->launches[statistics->first_launch + i].launch % BITS;
    return launches ? launches : 1;
}

struct ct_process_value ct_surrogate_value(const struct ct_surrogate *surrogate, enum ct_surrogate_form form,
                                           size_t c, size_t method)
{
    const struct ct_cell *cell = &surrogate->map->cells[c];
    const struct ct_statistics *statistics = &cell->methods[method];
    struct ct_process_value value = {.value = log(statistics->median),
                                     .variance = surrogate->sampling * M_PI_2 / (double)statistics->count,
                                     .group = ct_surrogate_group(surrogate->map, c),
                                     .launches = launches_of(cell, method)};
    if (form == CT_SURROGATE_BASED)
        value.value -= surrogate->base_logs[c * surrogate->map->method_count + method];
    else if (form == CT_SURROGATE_RELATIVE)
        value.value -= surrogate->levels[c];
    memcpy(value.place, surrogate->places[c], sizeof value.place);
    return value;
}
