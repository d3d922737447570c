/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_POINT_ROWS_H
#define CT_MEASURE_BENCHMARK_POINT_ROWS_H

#include <stddef.h>
#include <stdio.h>

/* The rows that the program of point.c writes, as samples/point_samples.h reads them: where they go, and how
 * many of a kind. */

struct ct_point_rows {
    FILE *out;
    size_t most;    /* repetitions of a kind at a size */
    double seconds; /* for them */
};

/* How many more repetitions there shall be after `done`, which took `spent` seconds; `once`: seconds that one
 * takes. */
size_t ct_point_repetitions_left(const struct ct_point_rows *rows, double once, size_t done, double spent);

/* Writes one row. `partner`: a rank, or 0 where there is none; `rep`: number of the repetition. */
void ct_point_report(const struct ct_point_rows *rows, const char *kind, const char *subject, int partner,
                     size_t bytes, size_t rep, double seconds);

#endif
