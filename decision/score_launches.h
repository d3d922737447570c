/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_SCORE_LAUNCHES_H
#define CT_DECISION_SCORE_LAUNCHES_H

#include "decision/score.h"

/* Scores a tree as ct_score_tree() does, but against a best method that was chosen on other launches.
 *
 * The best of many measured methods owes its place also to chance: its time is the least because it was
 * lucky, too, and penalties against that time are too large for whoever was not chosen by the same luck. So
 * each launch is held out in turn: the other launches choose every cell's best method, and the held-out
 * launch times both that method and the one that is scored. The penalty of a cell is the geometric mean, over
 * the launches held out, of the ratio of these two times, less 1. It has no bias of selection, and so it may
 * be negative. It measures against the best that the other launches could find, which is the true best at
 * most.
 *
 * The one method that is best over all cells is chosen on the other launches likewise; score.single_method is
 * all zeroes where they disagree. The tree is taken as it is: learn it from other launches than these. The
 * speed-up over native needs no best and stays. Cells with a single launch count as not measured.
 *
 * CT_OK; CT_E_ANSWER where no cell has two launches; CT_E_INPUT where the collectives differ; CT_E_MEMORY. */
int ct_score_cross_launches(const struct ct_decision_tree *tree, const struct ct_map *map,
                            struct ct_error *error, struct ct_score *ret_score);

#endif
