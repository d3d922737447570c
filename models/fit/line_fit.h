/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FIT_LINE_FIT_H
#define CT_MODELS_FIT_LINE_FIT_H

#include <stddef.h>

/* Straight lines through times by message size. Times span decades and their errors grow with them, so it is
 * relative errors that are made small; and single times may be far off, so large ones count less (Huber 1964:
 * beyond 1.345 standard errors an error counts linearly). */

enum { CT_SIZES_MAX = 256 }; /* message sizes in one fit */

struct ct_fit_point {
    double bytes;
    double seconds; /* > 0 */
    double error;   /* relative standard error of the seconds, > 0 */
};

/* Seconds at 0 bytes, and per byte. */
struct ct_line {
    double start;
    double slope;
};

static inline double ct_line_at(const struct ct_line *line, double bytes)
{
    return line->start + line->slope * bytes;
}

/* The line through 1 to CT_SIZES_MAX points; start and slope are 0 or more. The points' own errors are not
 * looked at: all count alike, and what is large is judged by how far the points lie from the line. */
struct ct_line ct_line_fit(const struct ct_fit_point *points, size_t count);

/* The same where the points' errors are known; only the slope is 0 or more. Returns the sum over the points
 * of Huber's loss, which is half the square of the distance in standard errors as long as that is small. */
double ct_line_fit_known(const struct ct_fit_point *points, size_t count, struct ct_line *ret_line);

#endif
