/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/call_buffers.h"
#include "measure/benchmark/job_files.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/turns.h"

#include <stdlib.h>

/* The benchmark program. */

static void measure_all(struct ct_bench *bench)
{
    struct ct_bench_call call;
    ct_bench_call_make(&call, &bench->job);
    bool idle = true;
    for (size_t i = 0; i < bench->job.cell_count; i++) {
        const struct ct_job_cell *cell = &bench->job.cells[i];
        const bool last = i + 1 == bench->job.cell_count || cell[1].key.comm_size != cell->key.comm_size;
        bool mine = (size_t)bench->rank < cell->key.comm_size;
        if (mine)
            ct_bench_measure(bench, cell, &call, idle, last);
        idle = !mine;
    }
    ct_bench_call_free(&call);
}

/* What the environment asks of applications must not change what is measured, but for how ranks wait and
 * how messages travel within a node. */
static void clear_environment(void)
{
    static const char *const names[] = {"COLLTUNE_ADAPT",       "COLLTUNE_DISABLE", "COLLTUNE_LEARNED",
                                        "COLLTUNE_NONBLOCKING", "COLLTUNE_PROFILE", "COLLTUNE_TABLE",
                                        "COLLTUNE_TRACE",       "COLLTUNE_VERBOSE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
}

int main(int argc, char **argv)
{
    struct ct_bench bench = {0};
    clear_environment();
    const enum ct_call_mode mode = ct_bench_mode(argc, argv);
    ct_bench_check(MPI_Init(&argc, &argv), "MPI_Init");
    if (ct_bench_begin(&bench, argv, mode)) {
        measure_all(&bench);
        ct_bench_end(&bench);
    }
    MPI_Finalize();
    return 0;
}
