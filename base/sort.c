/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sort.h"

#include <stdbool.h>
#include <stdlib.h>

int ct_compare_sizes(const void *a, const void *b)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return CT_COMPARE(left, right);
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return CT_COMPARE(left, right);
}

void ct_sort(double *values, size_t count)
{
    if (count > 1)
        qsort(values, count, sizeof *values, compare_doubles);
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

static void insert_each(struct ct_keyed *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct ct_keyed item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].key > item.key; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

struct ct_keyed *ct_sort_keyed(struct ct_keyed *items, struct ct_keyed *spare, size_t count)
{
    enum { FEW = 24, BYTE_BITS = 8, VALUES = 1 << BYTE_BITS };
    uint64_t differ = 0;
    bool is_sorted = true;
    for (size_t i = 1; i < count; i++) {
        differ |= items[i].key ^ items[0].key;
        is_sorted = is_sorted && items[i - 1].key <= items[i].key;
    }
    if (is_sorted)
        return items;
    if (count <= FEW) {
        insert_each(items, count);
        return items;
    }
    for (unsigned shift = 0; shift < 64; shift += BYTE_BITS) {
        size_t begins[VALUES + 1] = {0};
        if ((differ >> shift & (VALUES - 1)) == 0)
            continue;
        for (size_t i = 0; i < count; i++)
            begins[(items[i].key >> shift & (VALUES - 1)) + 1]++;
        for (size_t i = 1; i < VALUES; i++)
            begins[i] += begins[i - 1];
        for (size_t i = 0; i < count; i++)
            spare[begins[items[i].key >> shift & (VALUES - 1)]++] = items[i];
        struct ct_keyed *sorted = spare;
        spare = items;
        items = sorted;
    }
    return items;
}
