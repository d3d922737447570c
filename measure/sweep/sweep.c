/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "measure/backend/kept.h"
#include "measure/sweep/sweep_again.h"
#include "measure/sweep/sweep_alone.h"
#include "measure/sweep/sweep_guide.h"
#include "measure/sweep/sweep_jobs.h"
#include "samples/element.h"
#include "samples/run_folder.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct sweep {
    struct ct_sweep_conditions conditions;
    struct ct_sweep_grid grid;
    struct ct_sweep_journal journal;
    bool again;          /* only the points of a validation are measured */
    struct ct_run prior; /* guided; without samples if there is no prior */
    const struct ct_watch *watch;
    char *job_folder; /* next to the run, locked */
    int lock_file;
    struct ct_sweep_jobs jobs;
    size_t cells;        /* that were measured, */
    size_t cells_wanted; /* and of how many */
};

/* --- running --- */

/* Measures all cells that are not done; in a guided sweep round by round. */
static int measure(struct sweep *sweep, struct ct_error *error)
{
    const struct ct_run_description *description = &sweep->conditions.description;
    if (!description->sweep.guided || sweep->again)
        return ct_sweep_jobs_run(&sweep->jobs, error);
    while (!sweep->jobs.over) {
        bool any;
        int status =
            ct_sweep_guide(description, sweep->journal.begun ? sweep->journal.folder : NULL, &sweep->prior,
                           ct_watch_flag(sweep->watch), &sweep->grid, error, &any, &sweep->jobs.to_come);
        if (status == CT_E_STOPPED)
            return ct_sweep_jobs_stopped(&sweep->jobs, error);
        if (status != CT_OK || !any)
            return status;
        status = ct_sweep_jobs_run(&sweep->jobs, error);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

/* Measures some cells once more, in a launch of their own and each job alone, and says how their times
 * differ. The launch counts as one of measuring again, before which no validation was. */
static int check_alone(struct sweep *sweep, struct ct_error *error)
{
    struct ct_run_description *description = &sweep->conditions.description;
    struct ct_run_description single = *description;
    struct ct_sweep_grid grid = {0};
    struct ct_sweep_interference found;
    const uint32_t launch = ct_sweep_again_launch(description) + 1;
    single.launches = 1;
    const struct ct_sweep_division division = ct_sweep_conditions_division(&sweep->conditions);
    int status = ct_sweep_grid_make(&single, &division, error, &grid);
    if (status != CT_OK)
        return status;
    size_t chosen = ct_sweep_alone_choose(&sweep->conditions, &sweep->grid, launch, &grid);
    ct_sweep_grid_free(chosen > 0 ? &sweep->grid : &grid);
    if (chosen == 0)
        return CT_OK;
    sweep->grid = grid;
    description->sweep.again += 2;
    sweep->jobs.is_alone = true;
    if ((status = ct_run_set_sweep(sweep->journal.folder, &description->sweep, error)) != CT_OK ||
        (status = ct_sweep_jobs_run(&sweep->jobs, error)) != CT_OK ||
        (status = ct_sweep_alone_compare(sweep->journal.folder, launch, error, &found)) != CT_OK)
        return status;
    ct_watch_notice(
        sweep->watch,
        "of %zu cell%s each job ran alone, too: side by side %zu method%s took %.2f times as long "
        "(median; from %.2f to %.2f for four of five)",
        grid.cells_done, ct_s(grid.cells_done), found.methods, ct_s(found.methods), found.median, found.low,
        found.high);
    return CT_OK;
}

/* The whole of a sweep: its cells, and where jobs run side by side some of them alone, for which a part of
 * the budget is kept. */
static int measure_all(struct sweep *sweep, struct ct_error *error)
{
    const double part_alone = 0.1, budget = sweep->jobs.pace.budget;
    const bool is_checked = sweep->conditions.nodes.count > 0 && !sweep->again;
    sweep->jobs.grows = sweep->conditions.description.sweep.guided && !sweep->again;
    int status = ct_sweep_jobs_open(&sweep->jobs, sweep->job_folder);
    if (is_checked)
        sweep->jobs.pace.budget *= 1 - part_alone;
    if (status == CT_OK)
        status = measure(sweep, error);
    sweep->cells = sweep->grid.distinct_done;
    sweep->cells_wanted = sweep->grid.distinct_count;
    if (status != CT_OK || !is_checked || !sweep->journal.begun)
        return status;
    const bool was_over = sweep->jobs.over;
    sweep->jobs.pace.budget = budget;
    sweep->jobs.over = false;
    status = check_alone(sweep, error);
    sweep->jobs.over = was_over;
    return status;
}

/* --- before and after --- */

static int read_or_refuse(const struct ct_sweep_request *request, struct ct_error *error,
                          struct ct_run *ret_run)
{
    if (!request->folder || !*request->folder)
        return ct_fail(error, CT_E_INPUT, "expected the folder of the run (-o RUN)");
    assert(request->resume || request->point_count == 0);
    if (request->resume)
        return ct_run_read(request->folder, true, error, ret_run);
    if (access(request->folder, F_OK) != 0)
        return CT_OK;
    return ct_run_check(request->folder, error) == CT_OK
               ? ct_fail(error, CT_E_INPUT, "%s: exists already; --resume continues a run", request->folder)
               : ct_fail(error, CT_E_INPUT, "%s: exists already and is not a run; expected a new folder",
                         request->folder);
}

static int read_prior(struct sweep *sweep, struct ct_error *error)
{
    const struct ct_run_description *description = &sweep->conditions.description;
    const char *folder = description->sweep.prior;
    int status = folder ? ct_run_read(folder, false, error, &sweep->prior) : CT_OK;
    if (status != CT_OK || !folder)
        return status;
    for (size_t i = 0; i < description->collective_count; i++)
        if (ct_run_measures(&sweep->prior, description->collectives[i]))
            return CT_OK;
    return ct_fail(error, CT_E_INPUT, "--prior %s: has no samples of any collective that is measured here",
                   folder);
}

/* Files of jobs go into a folder next to the run, which only one sweep may use. */
static int make_job_folder(struct sweep *sweep, struct ct_error *error)
{
    const char *folder = sweep->journal.folder;
    char here[4096] = "", *lock = NULL;
    if (folder[0] != '/' && !getcwd(here, sizeof here))
        return ct_fail(error, CT_E_SYSTEM, "the working folder is gone");
    sweep->job_folder = ct_format("%s%s%s.job", here, *here ? "/" : "", folder);
    int status = sweep->job_folder ? ct_folder_make(sweep->job_folder, error) : CT_E_MEMORY;
    if (status != CT_OK)
        return status;
    lock = ct_format("%s/lock", sweep->job_folder);
    int file = lock ? open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (file < 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written: %s", sweep->job_folder, strerror(errno));
    else if (flock(file, LOCK_EX | LOCK_NB) != 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: another colltune is measuring into it", folder);
    if (status != CT_OK && file >= 0)
        close(file);
    else
        sweep->lock_file = file;
    free(lock);
    return status;
}

/* Tells the user what was decided for them. */
static void tell_choices(const struct ct_sweep_request *request, const struct sweep *sweep)
{
    const struct ct_sweep_grid *grid = &sweep->grid;
    if (grid->uneven > 0)
        ct_watch_notice(sweep->watch, "%zu cell%s left out: %s", grid->uneven,
                        grid->uneven == 1 ? " is" : "s are", ct_uneven_text);
    if (grid->left_out > 0)
        ct_watch_notice(sweep->watch,
                        "%zu cell%s left out: with a block for each rank their buffers are too large",
                        grid->left_out, grid->left_out == 1 ? " is" : "s are");
    if (sweep->conditions.description.sweep.guided && request->cells == CT_SWEEP_CELLS_USUAL &&
        !request->resume)
        ct_watch_notice(sweep->watch,
                        "the budget is too small for all %zu cell%s: some are chosen, as by --guided",
                        grid->distinct_count, ct_s(grid->distinct_count));
}

/* The budget does not include getting ready: compiling happens once for each MPI and takes an unknown time. A
 * resumed sweep has used what its samples took, unless it was given a new budget. */
static void begin_budget(const struct ct_sweep_request *request, const struct ct_run *run, double ready,
                         struct sweep *sweep)
{
    const double worth_telling = 1;
    sweep->jobs.pace.budget = sweep->again ? request->budget : sweep->conditions.description.sweep.budget;
    sweep->jobs.pace.begun = ct_monotonic_now();
    for (size_t i = 0; run && !sweep->again && request->budget <= 0 && i < run->sample_count; i++)
        if (run->samples[i].status == CT_SAMPLE_OK)
            sweep->jobs.pace.begun -= run->samples[i].seconds;
    if (sweep->jobs.pace.budget > 0 && ready > worth_telling)
        ct_watch_notice(sweep->watch,
                        "getting ready, mainly compiling, took %.3g s; the budget of %g s begins now", ready,
                        sweep->jobs.pace.budget);
}

/* The budget was used up before everything was measured. */
static int tell_end(const struct sweep *sweep, double ready, struct ct_error *error)
{
    if (sweep->again) {
        ct_watch_notice(sweep->watch, "the budget is used up");
        return CT_OK;
    }
    if (!sweep->journal.begun || sweep->cells == 0)
        return ct_fail(error, CT_E_ANSWER,
                       "the budget of %g s was used up before anything could be measured; getting ready, "
                       "which does not count, took %.3g s",
                       sweep->jobs.pace.budget, ready);
    if (sweep->cells < sweep->cells_wanted)
        ct_watch_notice(sweep->watch,
                        "the budget is used up: %zu of %zu cell%s measured; --resume --budget TIME continues",
                        sweep->cells, sweep->cells_wanted, sweep->cells_wanted == 1 ? " is" : "s are");
    else
        ct_watch_notice(sweep->watch,
                        "the budget is used up: all cells are measured, but not in all %zu launches; "
                        "--resume --budget TIME continues",
                        sweep->conditions.description.launches);
    return CT_OK;
}

/* The cells of the description; if some are to be measured again, those of one launch. */
static int make_grid(const struct ct_sweep_request *request, const struct ct_run *run, struct sweep *sweep,
                     struct ct_error *error)
{
    const struct ct_sweep_conditions *conditions = &sweep->conditions;
    struct ct_run_description description = conditions->description;
    if (sweep->again)
        description.launches = 1;
    const struct ct_sweep_division division = ct_sweep_conditions_division(conditions);
    int status = ct_sweep_grid_make(&description, &division, error, &sweep->grid);
    return status == CT_OK && sweep->again ? ct_sweep_again_mark(request, run, &sweep->grid, error) : status;
}

/* Makes room for the two further launches before their first row, so that the run can be read at any time. */
static int begin_again(const struct ct_sweep_request *request, const struct ct_run *run, struct sweep *sweep,
                       struct ct_error *error)
{
    struct ct_sweep_state *state = &sweep->conditions.description.sweep;
    state->again += 2;
    int status = ct_run_set_sweep(sweep->journal.folder, state, error);
    return status == CT_OK ? ct_sweep_again_add_times(request, run, &sweep->journal, error) : status;
}

/* The program has the methods, and the way to them, from the object that a tuned library has them from, too.
 */
static int make_program(struct sweep *sweep, struct ct_error *error)
{
    struct ct_sweep_conditions *conditions = &sweep->conditions;
    const struct ct_mpi *mpi = &conditions->place.mpi;
    char *library;
    int status = ct_mpi_keep(mpi, CT_LIBRARY_OBJECT, "library", NULL, sweep->watch, error, &library);
    if (status != CT_OK)
        return status;
    status = ct_mpi_keep(mpi, CT_PROGRAM, "benchmark", library, sweep->watch, error, &conditions->program);
    free(library);
    return status;
}

/* The whole sweep; the caller frees its parts. */
static int run_sweep(const struct ct_sweep_request *request, const struct ct_run *run, double begun,
                     struct ct_error *error, struct sweep *sweep)
{
    struct ct_sweep_conditions *conditions = &sweep->conditions;
    int status;
    if ((status = ct_sweep_conditions_make(request, run ? &run->description : NULL, error, conditions)) !=
            CT_OK ||
        (status = make_grid(request, run, sweep, error)) != CT_OK ||
        (status = ct_sweep_journal_open(request->folder, run, sweep->watch, conditions, &sweep->grid, error,
                                        &sweep->journal)) != CT_OK)
        return status;
    tell_choices(request, sweep);
    if ((status = read_prior(sweep, error)) != CT_OK ||
        (!conditions->program && (status = make_program(sweep, error)) != CT_OK) ||
        (status = make_job_folder(sweep, error)) != CT_OK)
        return status;
    if (sweep->again && (status = begin_again(request, run, sweep, error)) != CT_OK)
        return status;
    double ready = ct_monotonic_now() - begun;
    begin_budget(request, run, ready, sweep);
    status = measure_all(sweep, error);
    return status == CT_OK && sweep->jobs.over ? tell_end(sweep, ready, error) : status;
}

int ct_sweep(const struct ct_sweep_request *request, const struct ct_watch *watch, struct ct_error *error,
             struct ct_sweep_summary *ret_summary)
{
    struct ct_run run = {0};
    double begun = ct_monotonic_now();
    int status = read_or_refuse(request, error, &run);
    if (status != CT_OK)
        return status;
    struct sweep sweep = {.watch = watch, .lock_file = -1, .again = request->point_count > 0};
    sweep.jobs = (struct ct_sweep_jobs){
        .conditions = &sweep.conditions, .grid = &sweep.grid, .journal = &sweep.journal, .watch = watch};
    status = run_sweep(request, request->resume ? &run : NULL, begun, error, &sweep);
    ct_sweep_jobs_close(&sweep.jobs);
    const struct ct_sweep_state *state = &sweep.conditions.description.sweep;
    const struct ct_sweep_summary summary = {.cells = sweep.cells,
                                             .samples = sweep.journal.samples,
                                             .failed = sweep.journal.failed,
                                             .late = state->late,
                                             .clocks = state->clocks,
                                             .skew = state->skew,
                                             .skew_bound = state->skew_bound};
    int closed = ct_sweep_journal_close(&sweep.journal, status == CT_OK ? error : NULL);
    status = status == CT_OK ? closed : status;
    if (sweep.lock_file >= 0) {
        ct_remove_all(sweep.job_folder, NULL);
        close(sweep.lock_file);
    }
    if (status == CT_OK)
        *ret_summary = summary;
    free(sweep.job_folder);
    ct_run_free(&run);
    ct_run_free(&sweep.prior);
    ct_sweep_conditions_free(&sweep.conditions);
    ct_sweep_grid_free(&sweep.grid);
    return status;
}
