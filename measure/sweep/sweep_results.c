/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "measure/sweep/sweep_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The benchmark program's results as they come in: whole lines, and of them whole cells. */

static int unexpected(const struct ct_sweep_worker *worker, const char *line, struct ct_error *error)
{
    return ct_fail(error, CT_E_SYSTEM, "%s: unexpected line '%.60s' from the benchmark program",
                   worker->results_path, line);
}

/* Appends what has been added to the file. */
static int read_more(struct ct_sweep_worker *worker, struct ct_error *error)
{
    char bytes[65536];
    int file = open(worker->results_path, O_RDONLY | O_CLOEXEC);
    ssize_t length = -1;
    if (file >= 0) {
        while ((length = pread(file, bytes, sizeof bytes, (off_t)worker->offset)) > 0) {
            ct_text_append_bytes(&worker->results, bytes, (size_t)length);
            worker->offset += (size_t)length;
        }
        close(file);
    }
    if (length < 0)
        return ct_fail(error, CT_E_SYSTEM, "%s: cannot be read: %s", worker->results_path, strerror(errno));
    return worker->results.failed ? CT_E_MEMORY : CT_OK;
}

/* The run is made when the first job is up: a launcher that fails leaves nothing behind. */
static int make_run(struct ct_sweep *sweep, const char *time, struct ct_error *error)
{
    struct ct_run_description *description = &sweep->conditions.description;
    if (sweep->run_exists)
        return strcmp(description->time, time) == 0
                   ? CT_OK
                   : ct_fail(error, CT_E_INPUT,
                             "%s: was begun with %s time, here it is %s: measure into a new folder",
                             sweep->folder, description->time, time);
    description->time = strdup(time);
    if (!description->time)
        return CT_E_MEMORY;
    int status = ct_run_create(sweep->folder, description, error);
    if (status == CT_OK)
        status = ct_samples_open(sweep->folder, SIZE_MAX, error, &sweep->writer);
    sweep->run_exists = status == CT_OK;
    return status;
}

static int take_start(struct ct_sweep *sweep, struct ct_sweep_worker *worker, const char *line,
                      struct ct_error *error)
{
    size_t ranks;
    char time[8];
    if (sscanf(line, "%zu %7s", &ranks, time) != 2 ||
        (strcmp(time, "global") != 0 && strcmp(time, "local") != 0))
        return CT_E_INPUT;
    worker->started = true;
    return make_run(sweep, time, error);
}

static const char *datatype_of(const struct ct_sweep_cell *cell)
{
    const struct ct_collective_description *collective = &ct_collectives[cell->collective];
    return !collective->has_size ? "" : collective->reduces ? "double" : "byte";
}

static const char *operation_of(const struct ct_sweep_cell *cell)
{
    return ct_collectives[cell->collective].reduces ? "sum" : "";
}

/* Rows of the methods that failed, and the commit row. `sample` says which cell it is. */
static int close_cell(struct ct_sweep *sweep, struct ct_sweep_cell *cell, struct ct_sample *sample,
                      struct ct_error *error)
{
    int status = CT_OK;
    for (size_t m = 0; status == CT_OK && m < cell->method_count; m++) {
        const struct ct_sweep_slot *slot = &sweep->grid.slots[cell->first + m];
        if (slot->status == CT_SAMPLE_OK)
            continue;
        sample->status = slot->status;
        sample->seconds = NAN;
        sample->rep = 0;
        status = ct_samples_add(&sweep->writer, &sweep->conditions.description.methods[slot->method], sample,
                                datatype_of(cell), operation_of(cell));
        sweep->summary.failed++;
    }
    if (status == CT_OK)
        status = ct_samples_commit(&sweep->writer, cell->collective, sample);
    if (status != CT_OK)
        return ct_fail(error, status, "%s: cannot be written", sweep->writer.path);
    cell->done = true;
    sweep->summary.cells++;
    sweep->weight_done += ct_sweep_cell_weight(sweep, cell);
    return CT_OK;
}

/* One cell: the lines from `cell` to before `done`. */
static int take_cell(struct ct_sweep *sweep, const struct ct_sweep_worker *worker, char *lines,
                     struct ct_error *error)
{
    const struct ct_run_description *description = &sweep->conditions.description;
    size_t id, nodes, ppn, good = 0, failed = 0;
    char *rest = lines, *line = strsep(&rest, "\n");
    if (sscanf(line, "cell %zu %zu %zu", &id, &nodes, &ppn) != 3 || id >= sweep->grid.cell_count)
        return unexpected(worker, line, error);
    if (sweep->grid.cells[id].done) /* it came along */
        return CT_OK;
    struct ct_sweep_cell *cell = &sweep->grid.cells[id];
    struct ct_sample sample = {.launch = cell->launch,
                               .key = {.nodes = (uint32_t)nodes,
                                       .ppn = (uint32_t)ppn,
                                       .comm_size = (uint32_t)cell->key.comm_size,
                                       .msg_bytes = cell->key.msg_bytes}};
    int status = CT_OK;
    for (line = strsep(&rest, "\n"); status == CT_OK && line && *line; line = strsep(&rest, "\n")) {
        size_t method, rep = 0;
        sample.status = CT_SAMPLE_OK;
        if (sscanf(line, "ok %zu %zu %lf", &method, &rep, &sample.seconds) != 3) {
            if (sscanf(line, "wrong %zu", &method) != 1)
                return unexpected(worker, line, error);
            sample.status = CT_SAMPLE_WRONG;
            sample.seconds = NAN;
        }
        if (method >= description->method_count)
            return unexpected(worker, line, error);
        sample.rep = (uint32_t)rep;
        status = ct_samples_add(&sweep->writer, &description->methods[method], &sample, datatype_of(cell),
                                operation_of(cell));
        good += sample.status == CT_SAMPLE_OK;
        failed += sample.status != CT_SAMPLE_OK;
    }
    sweep->summary.samples += good;
    sweep->summary.failed += failed;
    return status == CT_OK ? close_cell(sweep, cell, &sample, error)
                           : ct_fail(error, status, "%s: cannot be written", sweep->writer.path);
}

int ct_sweep_close_exhausted(struct ct_sweep *sweep, struct ct_sweep_cell *cell, struct ct_error *error)
{
    struct ct_sample sample = {.launch = cell->launch, .key = cell->key};
    int status = ct_sweep_locate(sweep, cell->key.comm_size, &sample);
    return status == CT_OK ? close_cell(sweep, cell, &sample, error)
                           : ct_fail(error, status, "out of memory");
}

static int few_ranks(const struct ct_sweep *sweep, const struct ct_sweep_worker *worker, const char *count,
                     struct ct_error *error)
{
    bool one = strcmp(count, "1") == 0;
    return ct_fail(error, CT_E_SYSTEM, "the launcher '%s' gave %.20s rank%s where %zu were asked for%s",
                   sweep->conditions.launcher, count, one ? "" : "s", worker->batch->size,
                   one ? ": does it belong to the MPI that the program was compiled for?" : "");
}

/* A line outside cells. */
static int take_line(struct ct_sweep *sweep, struct ct_sweep_worker *worker, const char *line,
                     struct ct_error *error)
{
    static const struct {
        const char *word;
        int (*take)(struct ct_sweep *, const char *);
    } others[] = {{"clocks", ct_sweep_take_clocks},
                  {"skew", ct_sweep_take_skew},
                  {"late", ct_sweep_take_late},
                  {"slow", ct_sweep_take_slow},
                  {"jump", ct_sweep_take_jump}};
    size_t length = strcspn(line, " ");
    const char *rest = line + length + (line[length] == ' ');
    int status = CT_E_INPUT;
    if (strncmp(line, "start ", 6) == 0)
        status = take_start(sweep, worker, rest, error);
    else if (strncmp(line, "ranks ", 6) == 0)
        status = ct_sweep_take_ranks(sweep, rest, error);
    else if (strncmp(line, "few ", 4) == 0)
        return few_ranks(sweep, worker, rest, error);
    else if ((worker->ended = strcmp(line, "end") == 0))
        return CT_OK;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strlen(others[i].word) == length && strncmp(others[i].word, line, length) == 0)
            status = others[i].take(sweep, rest);
    return status == CT_E_INPUT && !error->text[0] ? unexpected(worker, line, error) : status;
}

int ct_sweep_take_results(struct ct_sweep *sweep, struct ct_sweep_worker *worker, struct ct_error *error)
{
    int status = read_more(worker, error);
    char *at = worker->results.data;
    while (status == CT_OK && at && *at) {
        char *newline = strchr(at, '\n');
        if (!newline)
            break;
        if (strncmp(at, "cell ", 5) == 0) {
            char *done = strstr(at, "\ndone ");
            newline = done ? strchr(done + 1, '\n') : NULL;
            if (!newline)
                break;
            done[1] = '\0';
            worker->blanks = 0;
            status = take_cell(sweep, worker, at, error);
        } else {
            *newline = '\0';
            status = take_line(sweep, worker, at, error);
        }
        at = newline + 1;
    }
    if (at && status == CT_OK) {
        size_t used = (size_t)(at - worker->results.data);
        worker->results.length -= used;
        memmove(worker->results.data, at, worker->results.length + 1);
    }
    return status;
}
