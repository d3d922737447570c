/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_GUIDE_GAINS_H
#define CT_MEASURE_SWEEP_GUIDE_GAINS_H

#include "decision/map.h"
#include "measure/sweep/guide.h"

#include <signal.h>

/* Where to measure next once no box of the guide (measure/sweep/guide.h) is to be halved: the cells where a
 * measurement is worth most for what it costs, by the learner's expected gains (learners/expected_gain.h).
 * Cells of one round lie apart, because each of them tells about its neighbours, too. */

/* The cells that are offered of one space, which outlives them. Arrays are owned. */
struct ct_guide_offers {
    const struct ct_guide_space *space;
    bool *slots;   /* by slot: methods to measure, where its point is taken */
    double *value; /* by point: expected gain for its cost; 0: not offered */
    bool *points;  /* by point: taken */
};

/* Offers the cells that are not measured and whose gain is worth it. `map` has those that are, with at least
 * one time; `keys` are those of the space's points; the map's cells lend nodes and ranks per node to points
 * without. `places` are the indices of the space's methods in the map, SIZE_MAX where a method is not there.
 * `costs`, by slot, are what measuring takes, in any unit. A method of which nothing is known is offered in
 * one cell, before all others, unless it has failed, or is predicted to be hopeless. Errors as of
 * ct_expected_gains(). Caller frees. */
int ct_guide_offers_make(const struct ct_map *map, const struct ct_guide_space *space,
                         const struct ct_guide_rules *rules, const struct ct_cell_key *keys,
                         const size_t *places, const double *costs, const volatile sig_atomic_t *stop,
                         struct ct_error *error, struct ct_guide_offers *ret_offers);
void ct_guide_offers_free(struct ct_guide_offers *offers);

/* Takes the points of largest value of several spaces, until they have so many slots; how many points. */
size_t ct_guide_take(struct ct_guide_offers *offers, size_t count, size_t slots);

#endif
