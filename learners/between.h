/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_BETWEEN_H
#define CT_LEARNERS_BETWEEN_H

#include "learners/learn_features.h"
#include "learners/surface.h"
#include "models/predict/predicted_times.h"

/* The times of every method between and beyond the measured sizes.
 *
 * Calls of different kinds are not interpolated into one another. Features that rise and fall as
 * communicators grow, such as `even`, tell kinds apart.
 *
 * With a model of the machine, times follow the model between and beyond the sizes: what is interpolated is
 * the ratio of measured to predicted times. Beyond the ends the ratio stays as it is there. */

struct ct_between_kind {
    size_t *values; /* by column that tells kinds apart; NULL: cells of all kinds */
    struct ct_surface times;
    struct ct_surface ratios; /* log(measured / predicted); all zeroes without a model */
};

struct ct_between {
    const struct ct_method *methods; /* the map's */
    struct ct_predicted_times *prior;
    struct ct_feature_columns apart; /* columns that tell kinds apart */
    struct ct_between_kind *kinds;   /* the first has all cells, the others at least two communicator sizes */
    size_t count;
    size_t *values; /* room for those of a call */
};

/* From the medians of a map; disturbances are removed from measured times (ct_surface_smooth()). `prior` has
 * the times that the model predicts, or is NULL; it, the columns' set and the map's methods must live as long
 * as the result. CT_OK; CT_E_MEMORY, CT_E_LIMIT; as ct_predicted_times_at(). Caller frees with
 * ct_between_free(). */
int ct_between_make(const struct ct_map *map, const struct ct_feature_columns *columns,
                    struct ct_predicted_times *prior, struct ct_error *error, struct ct_between *ret_between);

/* The seconds of each method of the map in a call; NAN if unknown. If a kind has fewer than two communicator
 * sizes, its calls are interpolated between all cells. Methods without a predicted time in the call or around
 * it are interpolated as without a model. CT_OK; as ct_predicted_times_at(). */
int ct_between_times(const struct ct_between *between, const struct ct_features *call, struct ct_error *error,
                     double *ret_seconds);

/* How ranks lie in the next smaller communicator that was measured, or in the smallest. */
struct ct_placing ct_between_placing(const struct ct_between *between, size_t comm_size);

void ct_between_free(struct ct_between *between);

/* How ranks lie on nodes in a map: so many on each node, one node filled after the other. */
struct ct_layouts {
    size_t *ppn;  /* rising */
    size_t count; /* 0: layouts need not be told apart */
};

enum { CT_LAYOUTS_MAX = 16 };

/* The layouts of a map. There are none if no column depends on nodes or ppn, or if all ranks of each
 * communicator size lie in the same way. CT_OK; CT_E_INPUT with a line in `error` if there are more than
 * CT_LAYOUTS_MAX; CT_E_MEMORY. Caller frees with ct_layouts_free(). */
int ct_layouts_of(const struct ct_map *map, const struct ct_feature_columns *columns, struct ct_error *error,
                  struct ct_layouts *ret_layouts);
void ct_layouts_free(struct ct_layouts *layouts);

/* Does the cell belong to the layout? A cell on one node belongs to every layout that its ranks fit into. */
bool ct_layout_has(size_t ppn, const struct ct_cell *cell);

#endif
