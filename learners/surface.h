/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_SURFACE_H
#define CT_LEARNERS_SURFACE_H

#include "decision/map.h"

/* The times of every method over communicator size and message size, on a plane of doublings, between and
 * beyond the sizes that were measured. */

/* How ranks lie. */
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
    double *logs;                /* log(seconds), [row][column][method]; NAN where not known */
    bool is_level;               /* beyond the ends it stays as it is there: for ratios of times */
    double *least; /* likewise, how little it can be as far as its samples tell; -INFINITY: they do not */
};

/* From the medians of a map's cells; those that differ in nodes or processes per node alone share a point, at
 * their geometric mean. CT_OK, CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_surface_free(). */
int ct_surface_make(const struct ct_map *map, struct ct_surface *ret_surface);

/* Takes disturbances out of a surface, which make times longer and hardly ever shorter. No method should take
 * longer than with more ranks and more bytes (the guidelines of Traeff, Gropp and Thakur 2010, doi
 * 10.1109/TPDS.2009.120): where it does, by more than 5 %, than at two such points, the longer of these two
 * times counts; one lucky sample alone has no say. Then running medians of 3 over message sizes. No time
 * falls below its confidence interval, where it has one. CT_OK, CT_E_MEMORY. */
int ct_surface_smooth(struct ct_surface *surface);

/* Fills message sizes that are not known between two that are. */
void ct_surface_fill(struct ct_surface *surface);

/* log(seconds) of the method at a place, linear between what is known there; beyond the surface's ends the
 * last piece goes on, level at least and not steeper than the sizes product, or level. NAN where it is not
 * known on both sides of a place within. */
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
