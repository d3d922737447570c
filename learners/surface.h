/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_SURFACE_H
#define CT_LEARNERS_SURFACE_H

#include "decision/map.h"

/* The times of every method over communicator size and message size, on logarithmic scales, between and
 * beyond the measured sizes. */

/* How ranks are placed on nodes. */
struct ct_placing {
    size_t nodes;
    size_t ppn;
};

struct ct_surface {
    size_t *comm_sizes; /* rising */
    size_t *msg_sizes;
    struct ct_placing *placings; /* by row: of one cell with that communicator size */
    double *places;              /* log2 of the sizes: first of rows, then of columns */
    size_t rows;                 /* communicator sizes */
    size_t columns;              /* message sizes */
    size_t methods;              /* of the map */
    double *logs;                /* log(seconds), [row][column][method]; NAN: unknown */
    bool is_level;               /* beyond the ends, values stay as they are there: for ratios of times */
    double *least; /* [row][column][method]: lower end of the confidence interval; -INFINITY: none */
};

/* From the medians of a map's cells. Cells that differ in nodes or ppn alone share a point, at their
 * geometric mean. CT_OK, CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_surface_free(). */
int ct_surface_make(const struct ct_map *map, struct ct_surface *ret_surface);

/* Removes disturbances, which lengthen times and hardly ever shorten them. A method should not take longer
 * than with more ranks and more bytes (a guideline of Traeff, Gropp and Thakur 2010,
 * doi 10.1109/TPDS.2009.120). If it takes over 5 % longer than at two such points, the longer of these two
 * times counts; one point is not enough, because it may be a lucky sample. Then the running median of 3 over
 * message sizes is taken. No time falls below its confidence interval, if it has one. CT_OK, CT_E_MEMORY. */
int ct_surface_smooth(struct ct_surface *surface);

/* Interpolates unknown times between two message sizes with known ones. */
void ct_surface_fill(struct ct_surface *surface);

/* log(seconds) of the method at a place, interpolated linearly. Beyond the ends the last piece is continued:
 * it does not fall, and rises at most in proportion to bytes and to the square of ranks; with `is_level` it
 * stays level. NAN if the time is unknown on one side of a place between the ends. */
double ct_surface_at(const struct ct_surface *surface, double comm_place, double msg_place, size_t method);

/* log2 of a size; 0 of none. */
double ct_surface_place(size_t size);

static inline size_t ct_surface_index(const struct ct_surface *surface, size_t row, size_t column,
                                      size_t method)
{
    return (row * surface->columns + column) * surface->methods + method;
}

void ct_surface_free(struct ct_surface *surface);

#endif
