/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/common_memory.h"
#include "base/memory.h"
#include "library/mpi/yielding_calls.h"
#include "library/node/memory_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Fills this rank's part. False if there is too little memory: where the kernel cannot tell, the job would be
 * ended. */
static bool fill(unsigned char *part, size_t bytes, const void *head, size_t head_bytes)
{
    if (madvise(part, bytes, MADV_POPULATE_WRITE) != 0 && errno != EINVAL)
        return false;
    memset(part, 0, bytes);
    memcpy(part, head, head_bytes);
    return true;
}

/* The parts but this rank's own, which is there. False if one is missing. */
static bool map_files(struct ct_common_memory *memory)
{
    bool done = true;
    for (int i = 0; done && i < memory->size; i++)
        if (!memory->parts[i])
            done = (memory->parts[i] = ct_memory_file_map(&memory->files[i], memory->bytes)) != NULL;
    return done;
}

static void unmap_files(struct ct_common_memory *memory)
{
    for (int i = 0; i < memory->size; i++) {
        ct_memory_file_unmap(memory->parts[i], memory->bytes);
        memory->parts[i] = NULL;
    }
}

/* Files at all ranks, or at none. */
static bool make_files(MPI_Comm comm, const void *head, size_t head_bytes, struct ct_common_memory *memory)
{
    int rank;
    struct ct_memory_file own;
    PMPI_Comm_rank(comm, &rank);
    unsigned char *part = memory->parts[rank] = ct_memory_file_make(memory->bytes, &own);
    const bool is_filled = part && fill(part, memory->bytes, head, head_bytes);
    int done = ct_yielding_allgather(&own, memory->files, (int)sizeof own, MPI_BYTE, comm) == MPI_SUCCESS &&
               is_filled && map_files(memory);
    ct_yielding_agree(&done, 1, comm);
    ct_memory_file_close(&own);
    if (!done)
        unmap_files(memory);
    return done;
}

/* Where a part begins in its memory, which has one page more: Open MPI's windows do not begin with a page. */
static unsigned char *page_of(void *base)
{
    return (unsigned char *)base + (CT_PAGE - (uintptr_t)base % CT_PAGE) % CT_PAGE;
}

static bool find_parts(struct ct_common_memory *memory)
{
    for (int i = 0; i < memory->size; i++) {
        MPI_Aint size;
        int unit;
        void *base;
        if (PMPI_Win_shared_query(memory->window, i, &size, &unit, &base) != MPI_SUCCESS)
            return false;
        memory->parts[i] = page_of(base);
    }
    return true;
}

/* A window at all ranks, or none that is used. */
static bool make_window(MPI_Comm comm, const void *head, size_t head_bytes, struct ct_common_memory *memory)
{
    enum { MADE, FILLED, SAYS };
    int says[SAYS] = {false, false};
    void *own;
    says[MADE] = PMPI_Win_allocate_shared((MPI_Aint)(memory->bytes + CT_PAGE), 1, MPI_INFO_NULL, comm, &own,
                                          &memory->window) == MPI_SUCCESS;
    says[FILLED] = says[MADE] && fill(page_of(own), memory->bytes, head, head_bytes) && find_parts(memory);
    ct_yielding_agree(says, SAYS, comm);
    if (!says[MADE]) { /* it could be freed only by all ranks */
        memory->window = MPI_WIN_NULL;
        memset(memory->parts, 0, (size_t)memory->size * sizeof *memory->parts);
    }
    return says[FILLED];
}

bool ct_common_memory_allocate(int size, size_t bytes, struct ct_common_memory *ret_memory)
{
    *ret_memory = (struct ct_common_memory){.size = size, .bytes = bytes, .window = MPI_WIN_NULL};
    ret_memory->parts = ct_allocate((size_t)size, sizeof *ret_memory->parts);
    ret_memory->files = ct_allocate((size_t)size, sizeof *ret_memory->files);
    return ret_memory->parts && ret_memory->files;
}

bool ct_common_memory_make(MPI_Comm comm, const void *head, size_t head_bytes,
                           struct ct_common_memory *memory)
{
    const bool done =
        make_files(comm, head, head_bytes, memory) || make_window(comm, head, head_bytes, memory);
    free(memory->files);
    memory->files = NULL;
    return done;
}

void ct_common_memory_free(struct ct_common_memory *memory)
{
    if (memory->window != MPI_WIN_NULL)
        PMPI_Win_free(&memory->window);
    else if (memory->parts)
        unmap_files(memory);
    free(memory->parts);
    free(memory->files);
    *memory = (struct ct_common_memory){.window = MPI_WIN_NULL};
}
