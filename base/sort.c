/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sort.h"

#include <stdlib.h>

int ct_compare_sizes(const void *a, const void *b)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return CT_COMPARE(left, right);
}

int ct_compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return CT_COMPARE(left, right);
}

void ct_sort(double *values, size_t count)
{
    if (count > 1)
        qsort(values, count, sizeof *values, ct_compare_doubles);
}

size_t ct_sort_unique(size_t *values, size_t count)
{
    size_t kept = 0;
    if (count > 1)
        qsort(values, count, sizeof *values, ct_compare_sizes);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || values[kept - 1] != values[i])
            values[kept++] = values[i];
    return kept;
}
