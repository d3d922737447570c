/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FORMULAS_FORMULA_ROWS_H
#define CT_MODELS_FORMULAS_FORMULA_ROWS_H

#include "models/formulas/formula.h"

#include <math.h>
#include <stdbool.h>

/* The rows, one descriptor each, and the terms that many formulas share. A formula is written as the table
 * has it, term by term. */

extern const struct ct_formula ct_formula_barrier_linear, ct_formula_barrier_double_ring,
    ct_formula_barrier_recursive_doubling, ct_formula_barrier_dissemination;
extern const struct ct_formula ct_formula_bcast_linear, ct_formula_bcast_pipeline, ct_formula_bcast_binomial,
    ct_formula_bcast_binary, ct_formula_bcast_split_binary;
extern const struct ct_formula ct_formula_scatter_linear, ct_formula_scatter_binomial;
extern const struct ct_formula ct_formula_gather_linear, ct_formula_gather_linear_sync,
    ct_formula_gather_binomial;
extern const struct ct_formula ct_formula_allgather_bruck, ct_formula_allgather_recursive_doubling,
    ct_formula_allgather_ring, ct_formula_allgather_neighbor_exchange;
extern const struct ct_formula ct_formula_alltoall_linear, ct_formula_alltoall_pairwise,
    ct_formula_alltoall_bruck;
extern const struct ct_formula ct_formula_reduce_linear, ct_formula_reduce_pipeline,
    ct_formula_reduce_binomial, ct_formula_reduce_binary, ct_formula_reduce_rabenseifner;
extern const struct ct_formula ct_formula_reduce_scatter_recursive_halving, ct_formula_reduce_scatter_ring;
extern const struct ct_formula ct_formula_allreduce_recursive_doubling, ct_formula_allreduce_ring,
    ct_formula_allreduce_ring_segmented, ct_formula_allreduce_rabenseifner;
extern const struct ct_formula ct_formula_scan_linear, ct_formula_scan_linear_segmented,
    ct_formula_scan_recursive_doubling;

/* floor(log2 x), exact; x >= 1. */
static inline double floor_log2(double x)
{
    int exponent;
    frexp(x, &exponent);
    return exponent - 1;
}

static inline bool is_power_of_two(double x)
{
    return ldexp(1, (int)floor_log2(x)) == x;
}

/* ceil(log2 x), exact; x >= 1. */
static inline double ceil_log2(double x)
{
    return floor_log2(x) + !is_power_of_two(x);
}

/* D: ranks from the root of a binary tree of P ranks to its deepest leaf. */
static inline double binary_depth(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P + 1);
}

/* PLogP's g(m), o_s(m), o_r(m). */
static inline double gap(const struct ct_formula_terms *x, double bytes)
{
    return ct_curve_at(&x->plogp->gap, bytes);
}

static inline double sending(const struct ct_formula_terms *x, double bytes)
{
    return ct_curve_at(&x->plogp->send_overhead, bytes);
}

static inline double receiving(const struct ct_formula_terms *x, double bytes)
{
    return ct_curve_at(&x->plogp->receive_overhead, bytes);
}

/* One message: equations 4.1, 4.3, 4.4. */
static inline double hockney_message(const struct ct_formula_terms *x, double bytes)
{
    return x->alpha + x->beta * bytes;
}

static inline double loggp_message(const struct ct_formula_terms *x, double bytes)
{
    return x->L + 2 * x->o + (bytes - 1) * x->G;
}

static inline double plogp_message(const struct ct_formula_terms *x, double bytes)
{
    return x->L + gap(x, bytes);
}

/* The sum over k from `first` to `last` of g(2^k m). */
static inline double gaps_doubling(const struct ct_formula_terms *x, double first, double last, double bytes)
{
    double sum = 0;
    for (double k = first; k <= last; k++)
        sum += gap(x, ldexp(bytes, (int)k));
    return sum;
}

/* The sum over k from `first` to `last` of g(m / 2^k). */
static inline double gaps_halving(const struct ct_formula_terms *x, double first, double last, double bytes)
{
    double sum = 0;
    for (double k = first; k <= last; k++)
        sum += gap(x, ldexp(bytes, -(int)k));
    return sum;
}

#endif
