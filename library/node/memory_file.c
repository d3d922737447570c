/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/memory_file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 64 };
#define FILE_NAME "colltune-%016" PRIx64

static unsigned char *map_shared(int file, size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

unsigned char *ct_memory_file_make(size_t bytes, struct ct_memory_file *ret_file)
{
    char name[PATH_BYTES];
    uint64_t secret;
    unsigned char *memory = NULL;
    *ret_file = (struct ct_memory_file){.file = -1};
    if (getrandom(&secret, sizeof secret, GRND_NONBLOCK) != (ssize_t)sizeof secret)
        return NULL;
    snprintf(name, sizeof name, FILE_NAME, secret);
    const int file = memfd_create(name, MFD_CLOEXEC);
    if (file < 0)
        return NULL;
    if (ftruncate(file, (off_t)bytes) == 0)
        memory = map_shared(file, bytes);
    if (memory)
        *ret_file = (struct ct_memory_file){.process = getpid(), .file = file, .secret = secret};
    else
        close(file);
    return memory;
}

/* Is that what stands in the path? It is asked before the file is opened, since opening some files, such as
 * devices, does something. */
static bool is_named(const char *path, uint64_t secret)
{
    char name[PATH_BYTES], expected[PATH_BYTES];
    snprintf(expected, sizeof expected, "/memfd:" FILE_NAME " (deleted)", secret);
    const ssize_t length = readlink(path, name, sizeof name);
    return length == (ssize_t)strlen(expected) && memcmp(name, expected, (size_t)length) == 0;
}

unsigned char *ct_memory_file_map(const struct ct_memory_file *file, size_t bytes)
{
    char path[PATH_BYTES];
    struct stat about;
    unsigned char *memory = NULL;
    snprintf(path, sizeof path, "/proc/%" PRId64 "/fd/%" PRId64, file->process, file->file);
    const int opened = is_named(path, file->secret) ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (opened < 0)
        return NULL;
    if (fstat(opened, &about) == 0 && about.st_size == (off_t)bytes)
        memory = map_shared(opened, bytes);
    close(opened);
    return memory;
}

void ct_memory_file_close(struct ct_memory_file *file)
{
    if (file->file >= 0)
        close((int)file->file);
    file->file = -1;
}

void ct_memory_file_unmap(unsigned char *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes);
}
