/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_SWEEP_STATE_H
#define CT_SAMPLES_SWEEP_STATE_H

#include "base/text.h"

#include <stdbool.h>

struct _xmlNode; /* of libxml2 */

/* What a sweep must know to resume a run: its conditions, and what it has found so far. It is the element
 * `sweep` of run.xml; runs/FORMAT.md explains each attribute. Strings are owned and NULL where there is no
 * value; numbers are then 0. */
struct ct_sweep_state {
    char *sync;     /* name of the synchronisation mode that was asked for; NULL: no sweep made the run */
    double compute; /* calls that are not blocking: seconds of computation beside each; 0: as long as native's
                       call takes */
    size_t tests;   /* and how often MPI_Test is called meanwhile */
    char *datatype; /* that was asked for; NULL: bytes, and doubles in reductions */
    char *operation; /* of reductions; NULL: sums */
    char *root;      /* list of the roots, where the collective has one; NULL: 0 */

    /* where the jobs ran */
    char *mpi;
    char *mpi_version;
    char *cc;
    char *machine;           /* host, hardware threads and usable CPUs; NULL where simulated */
    char *platform_sha256;   /* of the platform file, where simulated */
    char *simulator_options; /* further words for the simulator's launcher */
    char *program;           /* benchmark program that the user compiled */
    char *hostfile;
    size_t ppn;       /* ranks per node that were asked for, the largest of several */
    char *placements; /* of communicators where there are several: RANKS/PPN,...; NULL: one */
    char *wait;       /* "spin" or "yield" where COLLTUNE_WAIT said so */

    /* how the sweep saves time */
    bool guided;
    double racing_margin; /* fraction; 0: no racing */
    double budget;        /* seconds */
    char *prior;          /* folder of a run */
    char *prior_sha256;
    char *cells; /* of a profile, which alone are measured, as measure/sweep/profile_cells.h writes them */

    size_t yield_from; /* ranks yielded while they waited where a node had at least so many; 0: nowhere */

    /* how repetitions started, over all jobs */
    size_t clocks;     /* clocks that the common one was made of; 0: none was made */
    double skew;       /* largest error of the common clock that was seen, in seconds */
    double skew_bound; /* largest uncertainty of such an observation, in seconds */
    size_t jumps;      /* cells that were measured again because a clock jumped */
    size_t slow_rank;
    double slow_factor; /* slowest rank's time for a piece of local work over the median, if above 10 */
    double link_factor; /* how many times as long messages between nodes took as at other times; 0: never */
    char *link_cells;   /* measured meanwhile: COLLECTIVE/RANKS/BYTES/LAUNCH, separated by blanks */
    size_t late;        /* repetitions lost because a rank came late to their start */
    size_t late_of;     /* all repetitions of the cells where that happened */

    size_t again; /* job launches behind the others, which measured only some cells, again */
};

/* Leaves all zeroes. */
void ct_sweep_state_free(struct ct_sweep_state *state);

/* Copies all strings. CT_OK or CT_E_MEMORY. */
int ct_sweep_state_copy(const struct ct_sweep_state *from, struct ct_sweep_state *ret_state);

/* Must all conditions be the same? CT_OK; CT_E_INPUT with a line that names the first that differs, for the
 * run in `folder`. The compiler, the budget and the findings may differ. */
int ct_sweep_state_check(const struct ct_sweep_state *before, const struct ct_sweep_state *now,
                         const char *folder, struct ct_error *error);

/* Calls `show` with name and value of each attribute, but for texts that have no value. */
void ct_sweep_state_list(const struct ct_sweep_state *state,
                         void (*show)(void *context, const char *name, const char *value), void *context);

/* Appends the element; nothing where no sweep made the run. */
void ct_sweep_state_write(const struct ct_sweep_state *state, struct ct_text *text);
/* Reads the element into a state that is all zeroes; `name` is what errors call the file. CT_OK,
 * CT_E_INPUT, CT_E_MEMORY; on failure the state holds what ct_sweep_state_free() takes. */
int ct_sweep_state_read(const struct _xmlNode *node, const char *name, struct ct_error *error,
                        struct ct_sweep_state *state);

#endif
