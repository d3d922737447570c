/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_validation.h"
#include "base/file.h"
#include "base/text.h"
#include "report/validation.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char ct_tune_earlier_validation[] = "validation.earlier.csv";

/* Validation takes at most this part of the sweep's time, and no longer than this number of seconds. */
static const double part_validation = 0.25, validation_seconds = 60;

/* Points of a validation in the simulator. */
static const char simulated_points[] = "300";

/* The sizes as a list. The caller frees it; NULL if there is no memory. */
static char *list_of(const size_t *sizes, size_t count)
{
    struct ct_text list = {0};
    for (size_t i = 0; i < count; i++)
        ct_text_append(&list, "%s%zu", i > 0 ? "," : "", sizes[i]);
    return list.failed ? NULL : list.data;
}

/* A lower bound: what the samples took. */
static double seconds_of(const struct ct_run *run)
{
    double seconds = 0;
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->samples[i].status == CT_SAMPLE_OK && run->samples[i].launch < run->description.launches)
            seconds += run->samples[i].seconds;
    return seconds;
}

/* The points that are validated. */
static int add_points(struct ct_tune_call *call, const char *folder,
                      const struct ct_run_description *description, struct ct_error *error)
{
    int status = ct_tune_step_add(call, "run", ct_format("%s/run", folder), error);
    if (status == CT_OK)
        status = ct_tune_step_add(call, "comm-sizes",
                                  list_of(description->comm_sizes, description->comm_size_count), error);
    if (status == CT_OK && description->msg_size_count > 0)
        status = ct_tune_step_add(call, "msg-sizes",
                                  list_of(description->msg_sizes, description->msg_size_count), error);
    if (status == CT_OK && description->sweep.root)
        status = ct_tune_step_add(call, "root", strdup(description->sweep.root), error);
    return status;
}

/* Ranks are placed as they were measured; of several numbers of ranks on a node validation takes the largest.
 */
static int add_placement(struct ct_tune_call *call, const struct ct_run_description *description,
                         struct ct_error *error)
{
    const size_t ppn = description->sweep.ppn;
    return ppn == 0 ? CT_OK : ct_tune_step_add(call, "ppn", ct_format("%zu", ppn), error);
}

int ct_tune_validation_limit(const struct ct_tune_validating *validating, struct ct_tune_call *call,
                             double *measured, struct ct_error *error)
{
    const char *folder = validating->folder;
    struct ct_run run;
    int status = ct_tune_runs_read(folder, error, &run);
    if (status != CT_OK)
        return status;
    const struct ct_run_description *description = &run.description;
    *measured = fmax(*measured, seconds_of(&run));
    const double part = fmin(part_validation * *measured, validation_seconds);
    const double seconds = fmax(fmin(part, validating->seconds), CT_TUNE_ROUND_SECONDS);
    if (validating->is_again)
        status =
            ct_tune_step_add(call, "again", ct_format("%s/%s", folder, ct_tune_earlier_validation), error);
    else
        status = add_points(call, folder, description, error);
    if (status == CT_OK)
        status = add_placement(call, description, error);
    if (status == CT_OK && !(validating->is_again && validating->simulated))
        status = validating->simulated ? ct_tune_step_add(call, "points", strdup(simulated_points), error)
                                       : ct_tune_step_add_seconds(call, "budget", seconds, error);
    ct_run_free(&run);
    return status;
}

static int read_validation(const char *folder, struct ct_error *error, struct ct_validation *ret_validation)
{
    char *path = ct_format("%s/validation.csv", folder);
    int status = path ? ct_validation_read(path, error, ret_validation) : CT_E_MEMORY;
    free(path);
    return status;
}

int ct_tune_validation_doubtful(const struct ct_tune_runs *runs, bool simulated, struct ct_error *error,
                                size_t ret_again[CT_MODES], size_t *ret_all)
{
    struct ct_validation validation = {0};
    int status = read_validation(runs->folder, error, &validation);
    if (status == CT_OK)
        status = ct_tune_runs_doubtful(runs, &validation, simulated, error, ret_again);
    *ret_all = 0;
    for (int mode = 0; status == CT_OK && mode < CT_MODES; mode++)
        *ret_all += ret_again[mode];
    ct_validation_free(&validation);
    return status;
}

int ct_tune_validation_slower(const char *folder, struct ct_error *error, size_t *ret_count)
{
    struct ct_validation validation = {0};
    int status = read_validation(folder, error, &validation);
    *ret_count = 0;
    for (size_t i = 0; status == CT_OK && i < validation.count; i++)
        *ret_count += ct_validation_is_slower(&validation.points[i]) &&
                      !ct_is_native(validation.points[i].method.algorithm) &&
                      !ct_collectives[validation.points[i].collective].is_sparse;
    ct_validation_free(&validation);
    return status;
}

int ct_tune_validation_set_aside(const char *folder, struct ct_error *error)
{
    char *is = ct_format("%s/validation.csv", folder),
         *becomes = ct_format("%s/%s", folder, ct_tune_earlier_validation);
    int status = is && becomes ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK && rename(is, becomes) != 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be renamed to %s: %s", is, becomes, strerror(errno));
    free(is);
    free(becomes);
    return status;
}

int ct_tune_validation_remove_earlier(const char *folder, struct ct_error *error)
{
    char *path = ct_format("%s/%s", folder, ct_tune_earlier_validation);
    int status = path ? ct_remove_all(path, error) : CT_E_MEMORY;
    free(path);
    return status;
}
