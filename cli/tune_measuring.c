/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_measuring.h"
#include "base/file.h"
#include "base/process.h"
#include "cli/tune_validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the measuring time that is given, this part is kept for measuring again and validating that. Most first
 * tables need a single round, and what the sweep measures decides the table. */
static const double part_again = 1.0 / 6;

/* A round measures for at most this part of the time that is kept, and validates in the rest. It begins only
 * if this part of what was kept at first is left. */
static const double part_of_round = 1.0 / 3;

/* Begins to set what a step of measuring has to measure. */
static int add_mode(struct ct_tune_call *call, enum ct_call_mode mode, struct ct_error *error)
{
    ct_tune_step_clear(call);
    return mode == CT_MODE_BLOCKING ? CT_OK
                                    : ct_tune_step_add(call, "mode", strdup(ct_mode_names[mode]), error);
}

static size_t count_modes(const struct ct_tuning *tuning)
{
    return (size_t)__builtin_popcount(tuning->modes);
}

/* Sets what tune decides when it comes to measure calls of a mode. The modes share the budget. */
static int add_measuring(struct ct_tuning *tuning, enum ct_call_mode mode, struct ct_error *error)
{
    struct ct_tune_call *call = &tuning->calls[CT_TUNE_MEASURE + mode];
    const struct ct_tune_runs runs = ct_tuning_runs(tuning);
    const double share = (tuning->application ? 1 : 1 - part_again) / (double)count_modes(tuning);
    char *path = ct_tune_runs_path(&runs, mode);
    int status = path ? add_mode(call, mode, error) : CT_E_MEMORY;
    if (status == CT_OK && ct_tune_has(path, "run.xml"))
        status = ct_tune_step_add_flag(call, "resume", error);
    if (status == CT_OK && tuning->budget > 0)
        status = ct_tune_step_add_seconds(call, "budget", share * tuning->budget, error);
    if (status == CT_OK && tuning->application)
        status = ct_tune_step_add(call, "from-profile", ct_format("%s/profile.csv", tuning->folder), error);
    free(path);
    return status;
}

/* After measuring: joins the runs, and removes what was made of them before. */
static int take_runs(const struct ct_tuning *tuning, struct ct_error *error)
{
    int status = ct_tuning_join_runs(tuning, error);
    return status == CT_OK && ct_tune_has(tuning->folder, "table.xml") ? ct_tuning_forget_old(tuning, error)
                                                                       : status;
}

int ct_tuning_measure(struct ct_tuning *tuning, struct ct_error *error)
{
    const struct ct_tune_runs runs = ct_tuning_runs(tuning);
    const double begun = ct_monotonic_now();
    for (int mode = 0; mode < CT_MODES; mode++) {
        struct ct_error why = {""};
        if (!ct_tune_runs_has(&runs, (enum ct_call_mode)mode))
            continue;
        int status = add_measuring(tuning, (enum ct_call_mode)mode, &why);
        if (status == CT_OK)
            status = ct_tuning_run_step(tuning, &tuning->calls[CT_TUNE_MEASURE + mode], &why);
        if (status != CT_OK)
            return ct_fail(error, status, "measure: %s", ct_failure(status, &why));
    }
    tuning->measured = ct_monotonic_now() - begun;
    tuning->kept = part_again * (tuning->budget > 0 ? tuning->budget : tuning->measured);
    tuning->least = fmax(part_of_round * tuning->kept, CT_TUNE_ROUND_SECONDS);
    if (tuning->budget > 0)
        tuning->measured = fmin(tuning->measured, (1 - part_again) * tuning->budget);
    return take_runs(tuning, error);
}

/* Measures cells of a mode again, in so many seconds. */
static int measure_mode_again(struct ct_tuning *tuning, enum ct_call_mode mode, double seconds,
                              struct ct_error *error)
{
    struct ct_tune_call *call = &tuning->calls[CT_TUNE_MEASURE + mode];
    int status = add_mode(call, mode, error);
    if (status == CT_OK)
        status = ct_tune_step_add_flag(call, "resume", error);
    if (status == CT_OK)
        status = ct_tune_step_add(call, "again", ct_format("%s/validation.csv", tuning->folder), error);
    if (status == CT_OK && !tuning->simulated)
        status = ct_tune_step_add_seconds(call, "budget", seconds, error);
    return status == CT_OK ? ct_tuning_run_step(tuning, call, error) : status;
}

/* The modes share the time of the round by their cells. */
int ct_tuning_measure_again(struct ct_tuning *tuning, const size_t again[CT_MODES], size_t all,
                            struct ct_error *error)
{
    const double seconds = part_of_round * tuning->kept, begun = ct_monotonic_now();
    struct ct_error why = {""};
    int status = CT_OK;
    for (int mode = 0; status == CT_OK && mode < CT_MODES; mode++)
        if (again[mode] > 0)
            status = measure_mode_again(
                tuning, (enum ct_call_mode)mode,
                fmax(seconds * (double)again[mode] / (double)all, CT_TUNE_ROUND_SECONDS), &why);
    tuning->kept -= ct_monotonic_now() - begun;
    if (status != CT_OK)
        return ct_fail(error, status, "measure: %s", ct_failure(status, &why));
    return (status = ct_tune_validation_set_aside(tuning->folder, error)) == CT_OK ? take_runs(tuning, error)
                                                                                   : status;
}
