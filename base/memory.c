/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

int ct_grow_now(void *array, size_t *capacity, size_t need, size_t size)
{
    size_t room = *capacity + *capacity / 2;
    if (room < need)
        room = need;
    if (room < 8)
        room = 8;
    size_t bytes;
    if (!ct_multiply(room, size, &bytes))
        return CT_E_LIMIT;

    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = realloc(old, bytes);
    if (!grown)
        return CT_E_MEMORY;
    memcpy(array, &grown, sizeof grown);
    *capacity = room;
    return CT_OK;
}

void *ct_allocate(size_t count, size_t size)
{
    enum { SMALL = 1024 }; /* glibc keeps freed blocks of that size at hand for malloc(), not for calloc() */
    size_t bytes;
    if (!ct_multiply(count, size, &bytes) || bytes > SMALL)
        return calloc(count, size);
    void *memory = malloc(bytes ? bytes : 1);
    return memory ? memset(memory, 0, bytes) : NULL;
}

void *ct_allocate_lines(size_t count, size_t size)
{
    enum { LINE = 64 };
    size_t bytes;
    if (!ct_multiply(count, size, &bytes) || !ct_add(bytes, LINE - 1, &bytes))
        return NULL;
    return aligned_alloc(LINE, bytes - bytes % LINE);
}
