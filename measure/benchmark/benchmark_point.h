/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_BENCHMARK_POINT_H
#define CT_MEASURE_BENCHMARK_BENCHMARK_POINT_H

#include "base/text.h"
#include "measure/benchmark/benchmark.h"

#include <stdio.h>

/* The program that times single messages and local work: MPI and libc alone. Rank 0 leads: it tells one
 * partner after another what to do; all others wait, asleep. Rows of samples/point_samples.h go to a file.
 */

struct ct_point_bench {
    struct ct_bench bench; /* rank, size and clock of it */
    FILE *out;             /* rank 0 */
    size_t *sizes;         /* of messages, rising */
    size_t size_count;
    size_t passes;  /* over all sizes */
    size_t most;    /* repetitions in a pass */
    double seconds; /* for a kind at a size in a pass */
    char *send;
    char *recv;
};

enum { CT_POINT_TAG_TURN = 1, CT_POINT_EXCHANGES = 4, CT_POINT_DISMISSED = -1 };

/* What both ranks do together for a while. */
struct ct_point_turn {
    int exchange; /* index into ct_point_exchanges[], or CT_POINT_DISMISSED */
    int bytes;
    int repetitions;
    int messages; /* in a repetition */
    double delay; /* seconds in which a message surely arrives */
};

/* A way to time messages. */
struct ct_point_exchange {
    const char *kind;
    /* Seconds of a message in one repetition. */
    double (*lead)(const struct ct_point_bench *point, const struct ct_point_turn *turn, int partner);
    void (*follow)(const struct ct_point_bench *point, const struct ct_point_turn *turn);
    int (*messages)(size_t bytes, double round_trip);
};

/* That of round trips first. */
extern const struct ct_point_exchange ct_point_exchanges[CT_POINT_EXCHANGES];

/* Rank 0: all kinds of times with this partner; `subject` is the link's name. */
void ct_point_lead(struct ct_point_bench *point, const char *subject, int partner);
/* Rank 0: no partner has more to do. */
void ct_point_dismiss(const struct ct_point_bench *point);
/* All others: do as told until dismissed. */
void ct_point_follow(const struct ct_point_bench *point);

/* Rank 0: times of reductions and copies. */
void ct_point_work(struct ct_point_bench *point);

/* How often something is repeated next, that has been repeated `done` times in `spent` seconds and takes
 * about `once`; 0 where it is enough. */
size_t ct_point_repetitions(const struct ct_point_bench *point, double once, size_t done, double spent);

/* Rank 0: a row. */
void ct_point_report(const struct ct_point_bench *point, const char *kind, const char *subject, int partner,
                     size_t bytes, size_t rep, double seconds);

#endif
