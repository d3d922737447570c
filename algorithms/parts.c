/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/parts.h"

struct ct_parts ct_parts_of(struct ct_plan *plan, const size_t *counts, int count, size_t length)
{
    size_t *at = counts ? ct_scratch(plan, (size_t)count + 1, sizeof *at) : NULL;
    for (int i = 0; at && i < count; i++)
        at[i + 1] = at[i] + counts[i];
    return (struct ct_parts){.length = length, .at = at};
}
