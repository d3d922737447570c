/* SPDX-License-Identifier: BSD-3-Clause */
#include "studies/spmv/block_begins.h"
#include "base/memory.h"

size_t *ct_block_begins(const size_t *lengths, size_t count)
{
    size_t *begins = ct_allocate(count + 1, sizeof *begins);
    for (size_t i = 0; begins && i < count; i++)
        begins[i + 1] = begins[i] + lengths[i];
    return begins;
}
