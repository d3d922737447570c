/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

double ct_bench_now(const struct ct_bench *bench)
{
#ifdef SMPI_H
    return MPI_Wtime() - bench->epoch;
#else
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec - bench->epoch + 1e-9 * (double)time.tv_nsec;
#endif
}

void ct_bench_abort(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("colltune benchmark: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
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
