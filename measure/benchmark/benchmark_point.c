/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/benchmark_point.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, PARTNERS_MAX = 4, LEAST = 4 };

size_t ct_point_repetitions(const struct ct_point_bench *point, double once, size_t done, double spent)
{
#ifdef SMPI_H
    (void)point;
    (void)once;
    (void)spent;
    return done == 0; /* nothing varies */
#else
    const double rest = 0.1; /* of the time, that is not worth another turn */
    double left = point->seconds - spent;
    size_t least = done < LEAST ? LEAST - done : 0, most = point->most > done ? point->most - done : 0;
    double wanted = left > rest * point->seconds ? left / (once > 0 ? once : left) : 0;
    size_t count = wanted < (double)most ? (size_t)wanted : most;
    return count > least ? count : least;
#endif
}

void ct_point_report(const struct ct_point_bench *point, const char *kind, const char *subject, int partner,
                     size_t bytes, size_t rep, double seconds)
{
#ifdef SMPI_H
    enum { DIGITS = 7 }; /* the rest is rounding, which depends on how late it is */
#else
    enum { DIGITS = 9 };
#endif
    const double shortest = 1e-9; /* a clock may not have moved */
    fprintf(point->out, "%s,%s,%d,%zu,%zu,%.*g\n", kind, subject, partner, bytes, rep, DIGITS,
            seconds > shortest ? seconds : shortest);
}

static char *allocate_pages(size_t bytes)
{
    void *memory;
    if (posix_memalign(&memory, PAGE, bytes ? bytes : 1) != 0)
        ct_bench_abort("no memory for a message of %zu bytes", bytes);
    memset(memory, 1, bytes);
    return memory;
}

/* Partners on this rank's node, or not on it: those that come first. */
static void lead_all(struct ct_point_bench *point, const int *labels, bool same, const char *subject)
{
    int partners = 0;
    for (int rank = 1; rank < point->bench.size && partners < PARTNERS_MAX; rank++)
        if ((labels[rank] == labels[0]) == same) {
            ct_point_lead(point, subject, rank);
            partners++;
        }
}

static void measure(struct ct_point_bench *point)
{
    int *labels = calloc((size_t)point->bench.size, sizeof *labels);
    if (!labels)
        ct_bench_abort("out of memory");
    ct_bench_check(ct_node_labels(MPI_COMM_WORLD, labels), "finding nodes");
    if (point->bench.rank == 0) {
        lead_all(point, labels, true, "node");
        lead_all(point, labels, false, "network");
        ct_point_work(point);
        ct_point_dismiss(point);
    } else {
        ct_point_follow(point);
    }
    free(labels);
}

static void start(struct ct_point_bench *point, char **argv)
{
    PMPI_Comm_rank(MPI_COMM_WORLD, &point->bench.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &point->bench.size);
    if (point->bench.size < 2)
        ct_bench_abort(
            "the launcher gave 1 rank where at least 2 are needed: does it belong to the MPI that the "
            "program was compiled for?");
    point->passes = strtoul(argv[4], NULL, 10);
    if (point->passes == 0)
        ct_bench_abort("'%s' is no number of passes", argv[4]);
    point->seconds = strtod(argv[2], NULL) / (double)point->passes;
    point->most = strtoul(argv[3], NULL, 10) / point->passes;
    if (ct_list_parse(argv[5], NULL, &point->sizes, &point->size_count) != CT_OK)
        ct_bench_abort("'%s' is no list of sizes", argv[5]);
    size_t most = 0;
    for (size_t i = 0; i < point->size_count; i++)
        most = point->sizes[i] > most ? point->sizes[i] : most;
    point->send = allocate_pages(most);
    point->recv = allocate_pages(most);
    if (point->bench.rank == 0 && !(point->out = fopen(argv[1], "w")))
        ct_bench_abort("%s: cannot be written", argv[1]);
}

int main(int argc, char **argv)
{
    struct ct_point_bench point = {.bench.clock = ct_bench_usual_clock()};
    ct_bench_check(MPI_Init(&argc, &argv), "MPI_Init");
    if (argc != 6)
        ct_bench_abort("expected FILE SECONDS REPETITIONS PASSES SIZES");
    start(&point, argv);
    measure(&point);
    if (point.out) {
        fprintf(point.out, "end\n");
        fclose(point.out);
    }
    free(point.send);
    free(point.recv);
    free(point.sizes);
    MPI_Finalize();
    return 0;
}
