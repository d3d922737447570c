/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/samples/statistics/noise.h"
#include "base/statistics.h"
#include "samples/statistics/estimate.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

/* Memory that a test cannot do without. */
static void *need(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        abort();
    return memory;
}

static double draw_effect(const struct noise_world *world, size_t method, gsl_rng *random)
{
    double scale = method == 0 && world->wild_own > 0 ? world->wild_own : world->own;
    if (world->two_states)
        return (gsl_rng_uniform(random) < 0.5 ? scale : -scale) + gsl_ran_gaussian(random, 0.05 * scale);
    return gsl_ran_gaussian(random, scale);
}

/* Of median `time`. */
static double draw_sample(const struct noise_world *world, double time, gsl_rng *random)
{
    /* half of the tail lies above the median anyway: the other half is drawn below, so that it stays one */
    if (gsl_rng_uniform(random) < world->tail)
        return gsl_rng_uniform(random) < 0.5 ? time * gsl_ran_pareto(random, 0.8, 1) : 0.99 * time;
    return time * exp(gsl_ran_gaussian(random, world->within));
}

static void draw_method(const struct noise_world *world, size_t method, const double *common, gsl_rng *random,
                        struct noise_cell *cell)
{
    double *medians = need(world->launches, sizeof *medians), *samples = cell->samples;
    struct ct_launch_median *launches = cell->launches + method * world->launches;
    for (size_t l = 0; l < world->launches; l++) {
        double time = world->times[method] * exp(common[l] + draw_effect(world, method, random));
        samples = cell->samples + (method * world->launches + l) * world->samples;
        for (size_t s = 0; s < world->samples; s++)
            samples[s] = draw_sample(world, time, random);
        ct_sort(samples, world->samples);
        medians[l] = ct_quantile(samples, world->samples, 0.5);
        launches[l] = (struct ct_launch_median){(uint32_t)l, world->samples, medians[l]};
    }
    cell->evidence[method] =
        (struct ct_evidence){.estimate = ct_estimate_of_launches(medians, world->launches).median,
                             .launches = launches,
                             .launch_count = world->launches,
                             .samples = samples,
                             .sample_count = world->samples};
    free(medians);
}

struct noise_cell noise_draw(const struct noise_world *world, gsl_rng *random)
{
    size_t launches = world->methods * world->launches;
    struct noise_cell cell = {.evidence = need(world->methods, sizeof *cell.evidence),
                              .launches = need(launches, sizeof *cell.launches),
                              .samples = need(launches * world->samples, sizeof *cell.samples)};
    double *common = need(world->launches, sizeof *common);
    for (size_t l = 0; l < world->launches; l++)
        common[l] = gsl_ran_gaussian(random, world->common);
    for (size_t m = 0; m < world->methods; m++)
        draw_method(world, m, common, random, &cell);
    free(common);
    return cell;
}

void noise_free(struct noise_cell *cell)
{
    free(cell->evidence);
    free(cell->launches);
    free(cell->samples);
}
