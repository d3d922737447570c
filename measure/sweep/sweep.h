/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_H
#define CT_MEASURE_SWEEP_SWEEP_H

#include "base/error.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* A sweep measures methods over a grid of communicator and message sizes into a run (samples/run.h).
 *
 * It starts the benchmark program under the launcher, or under the simulator, and looks after it. A method
 * that crashes the job, or does not come back in time, costs its cell: the cell's row says so, and the job is
 * started again with the rest. A method that has failed in three cells is given up: the cells still to come
 * are measured without it and have no rows of it.
 *
 * Real: one job a launch does all cells on communicators of its first ranks, so that conditions are the same
 * for all. Cells come by communicator size, largest first, and within one in random order: a new size wakes
 * and sends to sleep ranks, so it is changed rarely, while methods, which are what is compared, take turns
 * within each cell. Simulated: a job for each collective and communicator size, several at a time.
 *
 * Guided: the cells come in rounds, each of which is chosen by what those before it gave
 * (measure/sweep/guide.h), and is a job as above, but for the order of its cells, which is random, lest a
 * budget that runs out costs whole sizes; together they are the first launch. The other launches repeat its
 * cells with the methods that were near the best there. */

enum ct_sweep_cells {
    CT_SWEEP_CELLS_USUAL, /* guided where a budget is given that is too small for all cells */
    CT_SWEEP_CELLS_GUIDED,
    CT_SWEEP_CELLS_EXHAUSTIVE
};

/* What the user asks for; NULL and 0 stand for the usual. */
struct ct_sweep_request {
    const char *folder;
    const char *collectives; /* names */
    const char *comm_sizes;  /* lists of sizes */
    const char *msg_sizes;
    const char *methods; /* of all collectives; "-WORD" takes away */
    const char *launcher;
    const char *hostfile;          /* hands the launcher a file of hosts */
    size_t ppn;                    /* ranks on each node */
    const char *sync;              /* how repetitions start: a name of measure/sync.h */
    const char *simulate;          /* platform; NULL measures this machine */
    const char *simulator_options; /* further words for smpirun, quoted as in a launcher */
    const char *mpi;
    const char *cc;
    const char *program; /* benchmark program, compiled already */
    size_t launches;
    double budget;    /* seconds for all, kept; else the seconds that a method may take in a cell are usual */
    double precision; /* relative error of the median to reach */
    double timeout;   /* seconds without a sign of life after which a method hangs */
    size_t most_repetitions;
    size_t seed;
    bool has_seed;
    enum ct_sweep_cells cells;
    const char *prior; /* a run whose times, measured or predicted, say what not to try first; guided */
    bool no_racing;    /* bad methods get as many repetitions as good ones */
    bool resume;       /* go on with the run; whatever else is given must be as it was */
};

struct ct_sweep_watch {
    const volatile sig_atomic_t *stop; /* set where the user wants it to end; or NULL */
    void (*progress)(void *context, double done, const char *note); /* or NULL */
    void (*notice)(void *context, const char *line);                /* what the user should know; or NULL */
    void *context;
};

struct ct_sweep_summary {
    size_t cells;   /* in the run now */
    size_t samples; /* good ones added */
    size_t failed;  /* methods that crashed, hung or were wrong in a cell, added */
    /* of the whole run: */
    size_t late;       /* repetitions lost because a rank came late to their start */
    size_t clocks;     /* that a common one was made of; 0: none was */
    double skew;       /* seconds that it was off at worst, */
    double skew_bound; /* and by how much more it may have been */
};

/* CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line in `error`; CT_E_STOPPED, the run can be resumed. The run's
 * folder is made once the first job is up. */
int ct_sweep(const struct ct_sweep_request *request, const struct ct_sweep_watch *watch,
             struct ct_error *error, struct ct_sweep_summary *ret_summary);

#endif
