/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "measure/benchmark/benchmark.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double read_clock(void *context)
{
    (void)context;
#ifdef SMPI_H
    return MPI_Wtime();
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
#endif
}

/* Hash of what names this kernel since it was started: equal where the monotonic clock is the same. */
static uint64_t clock_identity(void)
{
    char text[256] = "simulated";
#ifndef SMPI_H
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    if (length <= 0)
        gethostname(text, sizeof text - 1);
#endif
    return ct_hash(0, text, strlen(text));
}

struct ct_bench_clock ct_bench_usual_clock(void)
{
    return (struct ct_bench_clock){.read = read_clock, .identity = clock_identity()};
}

double ct_bench_now(const struct ct_bench *bench)
{
    return ct_clock_global(&bench->model, bench->clock.read(bench->clock.context) - bench->epoch);
}

/* Launchers pass on what is written to them, but not always what was written just before the end. */
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
