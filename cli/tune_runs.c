/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/tune_runs.h"
#include "base/file.h"
#include "cli/doubtful.h"
#include "cli/tune_step.h"
#include "measure/backend/machine.h"
#include "samples/merge.h"
#include "samples/run_folder.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool are_several(const struct ct_tune_runs *runs)
{
    return (runs->modes & (runs->modes - 1)) != 0;
}

bool ct_tune_runs_has(const struct ct_tune_runs *runs, enum ct_call_mode mode)
{
    return runs->modes & 1U << mode;
}

static char *path_of_mode(const struct ct_tune_runs *runs, enum ct_call_mode mode)
{
    return ct_format("%s/run.%s", runs->folder, ct_mode_names[mode]);
}

char *ct_tune_runs_path(const struct ct_tune_runs *runs, enum ct_call_mode mode)
{
    return are_several(runs) ? path_of_mode(runs, mode) : ct_format("%s/run", runs->folder);
}

static int read_run(const struct ct_tune_runs *runs, enum ct_call_mode mode, struct ct_error *error,
                    struct ct_run *ret_run)
{
    char *path = ct_tune_runs_path(runs, mode);
    int status = path ? ct_run_read(path, false, error, ret_run) : CT_E_MEMORY;
    free(path);
    return status;
}

bool ct_tune_runs_are_there(const struct ct_tune_runs *runs)
{
    bool all = true;
    for (int mode = 0; mode < CT_MODES; mode++) {
        char *path = ct_tune_runs_has(runs, (enum ct_call_mode)mode)
                         ? ct_tune_runs_path(runs, (enum ct_call_mode)mode)
                         : NULL;
        if (ct_tune_runs_has(runs, (enum ct_call_mode)mode))
            all &= path && access(path, F_OK) == 0;
        free(path);
    }
    return all;
}

int ct_tune_runs_read(const char *folder, struct ct_error *error, struct ct_run *ret_run)
{
    char *path = ct_format("%s/run", folder);
    int status = path ? ct_run_read(path, false, error, ret_run) : CT_E_MEMORY;
    free(path);
    return status;
}

static int rename_folder(const char *from, const char *to, struct ct_error *error)
{
    return rename(from, to) == 0
               ? CT_OK
               : ct_fail(error, CT_E_SYSTEM, "%s: cannot be renamed to %s: %s", from, to, strerror(errno));
}

/* The modes that have runs of their own. */
static int find_modes(const struct ct_tune_runs *runs, unsigned *ret_modes)
{
    *ret_modes = 0;
    for (int mode = 0; mode < CT_MODES; mode++) {
        char *path = path_of_mode(runs, (enum ct_call_mode)mode);
        if (!path)
            return CT_E_MEMORY;
        *ret_modes |= access(path, F_OK) == 0 ? 1U << mode : 0;
        free(path);
    }
    return CT_OK;
}

/* A run that a sweep has made is that of its mode; one that was joined is made again. */
static int take_over(const struct ct_tune_runs *runs, const char *joined, struct ct_error *error)
{
    struct ct_run run;
    int status = ct_run_read(joined, true, error, &run);
    if (status != CT_OK)
        return status;
    const bool is_swept = run.description.sweep.sync != NULL;
    char *own = path_of_mode(runs, ct_run_mode(&run.description, 0));
    ct_run_free(&run);
    if (!own)
        status = CT_E_MEMORY;
    else if (is_swept && access(own, F_OK) != 0)
        status = rename_folder(joined, own, error);
    else if (is_swept)
        status = ct_fail(error, CT_E_INPUT, "%s: is there beside %s: expected one of them", joined, own);
    free(own);
    return status;
}

int ct_tune_runs_begin(const struct ct_tune_runs *runs, struct ct_error *error)
{
    char *joined = ct_format("%s/run", runs->folder), modes[CT_MODES_TEXT];
    unsigned there;
    int status = joined ? find_modes(runs, &there) : CT_E_MEMORY;
    if (status == CT_OK && !are_several(runs) && there)
        status = ct_fail(error, CT_E_INPUT, "%s: holds runs of several modes: expected --mode %s",
                         runs->folder, ct_modes_format(there, modes));
    else if (status == CT_OK && are_several(runs) && access(joined, F_OK) == 0)
        status = take_over(runs, joined, error);
    free(joined);
    return status;
}

void ct_tune_runs_show(const struct ct_tune_runs *runs)
{
    if (!are_several(runs))
        return;
    fprintf(stderr, "$ colltune import run");
    for (int mode = 0; mode < CT_MODES; mode++) {
        char *path = ct_tune_runs_has(runs, (enum ct_call_mode)mode)
                         ? path_of_mode(runs, (enum ct_call_mode)mode)
                         : NULL;
        if (path)
            ct_tune_show_word(path);
        free(path);
    }
    char *joined = ct_format("%s/run", runs->folder);
    fprintf(stderr, " --output");
    if (joined)
        ct_tune_show_word(joined);
    free(joined);
    fputc('\n', stderr);
}

int ct_tune_runs_join(const struct ct_tune_runs *runs, struct ct_error *error)
{
    char *paths[CT_MODES] = {NULL}, *joined = ct_format("%s/run", runs->folder);
    char *fresh = ct_format("%s/run.joined", runs->folder);
    size_t count = 0, cells, samples;
    int status = joined && fresh ? CT_OK : CT_E_MEMORY;
    for (int mode = 0; status == CT_OK && mode < CT_MODES; mode++)
        if (ct_tune_runs_has(runs, (enum ct_call_mode)mode)) {
            paths[count] = path_of_mode(runs, (enum ct_call_mode)mode);
            status = paths[count++] ? CT_OK : CT_E_MEMORY;
        }
    if (status == CT_OK && are_several(runs) && ct_tune_runs_are_there(runs))
        if ((status = ct_remove_all(fresh, error)) == CT_OK &&
            (status = ct_run_merge(fresh, (const char *const *)paths, count, error, &cells, &samples)) ==
                CT_OK &&
            (status = ct_remove_all(joined, error)) == CT_OK)
            status = rename_folder(fresh, joined, error);
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(joined);
    free(fresh);
    return status;
}

/* --- what is in them --- */

/* What the cells of a run vary besides their sizes, as its sweep was asked for. The caller frees roots and
 * placements, also after a failure. */
static int read_division(const struct ct_sweep_state *state, struct ct_error *error, size_t **roots,
                         struct ct_placements *placements, struct ct_sweep_division *division)
{
    int status = state->root ? ct_list_parse(state->root, error, roots, &division->root_count) : CT_OK;
    if (status == CT_OK && state->placements)
        status = ct_placements_parse(state->placements, error, placements);
    division->roots = *roots;
    division->placements = placements;
    if (state->datatype)
        division->datatype = ct_data_type_find(state->datatype);
    if (state->operation)
        division->operation = ct_operation_find(state->operation);
    return status;
}

/* Counts the cells of a sweep, measured in any of its job launches: each counts once. The launches that hold
 * a validation's times measured two methods only. */
static int count_cells(struct ct_run *run, bool simulated, struct ct_error *error,
                       struct ct_sweep_grid *counts)
{
    struct ct_run_description description = run->description;
    struct ct_sweep_grid grid = {0};
    const uint32_t none = UINT32_MAX;
    for (size_t i = 0; i < run->cell_count; i++) {
        uint32_t *launch = &run->cells[i].launch;
        *launch = ct_run_is_validation(&description, *launch) ? none : 0;
    }
    description.launches = 1;
    struct ct_sweep_division division = {.exact = simulated};
    struct ct_placements placements = {0};
    size_t *roots = NULL;
    int status = read_division(&description.sweep, error, &roots, &placements, &division);
    if (status == CT_OK)
        status = ct_sweep_grid_make(&description, &division, error, &grid);
    if (status == CT_OK)
        status = ct_sweep_grid_mark_done(&grid, run);
    counts->cell_count += grid.cell_count;
    counts->cells_done += grid.cells_done;
    ct_sweep_grid_free(&grid);
    ct_placements_free(&placements);
    free(roots);
    return status;
}

int ct_tune_runs_cells(const struct ct_tune_runs *runs, bool simulated, struct ct_error *error,
                       struct ct_sweep_grid *ret_counts)
{
    struct ct_sweep_grid counts = {0};
    int status = CT_OK;
    for (int mode = 0; status == CT_OK && mode < CT_MODES; mode++) {
        struct ct_run run = {0};
        if (!ct_tune_runs_has(runs, (enum ct_call_mode)mode))
            continue;
        status = read_run(runs, (enum ct_call_mode)mode, error, &run);
        if (status == CT_OK)
            status = count_cells(&run, simulated, error, &counts);
        ct_run_free(&run);
    }
    if (status == CT_OK)
        *ret_counts = counts;
    return status;
}

int ct_tune_runs_doubtful(const struct ct_tune_runs *runs, const struct ct_validation *validation,
                          bool simulated, struct ct_error *error, size_t ret_again[CT_MODES])
{
    int status = CT_OK;
    for (int mode = 0; status == CT_OK && mode < CT_MODES; mode++) {
        const struct ct_validation part = ct_validation_of_mode(validation, (enum ct_call_mode)mode);
        struct ct_run run = {0};
        struct ct_sweep_point *points = NULL;
        ret_again[mode] = 0;
        if (part.count == 0)
            continue;
        status = read_run(runs, (enum ct_call_mode)mode, error, &run);
        if (status == CT_OK)
            status = ct_doubtful_find(&part, &run, simulated ? SIZE_MAX : ct_usable_cpus(), simulated,
                                      &points, &ret_again[mode]);
        free(points);
        ct_run_free(&run);
    }
    return status;
}
