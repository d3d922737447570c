/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SLOWNESS_H
#define CT_MEASURE_SLOWNESS_H

#include <stdbool.h>
#include <stddef.h>

/* A rank on a faulty or overloaded node slows down every collective that it takes part in, and no sample
 * shows it, since all ranks wait. Therefore each rank does the same work, and the times are compared. */

/* The time of the slowest of `count` ranks over the median (of two: the faster). `seconds` is sorted in
 * place.
 */
double ct_slowness_of_slowest(double *seconds, size_t count);

/* Must the user be warned? */
bool ct_slowness_is_much(double factor);

#endif
