/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_COST_LINE_H
#define CT_LIBRARY_COST_LINE_H

#include <stdbool.h>

/* What a method costs on one communicator: seconds = a + b bytes, as in Hockney's model, from its times at a
 * few message sizes. Without MPI and without other libraries, since applications load it. All zeroes has no
 * times yet. */
struct ct_cost_line {
    double least_bytes;
    double most_bytes;
    /* Sums over the times, each with the weight 1 / seconds^2: relative errors count, or else the times of
     * small messages would mean nothing beside those of large ones. */
    double weights;
    double bytes;
    double seconds;
    double bytes_squared;
    double products;
};

/* Adds a time (finite, > 0). */
void ct_cost_line_add(struct ct_cost_line *line, double bytes, double seconds);

/* Predicts the time for a message size by least squares, where neither a nor b is negative. False: the sizes
 * of the times do not differ by a factor of two at least, so they tell nothing about others. */
bool ct_cost_line_at(const struct ct_cost_line *line, double bytes, double *ret_seconds);

#endif
