/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/correction.h"

#include <math.h>

enum { NEAREST = 6 };

/* The nearest points so far, by rising distance. */
struct nearest {
    double distances[NEAREST]; /* squared */
    double log_ratios[NEAREST];
    int count;
};

static void enter(struct nearest *nearest, double distance, double log_ratio)
{
    if (nearest->count == NEAREST && distance >= nearest->distances[NEAREST - 1])
        return;
    int at = nearest->count < NEAREST ? nearest->count++ : NEAREST - 1;
    for (; at > 0 && nearest->distances[at - 1] > distance; at--) {
        nearest->distances[at] = nearest->distances[at - 1];
        nearest->log_ratios[at] = nearest->log_ratios[at - 1];
    }
    nearest->distances[at] = distance;
    nearest->log_ratios[at] = log_ratio;
}

double ct_correction_at(const struct ct_correction_point *points, size_t count, double ranks, double bytes)
{
    struct nearest nearest = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        double across = log(points[i].ranks / ranks);
        double down = log((points[i].bytes + 1) / (bytes + 1)); /* there are messages without data */
        enter(&nearest, across * across + down * down, points[i].log_ratio);
    }
    double sum = 0, weights = 0;
    if (nearest.count > 0 && nearest.distances[0] <= 0)
        return nearest.log_ratios[0];
    for (int i = 0; i < nearest.count; i++) {
        double weight = 1 / nearest.distances[i];
        sum += weight * nearest.log_ratios[i];
        weights += weight;
    }
    return nearest.count > 0 ? sum / weights : 0;
}
