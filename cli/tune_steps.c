/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_steps.h"
#include "base/file.h"
#include "base/process.h"
#include "cli/terminal.h"
#include "cli/tune_validation.h"
#include "decision/table.h"
#include "samples/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WITHHELD(...)                                                                                        \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }

const struct ct_tune_step ct_tune_steps[] = {
    {.command = &ct_command_profile,
     .withheld = WITHHELD("output", "library", "lines"),
     .makes = "profile.csv",
     .values = {{"output", "profile.csv"}}},
    /* by mode, each with settings of its own */
    {.command = &ct_command_measure,
     .withheld = WITHHELD("output", "resume", "dry-run", "again", "mode", "compute", "tests"),
     .values = {{"output", "run"}}},
    {.command = &ct_command_measure,
     .withheld = WITHHELD("output", "resume", "dry-run", "again", "mode"),
     .values = {{"output", "run"}}},
    {.command = &ct_command_measure,
     .withheld = WITHHELD("output", "resume", "dry-run", "again", "mode"),
     .values = {{"output", "run"}}},
    {.command = &ct_command_learn,
     .heading = "Learning",
     .withheld = WITHHELD("output", "collective", "validation"),
     .makes = "table.xml",
     .words = {"run"},
     .values = {{"output", "table.xml"}}},
    {.command = &ct_command_score,
     .heading = "Score",
     .withheld = WITHHELD("format", "collective", "cross-validate", "validation"),
     .own_options = true,
     .words = {"table.xml", "run"}},
    {.command = &ct_command_build,
     .heading = "Library",
     .withheld = WITHHELD("output", "replace", "default", "cost-model", "vote"),
     .makes = "library/lib/libcolltuned.a",
     .words = {"table.xml"},
     .values = {{"output", "library"}}},
    {.command = &ct_command_validate,
     .heading = "Validation",
     .withheld = WITHHELD("output", "format", "comm-sizes", "msg-sizes", "timeout", "budget", "points",
                          "seconds", "again", "pattern", "ppn", "root"),
     .makes = "validation.csv",
     .words = {"library"},
     .values = {{"output", "validation.csv"}}},
    {.command = &ct_command_report,
     .heading = "Report",
     .withheld = WITHHELD("output", "validation"),
     .makes = "report/index.html",
     .words = {"run", "table.xml"},
     .values = {{"output", "report"}, {"validation", "validation.csv"}}},
    {.command = &ct_command_try, .heading = "Application", .words = {"library"}},
};

_Static_assert(sizeof ct_tune_steps / sizeof ct_tune_steps[0] == CT_TUNE_STEPS, "each step has its number");

struct ct_tune_runs ct_tuning_runs(const struct ct_tuning *tuning)
{
    return (struct ct_tune_runs){tuning->folder, tuning->modes};
}

/* --- results --- */

bool ct_tune_has(const char *folder, const char *file)
{
    char *path = ct_format("%s/%s", folder, file);
    bool found = path && access(path, F_OK) == 0;
    free(path);
    return found;
}

static bool is_made(const struct ct_tuning *tuning, const struct ct_tune_step *step)
{
    return step->makes && ct_tune_has(tuning->folder, step->makes);
}

bool ct_tuning_is_complete(const struct ct_tuning *tuning, size_t first, size_t last)
{
    const struct ct_tune_runs runs = ct_tuning_runs(tuning);
    bool complete = ct_tune_runs_are_there(&runs);
    for (size_t i = first; complete && i < last; i++)
        complete = !ct_tune_steps[i].makes || is_made(tuning, &ct_tune_steps[i]);
    return complete;
}

int ct_tuning_forget(const struct ct_tuning *tuning, struct ct_error *error)
{
    static const char *const made[] = {"table.xml", "library", "validation.csv", "report"};
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < sizeof made / sizeof made[0]; i++) {
        char *old = ct_format("%s/%s", tuning->folder, made[i]);
        status = old ? ct_remove_all(old, error) : CT_E_MEMORY;
        free(old);
    }
    return status;
}

int ct_tuning_forget_old(const struct ct_tuning *tuning, struct ct_error *error)
{
    char *path = ct_format("%s/run", tuning->folder), *table_path = ct_format("%s/table.xml", tuning->folder);
    struct ct_run run = {0};
    struct ct_table table = {0};
    bool same = false;
    int status = CT_E_MEMORY;
    if (!path || !table_path || (status = ct_run_read(path, false, error, &run)) != CT_OK ||
        (status = ct_table_read(table_path, error, &table)) != CT_OK ||
        (status = ct_table_learned_from(&table, &run, error, &same)) != CT_OK)
        goto done;
    if (!same)
        status = ct_tuning_forget(tuning, error);
done:
    ct_table_free(&table);
    ct_run_free(&run);
    free(path);
    free(table_path);
    return status;
}

/* --- running --- */

static bool is_shown(const struct ct_tuning *tuning)
{
    return tuning->rounds == 0 || tuning->verbose;
}

/* From now on what is printed goes to the log, until ct_output_restore(). */
static int divert_to_log(const struct ct_tuning *tuning, struct ct_error *error)
{
    char *log = ct_format("%s/tune.log", tuning->folder);
    int status = log ? ct_output_divert(log, error) : CT_E_MEMORY;
    free(log);
    return status;
}

int ct_tuning_join_runs(const struct ct_tuning *tuning, struct ct_error *error)
{
    const struct ct_tune_runs runs = ct_tuning_runs(tuning);
    int status = CT_OK;
    if (is_shown(tuning))
        ct_tune_runs_show(&runs);
    if (!tuning->verbose && (status = divert_to_log(tuning, error)) == CT_OK) {
        ct_tune_runs_show(&runs);
        ct_output_restore();
    }
    return status == CT_OK ? ct_tune_runs_join(&runs, error) : status;
}

int ct_tuning_run_step(const struct ct_tuning *tuning, const struct ct_tune_call *call,
                       struct ct_error *error)
{
    int status;
    if (*ct_catch_stop())
        return CT_E_STOPPED;
    if (is_shown(tuning))
        ct_tune_step_show(call);
    if (tuning->verbose) {
        status = ct_tune_step_run(call, error);
        fflush(stdout);
        return status;
    }
    if ((status = divert_to_log(tuning, error)) != CT_OK)
        return status;
    ct_tune_step_show(call);
    status = ct_tune_step_run(call, error);
    ct_output_restore();
    return status;
}

/* In a round of measuring again, validation takes its time from what is kept. The last one, of a table that
 * takes native where the library was slower, has as much time as the first. */
static struct ct_tune_validating validating(const struct ct_tuning *tuning)
{
    const bool is_again = tuning->rounds > 0;
    return (struct ct_tune_validating){.folder = tuning->folder,
                                       .simulated = tuning->simulated,
                                       .is_again = is_again,
                                       .seconds = is_again && !tuning->settles ? tuning->kept : INFINITY};
}

/* Sets what tune decides when it comes to a step, other than of measuring. */
static int add_options(struct ct_tuning *tuning, struct ct_tune_call *call, struct ct_error *error)
{
    const struct ct_command *command = call->step->command;
    int status = CT_OK;
    ct_tune_step_clear(call);
    if (command == &ct_command_build && tuning->simulated)
        status = ct_tune_step_add(call, "mpi", strdup("smpi"), error);
    /* It takes long, and the validation says what a user gets. */
    if (command == &ct_command_score)
        status = ct_tune_step_add(call, "cross-validate", strdup("none"), error);
    if (command == &ct_command_learn && tuning->settles)
        status = ct_tune_step_add(call, "validation",
                                  ct_format("%s/%s", tuning->folder, ct_tune_earlier_validation), error);
    if (command == &ct_command_validate) {
        const struct ct_tune_validating what = validating(tuning);
        status = ct_tune_validation_limit(&what, call, &tuning->measured, error);
    }
    return status;
}

int ct_tuning_run_steps(struct ct_tuning *tuning, size_t first, size_t last, struct ct_error *error)
{
    int status = CT_OK;
    for (size_t i = first; i < last; i++) {
        const struct ct_tune_step *step = &ct_tune_steps[i];
        struct ct_tune_call *call = &tuning->calls[i];
        struct ct_error why = {""};
        double begun = ct_monotonic_now();
        if (is_made(tuning, step))
            continue;
        if ((status = add_options(tuning, call, &why)) == CT_OK)
            status = ct_tuning_run_step(tuning, call, &why);
        if (status != CT_OK)
            return ct_fail(error, status, "%s: %s", step->command->name, ct_failure(status, &why));
        if (tuning->rounds > 0)
            tuning->kept -= ct_monotonic_now() - begun;
    }
    return CT_OK;
}
