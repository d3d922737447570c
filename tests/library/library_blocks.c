/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/library/library_blocks.h"

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* glibc's own functions, behind those below. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

enum { LIBRARIES = 4, TABLE_BITS = 16, TABLE = 1 << TABLE_BITS };

static struct {
    bool is_ready;
    int libraries;
    uintptr_t begin[LIBRARIES], end[LIBRARIES]; /* of their code */
    long blocks;
    uintptr_t table[TABLE]; /* the blocks by open addressing; 0: an empty place, 1: one that was freed */
} state;

/* --- whose block is it? --- */

static int note_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    const char *slash = strrchr(info->dlpi_name, '/');
    if (state.libraries == LIBRARIES || strncmp(slash ? slash + 1 : "", "libcolltuned", 12) != 0)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
            continue;
        state.begin[state.libraries] = info->dlpi_addr + part->p_vaddr;
        state.end[state.libraries] = info->dlpi_addr + part->p_vaddr + part->p_memsz;
        state.libraries++;
        return 0;
    }
    return 0;
}

__attribute__((constructor)) static void begin(void)
{
    dl_iterate_phdr(note_library, NULL);
    state.is_ready = true;
}

static bool is_library(const void *caller)
{
    uintptr_t address = (uintptr_t)caller;
    for (int i = 0; i < state.libraries; i++)
        if (address >= state.begin[i] && address < state.end[i])
            return true;
    return false;
}

/* --- the table --- */

static size_t place_of(uintptr_t block)
{
    return (size_t)((block >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TABLE_BITS));
}

static void *add(const void *caller, void *memory)
{
    uintptr_t block = (uintptr_t)memory;
    if (!state.is_ready || !memory || !is_library(caller))
        return memory;
    if (state.blocks++ >= TABLE / 2) /* so many are not found again */
        return memory;
    size_t place = place_of(block);
    while (state.table[place] > 1)
        place = (place + 1) % TABLE;
    state.table[place] = block;
    return memory;
}

static void take_out(const void *memory)
{
    uintptr_t block = (uintptr_t)memory;
    if (state.blocks == 0 || !memory)
        return;
    size_t place = place_of(block);
    while (state.table[place] != 0 && state.table[place] != block)
        place = (place + 1) % TABLE;
    if (state.table[place] != block)
        return;
    state.table[place] = state.table[(place + 1) % TABLE] == 0 ? 0 : 1;
    state.blocks--;
}

long library_blocks(void)
{
    return state.blocks;
}

/* --- what stands in for the functions of the C library --- */

void *malloc(size_t size)
{
    return add(__builtin_return_address(0), __libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return add(__builtin_return_address(0), __libc_calloc(count, size));
}

void *realloc(void *memory, size_t size)
{
    take_out(memory);
    return add(__builtin_return_address(0), __libc_realloc(memory, size));
}

void free(void *memory)
{
    take_out(memory);
    __libc_free(memory);
}
