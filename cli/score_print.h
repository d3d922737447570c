/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_SCORE_PRINT_H
#define CT_CLI_SCORE_PRINT_H

#include "decision/score.h"
#include "learners/cross_validate.h"
#include "report/promise.h"

/* Scores as `colltune score` prints them to standard output. */

/* How a score came about. */
struct ct_score_manner {
    bool cross_launches;
    bool learned_from;         /* the table was learned from the cells that score it */
    enum ct_left_out left_out; /* CT_LEFT_OUT_PARTS: a table was scored */
    size_t parts;              /* number of parts that were left out in turn */
};

/* CSV: the header, and the three lines of a score. */
void ct_score_header_print(void);
void ct_score_csv_print(const struct ct_score *score, const struct ct_score_manner *manner);

/* All numbers of a score. */
void ct_score_details_print(const struct ct_score *score, const struct ct_score_manner *manner);

/* The means over all collectives, and a table with a line per collective; where calls are not blocking, for
 * each mode of calls. `left_out` has scores of the same
 * collectives on communicator sizes that were left out of learning, with tree.cells 0 where there is none;
 * NULL: there are none at all. */
void ct_scores_print(const struct ct_score *scores, const struct ct_score *left_out, size_t count,
                     const struct ct_score_manner *manner);

/* What a run promises, and what a validation found, by number of ranks. */
void ct_promises_print(const struct ct_promise *promises, size_t count);

#endif
