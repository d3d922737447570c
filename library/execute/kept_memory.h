/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_KEPT_MEMORY_H
#define CT_LIBRARY_EXECUTE_KEPT_MEMORY_H

#include <stddef.h>

/* Memory that is kept from call to call. */
struct ct_kept_memory {
    char *bytes;
    size_t capacity;
};

/* Returns at least `bytes` bytes, whose old contents are lost; NULL if memory is short. */
char *ct_memory_reserve(struct ct_kept_memory *memory, size_t bytes);

/* Frees those of `count` that have more than `most` bytes. */
void ct_memory_free(struct ct_kept_memory *memory, size_t count, size_t most);

#endif
