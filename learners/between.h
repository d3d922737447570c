/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_BETWEEN_H
#define CT_LEARNERS_BETWEEN_H

#include "learners/learn_features.h"
#include "learners/surface.h"
#include "models/predict/predicted_times.h"

/* The times of every method between and beyond the measured sizes. Calls of different kinds are not
 * interpolated into one another: features that go up and down as communicators grow, such as `even`, tell
 * kinds apart. With a model of the machine times follow its own between and beyond the sizes, times the ratio
 * of measured to predicted ones, which is what is interpolated then; beyond the ends it stays as it is there.
 */

struct ct_between_kind {
    size_t *values; /* by column that tells kinds apart; NULL: cells of all kinds */
    struct ct_surface times;
    struct ct_surface ratios; /* log(measured / predicted); all zeroes without a model */
};

struct ct_between {
    const struct ct_method *methods; /* the map's */
    struct ct_predicted_times *prior;
    struct ct_feature_columns apart; /* what tells kinds apart */
    struct ct_between_kind
        *kinds; /* the first has all cells; the others have two communicator sizes at least */
    size_t count;
    size_t *values; /* room for those of a call */
};

/* From the medians of a map, rid of disturbances where they are measured (ct_surface_smooth()). `prior` is
 * what the model predicts, or NULL; it, the columns' set and the map's methods must live as long. CT_OK;
 * CT_E_MEMORY, CT_E_LIMIT; as ct_predicted_times_at(). Caller frees with ct_between_free(). */
int ct_between_make(const struct ct_map *map, const struct ct_feature_columns *columns,
                    struct ct_predicted_times *prior, struct ct_error *error, struct ct_between *ret_between);

/* The seconds of each method of the map in a call; NAN where they are not known. A call of a kind of which
 * there are fewer than two communicator sizes is taken as between all cells; a method for which the model has
 * no time there, or none where it was measured around, as without a model. CT_OK; as ct_predicted_times_at().
 */
int ct_between_times(const struct ct_between *between, const struct ct_features *call, struct ct_error *error,
                     double *ret_seconds);

/* How ranks lie in the next smaller communicator that was measured, or in the least. */
struct ct_placing ct_between_placing(const struct ct_between *between, size_t comm_size);

void ct_between_free(struct ct_between *between);

#endif
