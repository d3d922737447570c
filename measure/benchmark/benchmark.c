/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/benchmark.h"

#include <stdlib.h>

/* The benchmark program. */

static void measure_all(struct ct_bench *bench)
{
    struct ct_bench_call call;
    ct_bench_call_make(&call, &bench->job);
    bool idle = true;
    for (size_t i = 0; i < bench->job.cell_count; i++) {
        const struct ct_job_cell *cell = &bench->job.cells[i];
        bool mine = (size_t)bench->rank < cell->key.comm_size;
        if (mine)
            ct_bench_measure(bench, cell, &call, idle);
        idle = !mine;
    }
    ct_bench_call_free(&call);
}

/* What the environment asks of applications must not change what is measured, but for how ranks wait and
 * how messages travel within a node. */
static void set_environment(enum ct_call_mode mode)
{
    static const char *const names[] = {"COLLTUNE_ADAPT",       "COLLTUNE_DISABLE", "COLLTUNE_LEARNED",
                                        "COLLTUNE_NONBLOCKING", "COLLTUNE_PROFILE", "COLLTUNE_TABLE",
                                        "COLLTUNE_TRACE",       "COLLTUNE_VERBOSE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
    if (mode != CT_MODE_BLOCKING)
        setenv("COLLTUNE_NONBLOCKING", "1", 1);
}

/* The arguments: the job file, and the mode of its calls, which the library wants to know before MPI_Init. */
int main(int argc, char **argv)
{
    struct ct_bench bench = {0};
    const enum ct_call_mode mode = argc > 2 ? ct_mode_find(argv[2]) : CT_MODE_BLOCKING;
    const bool is_sound = argc >= 2 && argc <= 3 && mode < CT_MODES;
    set_environment(mode);
    ct_bench_check(MPI_Init(&argc, &argv), "MPI_Init");
    if (!is_sound)
        ct_bench_abort("expected one or two arguments: the job file, and the mode of its calls");
    if (ct_bench_begin(&bench, argv[1])) {
        if (bench.job.mode != mode)
            ct_bench_abort("%s: has %s calls, and the argument is %s", argv[1], ct_mode_names[bench.job.mode],
                           ct_mode_names[mode]);
        measure_all(&bench);
        ct_bench_end(&bench);
    }
    MPI_Finalize();
    return 0;
}
