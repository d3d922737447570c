/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/checksum.h"
#include "base/file.h"
#include "base/number.h"
#include "measure/sweep/sweep_internal.h"

#include <stdlib.h>
#include <string.h>

/* What saves time: which cells are measured, racing, and the budget. */

const char ct_sweep_cells_name[] = "sweep.cells", ct_sweep_guided_word[] = "guided";
static const char exhaustive_word[] = "exhaustive";
static const char racing_name[] = "sweep.racing", budget_name[] = "sweep.budget";
static const char prior_name[] = "sweep.prior", prior_sum_name[] = "sweep.prior.sha256";

/* A budget that leaves a method less than this in a cell is too small to measure all of them: five
 * repetitions of what takes two milliseconds. */
static const double enough_seconds = 0.01;

/* Methods are given up that are surely worse than the best by this, the margin of what counts as as good. */
static const double race_margin = 0.05;

static bool had(const struct ct_run_description *before, const char *name, const char *value)
{
    const char *had = before ? ct_run_property(before, name) : NULL;
    return had && strcmp(had, value) == 0;
}

static bool is_guided(const struct ct_sweep_request *request, const struct ct_run_description *before,
                      const struct ct_sweep_conditions *conditions)
{
    if (request->cells != CT_SWEEP_CELLS_USUAL)
        return request->cells == CT_SWEEP_CELLS_GUIDED;
    if (before)
        return had(before, ct_sweep_cells_name, ct_sweep_guided_word);
    return request->budget > 0 && conditions->description.most_seconds < enough_seconds;
}

/* The prior's path and the checksum of its samples: another prior would lead elsewhere. */
static int choose_prior(const char *prior, struct ct_error *error, struct ct_sweep_conditions *conditions)
{
    char checksum[CT_CHECKSUM_TEXT];
    conditions->prior = strdup(prior);
    char *samples = ct_format("%s/samples.csv", prior);
    int status = conditions->prior && samples ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_file_checksum(samples, error, checksum);
    if (status == CT_OK)
        status = ct_run_add_property(&conditions->description, prior_name, prior);
    if (status == CT_OK)
        status = ct_run_add_property(&conditions->description, prior_sum_name, checksum);
    free(samples);
    return status;
}

/* On resuming, a budget given anew starts anew. */
static int choose_budget(const struct ct_sweep_request *request, const struct ct_run_description *before,
                         struct ct_sweep_conditions *conditions)
{
    const char *had_budget = before ? ct_run_property(before, budget_name) : NULL;
    char number[CT_NUMBER_TEXT];
    conditions->budget = request->budget;
    if (conditions->budget > 0)
        return ct_run_add_property(&conditions->description, budget_name,
                                   ct_number_format(conditions->budget, number));
    double seconds;
    if (had_budget && ct_number_parse(had_budget, &seconds) == CT_OK && seconds > 0)
        conditions->budget = seconds;
    return CT_OK;
}

int ct_sweep_choose_saving(const struct ct_sweep_request *request, const struct ct_run_description *before,
                           struct ct_error *error, struct ct_sweep_conditions *conditions)
{
    const char *prior = request->prior;
    conditions->guided = is_guided(request, before, conditions);
    if (!prior && before && conditions->guided)
        prior = ct_run_property(before, prior_name);
    if (prior && !conditions->guided)
        return ct_fail(error, CT_E_INPUT,
                       "a prior has no meaning where all cells are measured: expected --guided, too");
    /* runs of before there was any racing are gone on with in their way */
    bool races = !conditions->simulated && !request->no_racing && (!before || had(before, racing_name, "on"));
    conditions->race = races ? race_margin : 0;
    int status = choose_budget(request, before, conditions);
    if (status == CT_OK && (!before || conditions->guided || ct_run_property(before, ct_sweep_cells_name)))
        status = ct_run_add_property(&conditions->description, ct_sweep_cells_name,
                                     conditions->guided ? ct_sweep_guided_word : exhaustive_word);
    if (status == CT_OK && !conditions->simulated && (!before || ct_run_property(before, racing_name)))
        status = ct_run_add_property(&conditions->description, racing_name, races ? "on" : "off");
    if (status == CT_OK && prior)
        status = choose_prior(prior, error, conditions);
    return status;
}
