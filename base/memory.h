/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_MEMORY_H
#define CT_BASE_MEMORY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* *ret_product = a * b; false, and nothing is written, if it does not fit. */
static inline bool ct_multiply(size_t a, size_t b, size_t *ret_product)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *ret_product = product;
    return true;
}

/* *ret_sum = a + b; false, and nothing is written, if it does not fit. */
static inline bool ct_add(size_t a, size_t b, size_t *ret_sum)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *ret_sum = sum;
    return true;
}

/* ct_grow() for arrays that are too small. */
int ct_grow_now(void *array, size_t *capacity, size_t need, size_t size);

/* Makes room for at least `need` elements of `size` bytes in the heap array at *array, whose capacity in
 * elements is *capacity; grows by half at least. CT_OK, CT_E_MEMORY or CT_E_LIMIT; on failure nothing
 * changes. Inline, since most arrays have room. */
static inline int ct_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    return need <= *capacity ? CT_OK : ct_grow_now(array, capacity, need, size);
}

/* calloc() with checked product; NULL if it does not fit or memory is short. Caller frees. */
void *ct_allocate(size_t count, size_t size);

/* The same, aligned to a cache line and not cleared: elements whose size divides that of a line do not cross
 * lines. */
void *ct_allocate_lines(size_t count, size_t size);

#endif
