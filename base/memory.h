/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_MEMORY_H
#define CT_BASE_MEMORY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* *ret_product = a * b; false, and nothing written, where it does not fit. */
static inline bool ct_multiply(size_t a, size_t b, size_t *ret_product)
{
    size_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return false;
    *ret_product = product;
    return true;
}

/* *ret_sum = a + b; false, and nothing written, where it does not fit. */
static inline bool ct_add(size_t a, size_t b, size_t *ret_sum)
{
    size_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return false;
    *ret_sum = sum;
    return true;
}

/* ct_grow() where there is not enough room. */
int ct_grow_now(void *array, size_t *capacity, size_t need, size_t size);

/* Makes room for at least `need` elements of `size` bytes in the heap array at *array, whose capacity in
 * elements is *capacity; grows by half at least. CT_OK, CT_E_MEMORY or CT_E_LIMIT; on failure nothing
 * changes. In line: mostly there is room. */
static inline int ct_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    return need <= *capacity ? CT_OK : ct_grow_now(array, capacity, need, size);
}

/* calloc with the product checked; NULL where it does not fit or there is no memory. Caller frees. */
void *ct_allocate(size_t count, size_t size);

/* The same from the beginning of a cache line on, and not cleared: elements whose size divides that of a line
 * lie in one each. */
void *ct_allocate_lines(size_t count, size_t size);

#endif
