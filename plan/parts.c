/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/parts.h"

struct ct_parts ct_parts_of(struct ct_plan *plan, const size_t *counts, int count, size_t length)
{
    size_t *at = counts ? ct_scratch(plan, (size_t)count + 1, sizeof *at) : NULL;
    for (int i = 0; at && i < count; i++)
        at[i + 1] = at[i] + counts[i];
    return (struct ct_parts){.length = length, .at = at};
}

size_t ct_parts_longest(const struct ct_parts *parts, int count)
{
    if (!parts->at)
        return parts->length + (parts->longer > 0);
    size_t longest = 0;
    for (int i = 0; i < count; i++)
        if (ct_parts_length(parts, i, i + 1) > longest)
            longest = ct_parts_length(parts, i, i + 1);
    return longest;
}
