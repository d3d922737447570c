/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/clock.h"
#include "base/error.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>

const struct ct_clock_rule ct_clock_usual = {.points = 24, .exchanges = 10, .span = 0.25};

/* Clocks of computers run within this of each other: quartz by 100 ppm, and NTP slews by up to 500. */
static const double fastest_drift = 1e-3;

/* No drift is known better than this: quartz follows the temperature, within minutes. */
static const double least_wander = 1e-7;

/* The model takes doubles to the last bit or so; clocks tick in nanoseconds. */
static const double tick = 2e-9;

double ct_clock_global(const struct ct_clock_model *model, double local)
{
    return local + model->offset + model->drift * (local - model->origin);
}

double ct_clock_bound(const struct ct_clock_model *model, double local)
{
    return model->slack + model->wander * fabs(local - model->origin);
}

/* Where the two clocks stood against each other. */
struct point {
    double local;
    double offset;
    double slack;  /* of the offset, by the round trip */
    double doubt;  /* of the reference's own time */
    double wander; /* of that, a second */
};

/* The quickest of some round trips. Between question and answer the offset itself may drift; false where a
 * clock ran backwards. */
static bool take_point(const struct ct_clock_port *port, size_t exchanges, struct point *ret_point)
{
    struct ct_clock_exchange best = {0}, exchange;
    for (size_t i = 0; i < exchanges; i++) {
        port->exchange(port->context, &exchange);
        if (exchange.answered < exchange.asked)
            return false;
        if (i == 0 || exchange.answered - exchange.asked < best.answered - best.asked)
            best = exchange;
    }
    double middle = best.asked + (best.answered - best.asked) / 2;
    *ret_point = (struct point){.local = middle,
                                .offset = best.stamp - middle,
                                .slack = (best.answered - best.asked) / 2 * (1 + fastest_drift) + tick,
                                .doubt = best.slack,
                                .wander = best.wander};
    return true;
}

static int by_slack(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    return CT_COMPARE(x->slack, y->slack);
}

/* The regression line through the first `count` points, which are the better ones. Its error at a time t is
 * the sum of the points' errors with weights of which only the size is certain: their sizes add up to at most
 * 1 + |t - mean| * sqrt(count / sum of squares), by Cauchy and Schwarz. A reference that is wrong by a line
 * passes its line on. */
static bool fit(const struct point *points, size_t count, struct ct_clock_model *ret_model)
{
    double n = (double)count, local = 0, offset = 0, squares = 0, products = 0;
    double slack = 0, doubt = 0, wander = 0;
    for (size_t i = 0; i < count; i++) {
        local += points[i].local / n;
        offset += (points[i].offset - points[0].offset) / n;
        slack = fmax(slack, points[i].slack);
        doubt = fmax(doubt, points[i].doubt);
        wander = fmax(wander, points[i].wander);
    }
    offset += points[0].offset;
    for (size_t i = 0; i < count; i++) {
        double away = points[i].local - local;
        squares += away * away;
        products += away * (points[i].offset - offset);
    }
    if (!(squares > 0))
        return false;
    *ret_model = (struct ct_clock_model){.origin = local,
                                         .offset = offset,
                                         .drift = products / squares,
                                         .slack = slack + doubt,
                                         .wander = fmax(slack * sqrt(n / squares), least_wander) + wander};
    return true;
}

/* Every point, also one that had no part in the line, is where the line and its own error allow. */
static bool agrees(const struct ct_clock_model *model, const struct point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double seen = points[i].local + points[i].offset;
        double allowed = points[i].slack + points[i].doubt + ct_clock_bound(model, points[i].local);
        if (fabs(seen - ct_clock_global(model, points[i].local)) > allowed)
            return false;
    }
    return fabs(model->drift) <= fastest_drift + model->wander;
}

int ct_clock_learn(const struct ct_clock_port *port, const struct ct_clock_rule *rule,
                   struct ct_clock_model *ret_model)
{
    struct point points[CT_CLOCK_POINTS_MAX];
    struct ct_clock_model model;
    size_t count = rule->points;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            port->pause(port->context, rule->span / (double)(count - 1));
        if (!take_point(port, rule->exchanges, &points[i]))
            return CT_E_ANSWER;
    }
    /* A rank that lost its CPU between question and answer makes a poor point; they are passed over. */
    qsort(points, count, sizeof points[0], by_slack);
    if (!fit(points, (count + 1) / 2, &model) || !agrees(&model, points, count))
        return CT_E_ANSWER;
    *ret_model = model;
    return CT_OK;
}

/* The line goes through the new point from now on. Two points far apart tell the drift better than the first
 * regression did. */
static void mend(struct ct_clock_model *model, const struct point *point, bool jumped)
{
    double slack = point->slack + point->doubt, elapsed = fabs(point->local - model->origin);
    if (!jumped && slack >= ct_clock_bound(model, point->local))
        return;
    double wander = fmax(elapsed > 0 ? (model->slack + slack) / elapsed : model->wander, least_wander);
    struct ct_clock_model mended = *model;
    mended.origin = point->local;
    mended.offset = point->offset;
    mended.slack = slack;
    if (!jumped && wander < model->wander) {
        mended.drift = (point->offset - model->offset) / (point->local - model->origin);
        mended.wander = wander;
    } else {
        mended.drift = model->drift;
    }
    *model = mended;
}

void ct_clock_check(const struct ct_clock_port *port, size_t exchanges, struct ct_clock_model *model,
                    struct ct_clock_skew *ret_skew)
{
    struct point point;
    if (!take_point(port, exchanges, &point)) {
        *ret_skew = (struct ct_clock_skew){.seconds = INFINITY, .jumped = true};
        return;
    }
    struct ct_clock_skew skew = {.seconds = ct_clock_global(model, point.local) - point.local - point.offset,
                                 .bound = point.slack + point.doubt};
    skew.jumped = !(fabs(skew.seconds) <= skew.bound + ct_clock_bound(model, point.local));
    mend(model, &point, skew.jumped);
    *ret_skew = skew;
}
