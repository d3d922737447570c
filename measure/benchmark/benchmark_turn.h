/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_BENCHMARK_TURN_H
#define CT_MEASURE_BENCHMARK_BENCHMARK_TURN_H

#include "measure/benchmark/benchmark.h"
#include "measure/race.h"

/* A cell is measured in turns: each turn is some rounds, each round calls every method that is not through
 * yet once, in an order drawn anew, so that drift and neighbours on the machine hit all alike. Behind a turn
 * all ranks agree on its times and from them, by the same rule, on who is through, who is out of the race and
 * how long the next turn is. */

/* A method in a cell. */
struct ct_bench_trial {
    const struct ct_method *method;
    size_t index; /* of the method in the job */
    double *times;
    double *sorted; /* the same, rising */
    size_t count;
    size_t capacity;
    size_t calls; /* also those before the first sample */
    double busy;  /* seconds in calls */
    bool wrong;
    bool through;
};

/* A cell as it is being measured. */
struct ct_bench_cell {
    struct ct_bench *bench;
    const struct ct_job_cell *cell;
    const struct ct_bench_group *group;
    struct ct_bench_call *call;
    struct ct_stop_rule rule;
    struct ct_bench_trial *trials;
    struct ct_racer *racers; /* by trial */
    size_t *order;           /* trials that are not through, shuffled */
    size_t active;
    uint64_t random;
    double elapsed;            /* agreed seconds of all turns */
    struct ct_bench_skew skew; /* of the clocks, after all turns */
    size_t lost;               /* calls that a rank came too late to, and of how many */
    size_t counted;
    /* One turn: per call the trial, begin and end here, and whether this rank came too late. The agreement:
     * per call the end, and minus the begin; per trial whether its result was wrong; the turn's length; per
     * call whether a rank was late. */
    size_t *callee;
    double *begin;
    double *end;
    bool *late;
    double *mine;
    double *agreed;
    size_t calls;
};

/* Tells the supervisor which method's turn it is; rank 0 alone calls. Once everybody has come out of the call
 * before, and before anybody can be in the next: a crash or hang is this method's then, however late this
 * rank itself is. */
void ct_bench_tell(const struct ct_bench_cell *run, uint64_t method);

/* The first call of each method, whose result is checked. Where nothing varies it is the sample, too. */
void ct_bench_first_turn(struct ct_bench_cell *run);

/* So many calls of each method that is not through; `samples`: else they are mere warm-up. */
void ct_bench_turn(struct ct_bench_cell *run, size_t rounds, bool samples);

/* Zeroed memory of at least one element; ends the job where there is none. Caller frees. */
void *ct_bench_allocate(size_t count, size_t size);

#endif
