/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_SCORE_H
#define CT_DECISION_SCORE_H

#include "decision/map.h"
#include "decision/tree/tree.h"
#include "decision/tree/tree_depth.h"
#include "samples/statistics/bootstrap.h"

/* Costs of choices: penalties t(chosen) / t(best measured in that cell) - 1, after Pjesivac-Grbovic 2007,
 * chapter 6. All penalties are fractions: 0.05 is 5 %. */

struct ct_penalty {
    size_t cells;      /* over which the numbers below are taken; all 0 where that is 0 */
    size_t unmeasured; /* cells left out: the chosen method was not measured there, or failed */
    double least;
    double mean;
    double median;
    double geometric_mean; /* of t(chosen) / t(best), less 1 */
    double percentile95;
    double most;
    double within; /* share of the cells whose penalty is at most CT_PENALTY_CLOSE, 0..1 */
    double best;   /* share of the cells where no method is faster than the one chosen, 0..1 */
};

#define CT_PENALTY_CLOSE 0.05

/* How many times as fast as native, t(native) / t(chosen), in the cells where both were measured. */
struct ct_speedup {
    size_t cells; /* 0: the numbers below are 0 too */
    double geometric_mean;
    double least;
    double most;
    double mean;
    double median;
    double percentile95;
    double within; /* share of the cells where it is at most CT_PENALTY_CLOSE slower than native, 0..1 */
};

struct ct_score {
    enum ct_collective collective;
    unsigned modes; /* how the calls of the cells are made: a set as for ct_modes_format() */
    size_t leaves;
    struct ct_tree_depths depth;
    struct ct_penalty tree;
    struct ct_penalty native; /* always native; cells 0 where native is not in the map */
    struct ct_penalty
        single; /* always the one best method: measured in most cells, then of least geometric mean */
    struct ct_method single_method;
    struct ct_speedup speedup;
    struct ct_mean_interval tree_mean; /* confidence intervals of the mean penalties */
    struct ct_mean_interval native_mean;
    struct ct_mean_interval single_mean;
};

/* Does the method apply to calls of this cell? Operations are taken to commute. */
bool ct_score_applies(const struct ct_method *method, const struct ct_cell *cell);

/* The method that a tuned library with this tree would carry out in a cell with this key: the leaf's, or its
 * `fallback` where that does not apply; operations taken to commute. The tree owns it. */
const struct ct_method *ct_score_method(const struct ct_decision_tree *tree, const struct ct_cell_key *key);

/* The map's index of that method; SIZE_MAX where the map does not have it. */
size_t ct_score_choice(const struct ct_decision_tree *tree, const struct ct_map *map,
                       const struct ct_cell *cell);

/* The map's index of native; SIZE_MAX where it is not there. */
size_t ct_score_native(const struct ct_map *map);

/* The map's index of the algorithm `linear`, which sends each block directly; SIZE_MAX where it is not there.
 */
size_t ct_score_linear(const struct ct_map *map);

/* Scores a tree against a map of the same collective. CT_OK; CT_E_INPUT where the collectives differ;
 * CT_E_MEMORY. */
int ct_score_tree(const struct ct_decision_tree *tree, const struct ct_map *map, struct ct_error *error,
                  struct ct_score *ret_score);

/* Penalties of a choice per cell of the map (indices of its methods, SIZE_MAX for one that is not in it).
 * CT_OK, CT_E_MEMORY. */
int ct_score_choices(const struct ct_map *map, const size_t *choices, struct ct_penalty *ret_penalty);

/* The numbers of these penalties, NAN where one is not known. Overwrites them. */
struct ct_penalty ct_penalty_summarize(double *penalties, size_t count);

/* Scores a tree as ct_score_tree() does, but against a best method that was chosen on other launches.
 *
 * The best of many measured methods is chosen by the same samples that time it, so its time is biased low and
 * penalties against it are biased high. Therefore each job launch is held out in turn: the others choose
 * every cell's best method, and the job launch that is held out times both that method and the one that is
 * scored. The penalty of a cell is the geometric mean of the ratio of these two times, less 1. It has no
 * selection bias and may be negative. It compares with the best method that the other job launches could
 * find, which is at most as good as the true best one.
 *
 * The one method that is best over all cells is chosen on the other job launches in the same way;
 * score.single_method is all zeroes if they disagree. The tree is scored as it is, so it must come from other
 * job launches than these. The speed-up over native needs no best method and is not changed. Cells with a
 * single job launch count as not measured.
 *
 * CT_OK; CT_E_ANSWER if no cell has two job launches; CT_E_INPUT if the collectives differ; CT_E_MEMORY. */
int ct_score_cross_launches(const struct ct_decision_tree *tree, const struct ct_map *map,
                            struct ct_error *error, struct ct_score *ret_score);

/* --- tallies --- */

/* Adds up the penalties and speed-ups of choices, over the cells of one map or of several. Starts as all
 * zeroes. */

struct ct_tally {
    double *penalties; /* NAN where the choice was not measured */
    double *factors;   /* t(native) / t(chosen); NAN where either was not measured */
    size_t *comm_sizes;
    size_t count;
    size_t capacity;
};

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
