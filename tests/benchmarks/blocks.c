/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/benchmarks/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void blocks_read(int argc, char **argv, struct blocks_size *size)
{
    if (argc > 2)
        *size = (struct blocks_size){strtoul(argv[1], NULL, 10), strtoul(argv[2], NULL, 10)};
    if (size->blocks < 1 || size->blocks > BLOCKS_MOST) {
        fprintf(stderr, "%s: expected 1 to %d blocks\n", argv[0], BLOCKS_MOST);
        exit(1);
    }
}

void blocks_repeat(struct contender *contenders, size_t count, size_t repetitions)
{
    for (size_t i = 0; i < count; i++)
        contenders[i].repetitions = repetitions;
}

static void run(clockid_t clock, struct contender *contenders, size_t count, size_t blocks, void *context)
{
    for (size_t block = 0; block < blocks; block++) {
        for (size_t i = 0; i < count; i++) {
            struct contender *contender = &contenders[(block + i) % count];
            contender->run(context, 1 + contender->repetitions / 10);
            double begin = now(clock);
            contender->run(context, contender->repetitions);
            contender->seconds[block] = (now(clock) - begin) / (double)contender->repetitions;
        }
    }
}

void blocks_run(struct contender *contenders, size_t count, size_t blocks, void *context)
{
    run(CLOCK_MONOTONIC, contenders, count, blocks, context);
}

void blocks_run_busy(struct contender *contenders, size_t count, size_t blocks, void *context)
{
    run(CLOCK_PROCESS_CPUTIME_ID, contenders, count, blocks, context);
}

static int by_value(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

void blocks_quartiles(const double *values, size_t count, double ret_quartiles[3])
{
    static double sorted[BLOCKS_MOST];
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_value);
    for (size_t i = 0; i < 3; i++)
        ret_quartiles[i] = sorted[(i + 1) * (count - 1) / 4];
}

void blocks_print(const struct contender *contenders, size_t count, size_t blocks, double unit,
                  const char *unit_name)
{
    static double ratios[BLOCKS_MOST];
    for (size_t i = 0; i < count; i++) {
        double own[3], ratio[3];
        for (size_t block = 0; block < blocks; block++)
            ratios[block] = contenders[i].seconds[block] / contenders[0].seconds[block];
        blocks_quartiles(contenders[i].seconds, blocks, own);
        blocks_quartiles(ratios, blocks, ratio);
        printf("  %-28s %9.3f %s (quartiles %.3f - %.3f)   x %.3f (%.3f - %.3f) of %s\n", contenders[i].name,
               own[1] / unit, unit_name, own[0] / unit, own[2] / unit, ratio[1], ratio[0], ratio[2],
               contenders[0].name);
    }
}

void blocks_compare(struct contender *contenders, size_t count, const struct blocks_size *size,
                    const char *title, int rank, void *context)
{
    blocks_repeat(contenders, count, size->repetitions);
    blocks_run(contenders, count, size->blocks, context);
    if (rank > 0)
        return;
    printf("%s, %zu blocks of %zu\n", title, size->blocks, size->repetitions);
    blocks_print(contenders, count, size->blocks, 1e-6, "us");
}

void blocks_print_least(const struct contender *contenders, size_t count, size_t blocks, double unit,
                        const char *unit_name)
{
    for (size_t i = 0; i < count; i++) {
        double own[3], least = contenders[i].seconds[0];
        for (size_t block = 1; block < blocks; block++)
            least = contenders[i].seconds[block] < least ? contenders[i].seconds[block] : least;
        blocks_quartiles(contenders[i].seconds, blocks, own);
        printf("  %-28s %9.3f %s (median %.3f)\n", contenders[i].name, least / unit, unit_name,
               own[1] / unit);
    }
}
