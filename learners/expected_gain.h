/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_EXPECTED_GAIN_H
#define CT_LEARNERS_EXPECTED_GAIN_H

#include "decision/map.h"

#include <signal.h>

/* What measurements are worth that have not been made, so that a sweep can make the best ones first. */

/* A measurement of one method in one call. */
struct ct_measurement {
    struct ct_cell_key key;
    size_t method; /* of the map; CT_EVERY_METHOD: of all methods in the call */
};

#define CT_EVERY_METHOD SIZE_MAX

/* By candidate: by how much log(seconds) of the method that would be chosen in its call falls, as expected,
 * once the candidate is measured (the expected value of perfect information; Howard 1966,
 * doi:10.1109/TSSC.1966.300074; of one method, the expected improvement of Jones, Schonlau and Welch 1998,
 * doi:10.1023/A:1008306431147). 0.01 means 1 % of the time of this call; what neighbours gain is not counted.
 * At least 0; INFINITY if the method applies to the call but was not measured anywhere, so that nothing is
 * known of it; 0 if it does not apply.
 *
 * Times come from a quick surrogate (surrogate.h) without plans, and follow from the map alone. Candidates of
 * one call should follow one another. Takes some milliseconds for each method of the map, and some
 * microseconds for each method and call; more than 48 cells hardly take longer than that many.
 *
 * CT_OK; CT_E_INPUT with a line in `error` if nothing was measured at all; CT_E_STOPPED, CT_E_MEMORY,
 * CT_E_LIMIT. */
int ct_expected_gains(const struct ct_map *map, const struct ct_measurement *candidates, size_t count,
                      const volatile sig_atomic_t *stop, struct ct_error *error, double *ret_gains);

/* The expected least of independent normal distributions; those with a mean of NAN are left out. NAN if there
 * is none. */
double ct_expected_least(const double *means, const double *deviations, size_t count);

#endif
