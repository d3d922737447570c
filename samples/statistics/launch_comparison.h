/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_LAUNCH_COMPARISON_H
#define CT_SAMPLES_STATISTICS_LAUNCH_COMPARISON_H

#include <stddef.h>

/* What the samples say against two statements about a method and the best one: p-values, small where they
 * speak against it. */
struct ct_doubt {
    double not_slower;     /* "it takes at most the best one's time" */
    double not_equivalent; /* "it takes more, or less, by the margin at least": the larger of the two
                              one-sided tests' p-values (Schuirmann 1987, doi:10.1007/BF01068419) */
};

/* Tests every method against the best one where several launches measured them all. `logs` are logarithms of
 * medians, logs[method * launches + launch]; `methods` and `launches` are 2 at least; `margin` is the
 * logarithm of the ratio that is no longer equivalent. Fills ret_doubts, by method; the best one's is left
 * alone. CT_OK or CT_E_MEMORY.
 *
 * Launches are the units (Hunold and Carpen-Amarie 2016, doi:10.1109/TPDS.2016.2539167: the launch is a
 * factor of the experiment). What a launch does to all methods alike drops out, since they are compared
 * within it; what is left is how a method's ratio varies from launch to launch, and a t-test asks whether the
 * mean logarithm of the ratio is explained by that. No test without a distribution could: of n launches that
 * all agree a sign test makes 2^-n. With so few launches a method's own variance is hardly known, so it is
 * drawn towards the others', as far as these resemble each other (the moderated t of Smyth 2004,
 * doi:10.2202/1544-6115.1027); it is never taken for smaller than what the pair itself showed.
 *
 * The logarithms are taken for normal, roughly; that differences of like methods are symmetric makes it hold
 * well where they are not. */
int ct_launch_test(const double *logs, size_t methods, size_t launches, size_t best, double margin,
                   struct ct_doubt *ret_doubts);

#endif
