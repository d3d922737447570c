/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/links.h"
#include "library/mpi/backend_mpi.h"
#include "measure/benchmark/groups.h"
#include "measure/benchmark/job_results.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/start.h"

#include <math.h>
#include <stdlib.h>

/* A check is the best of some rounds, since a rank may lose its CPU meanwhile. */
enum { ROUNDS = 3, BLOCK_LEAST = 1 << 10, BLOCK_MOST = 1 << 16, BLOCKS_BYTES = 1 << 20 };

/* Checks take at most so small a part of the time, and never follow each other sooner. */
static const double part = 0.02, soonest = 0.05;

/* Long enough for a link's bandwidth to show, and all blocks together moderate. */
static size_t block_of(size_t ranks)
{
    const size_t block = BLOCKS_BYTES / ranks;
    return block < BLOCK_LEAST ? BLOCK_LEAST : block > BLOCK_MOST ? BLOCK_MOST : block;
}

/* Every block goes from each rank to the next one, so that every link between nodes carries all of them. */
static double pass_blocks(const struct ct_bench *bench, const struct ct_bench_group *group)
{
    const size_t block = block_of(group->size);
    char *blocks = ct_bench_allocate_pages(group->size * block);
    const struct ct_operands nothing = {.root = 0};
    const struct ct_operands operands = {.send = {.buffer = MPI_IN_PLACE},
                                         .recv = {.buffer = blocks, .count = block, .type = MPI_BYTE}};
    double best = INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
        ct_bench_run(group, &bench->barrier, &nothing);
        const double began = ct_bench_now(bench);
        ct_bench_run(group, &bench->around, &operands);
        best = fmin(best, ct_bench_now(bench) - began);
    }
    free(blocks);
    return best;
}

void ct_bench_check_links(struct ct_bench *bench, const struct ct_bench_group *group, bool last)
{
    struct ct_bench_links *links = &bench->links;
    if (CT_SIMULATED || group->nodes < 2)
        return;
    int due = last || links->ranks != group->size ||
              ct_bench_now(bench) - links->at > fmax(soonest, ROUNDS * links->seconds / part);
    const struct ct_operands word = ct_broadcast(&due, 1, MPI_INT, 0);
    if (bench->rank == 0)
        ct_bench_tell(bench, CT_JOB_NONE, CT_JOB_NONE);
    ct_bench_run(group, &bench->fan_out, &word);
    if (!due)
        return;
    links->ranks = group->size;
    links->seconds = pass_blocks(bench, group);
    links->at = ct_bench_now(bench);
    struct ct_text text = {0};
    ct_text_append(&text, "links %zu %zu %zu %.6g\n", group->size, group->nodes, group->ppn, links->seconds);
    ct_bench_report(bench, &text);
}
