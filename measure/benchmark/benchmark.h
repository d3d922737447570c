/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_BENCHMARK_H
#define CT_MEASURE_BENCHMARK_BENCHMARK_H

#include "library/execute/executor.h"
#include "measure/clock.h"
#include "measure/job.h"
#include "measure/window.h"
#include "plan/overlap.h"

#include <mpi.h>

/* The benchmark program, which needs only MPI and libc. One start of it measures the cells of a job on
 * communicators of the first p ranks. It is linked with the tuned library, so that all methods, native too,
 * are timed on the way that applications take: a call of the MPI function while the method is in force.
 * Native collectives serve to set up; starting repetitions and agreeing on times goes through our own plans.
 */

/* The first `size` ranks. */
struct ct_bench_group {
    size_t size;
    MPI_Comm comm; /* carries the channel's messages and the calls that are measured, which never meet */
    struct ct_channel *channel;
    enum ct_wait_policy policy;
    size_t nodes; /* that these ranks are on */
    size_t ppn;   /* of them on the fullest node */
};

/* The clock that a rank reads. */
struct ct_bench_clock {
    double (*read)(void *context); /* seconds */
    void *context;
    uint64_t identity; /* equal where ranks read one clock */
};

/* The tree of ranks that make one clock of several: common_clock.c. */
struct ct_bench_clocks;

struct ct_bench {
    struct ct_job job;
    int rank;
    int size;
    struct ct_bench_clock clock;
    double epoch; /* subtracted from the clock, the same on all ranks */
    double begun; /* when measuring began, by ct_bench_now() */
    bool common_clock;
    struct ct_clock_model model;    /* from this rank's clock to the common one; all 0 where they are one */
    struct ct_bench_clocks *clocks; /* NULL where all ranks share one, or the job needs no common one */
    size_t clock_count;             /* clocks that the common one is made of */
    struct ct_window window;        /* of starts at a time agreed on */
    struct ct_bench_group
        *groups; /* of the job's communicator sizes that this rank is in, falling; all ranks first */
    size_t group_count;
    struct ct_method barrier;
    struct ct_method agreement;
    struct ct_method fan_in;
    struct ct_method fan_out;
    int *node_of;               /* by rank of the job */
    int yield_from;             /* ranks yield while they wait where a node has so many of them; 0: nowhere */
    struct ct_job_state *state; /* rank 0: shared with the supervisor; else its own */
    bool state_remote;          /* the supervisor may be on another host: the state needs writing out */
    int results;                /* rank 0: file descriptor */
};

/* This machine's monotonic clock; in the simulator its time. */
struct ct_bench_clock ct_bench_usual_clock(void);

/* Seconds, on the common clock where there is one. */
double ct_bench_now(const struct ct_bench *bench);

/* Zeroed memory of at least one element, and for buffers zeroed whole pages; end the job if there is none.
 * Caller frees. */
void *ct_bench_allocate(size_t count, size_t size);
void *ct_bench_allocate_pages(size_t bytes);

/* Prints to standard error and ends the job. */
void ct_bench_abort(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* Ends the job where an MPI function failed. */
void ct_bench_check(int code, const char *what);

/* The methods that start repetitions and agree on times. */
void ct_bench_find_methods(struct ct_bench *bench);

/* Makes the groups of all communicator sizes of the job, and finds clock and nodes. Collective over all
 * ranks. */
void ct_bench_make_groups(struct ct_bench *bench);
void ct_bench_free_groups(struct ct_bench *bench);
const struct ct_bench_group *ct_bench_find_group(const struct ct_bench *bench, size_t size);

/* The mode of the job's calls, from the arguments of a program: the job file and, unless it is blocking, the
 * mode. Sets COLLTUNE_NONBLOCKING where the mode needs it, which the library wants to know before MPI_Init.
 * CT_MODES where the arguments are wrong. */
enum ct_call_mode ct_bench_mode(int argc, char **argv);

/* The beginning of a program with these arguments, after MPI_Init: reads the job, makes groups and clocks,
 * and reports the start. `mode` is what ct_bench_mode() has returned; ends the job where it is not that of
 * the job. False, with nothing left to free, if the launcher gave too few ranks. Collective over all ranks.
 */
bool ct_bench_begin(struct ct_bench *bench, char **argv, enum ct_call_mode mode);
/* All ranks wait for each other, asleep; reports the end and frees everything. Collective over all ranks. */
void ct_bench_end(struct ct_bench *bench);

/* Tells the supervisor which call is next, by cell and method (CT_JOB_NONE: none). Only rank 0 calls it,
 * after all ranks have left the previous call and before any can enter the next, so that a crash or a hang is
 * attributed to the right one. */
void ct_bench_tell(const struct ct_bench *bench, uint64_t cell, uint64_t method);

/* Starts a thread that ends this process when the supervisor is gone. */
void ct_bench_watch(const struct ct_bench *bench);
/* Checks it once, if there can be no thread. */
void ct_bench_watch_once(const struct ct_bench *bench);

/* Memory and arguments of the calls of a cell. */
struct ct_bench_call {
    enum ct_collective collective;
    int rank;
    int size;
    size_t mean;             /* elements of the mean block, or of the whole */
    enum ct_data_type asked; /* of the job */
    enum ct_data_type type;  /* of the cell: as ct_data_type_of() says */
    enum ct_operation operation;
    size_t sent;                          /* bytes that this rank sends, in a sparse collective */
    const struct ct_neighbors *neighbors; /* of a sparse collective, with lengths in bytes; else NULL */
    struct ct_operands operands;
    void *send; /* this and what follows: owned */
    void *recv;
    MPI_Datatype made[CT_DATA_TYPES];
    MPI_Op op;
    int *counts[2]; /* of blocks that vary, by CT_BUFFER_SEND and CT_BUFFER_RECV */
    int *places[2];
    MPI_Datatype *types;
};

/* The MPI datatype; ct_bench_type_free() frees it. */
MPI_Datatype ct_bench_type_make(enum ct_data_type type);
void ct_bench_type_free(enum ct_data_type type, MPI_Datatype *made);
/* The MPI operation; ct_bench_op_free() frees it. */
MPI_Op ct_bench_op_make(enum ct_operation operation, enum ct_data_type type);
void ct_bench_op_free(enum ct_operation operation, MPI_Op *op);

/* Allocates for the largest message of the job. */
void ct_bench_call_make(struct ct_bench_call *call, const struct ct_job *job);
void ct_bench_call_free(struct ct_bench_call *call);
/* Sets the arguments for a cell of a dense collective, as `rank`. */
void ct_bench_call_set(struct ct_bench_call *call, const struct ct_job_cell *cell, int rank);
/* Fills in this rank's input and wipes its result. */
void ct_bench_call_fill(struct ct_bench_call *call);
/* Writes this rank's input again as it is, a byte of each cache line, as applications write what they send. A
 * message that its sender has not written since the last call is still in the receiver's cache, and a copy
 * out of the sender's memory then takes half its time. */
void ct_bench_call_write(const struct ct_bench_call *call);
/* Is the result what the collective's definition says? */
bool ct_bench_call_right(const struct ct_bench_call *call);

/* --- calls of sparse collectives: sparse_call.c --- */

/* Arrays of a v or w form. */
struct ct_bench_arrays {
    int *counts;
    int *places;
    MPI_Aint *wide_places;
    MPI_Datatype *types;
};

/* A cell's communicator with its topology, and its calls. */
struct ct_bench_sparse {
    MPI_Comm comm;
    struct ct_channel *channel; /* the library's on it; NULL where the library passes calls on it on */
    struct ct_neighbors neighbors;
    int *ends;
    size_t *lengths;
    struct ct_bench_arrays arrays[2]; /* by CT_BUFFER_SEND and CT_BUFFER_RECV */
    struct ct_bench_call call;
};

/* Makes it, after a method was put in force, so that the library describes such calls. The result must stay
 * where it is. All ranks of the group call it. */
void ct_bench_sparse_open(const struct ct_bench *bench, const struct ct_bench_group *group,
                          const struct ct_job_cell *cell, struct ct_bench_sparse *ret_sparse);
void ct_bench_sparse_close(struct ct_bench_sparse *sparse);
/* Times the set-up of the routes of a method, the least of several. They are kept for its calls. `method` is
 * its number in the job. All ranks of the group call it and get the same seconds. */
double ct_bench_time_set_up(const struct ct_bench *bench, const struct ct_bench_group *group,
                            const struct ct_job_cell *cell, size_t method, struct ct_bench_sparse *sparse);
/* As ct_bench_user_call(), in the simulator, too. */
int ct_bench_sparse_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm);

/* One call of a plan that serves to measure others, on the group's own channel. */
void ct_bench_run(const struct ct_bench_group *group, const struct ct_method *method,
                  const struct ct_operands *operands);

/* One call as an application makes it: by the MPI function, which the library takes over. Returns its MPI
 * error code. */
int ct_bench_user_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm);

/* --- calls in flight while their rank computes: flight_call.c --- */

/* What is computed beside the calls of a cell. */
struct ct_bench_computation {
    size_t steps;
    double own; /* seconds that it takes on this rank */
    double all; /* and from its start until all ranks are through */
};

enum { CT_BENCH_CALIBRATIONS = 9 }; /* passes by whose median a computation, or a call, is timed beforehand */

/* A computation of so many steps, which uses no memory. */
void ct_bench_compute(size_t steps);
/* Makes a computation that takes `seconds` on the slowest rank, and times it as calls are timed: all ranks
 * compute at the same time. `cell` is what rank 0 tells the supervisor. All ranks of the group call it. */
void ct_bench_make_computation(const struct ct_bench *bench, const struct ct_bench_group *group, size_t cell,
                               double seconds, struct ct_bench_computation *ret_computation);

/* The MPI functions by which such a call is made. */
struct ct_bench_flights {
    int (*prepare)(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                   MPI_Request *request);
    int (*begin)(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                 MPI_Request *request);
    int (*start)(MPI_Request *request);
    int (*test)(MPI_Request *request, int *flag, MPI_Status *status);
    int (*wait)(MPI_Request *request, MPI_Status *status);
    int (*release)(MPI_Request *request);
};

/* Those that applications call, which the library takes over, and the MPI library's own. */
extern const struct ct_bench_flights ct_bench_user_flights, ct_bench_native_flights;

/* Before a persistent call, untimed: makes its request, by which the library writes the method's plan. */
void ct_bench_flight_prepare(const struct ct_bench_flights *flights, enum ct_collective collective,
                             const struct ct_operands *operands, MPI_Comm comm, MPI_Request *ret_request);
/* After a call, untimed: frees the request unless it is MPI_REQUEST_NULL. */
void ct_bench_flight_end(const struct ct_bench_flights *flights, MPI_Request *request);
/* One call as an application makes it that does not wait at once: starts it, computes so many steps, with
 * the job's number of tests in between, and waits for it. Returns its MPI error code; *ret_in_mpi gets the
 * seconds in MPI functions. */
int ct_bench_flight_call(const struct ct_bench *bench, const struct ct_bench_flights *flights,
                         enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                         size_t steps, MPI_Request *request, double *ret_in_mpi);
/* What a call of that many `seconds`, of which `in_mpi` in MPI functions, adds on this rank to the
 * computation beside it; to none if `steps` is 0. */
double ct_bench_added(const struct ct_bench_computation *computation, size_t steps, double seconds,
                      double in_mpi);
/* What a call hides that takes `alone` seconds without computation: the sum of both less the time of both
 * together, as a share of the computation. */
double ct_bench_hidden(const struct ct_overlap *overlap, double alone);

/* All ranks of the group start together, in two steps. When rank 0 leaves the first one, all ranks have left
 * the call before; no rank leaves the second one before rank 0 has entered it. So what rank 0 does in between
 * happens between the calls for all ranks. Returns a number for the second step. */
double ct_bench_gather(const struct ct_bench *bench, const struct ct_bench_group *group);
/* After a barrier of our own, or at an agreed time. Returns true if this rank was too late for that time. */
bool ct_bench_release(const struct ct_bench *bench, const struct ct_bench_group *group, double gathered);
/* Can ct_bench_release() return true? */
bool ct_bench_can_be_late(const struct ct_bench *bench);
/* All ranks of the group come together for a cell, asleep until then if they were `idle`, since they may have
 * to wait long. */
void ct_bench_meet(const struct ct_bench *bench, const struct ct_bench_group *group, bool idle);
/* After a call. In the simulator a rank that has left it early sleeps, at no cost, so that the messages of
 * the next synchronization do not disturb the other ranks. */
void ct_bench_rest(void);

/* Makes the common clock where the job wants one and the ranks do not share one. Collective over all ranks.
 */
void ct_bench_make_clocks(struct ct_bench *bench);
void ct_bench_free_clocks(struct ct_bench *bench);

/* How well the common clock has held. */
struct ct_bench_skew {
    double seconds; /* the most that any rank was off */
    double bound;   /* how wrong that number can be */
    int jumped;     /* the rank whose clock jumped furthest; -1: none did */
};

/* Checks and corrects the common clock, and makes the group's clock again if one jumped; the result is the
 * same on all ranks of the group, which all call it. If ranks share a clock, there is nothing to check. */
struct ct_bench_skew ct_bench_check_clocks(struct ct_bench *bench, const struct ct_bench_group *group);

/* All ranks do the same work; rank 0 gets the ratio of the slowest rank's time, that of *ret_rank, to the
 * median. All ranks call it. */
double ct_bench_slowest(const struct ct_bench *bench, int *ret_rank);

/* Reports a jump, after which the cell is measured again; `before` is how often it was already. False if
 * there was none; ends the job if there were too many. */
bool ct_bench_tell_jump(const struct ct_bench *bench, const struct ct_bench_skew *skew, size_t before);

/* What a rank contributes to the time of a call that it made from `begin` to `end`, by its ct_bench_now():
 * two numbers, whose maxima over the ranks ct_bench_seconds() takes. The time is from the first begin to the
 * last end on a common clock; otherwise the slowest rank's. */
void ct_bench_span(const struct ct_bench *bench, double begin, double end, double *ret_end,
                   double *ret_minus_begin);
double ct_bench_seconds(double end, double minus_begin);

/* Measures a cell that this rank takes part in; rank 0 appends its lines to the results. `idle`: this rank
 * took no part in the cell before and may have to wait long. */
void ct_bench_measure(struct ct_bench *bench, const struct ct_job_cell *cell, struct ct_bench_call *call,
                      bool idle);

/* Rank 0 appends the text to the results file. All ranks free it. */
void ct_bench_report(const struct ct_bench *bench, struct ct_text *text);

#endif
