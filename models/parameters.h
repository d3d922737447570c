/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_PARAMETERS_H
#define CT_MODELS_PARAMETERS_H

#include <stddef.h>

/* The parameters of the three parallel communication models of the literature. All times in seconds, all
 * sizes in bytes. Source: Pjesivac-Grbovic 2007, section 4.2.
 *
 * `colltune generate --format model-c` copies this file whole into the files that it makes: it uses the
 * standard library alone. */

enum ct_communication_model { CT_MODEL_HOCKNEY, CT_MODEL_LOGGP, CT_MODEL_PLOGP, CT_COMMUNICATION_MODELS };

/* A time that depends on the message size, as the overheads and the gap of PLogP: straight lines from point
 * to point. */

struct ct_curve_point {
    double bytes;
    double seconds;
};

/* At least one point, bytes ascending from 0 or more. All zeroes is the curve that is 0 everywhere. */
struct ct_curve {
    struct ct_curve_point *points;
    size_t count;
};

static inline double ct_curve_slope(const struct ct_curve *curve, size_t i)
{
    const struct ct_curve_point *a = &curve->points[i], *b = &curve->points[i + 1];
    return (b->seconds - a->seconds) / (b->bytes - a->bytes);
}

/* Seconds per byte behind the last point: 0 if there are fewer than two points, and never negative. */
static inline double ct_curve_slope_at_end(const struct ct_curve *curve)
{
    double slope = curve->count < 2 ? 0 : ct_curve_slope(curve, curve->count - 2);
    return slope > 0 ? slope : 0;
}

/* Seconds at `bytes` (finite, >= 0). Constant before the first point; behind the last point the last piece
 * continues, or stays level if it would fall. */
static inline double ct_curve_at(const struct ct_curve *curve, double bytes)
{
    if (curve->count == 0)
        return 0;
    if (bytes <= curve->points[0].bytes)
        return curve->points[0].seconds;
    size_t low = 0, high = curve->count; /* points[low].bytes <= bytes */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (curve->points[middle].bytes <= bytes)
            low = middle;
        else
            high = middle;
    }
    double slope = high < curve->count ? ct_curve_slope(curve, low) : ct_curve_slope_at_end(curve);
    return curve->points[low].seconds + slope * (bytes - curve->points[low].bytes);
}

/* Received after alpha + m beta, and the sender is busy as long. Equation 4.1. */
struct ct_hockney {
    double alpha;
    double beta; /* per byte */
};

/* Received after L + 2 o + (m - 1) G; the next message may start g + (m - 1) G after this one. Equation 4.3.
 */
struct ct_loggp {
    double latency;      /* L */
    double overhead;     /* o, at either end */
    double gap;          /* g */
    double gap_per_byte; /* G */
};

/* Received after L + g(m); the next message may start after g(m). g(m) >= o_s(m), o_r(m). Equation 4.4. */
struct ct_plogp {
    double latency;                   /* L */
    struct ct_curve send_overhead;    /* o_s */
    struct ct_curve receive_overhead; /* o_r */
    struct ct_curve gap;              /* g */
};

#endif
