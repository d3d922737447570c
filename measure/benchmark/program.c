/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/program.h"
#include "base/hash.h"
#include "base/memory.h"
#include "library/mpi/backend_mpi.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double read_clock(void *context)
{
    (void)context;
    return ct_own_clock();
}

/* A hash of what names the clock: equal where ranks read the same monotonic clock. That is one a kernel, but
 * for time namespaces, which containers may have. */
static uint64_t clock_identity(void)
{
    char text[256] = "simulated", space[64];
    int file = CT_SIMULATED ? -1 : open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    if (!CT_SIMULATED && length <= 0)
        gethostname(text, sizeof text - 1);
    length = CT_SIMULATED ? -1 : readlink("/proc/self/ns/time", space, sizeof space);
    return ct_hash(ct_hash(0, text, strlen(text)), space, length > 0 ? (size_t)length : 0);
}

struct ct_bench_clock ct_bench_usual_clock(void)
{
    return (struct ct_bench_clock){.read = read_clock, .identity = clock_identity()};
}

double ct_bench_now(const struct ct_bench *bench)
{
    return ct_clock_global(&bench->model, bench->clock.read(bench->clock.context) - bench->epoch);
}

/* Launchers do not always forward what a rank printed just before its end, so it waits a little. */
void ct_bench_abort(const char *format, ...)
{
    const struct timespec nap = {.tv_nsec = 200000000};
    va_list arguments;
    va_start(arguments, format);
    fputs("colltune benchmark: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    nanosleep(&nap, NULL);
    PMPI_Abort(MPI_COMM_WORLD, 1);
    _exit(1);
}

void ct_bench_check(int code, const char *what)
{
    if (code == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    PMPI_Error_string(code, text, &length);
    ct_bench_abort("%s failed: %s", what, text);
}

void *ct_bench_allocate(size_t count, size_t size)
{
    void *memory = ct_allocate(count ? count : 1, size);
    if (!memory)
        ct_bench_abort("out of memory");
    return memory;
}

void *ct_bench_allocate_pages(size_t bytes)
{
    enum { PAGE = 4096 };
    void *memory;
    if (posix_memalign(&memory, PAGE, bytes ? bytes : 1) != 0)
        ct_bench_abort("no memory for a message of %zu bytes", bytes);
    memset(memory, 0, bytes);
    return memory;
}
