/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_BETWEEN_H
#define CT_LEARNERS_BETWEEN_H

#include "learners/learn_features.h"
#include "learners/surface.h"

/* The times of every method between and beyond the measured sizes. Calls of different kinds are not
 * interpolated into one another: features that go up and down as communicators grow, such as `even`, tell
 * kinds apart. */

struct ct_between_kind {
    size_t *values; /* by column that tells kinds apart; NULL: cells of all kinds */
    struct ct_surface times;
};

struct ct_between {
    struct ct_feature_columns apart; /* what tells kinds apart */
    struct ct_between_kind
        *kinds; /* the first has all cells; the others have two communicator sizes at least */
    size_t count;
    size_t *values; /* room for those of a call */
};

/* From the medians of a map, rid of disturbances where they are measured (ct_surface_smooth()). The columns'
 * set must live as long. CT_OK, CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_between_free(). */
int ct_between_make(const struct ct_map *map, const struct ct_feature_columns *columns,
                    struct ct_between *ret_between);

/* The seconds of each method of the map in a call; NAN where they are not known. A call of a kind of which
 * there are fewer than two communicator sizes is taken as between all cells. */
void ct_between_times(const struct ct_between *between, const struct ct_features *call, double *ret_seconds);

/* How ranks lie in the next smaller communicator that was measured, or in the least. */
struct ct_placing ct_between_placing(const struct ct_between *between, size_t comm_size);

void ct_between_free(struct ct_between *between);

#endif
