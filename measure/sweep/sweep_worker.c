/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_worker.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "measure/sweep/job_pattern.h"
#include "samples/run_folder.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pause_seconds = 10; /* a supervisor that lost so many was stopped itself */
enum { BLANKS_MAX = 2 };

int ct_sweep_worker_open(struct ct_sweep_journal *journal, const char *folder, size_t number,
                         struct ct_sweep_worker *ret_worker)
{
    struct ct_sweep_worker worker = {.journal = journal};
    int status = ct_watched_job_open(folder, number, &worker.job);
    if (status == CT_OK && !(worker.hosts = ct_format("%s/%zu.hosts", folder, number)))
        status = CT_E_MEMORY;
    if (status != CT_OK)
        ct_watched_job_close(&worker.job);
    else
        *ret_worker = worker;
    return status;
}

void ct_sweep_worker_say_alive(const struct ct_sweep_worker *worker, double time)
{
    if (!ct_watched_job_say_alive(&worker->job, time))
        ct_watch_notice(worker->journal->watch, "%s: cannot be written: %s", worker->job.alive_path,
                        strerror(errno));
}

void ct_sweep_worker_close(struct ct_sweep_worker *worker)
{
    ct_watched_job_close(&worker->job);
    ct_link_cells_free(&worker->link_cells);
    free(worker->hosts);
    *worker = (struct ct_sweep_worker){0};
}

/* --- starting --- */

static int add_cell(const struct ct_sweep_grid *grid, size_t id, const struct ct_run_description *description,
                    struct ct_job *job, struct ct_error *error)
{
    const struct ct_sweep_cell *cell = &grid->cells[id];
    struct ct_job_cell added = {.id = id, .collective = cell->collective, .key = cell->key};
    bool any = false;
    if (cell->key.pattern != 0) {
        int status = ct_job_pattern_of(job, ct_run_pattern(description, cell->key.pattern),
                                       (int)cell->key.comm_size, error, &added.pattern);
        if (status != CT_OK)
            return status;
    }
    for (size_t s = cell->first; s < cell->first + cell->method_count; s++) {
        if (!ct_sweep_slot_usable(grid, &grid->slots[s]))
            continue;
        int status = any ? CT_OK : ct_job_add_cell(job, &added);
        if (status != CT_OK || (status = ct_job_add_index(job, grid->slots[s].method)) != CT_OK)
            return status;
        any = true;
    }
    return CT_OK;
}

/* Adds what is left of the batch. On an exact backend, cells that are done but come before others are
 * measured again: the last digits of a time depend on what came before it, and a resumed sweep must give the
 * same. */
static int fill_job(const struct ct_sweep_worker *worker, struct ct_job *job, struct ct_error *error)
{
    const struct ct_run_description *description = &worker->journal->conditions->description;
    const struct ct_sweep_grid *grid = worker->journal->grid;
    const struct ct_sweep_batch *batch = worker->batch;
    size_t last = batch->first + batch->count;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < description->method_count; i++)
        status = ct_job_add_method(job, &description->methods[i]);
    while (last > batch->first && (!grid->cells[last - 1].wanted || grid->cells[last - 1].done))
        last--;
    for (size_t i = batch->first; status == CT_OK && i < last; i++)
        if (grid->cells[i].wanted && (grid->exact || !grid->cells[i].done))
            status = add_cell(grid, i, description, job, error);
    return status;
}

int ct_sweep_worker_start(struct ct_sweep_worker *worker, double budget, struct ct_error *error)
{
    const struct ct_sweep_conditions *conditions = worker->journal->conditions;
    const struct ct_run_description *description = &conditions->description;
    struct ct_place place = conditions->place;
    if (conditions->nodes.count > 0)
        place.hostfile = worker->hosts;
    if (worker->batch->ppn > 0)
        place.ppn = worker->batch->ppn;
    assert(worker->batch && worker->job.process.id == 0);
    struct ct_job job = {.seed = worker->journal->grid->exact ? 0 : description->seed, /* see fill_job() */
                         .size = worker->batch->size,
                         .warmup = description->warmup,
                         .sync = conditions->sync,
                         .mode = ct_run_mode(description, 0),
                         .datatype = conditions->datatype,
                         .operation = conditions->operation,
                         .compute = description->sweep.compute,
                         .tests = description->sweep.tests,
                         .rule = {.least = description->least_repetitions,
                                  .most = description->most_repetitions,
                                  .precision = description->precision,
                                  .most_seconds = description->most_seconds},
                         .race = description->sweep.racing_margin,
                         .budget = budget};
    int status = fill_job(worker, &job, error);
    worker->started = worker->finished = false;
    ct_link_cells_free(&worker->link_cells);
    if (status == CT_OK)
        status = ct_watched_job_start(&worker->job, &place, conditions->program, &job, error);
    ct_job_free(&job);
    return status;
}

/* --- the job's report; measure/job.h describes it --- */

static int unexpected(const struct ct_sweep_worker *worker, const char *line, struct ct_error *error)
{
    return ct_fail(error, CT_E_SYSTEM, "%s: unexpected line '%.60s' from the benchmark program",
                   worker->job.results_path, line);
}

/* A line of a good sample: with what the call overlapped, unless it is blocking. */
static bool read_sample(const char *line, size_t *ret_method, struct ct_sample *sample)
{
    struct ct_overlap overlap = {0};
    size_t rep;
    char more;
    int count = sscanf(line, "ok %zu %zu %lf %lf %lf %lf %lf %c", ret_method, &rep, &sample->seconds,
                       &overlap.completion, &overlap.in_mpi, &overlap.computation, &overlap.hidden, &more);
    enum { BLOCKING = 3, OVERLAPPING = 7 };
    if (count != (sample->key.mode == CT_MODE_BLOCKING ? BLOCKING : OVERLAPPING))
        return false;
    sample->status = CT_SAMPLE_OK;
    sample->rep = (uint32_t)rep;
    sample->overlap = overlap;
    return true;
}

/* One cell: the lines from `cell` to before `done`. */
static int take_cell(struct ct_sweep_worker *worker, char *lines, struct ct_error *error)
{
    struct ct_sweep_grid *grid = worker->journal->grid;
    size_t id, nodes, ppn, set_up_method = SIZE_MAX;
    double set_up = 0;
    struct ct_cell_key of_pattern = {0};
    char *rest = lines, *line = strsep(&rest, "\n");
    enum { DENSE = 3, SPARSE = 7 };
    int count =
        sscanf(line, "cell %zu %zu %zu %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32, &id, &nodes, &ppn,
               &of_pattern.degree, &of_pattern.mean_degree, &of_pattern.imbalance, &of_pattern.on_node);
    if (count < DENSE || id >= grid->cell_count ||
        count != (grid->cells[id].key.pattern != 0 ? SPARSE : DENSE))
        return unexpected(worker, line, error);
    struct ct_sweep_cell *cell = &grid->cells[id];
    if (cell->done) /* see fill_job() */
        return CT_OK;
    if (cell->key.ppn > 0 && (cell->key.nodes != nodes || cell->key.ppn != ppn))
        return ct_fail(
            error, CT_E_SYSTEM,
            "the launcher '%s' put %u ranks on %zu nodes, up to %zu on each: expected %u nodes with up "
            "to %u; sweeps with several --ppn need a launcher that places ranks so",
            worker->journal->conditions->place.launcher, cell->key.comm_size, nodes, ppn, cell->key.nodes,
            cell->key.ppn);
    struct ct_sample sample = {.launch = cell->launch, .key = cell->key};
    sample.key.nodes = nodes;
    sample.key.ppn = ppn;
    sample.key.degree = of_pattern.degree;
    sample.key.mean_degree = of_pattern.mean_degree;
    sample.key.imbalance = of_pattern.imbalance;
    sample.key.on_node = of_pattern.on_node;
    for (line = strsep(&rest, "\n"); line && *line; line = strsep(&rest, "\n")) {
        size_t method;
        if (sscanf(line, "set_up %zu %lf", &set_up_method, &set_up) == 2)
            continue;
        if (!read_sample(line, &method, &sample)) {
            if (sscanf(line, "wrong %zu", &method) != 1)
                return unexpected(worker, line, error);
            sample.status = CT_SAMPLE_WRONG;
            sample.seconds = NAN;
            sample.rep = 0;
        }
        if (method >= worker->journal->conditions->description.method_count)
            return unexpected(worker, line, error);
        sample.set_up = method == set_up_method && sample.status == CT_SAMPLE_OK ? set_up : 0;
        int status = ct_sweep_journal_add(worker->journal, cell, method, &sample, error);
        if (status != CT_OK)
            return status;
    }
    sample.set_up = 0;
    int status = ct_sweep_journal_close_cell(worker->journal, cell, &sample, error);
    return status == CT_OK ? ct_link_cells_add(&worker->link_cells, grid, id,
                                               &worker->journal->conditions->description.sweep)
                           : status;
}

static int take_start(struct ct_sweep_worker *worker, const char *line, struct ct_error *error)
{
    size_t ranks;
    char time[8];
    if (sscanf(line, "%zu %7s", &ranks, time) != 2 ||
        (strcmp(time, "global") != 0 && strcmp(time, "local") != 0))
        return CT_E_INPUT;
    worker->started = true;
    worker->startup = ct_monotonic_now() - worker->job.start_time;
    return ct_sweep_journal_begin(worker->journal, time, error);
}

static int take_ranks(struct ct_sweep_worker *worker, const char *line, struct ct_error *error)
{
    int *labels = NULL;
    size_t count = 0, capacity = 0;
    char *next;
    for (const char *at = line; *at; at = next) {
        long label = strtol(at, &next, 10);
        int status = next == at || label < 0 || (size_t)label > count
                         ? CT_E_INPUT
                         : ct_grow(&labels, &capacity, count + 1, sizeof *labels);
        if (status != CT_OK) {
            free(labels);
            return status;
        }
        labels[count++] = (int)label;
    }
    if (worker->batch->ppn > 0) { /* the cells say where they must lie */
        free(labels);
        return CT_OK;
    }
    return ct_sweep_journal_take_nodes(worker->journal, labels, count, error);
}

/* Later cells of the run are read with it, so run.xml has it before their samples are written. */
static int take_yield(struct ct_sweep_worker *worker, const char *line, struct ct_error *error)
{
    struct ct_sweep_journal *journal = worker->journal;
    struct ct_sweep_state *state = &journal->conditions->description.sweep;
    size_t from;
    if (sscanf(line, "%zu", &from) != 1 || from == 0)
        return CT_E_INPUT;
    if (state->yield_from > 0 && state->yield_from != from)
        return ct_fail(error, CT_E_SYSTEM,
                       "%s: was begun where %zu ranks on a node share CPUs, here %zu do: measure into a new "
                       "folder",
                       journal->folder, state->yield_from, from);
    if (state->yield_from == from)
        return CT_OK;
    state->yield_from = from;
    return journal->begun ? ct_run_set_sweep(journal->folder, state, error) : CT_OK;
}

/* The first job finds the channel, and the run has one. */
static int take_node(struct ct_sweep_worker *worker, const char *line, struct ct_error *error)
{
    const struct ct_sweep_journal *journal = worker->journal;
    struct ct_run_description *description = &journal->conditions->description;
    const enum ct_node_channel channel = ct_node_channel_find(line),
                               before = ct_run_node_channel(description);
    if (channel == CT_NODE_CHANNELS)
        return CT_E_INPUT;
    if (!journal->begun)
        return ct_run_set_node_channel(description, channel);
    return channel == before
               ? CT_OK
               : ct_fail(error, CT_E_SYSTEM,
                         "%s: was begun with messages within a node through %s, here they go through %s: "
                         "set COLLTUNE_NODE=%s, or measure into a new folder",
                         journal->folder, ct_node_channel_titles[before], ct_node_channel_titles[channel],
                         ct_node_channel_names[before]);
}

static int take_few(struct ct_sweep_worker *worker, const char *count, struct ct_error *error)
{
    const char *launcher = worker->journal->conditions->place.launcher;
    bool one = strcmp(count, "1") == 0;
    return ct_fail(error, CT_E_SYSTEM, "the launcher '%s' gave %.20s rank%s where %zu were asked for%s%s",
                   launcher, count, one ? "" : "s", worker->batch->size,
                   one ? ": does it belong to the MPI that the program was compiled for?" : "",
                   one && strstr(launcher, "srun") ? " MPICH needs srun --mpi=pmi2, Open MPI --mpi=pmix"
                                                   : "");
}

static int take_links(struct ct_sweep_worker *worker, const char *line, struct ct_error *error)
{
    struct ct_sweep_journal *journal = worker->journal;
    struct ct_link_time now;
    char more;
    (void)error;
    if (sscanf(line, "%zu %zu %zu %lf %c", &now.ranks, &now.nodes, &now.ppn, &now.seconds, &more) != 4 ||
        !(now.seconds > 0))
        return CT_E_INPUT;
    return ct_sweep_links_take(&journal->links, &now, journal->grid, journal->watch, &worker->link_cells,
                               &journal->conditions->description.sweep);
}

static void take_skew(const struct ct_sweep_journal *journal, const double *numbers)
{
    struct ct_sweep_state *state = &journal->conditions->description.sweep;
    state->skew = fmax(state->skew, numbers[0]);
    state->skew_bound = fmax(state->skew_bound, numbers[1]);
}

static void take_clocks(const struct ct_sweep_journal *journal, const double *numbers)
{
    journal->conditions->description.sweep.clocks = (size_t)numbers[0];
    take_skew(journal, numbers + 1);
}

static void take_late(const struct ct_sweep_journal *journal, const double *numbers)
{
    journal->conditions->description.sweep.late += (size_t)numbers[0];
    journal->conditions->description.sweep.late_of += (size_t)numbers[1];
}

static void take_slow(const struct ct_sweep_journal *journal, const double *numbers)
{
    struct ct_sweep_state *state = &journal->conditions->description.sweep;
    ct_watch_notice(journal->watch,
                    "rank %.0f is %.0f times slower than the median rank: every collective waits for "
                    "it, so the times say little about the others",
                    numbers[0], numbers[1]);
    if (numbers[1] > state->slow_factor) {
        state->slow_factor = numbers[1];
        state->slow_rank = (size_t)numbers[0];
    }
}

static void take_jump(const struct ct_sweep_journal *journal, const double *numbers)
{
    journal->conditions->description.sweep.jumps++;
    ct_watch_notice(journal->watch, "the clock of rank %.0f jumped by %.2g s: the cell is measured again",
                    numbers[0], numbers[1]);
}

enum { NUMBERS_MAX = 3 };

/* A line outside cells: a word, and most often numbers. */
static int take_line(struct ct_sweep_worker *worker, const char *line, struct ct_error *error)
{
    static const struct {
        const char *word;
        /* CT_E_INPUT without a line in `error` where the rest of the line is not as expected. */
        int (*take)(struct ct_sweep_worker *, const char *rest, struct ct_error *);
        int count;
        void (*take_numbers)(const struct ct_sweep_journal *, const double *);
    } kinds[] = {{.word = "start", .take = take_start},
                 {.word = "ranks", .take = take_ranks},
                 {.word = "few", .take = take_few},
                 {.word = "yield", .take = take_yield},
                 {.word = "node", .take = take_node},
                 {.word = "links", .take = take_links},
                 {.word = "clocks", .count = 3, .take_numbers = take_clocks},
                 {.word = "skew", .count = 2, .take_numbers = take_skew},
                 {.word = "late", .count = 2, .take_numbers = take_late},
                 {.word = "slow", .count = 2, .take_numbers = take_slow},
                 {.word = "jump", .count = 2, .take_numbers = take_jump}};
    size_t length = strcspn(line, " "), kind = 0;
    const char *rest = line + length + (line[length] == ' ');
    double numbers[NUMBERS_MAX];
    if (strcmp(line, "end") == 0) {
        worker->finished = true;
        return CT_OK;
    }
    while (kind < sizeof kinds / sizeof kinds[0] &&
           (strlen(kinds[kind].word) != length || strncmp(kinds[kind].word, line, length) != 0))
        kind++;
    if (kind == sizeof kinds / sizeof kinds[0])
        return unexpected(worker, line, error);
    if (kinds[kind].take) {
        int status = kinds[kind].take(worker, rest, error);
        return status == CT_E_INPUT && !error->text[0] ? unexpected(worker, line, error) : status;
    }
    if (sscanf(rest, "%lf %lf %lf", &numbers[0], &numbers[1], &numbers[2]) != kinds[kind].count)
        return unexpected(worker, line, error);
    kinds[kind].take_numbers(worker->journal, numbers);
    return CT_OK;
}

/* Uses up what the job has reported: whole lines, and of cells whole ones, which go into the run. */
static int take_report(struct ct_sweep_worker *worker, struct ct_error *error)
{
    int status = ct_watched_job_read(&worker->job, error);
    char *at = worker->job.results.data, *newline;
    if (status != CT_OK || !at)
        return status;
    for (; (newline = strchr(at, '\n')); at = newline + 1) {
        if (strncmp(at, "cell ", 5) == 0) {
            char *done = strstr(at, "\ndone ");
            newline = done ? strchr(done + 1, '\n') : NULL;
            if (!newline)
                break;
            done[1] = '\0';
            worker->blanks = 0;
            status = take_cell(worker, at, error);
        } else {
            *newline = '\0';
            status = take_line(worker, at, error);
        }
        if (status != CT_OK)
            return status;
    }
    ct_watched_job_use_up(&worker->job, at);
    return CT_OK;
}

/* --- following --- */

/* The slot that the job was in; NULL if there is none to blame. */
static struct ct_sweep_slot *find_culprit(const struct ct_sweep_grid *grid, const struct ct_job_state *state)
{
    if (state->cell >= grid->cell_count || grid->cells[state->cell].done)
        return NULL;
    const struct ct_sweep_cell *cell = &grid->cells[state->cell];
    for (size_t s = cell->first; s < cell->first + cell->method_count; s++)
        if (grid->slots[s].method == state->method && grid->slots[s].status == CT_SAMPLE_OK)
            return &grid->slots[s];
    return NULL;
}

/* Marks the method in which the job ended or stands still. */
static int blame(struct ct_sweep_worker *worker, const struct ct_job_state *state, enum ct_sample_status how,
                 struct ct_error *error)
{
    struct ct_sweep_grid *grid = worker->journal->grid;
    struct ct_sweep_slot *slot = worker->started ? find_culprit(grid, state) : NULL;
    if (slot) {
        const struct ct_sweep_cell *cell = &grid->cells[state->cell];
        char spelling[CT_METHOD_TEXT];
        slot->status = how;
        worker->blanks = 0;
        bool given_up = ++grid->failures[slot->method] == CT_SWEEP_GIVE_UP;
        ct_method_format(&worker->journal->conditions->description.methods[slot->method], true, spelling);
        ct_watch_notice(worker->journal->watch,
                        "%s %s with %u ranks and %zu byte%s; the sweep continues without it there%s",
                        spelling, how == CT_SAMPLE_HUNG ? "did not come back" : "ended the job",
                        cell->key.comm_size, cell->key.msg_bytes, ct_s(cell->key.msg_bytes),
                        given_up ? ", and in all other cells: it has failed in three cells" : "");
        return CT_OK;
    }
    if (worker->started && ++worker->blanks < BLANKS_MAX)
        return CT_OK;
    return ct_watched_job_fail(&worker->job, "benchmark", worker->started, how == CT_SAMPLE_HUNG, error);
}

int ct_sweep_worker_follow(struct ct_sweep_worker *worker, double lost, struct ct_error *error,
                           bool *ret_ended)
{
    struct ct_job_state state;
    bool ended;
    int code;
    int status = ct_watched_job_look(&worker->job, lost, error, &ended, &code, &state);
    if (status == CT_OK)
        status = take_report(worker, error);
    if (status != CT_OK)
        return status;
    if (!ended && worker->finished)
        ended = ct_watched_job_lingers(&worker->job);
    if (ended) {
        /* A job that does not come up, as when a node has died, may be why the one before ended: then the
         * method that was running is not to blame, and its cell stays open. */
        bool left = true;
        if (worker->started)
            status = ct_sweep_journal_close_exhausted(worker->journal, worker->batch, error, &left);
        if (status == CT_OK && state.unwritten != 0)
            return ct_fail(error, CT_E_SYSTEM, "%s: cannot be written: %s", worker->job.results_path,
                           strerror((int)state.unwritten));
        /* Ranks end by themselves when the supervisor was stopped for long: that is no method's fault. */
        if (status == CT_OK && left && lost <= pause_seconds)
            status = blame(worker, &state, CT_SAMPLE_CRASHED, error);
        *ret_ended = true;
        return status;
    }
    *ret_ended = ct_watched_job_hangs(&worker->job, worker->journal->conditions->timeout, worker->started);
    if (!*ret_ended)
        return CT_OK;
    ct_watched_job_end(&worker->job);
    status = take_report(worker, error);
    return status == CT_OK ? blame(worker, &state, CT_SAMPLE_HUNG, error) : status;
}
