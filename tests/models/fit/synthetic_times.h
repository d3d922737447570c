/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_SYNTHETIC_TIMES_H
#define CT_TESTS_SYNTHETIC_TIMES_H

#include "models/fit/fit_link.h"

/* Times of a link whose parameters are known, with noise: each time is multiplied by exp(noise * t), t from
 * Student's distribution of 3 degrees of freedom, whose tails are heavy. */

/* Messages of at least so many bytes. */
struct synthetic_regime {
    double from;
    double gap; /* g(m) = gap + m gap_per_byte */
    double gap_per_byte;
};

struct synthetic_link {
    double latency; /* PLogP's */
    double send_overhead;
    double receive_overhead;
    double gap;             /* of 0 bytes */
    double gap_per_byte;    /* g(m) = gap + m gap_per_byte ... */
    double switch_bytes;    /* ... and from this size on ... */
    double switch_step;     /* ... so much more ... */
    double switch_per_byte; /* ... and so much a byte behind it; 0: no switch */
    double noise;
    size_t repetitions;
    const struct synthetic_regime *regimes; /* in place of gap to switch_per_byte, rising; or NULL */
    size_t regime_count;
};

/* 0, 1 and powers of 2 to 4M with the sizes half-way between them from 48 on. Returns how many. */
size_t synthetic_sizes(size_t sizes[CT_SIZES_MAX]);

/* g(m) without noise. */
double synthetic_gap(const struct synthetic_link *link, double bytes);

/* Samples of all four kinds over "network" with partner 1. Caller frees with ct_point_samples_free(). */
struct ct_point_samples synthetic_samples(const struct synthetic_link *link, unsigned long seed);

/* The same gathered as fits want them. Caller frees with synthetic_free(). */
struct ct_link_times synthetic_times(const struct synthetic_link *link, unsigned long seed);
void synthetic_free(struct ct_link_times *times);

#endif
