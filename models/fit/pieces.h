/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FIT_PIECES_H
#define CT_MODELS_FIT_PIECES_H

#include "models/curve.h"
#include "models/fit/line_fit.h"

/* Curves of straight pieces through measured times. Where one piece ends and the next begins is found by
 * itself; the two need not meet, for where an MPI library changes its protocol the time jumps from one size
 * to the next. */

/* Which points belong together: piece i is the points first[i] ... first[i + 1] - 1. */
struct ct_pieces {
    size_t first[CT_SIZES_MAX + 1];
    size_t count;
};

/* The pieces that tell the points best for their number: least sum of the lines' losses (line_fit.h) and a
 * fixed price for each piece, found by dynamic programming over all divisions (Bellman 1961). `count` is 1 to
 * CT_SIZES_MAX, bytes rise. */
void ct_pieces_find(const struct ct_fit_point *points, size_t count, struct ct_pieces *ret_pieces);

/* The curve, with corners where pieces begin and end. It falls nowhere, except between two pieces where the
 * points fall by more than their errors. CT_OK or CT_E_MEMORY; caller frees with ct_curve_free(). */
int ct_pieces_curve(const struct ct_fit_point *points, const struct ct_pieces *pieces,
                    struct ct_curve *ret_curve);

#endif
