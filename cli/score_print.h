/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_SCORE_PRINT_H
#define CT_CLI_SCORE_PRINT_H

#include "learners/cross_validate.h"

/* How a score came about. */
struct ct_score_manner {
    bool cross_launches;
    enum ct_left_out left_out; /* CT_LEFT_OUT_PARTS: a table was scored, and nothing left out */
    size_t parts;              /* that were left out, one by one */
};

/* Prints a score to standard output, as text or as lines of CSV, whose header has a function of its own. */
void ct_score_print_text(const struct ct_score *score, const struct ct_score_manner *manner);
void ct_score_print_csv(const struct ct_score *score, const struct ct_score_manner *manner);
void ct_score_print_header(void);

#endif
