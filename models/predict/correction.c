/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/correction.h"

#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_linalg.h>

enum { NEAREST = 16, UNKNOWNS = NEAREST + 1 };

/* The variogram at distance 0: times vary at one place, too, and the equations stay regular if two points
 * have the same place. */
static const double nugget = 0.01;

/* The nearest points so far, by rising distance. */
struct nearest {
    const struct ct_correction_point *points[NEAREST];
    double distances[NEAREST];
    size_t count;
};

static void enter(struct nearest *nearest, double distance, const struct ct_correction_point *point)
{
    if (nearest->count == NEAREST && distance >= nearest->distances[NEAREST - 1])
        return;
    size_t at = nearest->count < NEAREST ? nearest->count++ : NEAREST - 1;
    for (; at > 0 && nearest->distances[at - 1] > distance; at--) {
        nearest->distances[at] = nearest->distances[at - 1];
        nearest->points[at] = nearest->points[at - 1];
    }
    nearest->distances[at] = distance;
    nearest->points[at] = point;
}

static double distance_between(const struct ct_correction_point *a, const struct ct_correction_point *b)
{
    return hypot(a->across - b->across, a->down - b->down);
}

/* The equations of the weights; the last says that their sum is 1. */
static void write_equations(const struct nearest *nearest, gsl_matrix *left, gsl_vector *right)
{
    size_t n = nearest->count;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++)
            gsl_matrix_set(left, i, k,
                           i == k ? 0 : nugget + distance_between(nearest->points[i], nearest->points[k]));
        gsl_matrix_set(left, i, n, 1);
        gsl_matrix_set(left, n, i, 1);
        gsl_vector_set(right, i, nugget + nearest->distances[i]);
    }
    gsl_matrix_set(left, n, n, 0);
    gsl_vector_set(right, n, 1);
}

static double weighted_mean(const struct nearest *nearest)
{
    double numbers[UNKNOWNS * UNKNOWNS], weights[UNKNOWNS];
    size_t order[UNKNOWNS], unknowns = nearest->count + 1;
    gsl_matrix_view left = gsl_matrix_view_array(numbers, unknowns, unknowns);
    gsl_vector_view right = gsl_vector_view_array(weights, unknowns);
    gsl_permutation permutation = {.size = unknowns, .data = order};
    int sign;
    write_equations(nearest, &left.matrix, &right.vector);
    gsl_linalg_LU_decomp(&left.matrix, &permutation, &sign);
    gsl_linalg_LU_svx(&left.matrix, &permutation, &right.vector);
    double sum = 0;
    for (size_t i = 0; i < nearest->count; i++)
        sum += weights[i] * nearest->points[i]->log_ratio;
    return sum;
}

double ct_correction_at(const struct ct_correction_point *points, size_t count, double across, double down)
{
    const struct ct_correction_point here = {.across = across, .down = down};
    struct nearest nearest = {.count = 0};
    for (size_t i = 0; i < count; i++)
        enter(&nearest, distance_between(&points[i], &here), &points[i]);
    return nearest.count > 0 ? weighted_mean(&nearest) : 0;
}

/* --- where message sizes lie --- */

struct times {
    const double *seconds;
    size_t comm_size_count, msg_size_count, method_count;
};

static double time_of(const struct times *times, size_t p, size_t b, size_t m)
{
    return times->seconds[(p * times->msg_size_count + b) * times->method_count + m];
}

static bool has_times(const struct times *times, size_t b)
{
    for (size_t p = 0; p < times->comm_size_count; p++)
        for (size_t m = 0; m < times->method_count; m++)
            if (!isnan(time_of(times, p, b, m)))
                return true;
    return false;
}

/* The mean over the methods that have both times: the mean of different methods could not be compared. */
static double distance(const struct times *times, size_t from, size_t to)
{
    double sum = 0;
    size_t count = 0;
    for (size_t p = 0; p < times->comm_size_count; p++)
        for (size_t m = 0; m < times->method_count; m++) {
            double change = log(time_of(times, p, to, m) / time_of(times, p, from, m));
            if (isnan(change))
                continue;
            sum += change;
            count++;
        }
    return count > 0 ? sum / (double)count : 0;
}

void ct_size_axis(const double *seconds, size_t comm_size_count, size_t msg_size_count, size_t method_count,
                  double *ret_axis)
{
    const struct times times = {seconds, comm_size_count, msg_size_count, method_count};
    size_t first = 0;
    while (first + 1 < msg_size_count && !has_times(&times, first))
        first++;
    for (size_t b = 0; b < msg_size_count; b++)
        ret_axis[b] = distance(&times, first, b);
}
