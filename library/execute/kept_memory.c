/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/kept_memory.h"

#include <stdlib.h>

char *ct_memory_reserve(struct ct_kept_memory *memory, size_t bytes)
{
    if (bytes > memory->capacity) {
        char *fresh = malloc(bytes);
        if (!fresh)
            return NULL;
        free(memory->bytes);
        *memory = (struct ct_kept_memory){.bytes = fresh, .capacity = bytes};
    }
    return memory->bytes;
}

void ct_memory_free(struct ct_kept_memory *memory, size_t count, size_t most)
{
    for (size_t i = 0; i < count; i++) {
        if (memory[i].capacity <= most)
            continue;
        free(memory[i].bytes);
        memory[i] = (struct ct_kept_memory){0};
    }
}
