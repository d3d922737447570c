/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FIT_LINE_FIT_H
#define CT_MODELS_FIT_LINE_FIT_H

#include <stddef.h>

/* Straight lines through times by message size. Times span decades and their errors grow with them, so
 * relative errors are minimised. Single times may be outliers, so large errors count less (Huber 1964:
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

/* The line through 1 to CT_SIZES_MAX points; start and slope are 0 or more. The points' own errors are
 * ignored: all points count alike, and the scale of errors is the spread of the points about the line. */
struct ct_line ct_line_fit(const struct ct_fit_point *points, size_t count);

/* The same with the points' own errors; only the slope is 0 or more. Returns the sum over the points
 * of Huber's loss, which is half the square of the distance in standard errors as long as that is small. */
double ct_line_fit_known(const struct ct_fit_point *points, size_t count, struct ct_line *ret_line);

#endif
