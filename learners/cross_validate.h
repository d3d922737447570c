/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_CROSS_VALIDATE_H
#define CT_LEARNERS_CROSS_VALIDATE_H

#include "decision/score.h"
#include "learners/learner.h"

/* Estimates how much slower learned trees are in calls that they were not learned from: in turn, each part of
 * the measurements is left out, a tree is learned from the rest, and it chooses for the part left out. */

enum ct_left_out { CT_LEFT_OUT_COMM_SIZES, CT_LEFT_OUT_MSG_SIZES, CT_LEFT_OUT_RUNS, CT_LEFT_OUT_PARTS };

struct ct_left_out_description {
    const char *name; /* as users write it */
    const char *text; /* plural: one of these is left out each time */
};

/* By enum ct_left_out. */
extern const struct ct_left_out_description ct_left_out_descriptions[CT_LEFT_OUT_PARTS];

struct ct_cross_validation {
    struct ct_score scores[CT_MODES]; /* for each mode of calls that was measured, over all its cells, each of
                                         which was left out once. Leaves and depth are those of a tree learned
                                         from everything. The one best method is chosen without the cells left
                                         out, too; all zeroes if it is not the same for all parts */
    size_t count;                     /* of scores */
    size_t parts;                     /* that were left out in turn */
};

/* Each size or run is a part of its own, unless that makes more than `most_parts`: sizes are then dealt out,
 * in order, to so many parts. A cell that several `runs` have counts all their job launches. CT_OK;
 * CT_E_ANSWER with a line in `error` if there are fewer than two parts of this collective; CT_E_INPUT if the
 * runs are of different conditions (ct_run_join()), or as the learner says; CT_E_MEMORY, CT_E_LIMIT. */
int ct_cross_validate(const struct ct_run *runs, size_t run_count, enum ct_left_out left_out,
                      size_t most_parts, enum ct_collective collective,
                      const struct ct_learn_settings *settings, struct ct_error *error,
                      struct ct_cross_validation *ret_validation);

#endif
