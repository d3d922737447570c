/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/paired_samples.h"
#include "base/statistics.h"
#include "measure/benchmark/flight_call.h"

#include <string.h>

void ct_paired_samples_add(struct ct_paired_samples *samples, struct ct_paired_block *block, size_t pairs)
{
    for (int side = 0; side < CT_VALIDATION_SIDES; side++)
        for (int kind = 0; kind < CT_PAIRED_KINDS; kind++)
            memcpy(samples->seconds[side][kind] + samples->pairs, block->seconds[side][kind],
                   pairs * sizeof(double));
    samples->speed_ups[samples->blocks++] =
        ct_median(block->seconds[CT_VALIDATION_NATIVE][CT_PAIRED_SECONDS], pairs) /
        ct_median(block->seconds[CT_VALIDATION_TUNED][CT_PAIRED_SECONDS], pairs);
    samples->pairs += pairs;
}

void ct_paired_samples_report(struct ct_paired_samples *samples, struct ct_text *text)
{
    size_t low, high;
    double tuned = ct_median(samples->seconds[CT_VALIDATION_TUNED][CT_PAIRED_SECONDS], samples->pairs);
    double native = ct_median(samples->seconds[CT_VALIDATION_NATIVE][CT_PAIRED_SECONDS], samples->pairs);
    ct_sort(samples->speed_ups, samples->blocks);
    ct_median_interval(samples->blocks, &low, &high);
    ct_text_append(text, " %.9g %.9g %.9g %.9g", tuned, native, samples->speed_ups[low],
                   samples->speed_ups[high]);
}

void ct_paired_samples_report_overlap(struct ct_paired_samples *samples, double computation,
                                      struct ct_text *text)
{
    ct_text_append(text, " %.9g", computation);
    for (int side = 0; side < CT_VALIDATION_SIDES; side++) {
        double(*seconds)[CT_PAIRS_MOST * CT_BLOCKS_MOST] = samples->seconds[side];
        const struct ct_overlap overlap = {.completion =
                                               ct_median(seconds[CT_PAIRED_COMPLETION], samples->pairs),
                                           .in_mpi = ct_median(seconds[CT_PAIRED_IN_MPI], samples->pairs),
                                           .computation = computation};
        const double alone = ct_median(seconds[CT_PAIRED_ALONE], samples->pairs);
        ct_text_append(text, " %.9g %.9g %.6g", overlap.completion, overlap.in_mpi,
                       ct_bench_hidden(&overlap, alone));
    }
}
