/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep.h"
#include "base/file.h"
#include "base/memory.h"
#include "measure/sweep/sweep_internal.h"
#include "samples/element.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

void ct_sweep_notice(const struct ct_sweep *sweep, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (sweep->watch->notice)
        sweep->watch->notice(sweep->watch->context, line);
}

double ct_sweep_cell_weight(const struct ct_sweep *sweep, const struct ct_sweep_cell *cell)
{
    double methods = (double)cell->method_count;
    const double messages_of_a_call = 8, bytes_of_a_message = 4096;
    if (!sweep->conditions.simulated)
        return methods;
    return methods * (double)cell->key.comm_size *
           (messages_of_a_call + (double)cell->key.msg_bytes / bytes_of_a_message);
}

static int write_hosts(struct ct_sweep *sweep, struct ct_error *error)
{
    const struct ct_platform *platform = &sweep->conditions.platform;
    struct ct_text text = {0};
    size_t ppn = sweep->conditions.ppn ? sweep->conditions.ppn : 1;
    for (size_t i = 0; i < platform->host_count; i++)
        for (size_t rank = 0; rank < ppn; rank++)
            ct_text_append(&text, "%s\n", platform->hosts[i]);
    int status = text.failed ? CT_E_MEMORY : ct_file_write(sweep->hosts_path, text.data, text.length, error);
    ct_text_free(&text);
    return status;
}

/* Files of jobs go into a folder beside the run, which only one sweep may use. */
static int make_job_folder(struct ct_sweep *sweep, struct ct_error *error)
{
    char here[4096] = "";
    if (sweep->folder[0] != '/' && !getcwd(here, sizeof here))
        return ct_fail(error, CT_E_SYSTEM, "the working folder is gone");
    sweep->job_folder = ct_format("%s%s%s.job", here, *here ? "/" : "", sweep->folder);
    sweep->hosts_path = sweep->job_folder ? ct_format("%s/hosts", sweep->job_folder) : NULL;
    char *lock = sweep->job_folder ? ct_format("%s/lock", sweep->job_folder) : NULL;
    if (!sweep->hosts_path || !lock) {
        free(lock);
        return CT_E_MEMORY;
    }
    int status = ct_folder_make(sweep->job_folder, error);
    if (status == CT_OK) {
        sweep->lock_file = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (sweep->lock_file < 0)
            status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written: %s", lock, strerror(errno));
        else if (flock(sweep->lock_file, LOCK_EX | LOCK_NB) != 0)
            status = ct_fail(error, CT_E_SYSTEM, "%s: another colltune is measuring into it", sweep->folder);
    }
    if (status != CT_OK && sweep->lock_file >= 0) {
        close(sweep->lock_file);
        sweep->lock_file = -1;
    }
    free(lock);
    if (status == CT_OK && sweep->conditions.simulated)
        status = write_hosts(sweep, error);
    return status;
}

/* What a run that is gone on with has already. */
static int take_over(struct ct_sweep *sweep, const struct ct_run *run, struct ct_error *error)
{
    size_t *failures = sweep->failures;
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->samples[i].status == CT_SAMPLE_CRASHED || run->samples[i].status == CT_SAMPLE_HUNG)
            failures[run->samples[i].method]++;
    free(sweep->conditions.description.time);
    sweep->conditions.description.time = strdup(run->description.time ? run->description.time : "");
    int status =
        sweep->conditions.description.time ? ct_sweep_grid_mark_done(&sweep->grid, run) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_samples_open(sweep->folder, run->whole_length, error, &sweep->writer);
    sweep->run_exists = status == CT_OK;
    ct_sweep_recall_starts(sweep, &run->description);
    if (status == CT_OK && run->dropped > 0)
        ct_sweep_notice(sweep, "%s: dropped the %zu line%s of a cell that was in flight", sweep->folder,
                        run->dropped, run->dropped == 1 ? "" : "s");
    return status;
}

static void count_done(struct ct_sweep *sweep)
{
    for (size_t i = 0; i < sweep->grid.cell_count; i++) {
        if (sweep->grid.cells[i].done) {
            sweep->weight_done += ct_sweep_cell_weight(sweep, &sweep->grid.cells[i]);
            sweep->summary.cells++;
        }
    }
}

/* One that is gone on with has spent what its samples took, unless it was given a new budget. */
static void set_pace(const struct ct_sweep_request *request, const struct ct_run *run, struct ct_sweep *sweep)
{
    sweep->pace.budget = sweep->conditions.budget;
    if (!run || request->budget > 0)
        return;
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->samples[i].status == CT_SAMPLE_OK)
            sweep->pace.begun -= run->samples[i].seconds;
}

static int read_prior(struct ct_sweep *sweep, struct ct_error *error)
{
    const struct ct_run_description *description = &sweep->conditions.description;
    int status = ct_run_read(sweep->conditions.prior, false, error, &sweep->prior);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < description->collective_count; i++)
        if (ct_run_measures(&sweep->prior, description->collectives[i]))
            return CT_OK;
    return ct_fail(error, CT_E_INPUT, "%s: as a prior it tells nothing of any collective measured here",
                   sweep->conditions.prior);
}

/* What the user may not expect. */
static void tell_choices(const struct ct_sweep_request *request, const struct ct_sweep *sweep)
{
    if (sweep->grid.uneven > 0)
        ct_sweep_notice(sweep, "%zu cell%s left out: %s", sweep->grid.uneven,
                        sweep->grid.uneven == 1 ? " is" : "s are", ct_uneven_text);
    if (sweep->grid.left_out > 0)
        ct_sweep_notice(sweep, "%zu cell%s left out: with a block for each rank their buffers are too large",
                        sweep->grid.left_out, sweep->grid.left_out == 1 ? " is" : "s are");
    if (sweep->conditions.guided && request->cells == CT_SWEEP_CELLS_USUAL && !request->resume)
        ct_sweep_notice(sweep, "the budget is too small for all %zu cells: some are chosen as by --guided",
                        sweep->grid.cell_count);
}

static int prepare(const struct ct_sweep_request *request, const struct ct_run *run, struct ct_error *error,
                   struct ct_sweep *sweep)
{
    struct ct_sweep_conditions *conditions = &sweep->conditions;
    int status = ct_sweep_conditions_make(request, run ? &run->description : NULL, error, conditions);
    if (status == CT_OK && run)
        status = ct_sweep_conditions_same(&run->description, &conditions->description, sweep->folder, error);
    if (status == CT_OK)
        status = ct_sweep_grid_make(&conditions->description, conditions->simulated, error, &sweep->grid);
    if (status == CT_OK)
        tell_choices(request, sweep);
    if (status == CT_OK &&
        !(sweep->failures = ct_allocate(conditions->description.method_count, sizeof(size_t))))
        status = CT_E_MEMORY;
    if (status == CT_OK && run)
        status = take_over(sweep, run, error);
    if (status == CT_OK && conditions->prior)
        status = read_prior(sweep, error);
    if (status == CT_OK)
        set_pace(request, run, sweep);
    if (status == CT_OK)
        count_done(sweep);
    if (status == CT_OK && !conditions->program)
        status = ct_mpi_program(&conditions->mpi, "benchmark", error, &conditions->program);
    return status == CT_OK ? make_job_folder(sweep, error) : status;
}

/* The folder's name without slashes at its end. */
static char *trimmed(const char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    return strndup(folder, length);
}

static int read_or_refuse(const struct ct_sweep_request *request, struct ct_error *error,
                          struct ct_run *ret_run)
{
    if (!request->folder || !*request->folder)
        return ct_fail(error, CT_E_INPUT, "expected the folder of the run (-o RUN)");
    if (request->resume)
        return ct_run_read(request->folder, true, error, ret_run);
    if (access(request->folder, F_OK) == 0)
        return ct_fail(error, CT_E_INPUT, "%s: exists already; --resume goes on with a run", request->folder);
    return CT_OK;
}

/* The budget was used up before all was measured. */
static int tell_end(const struct ct_sweep *sweep, struct ct_error *error)
{
    if (!sweep->run_exists)
        return ct_fail(
            error, CT_E_ANSWER,
            "the budget of %g s was used up before anything could be measured; getting ready, which "
            "is not counted, took %.3g s",
            sweep->conditions.budget, sweep->seconds_ready);
    ct_sweep_notice(sweep,
                    "the budget is used up: %zu of %zu cells are measured; --resume --budget TIME goes on",
                    sweep->summary.cells, sweep->grid.cell_count);
    return CT_OK;
}

/* The budget's clock begins when jobs can: what the compiler takes is no time for measuring, comes once for
 * each MPI, and is not known before. */
static void begin_budget(struct ct_sweep *sweep, double begun)
{
    const double worth_telling = 1;
    sweep->seconds_ready = ct_sweep_now() - begun;
    sweep->pace.begun += sweep->seconds_ready;
    if (sweep->pace.budget > 0 && sweep->seconds_ready > worth_telling)
        ct_sweep_notice(sweep,
                        "getting ready, the compiler's work for the most part, took %.3g s; the budget of %g "
                        "s begins now",
                        sweep->seconds_ready, sweep->pace.budget);
}

static void summarize(const struct ct_sweep *sweep, struct ct_sweep_summary *ret_summary)
{
    *ret_summary = sweep->summary;
    ret_summary->late = sweep->starts.late;
    ret_summary->clocks = sweep->starts.clocks;
    ret_summary->skew = sweep->starts.skew;
    ret_summary->skew_bound = sweep->starts.bound;
}

int ct_sweep(const struct ct_sweep_request *request, const struct ct_sweep_watch *watch,
             struct ct_error *error, struct ct_sweep_summary *ret_summary)
{
    struct ct_run run = {0};
    double begun = ct_sweep_now();
    int status = read_or_refuse(request, error, &run);
    if (status != CT_OK)
        return status;
    struct ct_sweep sweep = {
        .watch = watch, .folder = trimmed(request->folder), .lock_file = -1, .pace = {.begun = begun}};
    status = sweep.folder ? prepare(request, request->resume ? &run : NULL, error, &sweep) : CT_E_MEMORY;
    if (status == CT_OK) {
        begin_budget(&sweep, begun);
        status = ct_sweep_run_jobs(&sweep, error);
    }
    if (status == CT_OK && sweep.over)
        status = tell_end(&sweep, error);
    int noted = ct_sweep_note_starts(&sweep, status == CT_OK ? error : NULL);
    status = status == CT_OK ? noted : status;
    if (sweep.lock_file >= 0) {
        ct_remove_all(sweep.job_folder, NULL);
        close(sweep.lock_file);
    }
    if (sweep.writer.file && ct_samples_close(&sweep.writer) != CT_OK && status == CT_OK)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", sweep.folder);
    if (status == CT_OK)
        summarize(&sweep, ret_summary);
    ct_run_free(&run);
    ct_run_free(&sweep.prior);
    ct_sweep_conditions_free(&sweep.conditions);
    ct_sweep_grid_free(&sweep.grid);
    free(sweep.failures);
    free(sweep.node_of);
    free(sweep.folder);
    free(sweep.job_folder);
    free(sweep.hosts_path);
    return status;
}
