/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SLOWNESS_H
#define CT_MEASURE_SLOWNESS_H

#include <stdbool.h>
#include <stddef.h>

/* A rank on a sick or overloaded node slows down every collective that it is part of, and no sample says so,
 * since all wait for it. So ranks do a piece of work each, and their times are compared. */

/* How many times the median of `count` ranks (of two the faster) the slowest needed for the same work;
 * `seconds`, by rank, is sorted in place. */
double ct_slowness_of_slowest(double *seconds, size_t count);

/* What is too much: a line for the user is due. */
bool ct_slowness_is_much(double factor);

#endif
