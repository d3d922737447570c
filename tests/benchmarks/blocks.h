/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_BENCHMARKS_BLOCKS_H
#define CT_TESTS_BENCHMARKS_BLOCKS_H

#include <stddef.h>

/* Interleaved timing: contenders take turns, a block of repetitions each, so that drift hits all alike. */

enum { BLOCKS_CONTENDERS = 4, BLOCKS_MOST = 2000 };

struct contender {
    const char *name;
    void (*run)(void *context, size_t repetitions);
    size_t repetitions;          /* in a block */
    double seconds[BLOCKS_MOST]; /* per repetition, by block */
};

/* What a program is told on its command line: [BLOCKS REPETITIONS]. */
struct blocks_size {
    size_t blocks;
    size_t repetitions;
};

/* Takes it from there if it is there; ends the program with a line if there are too many blocks, or none. */
void blocks_read(int argc, char **argv, struct blocks_size *size);

/* Runs `blocks` rounds of one block of each contender, in rotating order. Before a block its contender runs a
 * little to itself, so that what the one before left behind does not count. */
void blocks_run(struct contender *contenders, size_t count, size_t blocks, void *context);

/* The same with equal repetitions; rank 0 prints under `title`. */
void blocks_compare(struct contender *contenders, size_t count, const struct blocks_size *size,
                    const char *title, int rank, void *context);

/* The same as blocks_run() in processor time, for a machine that others use too: the least of many blocks is
 * what to look at.
 */
void blocks_run_busy(struct contender *contenders, size_t count, size_t blocks, void *context);

/* Sets the repetitions of all. */
void blocks_repeat(struct contender *contenders, size_t count, size_t repetitions);

/* Prints each contender's median and quartiles in `unit` (seconds each), and the median of its ratios to the
 * first, block by block. */
void blocks_print(const struct contender *contenders, size_t count, size_t blocks, double unit,
                  const char *unit_name);

/* Prints each contender's least and median. */
void blocks_print_least(const struct contender *contenders, size_t count, size_t blocks, double unit,
                        const char *unit_name);

/* Median and quartiles of the seconds of one contender. */
void blocks_quartiles(const double *values, size_t count, double ret_quartiles[3]);

#endif
