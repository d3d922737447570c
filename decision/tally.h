/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TALLY_H
#define CT_DECISION_TALLY_H

#include "decision/score.h"

/* What choices cost, cell by cell, and then in all: of one map or of several. Starts as all zeroes. */

struct ct_tally {
    double *penalties; /* NAN where the choice was not measured */
    double *factors;   /* t(native) / t(chosen); NAN where either was not measured */
    size_t *comm_sizes;
    size_t count;
    size_t capacity;
};

/* Adds a cell of a map, where this method of the map was chosen; SIZE_MAX: one that is not in it, as for
 * `native`. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_tally_add(struct ct_tally *tally, const struct ct_cell *cell, size_t choice, size_t native);

/* The numbers of all that was added; `ret_speedup` may be NULL. Frees the tally, also where it fails. CT_OK,
 * CT_E_MEMORY. */
int ct_tally_finish(struct ct_tally *tally, struct ct_penalty *ret_penalty,
                    struct ct_mean_interval *ret_interval, struct ct_speedup *ret_speedup);
void ct_tally_free(struct ct_tally *tally);

/* Those of a score. */
struct ct_tallies {
    struct ct_tally tree;
    struct ct_tally native;
    struct ct_tally single;
};

/* Adds a cell where the tree chose `choice`, and the one method for all cells is `single`; all are of the
 * cell's map, SIZE_MAX where there is none. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_tallies_add(struct ct_tallies *tallies, const struct ct_cell *cell, size_t choice, size_t native,
                   size_t single);

/* Fills in the numbers of the score, where `status` is CT_OK so far. Frees the tallies always. CT_OK, or what
 * went wrong. */
int ct_tallies_finish(int status, struct ct_tallies *tallies, struct ct_score *score);

#endif
