/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_JOB_H
#define CT_MEASURE_JOB_H

#include "algorithms/method.h"
#include "base/text.h"
#include "measure/data_type.h"
#include "measure/operation.h"
#include "measure/stop_rule.h"
#include "measure/sync.h"
#include "plan/cell_key.h"
#include "plan/pattern.h"

#include <stdint.h>

/* What one start of the benchmark program has to do: a text file that the supervisor writes and the program's
 * rank 0 reads and spreads. */

struct ct_job_cell {
    size_t id; /* the supervisor's number of it */
    enum ct_collective collective;
    struct ct_cell_key key; /* nodes and ppn are 0, and so is all that is known of a pattern */
    size_t pattern;         /* of a sparse collective: 1 + its index in the job's patterns; else 0 */
    size_t first;           /* its methods: job->indexes[first ... first + method_count - 1] */
    size_t method_count;
};

/* Who sends to whom in cells of sparse collectives on so many ranks. */
struct ct_job_pattern {
    size_t id; /* the supervisor's, ct_pattern_id() of its text, which the program is not told */
    int size;
    struct ct_edge *edges; /* owned; lengths are relative: their mean stands for the cell's message size */
    size_t count;
};

struct ct_job {
    char *results;     /* file that rank 0 appends to, see below */
    char *state;       /* file that holds a struct ct_job_state */
    char *alive;       /* file that the supervisor writes to as long as it lives; gone: the ranks end */
    char *host;        /* the supervisor's */
    size_t supervisor; /* its process id */
    size_t seed;       /* of the order of methods */
    size_t size;       /* ranks */
    size_t warmup;     /* calls of each method before its first sample; 0: the first call is a sample */
    enum ct_sync sync;
    enum ct_call_mode mode;
    enum ct_data_type datatype; /* of calls, as ct_data_type_of() takes it */
    enum ct_operation operation;
    double compute; /* not blocking: seconds of the computation beside a call; 0: as long as a call by native
                       takes, or, in a cell without native, by its first method that applies */
    size_t tests;   /* not blocking: calls of MPI_Test during the computation, at most CT_JOB_TESTS_MOST */
    struct ct_stop_rule rule;
    double race; /* a method that is significantly slower than the best by this margin is dropped; 0: none */
    double
        budget; /* seconds for all cells, which share what is left of them; 0: rule.most_seconds for each */
    struct ct_method *methods;
    size_t method_count;
    size_t method_capacity;
    struct ct_job_pattern *patterns;
    size_t pattern_count;
    size_t pattern_capacity;
    struct ct_job_cell *cells; /* in the order to measure */
    size_t cell_count;
    size_t cell_capacity;
    size_t *indexes; /* into methods */
    size_t index_count;
    size_t index_capacity;
};

enum { CT_JOB_TESTS_MOST = 10000 };

/* Shared memory between rank 0 and the supervisor: which call is being made. */
struct ct_job_state {
    uint64_t beat; /* counts calls */
    uint64_t cell; /* id, or CT_JOB_NONE */
    uint64_t method;
    uint64_t unwritten; /* errno of a line that could not be written to the results; 0: none */
};

#define CT_JOB_NONE UINT64_MAX

/* The results file. First `start RANKS TIME` (TIME: global or local; `few RANKS` instead where the launcher
 * gave fewer than the job wants), before it `ranks LABEL...`, equal where ranks share a node, `yield
 * COUNT` where a node has so many ranks that they yield while they wait, COUNT being the least such number,
 * `node CHANNEL` (shared or mpi) where ranks share a node, by which their messages travel there,
 * `slow RANK FACTOR` where one is far slower than most, and, where a common clock was made, `clocks COUNT
 * SKEW BOUND`; per cell, written in one piece when it is done, `cell ID NODES PPN` (of a sparse collective
 * with DEGREE MEAN_DEGREE IMBALANCE ON_NODE behind it, as in struct ct_cell_key), a line `ok METHOD REP
 * SECONDS` a repetition (in modes other than blocking with COMPLETION IN_MPI COMPUTATION HIDDEN behind it, as
 * in struct ct_overlap), before those of a method that needs a set-up `set_up METHOD SECONDS`,
 * `wrong METHOD` for a method with wrong results, `done ID`; last `end`. Behind a cell
 * there may be `late CALLS OF`, how many repetitions were lost because a rank came late to their start, and
 * `skew SECONDS BOUND`, how far the common clock was off at its end; before it `jump RANK SECONDS` where the
 * clock of a rank jumped, so that the cell is measured again. Between cells on several nodes, and before the
 * first and behind the last of a communicator size, `links RANKS NODES PPN SECONDS`, how long blocks took
 * that were passed around. */

int ct_job_add_method(struct ct_job *job, const struct ct_method *method);
/* Adds a pattern, whose edges become the job's, also on failure. */
int ct_job_add_pattern(struct ct_job *job, const struct ct_job_pattern *pattern);
/* Adds a cell; its methods follow by ct_job_add_index(). */
int ct_job_add_cell(struct ct_job *job, const struct ct_job_cell *cell);
/* Adds a method to the last cell. */
int ct_job_add_index(struct ct_job *job, size_t method);

void ct_job_write(const struct ct_job *job, struct ct_text *text);

/* Reads what ct_job_write() wrote; `name` is what errors call it. Strict: CT_E_INPUT with line and what was
 * expected. Caller frees with ct_job_free(). */
int ct_job_read(const char *text, const char *name, struct ct_error *error, struct ct_job *ret_job);
void ct_job_free(struct ct_job *job);

#endif
