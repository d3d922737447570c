/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/job_files.h"
#include "base/file.h"
#include "library/communicators/carrier.h"
#include "library/execute/channel.h"
#include "library/mpi/backend_mpi.h"
#include "measure/benchmark/common_clock.h"
#include "measure/benchmark/groups.h"
#include "measure/benchmark/job_results.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/watch.h"
#include "measure/slowness.h"
#include "plan/node_channel.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Rank 0 reads the job, all get it. */
static void read_job(struct ct_bench *bench, const char *path)
{
    struct ct_error error = {""};
    char *text = NULL;
    size_t length = 0;
    if (bench->rank == 0 && ct_file_read(path, &error, &text, &length) != CT_OK)
        ct_bench_abort("%s", error.text);
    unsigned long long bytes = length;
    ct_bench_check(PMPI_Bcast(&bytes, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD), "MPI_Bcast");
    if (bytes > INT_MAX)
        ct_bench_abort("%s is too long", path);
    if (bench->rank != 0)
        text = calloc(bytes + 1, 1);
    if (!text)
        ct_bench_abort("out of memory");
    ct_bench_check(PMPI_Bcast(text, (int)bytes, MPI_CHAR, 0, MPI_COMM_WORLD), "MPI_Bcast");
    if (ct_job_read(text, path, &error, &bench->job) != CT_OK)
        ct_bench_abort("%s", error.text[0] ? error.text : "out of memory");
    free(text);
}

/* Rank 0: the results file and the page that the supervisor looks at. */
static void open_files(struct ct_bench *bench)
{
    bench->results = -1;
    if (bench->rank != 0) {
        bench->state = calloc(1, sizeof *bench->state);
        if (!bench->state)
            ct_bench_abort("out of memory");
        return;
    }
    bench->results = open(bench->job.results, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (bench->results < 0)
        ct_bench_abort("%s: cannot be written", bench->job.results);
    int file = open(bench->job.state, O_RDWR | O_CLOEXEC);
    void *page =
        file < 0 ? MAP_FAILED : mmap(NULL, sizeof *bench->state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED)
        ct_bench_abort("%s: cannot be mapped", bench->job.state);
    close(file);
    bench->state = page;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    bench->state_remote = strcmp(host, bench->job.host) != 0;
}

/* Fewer ranks than asked for, or many jobs of one rank each, which is what a launcher of another MPI makes.
 */
static bool enough_ranks(const struct ct_bench *bench)
{
    if ((size_t)bench->size >= bench->job.size)
        return true;
    struct ct_text text = {0};
    ct_text_append(&text, "few %d\n", bench->size);
    ct_bench_report(bench, &text);
    return false;
}

/* Do messages between all ranks that share a node travel through their memory? */
static bool node_is_shared(const struct ct_bench *bench)
{
    int ranks = 0, all;
    for (int i = 0; i < bench->size; i++)
        ranks += bench->node_of[i] == bench->node_of[bench->rank];
    int own = ranks == 1 || ct_carrier_node_is_shared();
    ct_bench_check(PMPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD), "MPI_Allreduce");
    return all;
}

/* What the supervisor wants to know before the first cell. */
static void report_start(struct ct_bench *bench)
{
    struct ct_bench_skew skew = ct_bench_check_clocks(bench, ct_bench_find_group(bench, (size_t)bench->size));
    int slowest;
    double factor = ct_bench_slowest(bench, &slowest);
    const bool has_channel = (!CT_SIMULATED || ct_simulates_shared_node()) && bench->groups[0].ppn > 1;
    const bool is_shared = has_channel && (CT_SIMULATED || node_is_shared(bench));
    if (bench->rank != 0)
        return;
    struct ct_text text = {0};
    if (ct_slowness_is_much(factor))
        ct_text_append(&text, "slow %d %.3g\n", slowest, factor);
    ct_text_append(&text, "ranks");
    for (int i = 0; i < bench->size; i++)
        ct_text_append(&text, " %d", bench->node_of[i]);
    ct_text_append(&text, "\n");
    if (has_channel)
        ct_text_append(&text, "node %s\n",
                       ct_node_channel_names[is_shared ? CT_NODE_CHANNEL_SHARED : CT_NODE_CHANNEL_MPI]);
    if (bench->groups[0].policy == CT_WAIT_YIELD)
        ct_text_append(&text, "yield %d\n", bench->yield_from);
    if (bench->clocks)
        ct_text_append(&text, "clocks %zu %.9g %.9g\n", bench->clock_count, skew.seconds, skew.bound);
    ct_text_append(&text, "start %d %s\n", bench->size, bench->common_clock ? "global" : "local");
    ct_bench_report(bench, &text);
}

enum ct_call_mode ct_bench_mode(int argc, char **argv)
{
    if (argc < 2 || argc > 3)
        return CT_MODES;
    const enum ct_call_mode mode = argc > 2 ? ct_mode_find(argv[2]) : CT_MODE_BLOCKING;
    if (mode != CT_MODE_BLOCKING && mode < CT_MODES)
        setenv("COLLTUNE_NONBLOCKING", "1", 1);
    return mode;
}

bool ct_bench_begin(struct ct_bench *bench, char **argv, enum ct_call_mode mode)
{
    if (mode == CT_MODES)
        ct_bench_abort("expected one or two arguments: the job file, and the mode of its calls");
    PMPI_Comm_rank(MPI_COMM_WORLD, &bench->rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &bench->size);
    bench->clock = ct_bench_usual_clock();
    read_job(bench, argv[1]);
    if (bench->job.mode != mode)
        ct_bench_abort("%s: has %s calls, and the argument is %s", argv[1], ct_mode_names[bench->job.mode],
                       ct_mode_names[mode]);
    ct_bench_watch(bench);
    open_files(bench);
    ct_bench_find_methods(bench);
    if (!enough_ranks(bench)) {
        ct_job_free(&bench->job);
        return false;
    }
    ct_bench_make_groups(bench);
    ct_bench_make_clocks(bench);
    report_start(bench);
    bench->begun = ct_bench_now(bench);
    return true;
}

void ct_bench_end(struct ct_bench *bench)
{
    /* Ranks that finish early must not spin in MPI_Finalize while the others measure. */
    struct ct_text text = {0};
    const struct ct_bench_group *all = ct_bench_find_group(bench, (size_t)bench->size);
    const struct ct_operands nothing = {.root = 0};
    ct_channel_set_policy(all->channel, CT_WAIT_SLEEP);
    ct_bench_run(all, &bench->barrier, &nothing);
    ct_text_append(&text, "end\n");
    ct_bench_report(bench, &text);
    ct_bench_free_clocks(bench);
    ct_bench_free_groups(bench);
    ct_job_free(&bench->job);
}
