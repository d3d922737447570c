/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_GUIDE_H
#define CT_MEASURE_SWEEP_GUIDE_H

#include <stdbool.h>
#include <stddef.h>

/* Chooses which cells of one collective to measure next, and with which methods, from the measurements so
 * far: a coarse grid first, then a finer one where neighbours disagree about the best method. No state is
 * kept between two calls: the answer follows from the measurements alone, so that an interrupted sweep
 * continues in the same way.
 *
 * The grid is cut into boxes between measured corners. Two corners agree where some method loses at most
 * `margin` at both. A box whose corners disagree along a side, or which is wider than `trust`, is halved
 * there; the corners of the cut are measured in the next round. Candidates between two corners are the
 * methods that are near the best at either, or in the geometric mean of both: times are roughly convex
 * functions of a size, so that a method that is far off at both ends does not win between them. This is
 * adaptive bisection; Pjesivac-Grbovic 2007, sections 5.3 and 6.5, examines decision functions from sparse
 * measurements. */

/* The measurements so far. A point is (layer * rows + row) * columns + column, a slot point * methods +
 * method. Arrays are owned. */
struct ct_guide_space {
    size_t layers;  /* ranks per node, rising; 1 where they do not vary by themselves */
    size_t rows;    /* communicator sizes, or nodes, rising */
    size_t columns; /* message sizes, rising */
    size_t points;
    size_t methods;
    bool *applies;   /* by slot: can be measured; a point without such a slot is no cell */
    bool *measured;  /* by point: measured, successfully or not */
    double *seconds; /* by slot: median; 0 if it was not measured, or failed */
    double *prior;   /* by slot: predicted; 0 if there is no prediction */
    bool *kept;      /* by method: measured in every cell */
};

struct ct_guide_rules {
    size_t coarse;   /* rows and columns of the first grid, both ends included; at least 2. It has the first
                      * and the last layer. */
    size_t few_rows; /* up to so many rows are all measured at the coarse grid's columns before any other */
    double trust;    /* fraction of a side that may be unmeasured between neighbours that agree */
    double margin;   /* fraction, see above */
    double near;     /* t / t(best) up to which a method is a candidate */
    double hopeless; /* predicted t / t(best) beyond which a method is left out of the first grid */
    size_t others;   /* methods in each cell that are no candidates, in turn, so that no good one is missed */
};

extern const struct ct_guide_rules ct_guide_standard;

/* The first round that is not completely measured. It includes its measured points: a round depends only on
 * the rounds before it. Arrays are owned. */
struct ct_guide_round {
    size_t number; /* 0: the coarse grid */
    size_t left;   /* points to be measured; 0: the grid is fine enough everywhere */
    bool *points;  /* by point */
    bool *slots;   /* by slot: methods to measure there */
};

/* An empty space; layers, rows and columns are at least 1. CT_OK, CT_E_LIMIT, CT_E_MEMORY. Caller frees. */
int ct_guide_space_make(size_t layers, size_t rows, size_t columns, size_t methods,
                        struct ct_guide_space *ret_space);
void ct_guide_space_free(struct ct_guide_space *space);

/* CT_OK, CT_E_MEMORY, CT_E_LIMIT. Caller frees. */
int ct_guide_next(const struct ct_guide_space *space, const struct ct_guide_rules *rules,
                  struct ct_guide_round *ret_round);
void ct_guide_round_free(struct ct_guide_round *round);

/* Is a method not predicted to be much slower than the best at a point? */
bool ct_guide_is_hopeful(const struct ct_guide_space *space, const struct ct_guide_rules *rules, size_t point,
                         size_t method);

/* Adds methods to those of a point, which are no candidates there: other ones from point to point. */
void ct_guide_add_others(const struct ct_guide_space *space, const struct ct_guide_rules *rules, size_t point,
                         bool *slots);

#endif
