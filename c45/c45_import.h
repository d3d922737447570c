/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_C45_C45_IMPORT_H
#define CT_C45_C45_IMPORT_H

#include "decision/table.h"
#include "learners/learn_features.h"

/* Makes a decision table from a report of C4.5. */

struct ct_c45_import {
    const char *report;
    const char *stem;              /* of the .names and .data files; NULL: the stem in the report */
    const char *run;               /* the tree is scored on it, and it decides fallbacks; NULL: none */
    enum ct_collective collective; /* of classes without a collective; CT_COLLECTIVES: all have one */
    const struct ct_learn_features *features; /* features that are defined for this; may be NULL */
};

struct ct_c45_import_summary {
    bool has_data; /* there is a .data file: thresholds are exact values of it */
    size_t
        doubtful; /* thresholds that may differ from those of the tree, as they are printed with 6 digits */
};

/* CT_OK; CT_E_INPUT with file, line and what was expected; CT_E_SYSTEM, CT_E_MEMORY, CT_E_LIMIT. Caller frees
 * *ret_table with ct_table_free(). */
int ct_c45_import(const struct ct_c45_import *import, struct ct_error *error,
                  struct ct_c45_import_summary *ret_summary, struct ct_table *ret_table);

#endif
