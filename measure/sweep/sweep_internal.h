/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_INTERNAL_H
#define CT_MEASURE_SWEEP_SWEEP_INTERNAL_H

#include "base/process.h"
#include "measure/backend/launcher.h"
#include "measure/backend/platform.h"
#include "measure/backend/toolchain.h"
#include "measure/job.h"
#include "measure/pace.h"
#include "measure/sweep/sweep.h"
#include "samples/run.h"
#include "samples/samples_csv.h"

/* What sweep.c is put together from; others use sweep.h. */

/* --- conditions: sweep_conditions.c, sweep_where.c, sweep_what.c, sweep_methods.c, sweep_saving.c,
 * sweep_resume.c --- */

struct ct_sweep_conditions {
    struct ct_run_description description;
    bool simulated;
    struct ct_platform platform; /* simulated */
    char *launcher;              /* simulated: smpirun with its options */
    struct ct_mpi mpi;
    char *program;
    double timeout;
    enum ct_sync sync;
    struct ct_launch launch; /* all but the number of ranks; of a plain simulated job nothing */
    char *hostfile;
    size_t ppn; /* 0: as the launcher likes; simulated: 1 */
    bool guided;
    char *prior;   /* folder of a run; or NULL */
    double race;   /* margin; 0: no racing */
    double budget; /* seconds for all; 0: none to keep */
};

/* Checks the request and finds what is missing; `before` is what a run to be resumed was made under, or NULL.
 * Compiles nothing yet. Caller frees with ct_sweep_conditions_free(). */
int ct_sweep_conditions_make(const struct ct_sweep_request *request, const struct ct_run_description *before,
                             struct ct_error *error, struct ct_sweep_conditions *ret_conditions);
void ct_sweep_conditions_free(struct ct_sweep_conditions *conditions);

/* Parts of that: where ranks are to be (`backend` and MPI are known), how their repetitions start, and what
 * is measured. */
int ct_sweep_choose_places(const struct ct_sweep_request *request, const struct ct_run_description *before,
                           struct ct_error *error, struct ct_sweep_conditions *conditions);
int ct_sweep_choose_sync(const struct ct_sweep_request *request, const struct ct_run_description *before,
                         struct ct_error *error, struct ct_sweep_conditions *conditions);
int ct_sweep_choose_grid(const struct ct_sweep_request *request, const struct ct_run_description *before,
                         struct ct_error *error, struct ct_sweep_conditions *conditions);

/* Which cells are measured, whether methods race, and the budget: the part of the above that saves time. The
 * grid and the rules of repetition are chosen before it. */
int ct_sweep_choose_saving(const struct ct_sweep_request *request, const struct ct_run_description *before,
                           struct ct_error *error, struct ct_sweep_conditions *conditions);

/* The property of a run that says which cells were measured, and what it is for guided sweeps. */
extern const char ct_sweep_cells_name[], ct_sweep_guided_word[];

/* Must the run be measured under other conditions than before? CT_E_INPUT with a line that names the first
 * that differs. */
int ct_sweep_conditions_same(const struct ct_run_description *before, const struct ct_run_description *now,
                             const char *folder, struct ct_error *error);

/* The methods of a list of words for several collectives, `native` first in each. Caller frees. */
int ct_sweep_methods_parse(const char *list, const enum ct_collective *collectives, size_t collective_count,
                           struct ct_error *error, struct ct_method **ret_methods, size_t *ret_count);

/* The collectives that the words of such a list can mean; none for a list of unknown words. */
int ct_sweep_methods_collectives(const char *list, struct ct_error *error,
                                 enum ct_collective ret_collectives[CT_COLLECTIVES], size_t *ret_count);

/* --- the grid: sweep_grid.c --- */

struct ct_sweep_cell {
    uint32_t launch;
    enum ct_collective collective;
    struct ct_cell_key key; /* nodes and ppn are 0 until it is measured */
    size_t first;           /* its methods: grid->slots[first ... first + method_count - 1] */
    size_t method_count;
    bool done;
    bool wanted; /* to be measured in this round, or measured in it already */
};

/* A method in a cell. */
struct ct_sweep_slot {
    size_t method;                /* index in the description */
    enum ct_sample_status status; /* CT_SAMPLE_OK as long as nothing is known against it */
    bool wanted;                  /* where its cell is */
};

/* Cells that one job measures. */
struct ct_sweep_batch {
    size_t first;
    size_t count;
    size_t size; /* ranks */
};

struct ct_sweep_grid {
    /* By launch, communicator size falling, then shuffled, or by message size; guided: by launch, shuffled.
     */
    struct ct_sweep_cell *cells;
    size_t cell_count;
    struct ct_sweep_slot *slots;
    size_t slot_count;
    struct ct_sweep_batch *batches;
    size_t batch_count;
    size_t uneven;   /* cells of reductions left out: no whole number of elements */
    size_t left_out; /* cells left out whose buffers would be too large */
};

/* All cells of the description, all of them wanted, and the batches. CT_E_INPUT where there is no cell at
 * all. */
int ct_sweep_grid_make(const struct ct_run_description *description, bool simulated, struct ct_error *error,
                       struct ct_sweep_grid *ret_grid);
void ct_sweep_grid_free(struct ct_sweep_grid *grid);
/* Marks the cells that the run has. */
int ct_sweep_grid_mark_done(struct ct_sweep_grid *grid, const struct ct_run *run);

/* --- one job: sweep_job.c, sweep_results.c, sweep_start.c --- */

struct ct_sweep;

/* Starting, following and ending the jobs of one batch after another. */
struct ct_sweep_worker {
    size_t number;
    const struct ct_sweep_batch *batch; /* NULL: at rest */
    struct ct_process process;          /* id 0: not running */
    char *job_path;
    char *results_path;
    char *state_path;
    char *log_path;
    char *alive_path; /* of this job alone: its ranks end when it is gone */
    size_t starts;
    struct ct_text results; /* read and not used up yet */
    size_t offset;          /* in the results file */
    uint64_t beat;          /* last seen */
    double silence;         /* seconds that we looked and it did not change */
    double start_time;
    bool started;  /* the program has said so */
    bool ended;    /* it has said that it is through */
    size_t blanks; /* failures in a row with nobody to blame */
};

int ct_sweep_worker_open(const struct ct_sweep *sweep, size_t number, struct ct_error *error,
                         struct ct_sweep_worker *ret_worker);
void ct_sweep_worker_close(struct ct_sweep_worker *worker);
/* Starts a job with what is left of its batch. */
int ct_sweep_worker_start(const struct ct_sweep *sweep, struct ct_sweep_worker *worker,
                          struct ct_error *error);
/* Ends the job. Its ranks end, too, where their launcher does not see to it. */
void ct_sweep_worker_end(struct ct_sweep_worker *worker);
/* Tells the ranks that we live. */
void ct_sweep_worker_say_alive(const struct ct_sweep *sweep, const struct ct_sweep_worker *worker,
                               double time);
/* What the job has to say in its log, for error messages: the benchmark program's own line, else the first
 * with a word in it, else "". Caller frees. */
char *ct_sweep_worker_words(const struct ct_sweep_worker *worker);

/* --- the sweep --- */

/* How repetitions began, over all jobs. */
struct ct_sweep_starts {
    size_t clocks; /* that a common one was made of; 0: none was */
    double skew;   /* seconds that it was off at worst, where that was looked at, */
    double bound;  /* and by how much more it may have been */
    size_t jumps;  /* clocks that jumped */
    double slow;   /* how many times the median the slowest rank was behind, where that was much */
    size_t slow_rank;
    size_t late;  /* repetitions lost because a rank came late, */
    size_t calls; /* of how many in such cells */
};

struct ct_sweep {
    struct ct_sweep_conditions conditions;
    struct ct_sweep_grid grid;
    const struct ct_sweep_watch *watch;
    char *folder;
    char *job_folder; /* beside it */
    char *hosts_path; /* simulated */
    int lock_file;
    bool run_exists;
    struct ct_sample_writer writer;
    size_t *failures; /* by method: cells */
    int *node_of;     /* by rank of the largest job: equal where ranks share a node */
    size_t rank_count;
    struct ct_sweep_starts starts;
    struct ct_pace pace;
    bool over;            /* the budget is used up */
    double seconds_ready; /* until jobs could begin, most of it the compiler's; not of the budget */
    size_t slots_to_come; /* guided: that later rounds may want, about */
    struct ct_run prior;  /* guided; no samples where there is none */
    struct ct_sweep_summary summary;
    double weight_done;
    double weight_all;
};

enum { CT_SWEEP_GIVE_UP = 3 };

/* Measures all cells that are not done, or those that a guided sweep wants: sweep_jobs.c. */
int ct_sweep_run_jobs(struct ct_sweep *sweep, struct ct_error *error);

/* Chooses cells and methods of a guided sweep's next round, out of the run's samples as they are in its file:
 * sweep_guide.c. *ret_any is false where nothing is left to measure. */
int ct_sweep_guide(struct ct_sweep *sweep, struct ct_error *error, bool *ret_any);

/* Methods in cells that are wanted and not done. */
size_t ct_sweep_slots_left(const struct ct_sweep *sweep);

/* Seconds on a clock that never jumps. */
double ct_sweep_now(void);

/* Uses up what the job has reported; cells that are complete go into the run. */
int ct_sweep_take_results(struct ct_sweep *sweep, struct ct_sweep_worker *worker, struct ct_error *error);
/* Closes a cell whose methods have all failed or been given up. */
int ct_sweep_close_exhausted(struct ct_sweep *sweep, struct ct_sweep_cell *cell, struct ct_error *error);
/* Nodes and ranks on the fullest of them, of a communicator of the first `ranks` ranks. CT_OK, CT_E_MEMORY.
 */
int ct_sweep_locate(const struct ct_sweep *sweep, size_t ranks, struct ct_sample *sample);
/* Lines of the results file, behind their first word. CT_E_INPUT where one is not as expected. */
int ct_sweep_take_ranks(struct ct_sweep *sweep, const char *line, struct ct_error *error);
int ct_sweep_take_clocks(struct ct_sweep *sweep, const char *line);
int ct_sweep_take_skew(struct ct_sweep *sweep, const char *line);
int ct_sweep_take_late(struct ct_sweep *sweep, const char *line);
int ct_sweep_take_slow(struct ct_sweep *sweep, const char *line);
int ct_sweep_take_jump(struct ct_sweep *sweep, const char *line);
/* What the run says of its starts so far, and what it is to say now. */
void ct_sweep_recall_starts(struct ct_sweep *sweep, const struct ct_run_description *before);
int ct_sweep_note_starts(const struct ct_sweep *sweep, struct ct_error *error);
/* Its share of the work, for progress. */
double ct_sweep_cell_weight(const struct ct_sweep *sweep, const struct ct_sweep_cell *cell);
void ct_sweep_notice(const struct ct_sweep *sweep, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
