/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/models/fit/synthetic_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>

size_t synthetic_sizes(size_t sizes[CT_SIZES_MAX])
{
    const size_t most = (size_t)4 << 20, least_between = 48;
    size_t count = 0;
    sizes[count++] = 0;
    for (size_t size = 1; size <= most; size *= 2) {
        sizes[count++] = size;
        if (size + size / 2 >= least_between && size < most)
            sizes[count++] = size + size / 2;
    }
    return count;
}

double synthetic_gap(const struct synthetic_link *link, double bytes)
{
    for (size_t i = link->regime_count; i-- > 0;)
        if (bytes >= link->regimes[i].from)
            return link->regimes[i].gap + bytes * link->regimes[i].gap_per_byte;
    double gap = link->gap + bytes * link->gap_per_byte;
    if (link->switch_bytes > 0 && bytes >= link->switch_bytes)
        gap += link->switch_step + (bytes - link->switch_bytes) * link->switch_per_byte;
    return gap;
}

static double exact_seconds(const struct synthetic_link *link, enum ct_point_kind kind, double bytes)
{
    const double seconds[CT_POINT_MESSAGES] = {[CT_POINT_ROUND_TRIP] =
                                                   2 * (link->latency + synthetic_gap(link, bytes)),
                                               [CT_POINT_SEND] = link->send_overhead,
                                               [CT_POINT_RECEIVE] = link->receive_overhead,
                                               [CT_POINT_GAP] = synthetic_gap(link, bytes)};
    return seconds[kind];
}

struct ct_point_samples synthetic_samples(const struct synthetic_link *link, unsigned long seed)
{
    const double freedom = 3;
    size_t sizes[CT_SIZES_MAX], size_count = synthetic_sizes(sizes);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, seed);
    struct ct_point_samples samples = {.name = strdup("synthetic"), .about = strdup("made up")};
    samples.subjects = calloc(1, sizeof *samples.subjects);
    samples.subjects[samples.subject_count++] = strdup("network");
    samples.samples = calloc(CT_POINT_MESSAGES * size_count * link->repetitions, sizeof *samples.samples);
    for (int kind = 0; kind < CT_POINT_MESSAGES; kind++)
        for (size_t i = 0; i < size_count; i++)
            for (size_t rep = 0; rep < link->repetitions; rep++) {
                double exact = exact_seconds(link, (enum ct_point_kind)kind, (double)sizes[i]);
                samples.samples[samples.sample_count++] = (struct ct_point_sample){
                    .kind = (enum ct_point_kind)kind,
                    .partner = 1,
                    .rep = (uint32_t)rep,
                    .bytes = sizes[i],
                    .seconds = exact * exp(link->noise * gsl_ran_tdist(random, freedom))};
            }
    gsl_rng_free(random);
    return samples;
}

struct ct_link_times synthetic_times(const struct synthetic_link *link, unsigned long seed)
{
    struct ct_link_times times = {0};
    struct ct_point_samples samples = synthetic_samples(link, seed);
    for (int kind = 0; kind < CT_POINT_MESSAGES; kind++)
        if (ct_times_gather(&samples, (enum ct_point_kind)kind, 0, kind == CT_POINT_ROUND_TRIP ? 0.5 : 1,
                            NULL, &times.kinds[kind]) != CT_OK)
            abort();
    ct_point_samples_free(&samples);
    return times;
}

void synthetic_free(struct ct_link_times *times)
{
    for (int kind = 0; kind < CT_POINT_MESSAGES; kind++)
        ct_times_free(&times->kinds[kind]);
}
