/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_MEMORY_FILE_H
#define CT_LIBRARY_NODE_MEMORY_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Memory of a process in a file that only memory holds (memfd_create(2)). Other processes of the same user
 * find it in /proc among the open files of its owner. The kernel frees it with the last process that has
 * mapped it, however these end. */
struct ct_memory_file {
    int64_t process; /* of the owner */
    int64_t file;    /* the number of the open file there; negative: there is none */
    uint64_t secret; /* in the name of the file, since another container may have a process of this number */
};

/* Makes such memory of so many bytes, which are zero. Returns NULL where there is none: *ret_file tells that,
 * too. */
unsigned char *ct_memory_file_make(size_t bytes, struct ct_memory_file *ret_file);
/* Maps the memory of another process, or of this one once more. Returns NULL if it is not found, or is not of
 * this length. */
unsigned char *ct_memory_file_map(const struct ct_memory_file *file, size_t bytes);
/* Closes the file of this process. It can no longer be mapped; memory that is mapped stays. */
void ct_memory_file_close(struct ct_memory_file *file);
/* NULL is no memory. */
void ct_memory_file_unmap(unsigned char *memory, size_t bytes);

#endif
