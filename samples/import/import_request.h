/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_IMPORT_REQUEST_H
#define CT_SAMPLES_IMPORT_IMPORT_REQUEST_H

#include "base/progress.h"
#include "samples/run_description.h"

#include <string.h>

/* What is to be imported. */

/* A file, with the facts about its results that it may not state. What the file states takes precedence; a
 * different number of ranks is refused. */
struct ct_import_source {
    const char *path;
    const char *pattern; /* what its name says, as fact_pattern.h has it; NULL: nothing */
    const char *heading; /* osu and imb: what a line before an output says, likewise; NULL: nothing */
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
    const struct ct_watch *watch; /* told how far it is, and which rows were passed over; NULL: nobody */
    const char *time;             /* csv: what the times are, as in run.xml; NULL: unknown */
    /* of machine, MPI and conditions, for run.xml */
    const struct ct_property *properties;
    size_t property_count;
};

/* Are both texts missing, or the same? */
static inline bool ct_import_is_equal(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

#endif
