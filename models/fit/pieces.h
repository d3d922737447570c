/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FIT_PIECES_H
#define CT_MODELS_FIT_PIECES_H

#include "models/fit/line_fit.h"
#include "models/model.h"

/* Curves of straight pieces through measured times. The ends of the pieces are found automatically.
 * Neighbouring pieces need not meet: if an MPI library changes its protocol, the time jumps from one size to
 * the next. */

/* Piece i consists of the points first[i] ... first[i + 1] - 1. */
struct ct_pieces {
    size_t first[CT_SIZES_MAX + 1];
    size_t count;
};

/* Where a piece may begin. */
struct ct_piece_rules {
    const size_t *starts; /* rising bytes: only the first point from one of these on begins a further piece */
    size_t start_count;
    size_t least; /* points of a piece, where there are several pieces */
};

/* The pieces that fit the points best for their number: the least sum of the lines' losses (line_fit.h) and a
 * fixed price for each piece, found by dynamic programming over all divisions (Bellman 1961). `count` is 1 to
 * CT_SIZES_MAX, bytes ascend; there are `least` points at least. Without
 * `rules`, which may be NULL, a piece may begin at any point. */
void ct_pieces_find(const struct ct_fit_point *points, size_t count, const struct ct_piece_rules *rules,
                    struct ct_pieces *ret_pieces);

/* The curve, with corners at the ends of the pieces. It never falls, except between two pieces if the points
 * fall by more than their errors. CT_OK or CT_E_MEMORY; caller frees with ct_curve_free(). */
int ct_pieces_curve(const struct ct_fit_point *points, const struct ct_pieces *pieces,
                    struct ct_curve *ret_curve);

#endif
