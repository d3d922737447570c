/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_C45_C45_IMPORT_H
#define CT_C45_C45_IMPORT_H

#include "decision/table.h"
#include "learners/learn_features.h"

/* A report of C4.5, as a decision table. */

struct ct_c45_import {
    const char *report;
    const char *stem;              /* of .names and, where it is there, .data; NULL: what the report says */
    const char *run;               /* to score the tree on, and to choose by where a leaf needs an
                                      `otherwise`; NULL: none */
    enum ct_collective collective; /* of classes that do not say it; CT_COLLECTIVES: all do */
    const struct ct_learn_features *features; /* defined for this; may be NULL */
};

struct ct_c45_import_summary {
    bool has_data;   /* thresholds were put back at values of the data */
    size_t doubtful; /* those that may be another number than the tree had */
};

/* CT_OK; CT_E_INPUT with file, line and what was expected; CT_E_SYSTEM, CT_E_MEMORY, CT_E_LIMIT. Caller frees
 * *ret_table with ct_table_free(). */
int ct_c45_import(const struct ct_c45_import *import, struct ct_error *error,
                  struct ct_c45_import_summary *ret_summary, struct ct_table *ret_table);

#endif
