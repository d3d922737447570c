/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_C45_C45_PROGRAM_H
#define CT_C45_C45_PROGRAM_H

#include "base/text.h"
#include "learners/c45/c45.h"

/* The parts of Quinlan's program C4.5 Release 8 around its core: evaluation and the report. */

struct ct_c45_program {
    const char *stem;            /* the name of the files in the report */
    struct ct_c45_options learn; /* -s -g -m -c -t -w -i */
    bool soft;                   /* -p: soft thresholds */
    size_t verbosity;            /* -v: 0, 1 or 2 */
};

/* Appends the report after the list of options: the trees and their evaluation on the cases and, if `tests`
 * is not NULL, on those. CT_OK; CT_E_LIMIT if a path would have more than CT_C45_DEPTH_MAX tests;
 * CT_E_MEMORY.
 */
int ct_c45_report(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                  const struct ct_c45_cases *tests, const struct ct_c45_program *program,
                  struct ct_error *error, struct ct_text *report);

/* Appends a tree with its broken-off subtrees, without the heading. */
void ct_c45_print(const struct ct_c45_names *names, const struct ct_c45_node *root, struct ct_text *text);

/* Reads the pruned tree from a report of this program or of Quinlan's; with several trials, the best tree.
 * `names` are those that it was learned with. Leaves get no weights by class. CT_OK; CT_E_INPUT with file,
 * line and what was expected; CT_E_MEMORY. */
int ct_c45_report_read(const char *text, size_t length, const char *file, const struct ct_c45_names *names,
                       struct ct_c45_pool *pool, struct ct_error *error, struct ct_c45_node **ret_root);

#endif
