/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_COMMON_MEMORY_H
#define CT_LIBRARY_NODE_COMMON_MEMORY_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum { CT_PAGE = 4096 };

/* Memory that ranks of a node have in common: a part of each rank, which all of them see, and which begins at
 * a page. A rank touches its own part first, so that it is near its CPU.
 *
 * Each rank maps the memory files of the others. Where the kernel or a container does not allow it, the
 * memory is that of a shared window, for which MPICH's ranks wait without giving their CPUs away: on ranks
 * that share CPUs it takes several times as long. */
struct ct_common_memory {
    unsigned char **parts;        /* by rank of the communicator */
    int size;                     /* of the communicator */
    size_t bytes;                 /* of a part */
    MPI_Win window;               /* MPI_WIN_NULL: the parts are files */
    struct ct_memory_file *files; /* while it is made */
};

/* Allocates what is needed to make memory of parts of so many bytes, a multiple of the page. False if that is
 * missing. Caller frees it in either case. */
bool ct_common_memory_allocate(int size, size_t bytes, struct ct_common_memory *ret_memory);
/* Makes the memory at all ranks of the communicator, each of which has allocated it, or at none. The part of
 * a rank begins with its head, and is zero after that. Collective. False if there is none. */
bool ct_common_memory_make(MPI_Comm comm, const void *head, size_t head_bytes,
                           struct ct_common_memory *memory);
/* Collective where the memory has been made. */
void ct_common_memory_free(struct ct_common_memory *memory);

#endif
