/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_RUN_H
#define CT_SAMPLES_RUN_H

#include "algorithms/method.h"
#include "plan/cell_key.h"

#include <stdint.h>
#include <stdio.h>

/* A run: a folder with run.xml, which describes machine and conditions, and samples.csv, one timed repetition
 * a line. runs/FORMAT.md is the formats' description; run.rng the schema of run.xml. */

enum ct_sample_status {
    CT_SAMPLE_OK,
    CT_SAMPLE_CRASHED,   /* the method ended the job in this cell */
    CT_SAMPLE_HUNG,      /* it did not come back in time */
    CT_SAMPLE_WRONG,     /* its results were wrong */
    CT_SAMPLE_PREDICTED, /* not measured: a time out of a model that was fitted to what was */
    CT_SAMPLE_COMMIT,    /* not a sample: closes a cell; never in a run's samples */
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
    uint32_t root;
    uint32_t rep;
    uint16_t datatype; /* index into the run's words */
    uint16_t operation;
    enum ct_sample_status status;
    struct ct_cell_key key;
    double seconds; /* > 0; NAN where the status has no time */
};

/* A cell of a run that a commit row closed. Each launch measures its cells anew. */
struct ct_run_cell {
    uint32_t launch;
    enum ct_collective collective;
    struct ct_cell_key key;
};

/* A property of the machine, the MPI or the conditions: name and value, both free text. */
struct ct_property {
    char *name;
    char *value;
};

/* Everything in run.xml. All strings are owned. */
struct ct_run_description {
    char *tool_version;
    char *created;  /* ISO 8601 with seconds: "2024-05-17T09:30:00Z" */
    char *backend;  /* "real", "simulated", "predicted" or "imported" */
    char *launcher; /* command, platform, or model */
    char *time; /* "global": max(end) - min(start) on a common clock; "local": max over ranks of end - start;
                   imported also "mean": the mean over ranks of that, and "unknown" */
    char *sync; /* how repetitions start: "barrier/dissemination", "window", "clock"; imported: "unknown";
                   predicted: by what */
    size_t seed;
    struct ct_property
        *properties; /* machine, MPI and environment: "machine.cpu", "mpi.version", "env.NAME" ... */
    size_t property_count;
    enum ct_collective *collectives;
    size_t collective_count;
    size_t *comm_sizes;
    size_t comm_size_count;
    size_t *msg_sizes;
    size_t msg_size_count;
    struct ct_method *methods; /* of the sweep, of all collectives */
    size_t method_count;
    size_t launches; /* samples count them from 0 */
    size_t warmup;
    size_t least_repetitions;
    size_t most_repetitions;
    double precision;    /* relative error of the median at which a cell stops */
    double most_seconds; /* per cell and method */
};

struct ct_run {
    char *folder;
    struct ct_run_description description;
    char **words; /* datatypes and operations that occur */
    size_t word_count;
    struct ct_method *methods; /* the description's own array, not a second one */
    size_t method_count;
    struct ct_sample *samples; /* without the commit rows */
    size_t sample_count;
    struct ct_run_cell *cells; /* that are closed, sorted for ct_run_has_cell() */
    size_t cell_count;
    size_t dropped;      /* lines of a torn tail left out; only where that was allowed */
    size_t whole_length; /* bytes of samples.csv up to and with its last commit row */
};

/* Reads a run. `resuming` allows a torn tail (rows without a commit row at the end, or half a line): it is
 * left out and counted in `dropped`; else, as with any other flaw, CT_E_INPUT with file, line and what was
 * expected. Caller frees with ct_run_free(). */
int ct_run_read(const char *folder, bool resuming, struct ct_error *error, struct ct_run *ret_run);
void ct_run_free(struct ct_run *run);

/* Has it any samples of this collective, good or not? */
bool ct_run_measures(const struct ct_run *run, enum ct_collective collective);

/* The cell that a sample of this collective lies in. */
struct ct_run_cell ct_sample_cell(const struct ct_sample *sample, enum ct_collective collective);
/* Order of cells, as qsort() wants it. */
int ct_run_cell_compare(const void *a, const void *b);

/* Is this cell closed already? */
bool ct_run_has_cell(const struct ct_run *run, const struct ct_run_cell *cell);

/* Makes the folder, whole or not at all, with run.xml and a samples.csv that holds the header line. Strings
 * of the description may be NULL. CT_E_INPUT where the folder exists, or where ct_run_read() would refuse the
 * description. */
int ct_run_create(const char *folder, const struct ct_run_description *description, struct ct_error *error);

/* Makes a run at once, whole or not at all: as ct_run_create(), with all of the run's samples, and a commit
 * row behind each of its cells. Every sample lies in one of `run->cells`, which are sorted, as ct_run_read()
 * leaves them; samples of a cell keep their order. CT_E_INPUT also where that does not hold, or where a
 * reader would refuse a sample by itself. */
int ct_run_write(const char *folder, const struct ct_run *run, struct ct_error *error);

/* Adds properties to run.xml of a run that is there, or gives those that it has new values; whole or not at
 * all. CT_OK; CT_E_INPUT or CT_E_SYSTEM with a line in `error`; CT_E_MEMORY. */
int ct_run_annotate(const char *folder, const struct ct_property *properties, size_t count,
                    struct ct_error *error);

/* Leaves all zeroes. */
void ct_run_description_free(struct ct_run_description *description);
/* The value of a property; NULL where there is none. */
const char *ct_run_property(const struct ct_run_description *description, const char *name);
/* Appends copies of both strings. CT_OK or CT_E_MEMORY. */
int ct_run_add_property(struct ct_run_description *description, const char *name, const char *value);

/* Appends to samples.csv. One writer a run: a second one is refused while the first is open. */
struct ct_sample_writer {
    FILE *file;
    char *path;
};

/* Opens for appending; `keep` bytes of the file stay, a torn tail behind them is cut off. SIZE_MAX keeps all.
 * CT_OK; CT_E_INPUT where the file is shorter than that; CT_E_SYSTEM, also where another process has it open
 * for writing; CT_E_MEMORY. */
int ct_samples_open(const char *folder, size_t keep, struct ct_error *error,
                    struct ct_sample_writer *ret_writer);
/* A row. `sample->method` is not looked at, `method` is; `datatype` and `operation` may be NULL where there
 * is none. All rows up to the next commit are of one cell, and a method's good samples have rising `rep` in
 * it. CT_OK; CT_E_INPUT where a reader would refuse the row by itself; CT_E_SYSTEM. */
int ct_samples_add(struct ct_sample_writer *writer, const struct ct_method *method,
                   const struct ct_sample *sample, const char *datatype, const char *operation);
/* The commit row of a cell (launch and key of `of_cell`), then flush and fsync.
 * CT_OK or CT_E_SYSTEM. */
int ct_samples_commit(struct ct_sample_writer *writer, enum ct_collective collective,
                      const struct ct_sample *of_cell);
/* CT_OK, or CT_E_SYSTEM where something could not be written. */
int ct_samples_close(struct ct_sample_writer *writer);

#endif
