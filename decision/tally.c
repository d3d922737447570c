/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tally.h"
#include "base/memory.h"
#include "base/statistics.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static double factor_of(const struct ct_cell *cell, size_t choice, size_t native)
{
    if (native == SIZE_MAX || choice == SIZE_MAX || cell->methods[native].count == 0 ||
        cell->methods[choice].count == 0)
        return NAN;
    return cell->methods[native].median / cell->methods[choice].median;
}

int ct_tally_add(struct ct_tally *tally, const struct ct_cell *cell, size_t choice, size_t native)
{
    size_t need = tally->count + 1, capacities[] = {tally->capacity, tally->capacity, tally->capacity};
    int status = ct_grow(&tally->penalties, &capacities[0], need, sizeof *tally->penalties);
    if (status == CT_OK)
        status = ct_grow(&tally->factors, &capacities[1], need, sizeof *tally->factors);
    if (status == CT_OK)
        status = ct_grow(&tally->comm_sizes, &capacities[2], need, sizeof *tally->comm_sizes);
    if (status != CT_OK)
        return status;
    tally->capacity = capacities[0]; /* the three are of one size, and so grow alike */
    tally->penalties[tally->count] = choice == SIZE_MAX ? NAN : ct_cell_penalty(cell, choice);
    tally->factors[tally->count] = factor_of(cell, choice, native);
    tally->comm_sizes[tally->count++] = cell->key.comm_size;
    return CT_OK;
}

/* Of `count` factors, NAN where one is not known. Overwrites them. */
static struct ct_speedup summarize(double *factors, size_t count)
{
    struct ct_speedup speedup = {0};
    double sum = 0, logs = 0;
    size_t known = 0, within = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(factors[i]))
            factors[known++] = factors[i];
    if (known == 0)
        return speedup;
    ct_sort(factors, known);
    for (size_t i = 0; i < known; i++) {
        sum += factors[i];
        logs += log(factors[i]);
        within += factors[i] * (1 + CT_PENALTY_CLOSE) >= 1;
    }
    return (struct ct_speedup){
        .cells = known,
        .least = factors[0],
        .mean = sum / (double)known,
        .median = ct_quantile(factors, known, 0.5),
        .geometric_mean = exp(logs / (double)known),
        .percentile95 = ct_quantile(factors, known, 0.95),
        .most = factors[known - 1],
        .within = (double)within / (double)known,
    };
}

int ct_tally_finish(struct ct_tally *tally, struct ct_penalty *ret_penalty,
                    struct ct_mean_interval *ret_interval, struct ct_speedup *ret_speedup)
{
    struct ct_mean_interval interval;
    int status = ct_bootstrap_mean(tally->penalties, tally->comm_sizes, tally->count, &interval);
    if (status == CT_OK) {
        *ret_interval = interval;
        *ret_penalty = ct_penalty_summarize(tally->penalties, tally->count);
        if (ret_speedup)
            *ret_speedup = summarize(tally->factors, tally->count);
    }
    ct_tally_free(tally);
    return status;
}

void ct_tally_free(struct ct_tally *tally)
{
    free(tally->penalties);
    free(tally->factors);
    free(tally->comm_sizes);
    *tally = (struct ct_tally){0};
}

int ct_tallies_add(struct ct_tallies *tallies, const struct ct_cell *cell, size_t choice, size_t native,
                   size_t single)
{
    int status = ct_tally_add(&tallies->tree, cell, choice, native);
    if (status == CT_OK && native != SIZE_MAX)
        status = ct_tally_add(&tallies->native, cell, native, native);
    if (status == CT_OK && single != SIZE_MAX)
        status = ct_tally_add(&tallies->single, cell, single, native);
    return status;
}

int ct_tallies_finish(int status, struct ct_tallies *tallies, struct ct_score *score)
{
    if (status == CT_OK)
        status = ct_tally_finish(&tallies->tree, &score->tree, &score->tree_mean, &score->speedup);
    if (status == CT_OK)
        status = ct_tally_finish(&tallies->native, &score->native, &score->native_mean, NULL);
    if (status == CT_OK)
        status = ct_tally_finish(&tallies->single, &score->single, &score->single_mean, NULL);
    ct_tally_free(&tallies->tree);
    ct_tally_free(&tallies->native);
    ct_tally_free(&tallies->single);
    return status;
}
