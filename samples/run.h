/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_RUN_H
#define CT_SAMPLES_RUN_H

#include "algorithms/method.h"
#include "plan/cell_key.h"
#include "plan/node_channel.h"
#include "plan/overlap.h"
#include "samples/sweep_state.h"

#include <stdint.h>
#include <stdio.h>

/* A run: a folder with run.xml, which describes machine and conditions, and samples.csv, which holds one
 * timed repetition per line. runs/FORMAT.md describes both formats; run.rng is the schema of run.xml. */

enum ct_sample_status {
    CT_SAMPLE_OK,
    CT_SAMPLE_CRASHED,   /* the method ended the job in this cell */
    CT_SAMPLE_HUNG,      /* it did not return in time */
    CT_SAMPLE_WRONG,     /* its results were wrong */
    CT_SAMPLE_PREDICTED, /* not measured: the time comes from a model that was fitted to measurements */
    CT_SAMPLE_COMMIT,    /* not a sample: this row closes a cell; never among a run's samples */
    CT_SAMPLE_STATUSES
};

/* By enum: "ok", "crashed", "hung", "wrong", "predicted", "commit". */
extern const char *const ct_sample_status_names[CT_SAMPLE_STATUSES];

/* Does a sample of this status have a time? */
static inline bool ct_sample_has_time(enum ct_sample_status status)
{
    return status == CT_SAMPLE_OK || status == CT_SAMPLE_PREDICTED;
}

struct ct_sample {
    uint32_t launch;
    uint32_t method; /* index into the run's methods */
    uint32_t rep;
    uint16_t datatype; /* index into the run's words */
    uint16_t operation;
    enum ct_sample_status status;
    struct ct_cell_key key;
    double seconds;            /* > 0; NAN if the status has no time */
    struct ct_overlap overlap; /* of calls that are not blocking; all 0 if blocking or without a time */
    double set_up; /* seconds, once, before calls of a sparse collective by a method that needs it; else 0 */
};

/* A cell of a run. Each job launch measures its cells independently. */
struct ct_run_cell {
    uint32_t launch;
    enum ct_collective collective;
    struct ct_cell_key key;
};

/* A property of the machine, the MPI library or the conditions: name and value, both free text for people. */
struct ct_property {
    char *name;
    char *value;
};

/* Frees an array of them. */
void ct_properties_free(struct ct_property *properties, size_t count);

/* Everything in run.xml. All strings are owned. */
struct ct_run_description {
    char *tool_version;
    char *created;  /* ISO 8601 with seconds: "2024-05-17T09:30:00Z" */
    char *backend;  /* "real", "simulated", "predicted" or "imported" */
    char *launcher; /* command, platform, or model */
    char *time;     /* which time a sample is: "global", max(end) - min(start) on a common clock; "local", the
                       maximum over the ranks of end - start; only imported: "mean", the mean over the ranks,
                       and "unknown" */
    char *sync;     /* how repetitions start: "barrier/dissemination", "window", "clock"; imported: "unknown";
                       predicted: the method of prediction */
    size_t seed;
    struct ct_property *properties; /* machine, MPI, environment: "machine.cpu", "mpi.version", "env.NAME" */
    size_t property_count;
    enum ct_collective *collectives;
    size_t collective_count;
    size_t *comm_sizes;
    size_t comm_size_count;
    size_t *msg_sizes;
    size_t msg_size_count;
    char **patterns; /* of sparse collectives, as plan/pattern.h reads them */
    size_t pattern_count;
    struct ct_method *methods; /* of the sweep, for all collectives */
    size_t method_count;
    size_t launches; /* samples count job launches from 0 */
    char *by;        /* how the ranks of each launch were mapped: "core,node,unknown"; NULL or "": unknown */
    char *mode; /* how the calls of each launch were made: "blocking,nonblocking"; NULL or "": blocking */
    char *node_channel; /* how messages travelled between ranks of a node: "mpi", "shared"; NULL: "mpi" */
    char *yield_from;   /* of a merged run: that of each launch, "3,0"; NULL or "": as `sweep` */
    char *validation;   /* of a merged run: 1 for each launch that holds a validation's times, else 0: "0,1";
                           NULL or "": as `sweep` */
    size_t warmup;
    size_t least_repetitions;
    size_t most_repetitions;
    double precision;    /* relative error of the median at which a cell stops */
    double most_seconds; /* per cell and method */
    struct ct_sweep_state sweep;
};

struct ct_run {
    char *folder;
    struct ct_run_description description;
    char **words; /* datatypes and operations that occur */
    size_t word_count;
    struct ct_method *methods; /* the description's array; in a joined run an array of its own */
    size_t method_count;
    struct ct_sample *samples; /* without the commit rows */
    size_t sample_count;
    struct ct_run_cell *cells; /* those with a commit row, sorted by ct_run_cell_compare() */
    size_t cell_count;
    size_t dropped;      /* lines of a torn end that were left out; only if that was allowed */
    size_t whole_length; /* bytes of samples.csv up to the end of its last commit row */
};

/* Reads a run. `resuming` allows a torn end, that is rows without a commit row or half a line: it is left out
 * and counted in `dropped`. Otherwise that is CT_E_INPUT like any other flaw, with file, line and what was
 * expected. CT_E_SYSTEM, CT_E_MEMORY. Caller frees with ct_run_free(). */
int ct_run_read(const char *folder, bool resuming, struct ct_error *error, struct ct_run *ret_run);
void ct_run_free(struct ct_run *run);

/* Does it have samples of this collective, good or not? */
bool ct_run_measures(const struct ct_run *run, enum ct_collective collective);

/* The cell of a sample of this collective. */
struct ct_run_cell ct_sample_cell(const struct ct_sample *sample, enum ct_collective collective);
/* Order of cells for qsort(): by launch, collective, key. */
int ct_run_cell_compare(const void *a, const void *b);

/* Are a job launch's samples the times of a validation? A merged run says it of each launch. Else behind the
 * launches of the sweep itself, each round of measuring again has two: what the validation measured, and what
 * was measured again because of it. */
bool ct_run_is_validation(const struct ct_run_description *description, uint32_t launch);

/* Does this cell have its commit row? */
bool ct_run_has_cell(const struct ct_run *run, const struct ct_run_cell *cell);

/* Makes the folder with run.xml and a samples.csv that holds only the header line; whole or not at all.
 * Strings of the description may be NULL. CT_E_INPUT if the folder exists, or if ct_run_read() would refuse
 * the description; CT_E_SYSTEM, CT_E_MEMORY. */
int ct_run_create(const char *folder, const struct ct_run_description *description, struct ct_error *error);

/* The same with all of the run's samples, and with a commit row after each of its cells, which are sorted as
 * ct_run_read() leaves them. Samples of a cell keep their order. CT_E_INPUT also if a sample lies in none of
 * the cells, or if a reader would refuse it on its own. */
int ct_run_write(const char *folder, const struct ct_run *run, struct ct_error *error);

/* Replaces the sweep's state in run.xml of an existing run, whole or not at all. CT_OK; CT_E_INPUT or
 * CT_E_SYSTEM with a line in `error`; CT_E_MEMORY. */
int ct_run_set_sweep(const char *folder, const struct ct_sweep_state *state, struct ct_error *error);

/* Sets creation time and tool version. CT_OK, CT_E_MEMORY. Caller frees with ct_run_description_free(). */
int ct_run_stamp(struct ct_run_description *description);

/* Sets the texts of a description that has none: copies of the arguments, the time now and this version of
 * colltune. CT_OK or CT_E_MEMORY. */
int ct_run_describe(const char *backend, const char *launcher, const char *which_time, const char *sync,
                    struct ct_run_description *description);
/* Leaves all zeroes. */
void ct_run_description_free(struct ct_run_description *description);
/* In a launch, ranks yielded while they waited where a node had at least so many of them; 0: nowhere. */
size_t ct_run_yield_from(const struct ct_run_description *description, size_t launch);
/* Did they where a node had `ppn` of them? */
bool ct_run_yields(const struct ct_run_description *description, size_t launch, size_t ppn);
/* Sets from where on ranks yielded in each launch; leaves it out where all are 0. CT_OK or CT_E_MEMORY. */
int ct_run_set_yields(struct ct_run_description *description, const size_t *yields, size_t count);
/* Sets which launches hold a validation's times; leaves it out where none does. CT_OK or CT_E_MEMORY. */
int ct_run_set_validations(struct ct_run_description *description, const size_t *flags, size_t count);
/* How the ranks of a launch were mapped. */
enum ct_mapped_by ct_run_mapping(const struct ct_run_description *description, size_t launch);
/* Sets how the ranks of each launch were mapped; leaves it out where all are unknown. CT_OK or CT_E_MEMORY.
 */
int ct_run_set_mappings(struct ct_run_description *description, const size_t *mappings, size_t count);
/* How the calls of a launch were made. */
enum ct_call_mode ct_run_mode(const struct ct_run_description *description, size_t launch);
/* Has the run calls that are not blocking? Then its samples have columns for what they overlapped. */
bool ct_run_has_overlap(const struct ct_run_description *description);
/* Sets how the calls of each launch were made; leaves it out where all were blocking. CT_OK or CT_E_MEMORY.
 */
int ct_run_set_modes(struct ct_run_description *description, const size_t *modes, size_t count);
/* How messages travelled between ranks of a node. */
enum ct_node_channel ct_run_node_channel(const struct ct_run_description *description);
/* CT_OK or CT_E_MEMORY. */
int ct_run_set_node_channel(struct ct_run_description *description, enum ct_node_channel channel);
/* The text of the pattern with that number, which ct_pattern_id() gave; NULL where the run has none. */
const char *ct_run_pattern(const struct ct_run_description *description, size_t id);
/* Adds the pattern unless it is there. CT_OK or CT_E_MEMORY. */
int ct_run_add_pattern(struct ct_run_description *description, const char *text);
/* The value of a property; NULL if there is none. */
const char *ct_run_property(const struct ct_run_description *description, const char *name);
/* Appends copies of both strings. CT_OK or CT_E_MEMORY. */
int ct_run_add_property(struct ct_run_description *description, const char *name, const char *value);

#endif
