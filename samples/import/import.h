/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_IMPORT_H
#define CT_SAMPLES_IMPORT_IMPORT_H

#include "samples/run.h"

/* Results of other benchmarks as a run. Each row of theirs, which is a mean over many repetitions, becomes
 * one sample. Readers are strict: one flaw in one file, and nothing is written. docs/importing.md says how
 * the sizes that they print are converted. */

/* A file, with the facts about its results that it may not state. What the file states takes precedence; a
 * different number of ranks is refused. */
struct ct_import_source {
    const char *path;
    const char *pattern; /* what its name says, as ct_import_match_name() takes it; NULL: nothing */
    const char *method;  /* as ct_method_parse() takes it; NULL: native */
    const char *methods; /* words for methods, as ct_csv_methods_parse() takes it; NULL: spellings */
    enum ct_collective collective; /* CT_COLLECTIVES where the file says it */
    struct ct_cell_key key;        /* comm_size, nodes, ppn and by; 0: not given */
    /* csv alone */
    const char *map;   /* as ct_csv_map_parse() takes it */
    const char *where; /* the rows to take, COLUMN=VALUE,VALUE,COLUMN=VALUE; NULL: all */
};

struct ct_import_request {
    const char *folder; /* of the run to make */
    const struct ct_import_source *sources;
    size_t source_count;
    bool slowest;    /* osu, imb: take the time of the slowest rank, not the ranks' mean */
    bool comparable; /* leave out cells that hold one method alone */
    /* Finds the method for a word that is no method of ours, in the words of another library; NULL: none. */
    bool (*explain)(void *context, enum ct_collective collective, const char *word,
                    struct ct_method *ret_method);
    void *explain_context;
    const char *time; /* csv: what the times are, as in run.xml; NULL: unknown */
    /* of machine, MPI and conditions, for run.xml */
    const struct ct_property *properties;
    size_t property_count;
};

struct ct_import_summary {
    size_t cells;
    size_t samples;
    size_t lonely;   /* cells with samples of one method alone: nothing to choose there */
    size_t repeated; /* how often a cell has several samples of one method */
    size_t
        disagreeing; /* in how many of these the longest is more than CT_IMPORT_AGREES times the shortest */
    double least_seconds; /* the shortest time of all */
    double most_ratio;    /* of these, the largest longest / shortest; 1 where there are none */
};

#define CT_IMPORT_AGREES 1.5
/* If all calls take more seconds than this, the times may be in another unit. */
#define CT_IMPORT_SLOW 0.1

/* Receives lines for the user: which rows were skipped, and why. */
struct ct_import_watch {
    void (*notice)(void *context, const char *line);
    void *context;
};

/* Is a file among them twice, in its name or in its text? Where texts are equal and another method, number of
 * ranks or place is said of each, both count. `inside` stands behind each path: "/samples.csv" of runs, or
 * "". CT_OK; CT_E_INPUT where one is; CT_E_SYSTEM where one cannot be read; CT_E_MEMORY. */
int ct_import_forbid_twice(const struct ct_import_source *sources, size_t count, const char *inside,
                           struct ct_error *error);

struct ct_import_file;

/* A format of results that can be imported. */
struct ct_import_format {
    const char *name;   /* as the command takes it */
    const char *text;   /* one line for people */
    const char *origin; /* the run's launcher: what made the results */
    bool has_map;       /* its columns have names of their own, which a map explains */
    const char *time;   /* what its times are, as in run.xml; NULL: as the request says */
    int (*read)(struct ct_import_file *file);
};

/* All of them, ended by NULL. */
extern const struct ct_import_format *const ct_import_formats[];
/* The format of that name; NULL where there is none. */
const struct ct_import_format *ct_import_find(const char *name);

/* Reads all sources and makes one run of them, whole or not at all. CT_OK; CT_E_INPUT with file, line and
 * what was expected, also where the folder exists, a file is given twice or holds nothing to import;
 * CT_E_SYSTEM; CT_E_MEMORY. */
int ct_import(const struct ct_import_format *format, const struct ct_import_request *request,
              const struct ct_import_watch *watch, struct ct_error *error,
              struct ct_import_summary *ret_summary);

#endif
