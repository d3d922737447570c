/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_worker.h"
#include "base/file.h"
#include "base/memory.h"
#include "measure/job.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double grace_seconds = 2;   /* between asking a job to end and forcing it */
static const double start_seconds = 120; /* that a job may take to come up, at least */
static const double pause_seconds = 10;  /* a supervisor that lost so many was stopped itself */
static const double look_seconds = 0.1;  /* between two looks at a job on a free machine, at most */
enum { BLANKS_MAX = 2 };

int ct_sweep_worker_open(struct ct_sweep_journal *journal, const char *folder, size_t number,
                         struct ct_sweep_worker *ret_worker)
{
    struct ct_sweep_worker worker = {.journal = journal, .prefix = ct_format("%s/%zu", folder, number)};
    if (worker.prefix) {
        worker.job_path = ct_format("%s.job", worker.prefix);
        worker.results_path = ct_format("%s.results", worker.prefix);
        worker.state_path = ct_format("%s.state", worker.prefix);
        worker.log_path = ct_format("%s.log", worker.prefix);
    }
    if (!worker.job_path || !worker.results_path || !worker.state_path || !worker.log_path) {
        ct_sweep_worker_close(&worker);
        return CT_E_MEMORY;
    }
    *ret_worker = worker;
    return CT_OK;
}

void ct_sweep_worker_say_alive(const struct ct_sweep_worker *worker, double time)
{
    char text[32];
    int file = open(worker->alive_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    int length = snprintf(text, sizeof text, "%-20.0f\n", time);
    if (write(file, text, (size_t)length) < 0)
        ct_sweep_journal_notice(worker->journal, "%s: cannot be written: %s", worker->alive_path,
                                strerror(errno));
    close(file);
}

/* Ends the job. Removing its file ends ranks that their launcher leaves running. */
static void end(struct ct_sweep_worker *worker)
{
    if (worker->alive_path)
        unlink(worker->alive_path);
    ct_process_end(&worker->process, grace_seconds);
}

void ct_sweep_worker_close(struct ct_sweep_worker *worker)
{
    end(worker);
    ct_text_free(&worker->results);
    free(worker->prefix);
    free(worker->alive_path);
    free(worker->job_path);
    free(worker->results_path);
    free(worker->state_path);
    free(worker->log_path);
    *worker = (struct ct_sweep_worker){0};
}

/* --- starting --- */

static int add_cell(const struct ct_sweep_grid *grid, size_t id, struct ct_job *job)
{
    const struct ct_sweep_cell *cell = &grid->cells[id];
    const struct ct_job_cell added = {.id = id, .collective = cell->collective, .key = cell->key};
    bool any = false;
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
static int fill_job(const struct ct_sweep_worker *worker, struct ct_job *job)
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
            status = add_cell(grid, i, job);
    return status;
}

static int write_job(const struct ct_sweep_worker *worker, double budget, struct ct_error *error)
{
    const struct ct_sweep_conditions *conditions = worker->journal->conditions;
    const struct ct_run_description *description = &conditions->description;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    struct ct_job job = {.results = strdup(worker->results_path),
                         .state = strdup(worker->state_path),
                         .alive = strdup(worker->alive_path),
                         .host = strdup(host[0] ? host : "-"),
                         .supervisor = (size_t)getpid(),
                         .seed = worker->journal->grid->exact ? 0 : description->seed, /* see fill_job() */
                         .size = worker->batch->size,
                         .warmup = description->warmup,
                         .sync = conditions->sync,
                         .rule = {.least = description->least_repetitions,
                                  .most = description->most_repetitions,
                                  .precision = description->precision,
                                  .most_seconds = description->most_seconds},
                         .race = description->sweep.racing_margin,
                         .budget = budget};
    struct ct_text text = {0};
    int status = job.results && job.state && job.alive && job.host ? fill_job(worker, &job) : CT_E_MEMORY;
    if (status == CT_OK) {
        ct_job_write(&job, &text);
        status = text.failed ? CT_E_MEMORY : ct_file_write(worker->job_path, text.data, text.length, error);
    }
    ct_text_free(&text);
    ct_job_free(&job);
    return status;
}

/* Makes fresh files for this start. Ranks of the last one that are still there look for their own alive file,
 * which is gone. */
static int prepare_files(struct ct_sweep_worker *worker, struct ct_error *error)
{
    const struct ct_job_state nothing = {.cell = CT_JOB_NONE, .method = CT_JOB_NONE};
    if (worker->alive_path)
        unlink(worker->alive_path);
    free(worker->alive_path);
    worker->alive_path = ct_format("%s.%zu.alive", worker->prefix, worker->starts++);
    if (!worker->alive_path)
        return CT_E_MEMORY;
    ct_sweep_worker_say_alive(worker, 0);
    unlink(worker->log_path);
    int status = ct_file_write(worker->results_path, "", 0, error);
    return status == CT_OK ? ct_file_write(worker->state_path, (const char *)&nothing, sizeof nothing, error)
                           : status;
}

int ct_sweep_worker_start(struct ct_sweep_worker *worker, double budget, struct ct_error *error)
{
    const struct ct_sweep_conditions *conditions = worker->journal->conditions;
    const char *const command[] = {conditions->program, worker->job_path, NULL};
    assert(worker->batch && worker->process.id == 0);
    int status;
    if ((status = prepare_files(worker, error)) != CT_OK ||
        (status = write_job(worker, budget, error)) != CT_OK)
        return status;
    ct_text_free(&worker->results);
    worker->offset = 0;
    worker->beat = 0;
    worker->start_time = ct_monotonic_now();
    worker->silence = 0;
    worker->started = false;
    return ct_place_start(&conditions->place, worker->batch->size, command, worker->log_path, error,
                          &worker->process);
}

/* --- the job's report; measure/job.h describes it --- */

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

/* One cell: the lines from `cell` to before `done`. */
static int take_cell(struct ct_sweep_worker *worker, char *lines, struct ct_error *error)
{
    struct ct_sweep_grid *grid = worker->journal->grid;
    size_t id, nodes, ppn;
    char *rest = lines, *line = strsep(&rest, "\n");
    if (sscanf(line, "cell %zu %zu %zu", &id, &nodes, &ppn) != 3 || id >= grid->cell_count)
        return unexpected(worker, line, error);
    struct ct_sweep_cell *cell = &grid->cells[id];
    if (cell->done) /* see fill_job() */
        return CT_OK;
    struct ct_sample sample = {.launch = cell->launch, .key = cell->key};
    sample.key.nodes = nodes;
    sample.key.ppn = ppn;
    for (line = strsep(&rest, "\n"); line && *line; line = strsep(&rest, "\n")) {
        size_t method, rep = 0;
        sample.status = CT_SAMPLE_OK;
        if (sscanf(line, "ok %zu %zu %lf", &method, &rep, &sample.seconds) != 3) {
            if (sscanf(line, "wrong %zu", &method) != 1)
                return unexpected(worker, line, error);
            sample.status = CT_SAMPLE_WRONG;
            sample.seconds = NAN;
        }
        if (method >= worker->journal->conditions->description.method_count)
            return unexpected(worker, line, error);
        sample.rep = (uint32_t)rep;
        int status = ct_sweep_journal_add(worker->journal, cell, method, &sample, error);
        if (status != CT_OK)
            return status;
    }
    return ct_sweep_journal_close_cell(worker->journal, cell, &sample, error);
}

static int take_start(struct ct_sweep_worker *worker, const char *line, struct ct_error *error)
{
    size_t ranks;
    char time[8];
    if (sscanf(line, "%zu %7s", &ranks, time) != 2 ||
        (strcmp(time, "global") != 0 && strcmp(time, "local") != 0))
        return CT_E_INPUT;
    worker->started = true;
    worker->startup = ct_monotonic_now() - worker->start_time;
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

static int take_few(struct ct_sweep_worker *worker, const char *count, struct ct_error *error)
{
    bool one = strcmp(count, "1") == 0;
    return ct_fail(error, CT_E_SYSTEM, "the launcher '%s' gave %.20s rank%s where %zu were asked for%s",
                   worker->journal->conditions->place.launcher, count, one ? "" : "s", worker->batch->size,
                   one ? ": does it belong to the MPI that the program was compiled for?" : "");
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
    ct_sweep_journal_notice(journal,
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
    ct_sweep_journal_notice(journal, "the clock of rank %.0f jumped by %.2g s: the cell is measured again",
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
                 {.word = "clocks", .count = 3, .take_numbers = take_clocks},
                 {.word = "skew", .count = 2, .take_numbers = take_skew},
                 {.word = "late", .count = 2, .take_numbers = take_late},
                 {.word = "slow", .count = 2, .take_numbers = take_slow},
                 {.word = "jump", .count = 2, .take_numbers = take_jump}};
    size_t length = strcspn(line, " "), kind = 0;
    const char *rest = line + length + (line[length] == ' ');
    double numbers[NUMBERS_MAX];
    if (strcmp(line, "end") == 0)
        return CT_OK;
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
    int status = read_more(worker, error);
    char *at = worker->results.data, *newline;
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
    worker->results.length -= (size_t)(at - worker->results.data);
    memmove(worker->results.data, at, worker->results.length + 1);
    return CT_OK;
}

/* --- following --- */

/* Where the job is now. The file is opened each time, because a network file system may look at the other
 * host's file only then. A file that cannot be read names no method. */
static struct ct_job_state read_state(const struct ct_sweep_worker *worker)
{
    const struct ct_job_state nothing = {.cell = CT_JOB_NONE, .method = CT_JOB_NONE};
    struct ct_job_state state;
    int file = open(worker->state_path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : pread(file, &state, sizeof state, 0);
    if (file >= 0)
        close(file);
    return length == (ssize_t)sizeof state ? state : nothing;
}

/* The job's reason, for messages: the benchmark program's own line in the log, else its first line with a
 * letter in it, else "". The caller frees it. */
static char *find_reason(const struct ct_sweep_worker *worker)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char own[] = "colltune benchmark:";
    const char *reason = NULL;
    char *text;
    size_t length;
    if (ct_file_read(worker->log_path, NULL, &text, &length) != CT_OK)
        return strdup("");
    char *rest = text;
    for (const char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        bool is_own = strncmp(line, own, sizeof own - 1) == 0;
        if (is_own || (!reason && strpbrk(line, letters)))
            reason = line;
        if (is_own)
            break;
    }
    char *copy = strndup(reason ? reason : "", 300);
    free(text);
    return copy;
}

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
        ct_sweep_journal_notice(
            worker->journal, "%s %s with %u ranks and %zu bytes; the sweep continues without it there%s",
            spelling, how == CT_SAMPLE_HUNG ? "did not come back" : "ended the job", cell->key.comm_size,
            cell->key.msg_bytes, given_up ? ", and in all other cells: it has failed in three cells" : "");
        return CT_OK;
    }
    if (worker->started && ++worker->blanks < BLANKS_MAX)
        return CT_OK;
    char *reason = find_reason(worker);
    int status = ct_fail(error, CT_E_SYSTEM, "the benchmark job %s%s%s",
                         how == CT_SAMPLE_HUNG ? "gives no sign of life"
                         : worker->started     ? "ended early"
                                               : "did not start",
                         reason && *reason ? ": " : "", reason ? reason : "");
    free(reason);
    return status;
}

int ct_sweep_worker_follow(struct ct_sweep_worker *worker, double lost, struct ct_error *error,
                           bool *ret_ended)
{
    int ended = 0, code = 0;
    int status = ct_process_poll(&worker->process, &ended, &code);
    if (status != CT_OK)
        return ct_fail(error, status, "the benchmark job was lost");
    status = take_report(worker, error);
    if (status != CT_OK)
        return status;
    /* On a busy machine the job does not get on either while the supervisor does not: only time in which the
     * supervisor could have seen a beat counts as silence. */
    const struct ct_job_state state = read_state(worker);
    worker->silence = state.beat == worker->beat ? worker->silence + fmin(lost, look_seconds) : 0;
    worker->beat = state.beat;
    if (ended) {
        bool left;
        status = ct_sweep_journal_close_exhausted(worker->journal, worker->batch, error, &left);
        /* Ranks end by themselves when the supervisor was stopped for long: that is no method's fault. */
        if (status == CT_OK && left && lost <= pause_seconds)
            status = blame(worker, &state, CT_SAMPLE_CRASHED, error);
        *ret_ended = true;
        return status;
    }
    double patience = worker->journal->conditions->timeout;
    if (!worker->started && patience < start_seconds)
        patience = start_seconds;
    *ret_ended = worker->silence > patience;
    if (!*ret_ended)
        return CT_OK;
    end(worker);
    status = take_report(worker, error);
    return status == CT_OK ? blame(worker, &state, CT_SAMPLE_HUNG, error) : status;
}
