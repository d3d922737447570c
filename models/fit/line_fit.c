/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/fit/line_fit.h"
#include "base/statistics.h"

#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_fit.h>

enum { STRIDE = sizeof(struct ct_fit_point) / sizeof(double), ROUNDS = 30 };

static const double huber = 1.345;

/* A smaller spread means that the line goes through the points. */
static const double exact = 1e-12;

/* From the median of absolute errors to the standard deviation of a normal distribution. */
static const double deviation_of_median = 1.4826;

static double relative_error(const struct ct_fit_point *point, const struct ct_line *line)
{
    return ct_line_at(line, point->bytes) / point->seconds - 1;
}

/* The weighted mean, as a line without slope. */
static struct ct_line level(const struct ct_fit_point *points, size_t count, const double *weights)
{
    double sum = 0, weight = 0;
    for (size_t i = 0; i < count; i++) {
        sum += weights[i] * points[i].seconds;
        weight += weights[i];
    }
    return (struct ct_line){.start = sum / weight};
}

static struct ct_line weighted_line(const struct ct_fit_point *points, size_t count, const double *weights)
{
    double covariance[3], chi_square;
    struct ct_line line = {0};
    if (count > 1)
        gsl_fit_wlinear(&points->bytes, STRIDE, weights, 1, &points->seconds, STRIDE, count, &line.start,
                        &line.slope, &covariance[0], &covariance[1], &covariance[2], &chi_square);
    return count > 1 && line.slope > 0 ? line : level(points, count, weights);
}

static struct ct_line line_from_nothing(const struct ct_fit_point *points, size_t count,
                                        const double *weights)
{
    double variance, chi_square;
    struct ct_line line = {0};
    gsl_fit_wmul(&points->bytes, STRIDE, weights, 1, &points->seconds, STRIDE, count, &line.slope, &variance,
                 &chi_square);
    return line;
}

/* The weight of a point that lies `distance` standard errors off. */
static double huber_weight(double distance)
{
    return fabs(distance) <= huber ? 1 : huber / fabs(distance);
}

static double huber_loss(double distance)
{
    double far = fabs(distance);
    return far <= huber ? far * far / 2 : huber * (far - huber / 2);
}

/* The standard deviation of the relative errors, from their median. */
static double spread(const struct ct_fit_point *points, size_t count, const struct ct_line *line)
{
    double errors[CT_SIZES_MAX];
    for (size_t i = 0; i < count; i++)
        errors[i] = fabs(relative_error(&points[i], line));
    return deviation_of_median * ct_median(errors, count);
}

static void reweigh(const struct ct_fit_point *points, size_t count, const struct ct_line *line, double scale,
                    double *weights)
{
    for (size_t i = 0; i < count; i++) {
        double error = scale > 0 ? scale : points[i].error, unit = points[i].seconds * error;
        double distance = relative_error(&points[i], line) / error;
        weights[i] = huber_weight(distance) / (unit * unit);
    }
}

static bool settled(const struct ct_line *before, const struct ct_line *now)
{
    const double enough = 1e-10;
    return fabs(now->start - before->start) <= enough * fabs(now->start) &&
           fabs(now->slope - before->slope) <= enough * now->slope;
}

static void begin(const struct ct_fit_point *points, size_t count, double *weights)
{
    for (size_t i = 0; i < count; i++)
        weights[i] = 1 / (points[i].seconds * points[i].seconds);
}

struct ct_line ct_line_fit(const struct ct_fit_point *points, size_t count)
{
    double weights[CT_SIZES_MAX] = {0};
    begin(points, count, weights);
    struct ct_line line = weighted_line(points, count, weights);
    for (int round = 0; round < ROUNDS; round++) {
        double scale = spread(points, count, &line);
        if (scale < exact)
            break;
        reweigh(points, count, &line, scale, weights);
        struct ct_line next = weighted_line(points, count, weights);
        bool done = settled(&line, &next);
        line = next;
        if (done)
            break;
    }
    return line.start >= 0 ? line : line_from_nothing(points, count, weights);
}

double ct_line_fit_known(const struct ct_fit_point *points, size_t count, struct ct_line *ret_line)
{
    double weights[CT_SIZES_MAX] = {0}, loss = 0;
    begin(points, count, weights);
    struct ct_line line = weighted_line(points, count, weights);
    for (int round = 0; round < ROUNDS && count > 1; round++) {
        reweigh(points, count, &line, 0, weights);
        struct ct_line next = weighted_line(points, count, weights);
        bool done = settled(&line, &next);
        line = next;
        if (done)
            break;
    }
    for (size_t i = 0; i < count; i++)
        loss += huber_loss(relative_error(&points[i], &line) / points[i].error);
    *ret_line = line;
    return loss;
}
