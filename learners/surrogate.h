/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_SURROGATE_H
#define CT_LEARNERS_SURROGATE_H

#include "decision/map.h"

#include <signal.h>

/* Estimated times of every method of a collective in calls that were not measured, how certain they are, and
 * what a measurement there is worth. Each method has a Gaussian process (surrogate_process.h) over the
 * logarithms of communicator size and message size, and of ranks per node if these vary by themselves. It
 * describes the times, or their ratios to what the methods' plans say (surrogate_base.h) if that predicts
 * sizes that are left out significantly better. */

struct ct_surrogate;

struct ct_surrogate_options {
    bool no_plans;                     /* do not evaluate plans */
    size_t calls;                      /* about how many calls will be asked for: bounds the size of plans */
    const volatile sig_atomic_t *stop; /* becomes nonzero if the user wants to stop; or NULL */
};

/* Learns from the cells of the map and the methods that `allowed` (by method of the map) names; both must
 * live as long. CT_OK; CT_E_INPUT with a line in `error` if no allowed method was measured in any cell;
 * CT_E_STOPPED, CT_E_MEMORY, CT_E_LIMIT. Free with ct_surrogate_free(). */
int ct_surrogate_new(const struct ct_map *map, const bool *allowed,
                     const struct ct_surrogate_options *options, struct ct_error *error,
                     struct ct_surrogate **ret_surrogate);
void ct_surrogate_free(struct ct_surrogate *surrogate); /* NULL is allowed */

/* By method of the map: mean and standard deviation of log(seconds) in a call; NAN if the method is not
 * allowed or was not measured in any cell. CT_OK; CT_E_STOPPED, CT_E_MEMORY, CT_E_LIMIT. */
int ct_surrogate_at(struct ct_surrogate *surrogate, const struct ct_cell_key *key, double *ret_means,
                    double *ret_deviations);

/* By method of the map: may it be chosen in a call? A method that was measured there may. Another one may if
 * it took at most CT_SURROGATE_NEAR longer than the best in one of the nearest measured cells, and has not
 * failed in the call itself. Cells in which one method alone was measured do not count. The nearest cells are
 * those with at least, or at most, as many ranks, and at least, or at most, as many bytes: four of them. The
 * method must apply to the call. If no method may be chosen by these rules, all that apply may. */
#define CT_SURROGATE_NEAR 0.1
void ct_surrogate_may_choose(const struct ct_surrogate *surrogate, const struct ct_cell_key *key,
                             bool *ret_may);

/* What a measurement of all methods in a call is worth: by how much log(seconds) of the choice that would be
 * made today exceeds that of the best method there, as expected (the expected value of perfect information;
 * Howard 1966, doi:10.1109/TSSC.1966.300074). At least 0; 0 where nothing is left to learn. A sweep measures
 * next where this is largest. Errors as ct_surrogate_at(). */
int ct_surrogate_gain(struct ct_surrogate *surrogate, const struct ct_cell_key *key, double *ret_gain);

/* The same for estimates by method: the expected least of independent normal distributions; methods with a
 * mean of NAN are left out. NAN if there is none. */
double ct_expected_least(const double *means, const double *deviations, size_t count);

/* Do ranks per node vary among the cells with one communicator size? */
bool ct_surrogate_has_layouts(const struct ct_map *map);

/* Does it follow the methods' plans? */
bool ct_surrogate_follows_plans(const struct ct_surrogate *surrogate);

#endif
