/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_GUIDE_H
#define CT_MEASURE_SWEEP_GUIDE_H

#include <stdbool.h>
#include <stddef.h>

/* Which cells of one collective to measure next, and with which methods, out of what has been measured: a
 * coarse grid first, then ever finer where neighbours disagree about the best method. Nothing is kept between
 * two questions: the answer derives from the measurements alone, so that a sweep that was interrupted goes
 * the same way.
 *
 * The grid is cut into boxes between measured corners. Two corners agree where some method loses at most
 * `margin` at both. A box whose corners disagree along a side, or which is wider than is trusted, is halved
 * there; the two points of the cut are measured in the next round. Candidates between two corners are the
 * methods that are near the best at either, or in the geometric mean of both: times as functions of a size
 * are convex, if anything, so that one that lies far off at both ends is no winner between them. Refining
 * where the best method changes is the old idea of adaptive bisection; what sparse measurements do to
 * decision functions is in Pjesivac-Grbovic 2007, sections 5.3 and 6.5. */

/* What is known. A point is row * columns + column, a slot point * methods + method. Arrays are owned. */
struct ct_guide_plane {
    size_t rows;    /* communicator sizes, rising */
    size_t columns; /* message sizes, rising */
    size_t methods;
    bool *applies;   /* by slot: can be measured; a point where nothing does is no cell */
    bool *measured;  /* by point: that is over, whatever came out of it */
    double *seconds; /* by slot: median; 0 where it was not measured, or failed */
    double *prior;   /* by slot: predicted; 0 where nothing was */
    bool *kept;      /* by method: measured in every cell */
};

struct ct_guide_rules {
    size_t coarse;   /* sizes on a side of the first grid, with both ends; at least 2 */
    double trust;    /* part of a side that may lie unseen between neighbours that agree, 0..1 */
    double margin;   /* see above; 0.05 is 5 % */
    double near;     /* t / t(best) up to which a method is a candidate */
    double hopeless; /* predicted t / t(best) beyond which a method is left out of the first grid */
    size_t others;   /* in each cell, methods that are no candidates, taking turns: nothing good is lost */
};

extern const struct ct_guide_rules ct_guide_standard;

/* The first round that is not measured wholly. It holds measured points, too: what is in a round depends only
 * on the rounds before it. Arrays are owned. */
struct ct_guide_round {
    size_t number; /* 0: the coarse grid */
    size_t left;   /* points of it that are to be measured; 0: the grid is fine enough everywhere */
    bool *points;  /* by point */
    bool *slots;   /* by slot: methods to measure there */
};

/* A plane with nothing in it; sizes are at least 1. CT_OK, CT_E_LIMIT, CT_E_MEMORY. Caller frees. */
int ct_guide_plane_make(size_t rows, size_t columns, size_t methods, struct ct_guide_plane *ret_plane);
void ct_guide_plane_free(struct ct_guide_plane *plane);

/* CT_OK, CT_E_MEMORY, CT_E_LIMIT. Caller frees. */
int ct_guide_next(const struct ct_guide_plane *plane, const struct ct_guide_rules *rules,
                  struct ct_guide_round *ret_round);
void ct_guide_round_free(struct ct_guide_round *round);

#endif
