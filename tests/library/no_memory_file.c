/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded beside the tuned library: rank 1 cannot make the memory of the lanes as a file
 * (NO_MEMORY_FILE=make), or cannot find those of the others (NO_MEMORY_FILE=find), as in a container. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_refused(const char *what)
{
    const char *rank = getenv("PMI_RANK"), *refused = getenv("NO_MEMORY_FILE");
    return rank && refused && strcmp(rank, "1") == 0 && strcmp(refused, what) == 0;
}

int memfd_create(const char *name, unsigned flags)
{
    if (is_refused("make")) {
        errno = EPERM;
        return -1;
    }
    return (int)syscall(SYS_memfd_create, name, flags);
}

ssize_t readlink(const char *restrict path, char *restrict name, size_t bytes)
{
    if (is_refused("find") && strncmp(path, "/proc/", strlen("/proc/")) == 0) {
        errno = ENOENT;
        return -1;
    }
    return syscall(SYS_readlinkat, AT_FDCWD, path, name, bytes);
}
