/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_H
#define CT_LEARNERS_C45_C45_H

#include "base/text.h"
#include "learners/c45/c45_data.h"
#include "learners/c45/c45_tree.h"

/* C4.5 (Quinlan 1993, C4.5: Programs for Machine Learning, Morgan Kaufmann; Release 8: Quinlan 1996, Improved
 * Use of Continuous Attributes in C4.5, JAIR 4): decision trees by gain ratio, pruned by pessimistic errors.
 * Written anew from a description of what Release 8 does, to grow the same trees and print the same report.
 */

struct ct_c45_options {
    const char *stem;  /* as the report names it */
    bool subsets;      /* -s: branches for sets of values */
    bool gain_alone;   /* -g: gain, not gain ratio */
    bool soft;         /* -p: bounds of thresholds */
    size_t least;      /* -m: of a sensible test, two branches have so many cases */
    double confidence; /* -c: of pruning, in percent */
    size_t trials;     /* -t: trees grown from windows; 0: one, from all cases */
    size_t window;     /* -w: cases in the first window; 0: the usual */
    size_t increment;  /* -i: most that a window grows by; 0: the usual */
    size_t verbosity;  /* -v: 0, 1 or 2 */
};

enum { CT_C45_LEAST_MAX = 1000000, CT_C45_TRIALS_MAX = 10000 };

/* -m 2 -c 25. */
extern const struct ct_c45_options ct_c45_standard;

/* Grows and prunes a tree (no windows), out of the pool. CT_OK; CT_E_LIMIT where it has paths of more than
 * CT_C45_DEPTH_MAX tests; CT_E_MEMORY. */
int ct_c45_learn(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                 const struct ct_c45_options *options, struct ct_c45_pool *pool, struct ct_error *error,
                 struct ct_c45_node **ret_root);

/* Appends what C4.5 prints behind its list of options: the trees and how they do on the cases, and on `tests`
 * where that is not NULL. Errors as above. */
int ct_c45_report(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                  const struct ct_c45_cases *tests, const struct ct_c45_options *options,
                  struct ct_error *error, struct ct_text *report);

/* The class of a case. `votes` has room for all classes. */
uint16_t ct_c45_classify(const struct ct_c45_node *root, const struct ct_c45_cases *cases, size_t index,
                         size_t classes, float *votes);

/* Appends the tree with its broken-off subtrees, from the line below the heading on. */
void ct_c45_print(const struct ct_c45_names *names, const struct ct_c45_node *root, struct ct_text *text);

/* Reads the pruned tree out of a report, ours or Quinlan's; of several trials that of the best. `names` are
 * those that it was learned with; leaves have no weights by class. CT_OK; CT_E_INPUT with file, line and what
 * was expected; CT_E_MEMORY. */
int ct_c45_report_read(const char *text, size_t length, const char *file, const struct ct_c45_names *names,
                       struct ct_c45_pool *pool, struct ct_error *error, struct ct_c45_node **ret_root);

#endif
