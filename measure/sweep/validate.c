/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/validate.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "measure/backend/compile.h"
#include "measure/backend/kept.h"
#include "measure/sweep/job_pattern.h"
#include "measure/sweep/watched_job.h"
#include "measure/validation_side.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POLL_MILLISECONDS = 10, GIVE_UP = 3, BLANKS_MAX = 2 };

struct validating {
    const struct ct_validation_request *request;
    const struct ct_watch *watch;
    struct ct_place place;
    char *folder;
    char *program;
    struct ct_watched_job job;
    bool *settled; /* by cell: measured, wrong or left out */
    size_t settled_count;
    size_t passed_over; /* points of modes that are through, whose time was used up */
    size_t failures[CT_MODES][CT_COLLECTIVES];
    enum ct_call_mode mode; /* of the job */
    bool started;           /* the job has reported its start */
    bool ended;             /* and its end */
    size_t blanks;          /* failures in a row in which no point was in flight */
    double begun;
    struct ct_validation_summary summary;
};

enum { POINT_TEXT = 160, PATTERN_SHOWN = 60 };

/* "bcast of 8 bytes on 4 ranks, root 2", "nonblocking barrier on 2 ranks",
 * "neighbor_alltoall of 8 bytes on 4 ranks with moore:d=1,r=1" */
static const char *name_point(const struct ct_validation_cell *cell, char text[POINT_TEXT])
{
    const struct ct_collective_description *collective = &ct_collectives[cell->collective];
    const bool has_mode = cell->key.mode != CT_MODE_BLOCKING;
    char root[24] = "";
    if (cell->key.root > 0)
        snprintf(root, sizeof root, ", root %u", cell->key.root);
    const char *mode = has_mode ? ct_mode_names[cell->key.mode] : "", *blank = has_mode ? " " : "";
    if (cell->pattern)
        snprintf(text, POINT_TEXT, "%s%s%s of %zu byte%s on %u ranks with %.*s", mode, blank,
                 collective->name, cell->key.msg_bytes, ct_s(cell->key.msg_bytes), cell->key.comm_size,
                 PATTERN_SHOWN, cell->pattern);
    else if (collective->has_size)
        snprintf(text, POINT_TEXT, "%s%s%s of %zu byte%s on %u ranks%s", mode, blank, collective->name,
                 cell->key.msg_bytes, ct_s(cell->key.msg_bytes), cell->key.comm_size, root);
    else
        snprintf(text, POINT_TEXT, "%s%s%s on %u ranks", mode, blank, collective->name, cell->key.comm_size);
    return text;
}

static size_t points_left(const struct validating *now, enum ct_call_mode mode)
{
    size_t left = 0;
    for (size_t i = 0; i < now->request->cell_count; i++)
        left += !now->settled[i] && now->request->cells[i].key.mode == mode;
    return left;
}

/* --- starting --- */

/* A folder that all hosts see, as far as we know one. */
static int make_folder(struct validating *now, struct ct_error *error)
{
    char *whole = realpath(now->request->prefix, NULL);
    now->folder = whole ? ct_format("%s/.validation-XXXXXX", whole) : NULL;
    free(whole);
    if (now->folder && mkdtemp(now->folder))
        return CT_OK;
    free(now->folder);
    now->folder = NULL;
    return ct_folder_temporary(error, &now->folder);
}

/* What is the same for all libraries is compiled once. */
static int compile(struct validating *now, struct ct_error *error)
{
    char *object;
    int status =
        ct_mpi_keep(&now->place.mpi, CT_PROGRAM_OBJECT, "validation", NULL, now->watch, error, &object);
    if (status != CT_OK)
        return status;
    /* The simulator's header declares weak functions, for which the linker takes nothing from an archive. */
    const char *const extra[] = {"-Wl,-u,MPI_Init", object, now->request->library, NULL};
    now->program = ct_format("%s/validation", now->folder);
    const struct ct_compilation what = {.product = CT_PROGRAM, .extra = extra, .output = now->program};
    status = now->program ? ct_mpi_compile(&now->place.mpi, &what, now->watch, error) : CT_E_MEMORY;
    free(object);
    return status;
}

/* The points of the mode that are left. A cell of a job has at least one method: native; the known one
 * follows. */
static int fill_job(const struct validating *now, struct ct_job *job, struct ct_error *error)
{
    size_t index[CT_COLLECTIVES];
    bool added[CT_COLLECTIVES] = {false};
    for (size_t i = 0; i < now->request->cell_count; i++) {
        const struct ct_validation_cell *cell = &now->request->cells[i];
        struct ct_job_cell point = {.id = i, .collective = cell->collective, .key = cell->key};
        struct ct_method native;
        int status = CT_OK;
        if (now->settled[i] || cell->key.mode != now->mode)
            continue;
        if (!added[cell->collective]) {
            status = ct_method_parse("native", cell->collective, NULL, &native);
            index[cell->collective] = job->method_count;
            added[cell->collective] = true;
            if (status != CT_OK || (status = ct_job_add_method(job, &native)) != CT_OK)
                return status;
        }
        if (cell->pattern && (status = ct_job_pattern_of(job, cell->pattern, (int)cell->key.comm_size, error,
                                                         &point.pattern)) != CT_OK)
            return status;
        if ((status = ct_job_add_cell(job, &point)) != CT_OK ||
            (status = ct_job_add_index(job, index[cell->collective])) != CT_OK)
            return status;
        if (cell->known.algorithm && ((status = ct_job_add_method(job, &cell->known)) != CT_OK ||
                                      (status = ct_job_add_index(job, job->method_count - 1)) != CT_OK))
            return status;
        job->size = cell->key.comm_size > job->size ? cell->key.comm_size : job->size;
    }
    return CT_OK;
}

static int start_job(struct validating *now, struct ct_error *error)
{
    const struct ct_validation_request *request = now->request;
    struct ct_job job = {.sync = request->sync, .mode = now->mode, .rule.most_seconds = request->seconds};
    if (now->mode != CT_MODE_BLOCKING) {
        job.compute = request->compute;
        job.tests = request->tests;
    }
    if (request->budget > 0) {
        const double left = fmax(request->budget - (ct_monotonic_now() - now->begun), 1e-3);
        const size_t points = request->cell_count - now->settled_count - now->passed_over;
        job.budget = left * (double)points_left(now, now->mode) / (double)points;
    }
    int status = fill_job(now, &job, error);
    now->started = now->ended = false;
    if (status == CT_OK)
        status = ct_watched_job_start(&now->job, &now->place, now->program, &job, error);
    ct_job_free(&job);
    return status;
}

/* --- results --- */

static void settle(struct validating *now, size_t id)
{
    now->settled[id] = true;
    now->settled_count++;
    now->blanks = 0;
}

static bool is_overlap(const struct ct_overlap *overlap)
{
    return overlap->computation > 0 && overlap->completion > 0 && overlap->in_mpi > 0 &&
           overlap->hidden >= 0 && overlap->hidden <= 1;
}

/* What calls overlapped that are not blocking. */
static int take_overlaps(const char *text, struct ct_validation_result *result)
{
    struct ct_overlap *tuned = &result->tuned_overlap, *native = &result->native_overlap;
    char extra;
    if (sscanf(text, "%lf %lf %lf %lf %lf %lf %lf%c", &tuned->computation, &tuned->completion, &tuned->in_mpi,
               &tuned->hidden, &native->completion, &native->in_mpi, &native->hidden, &extra) != 7)
        return CT_E_INPUT;
    native->computation = tuned->computation;
    return is_overlap(tuned) && is_overlap(native) ? CT_OK : CT_E_INPUT;
}

static int take_point(struct validating *now, char *line)
{
    struct ct_validation_result result = {.cell = NULL};
    char method[CT_METHOD_TEXT];
    int end;
    size_t id;
    int length;
    if (sscanf(line, "%zu %n", &id, &length) != 1 || id >= now->request->cell_count || now->settled[id])
        return CT_E_INPUT;
    size_t spelling = strcspn(line + length, " ");
    if (spelling >= sizeof method)
        return CT_E_INPUT;
    snprintf(method, spelling + 1, "%s", line + length);
    const char *rest = line + length + spelling;
    if (sscanf(rest, "%lf %lf %lf %lf%n", &result.tuned, &result.native, &result.low, &result.high, &end) !=
        4)
        return CT_E_INPUT;
    result.cell = &now->request->cells[id];
    if (result.cell->key.mode == CT_MODE_BLOCKING ? rest[end] != '\0'
                                                  : take_overlaps(rest + end, &result) != CT_OK)
        return CT_E_INPUT;
    result.method = method;
    /* The interval is that of the blocks' median; it is not to exclude the ratio of the medians. */
    result.low = fmin(result.low, result.native / result.tuned);
    result.high = fmax(result.high, result.native / result.tuned);
    settle(now, id);
    now->summary.measured++;
    now->request->result(now->request->context, &result);
    return CT_OK;
}

static int take_same(struct validating *now, char *line)
{
    size_t id;
    if (sscanf(line, "%zu", &id) != 1 || id >= now->request->cell_count || now->settled[id] ||
        !now->request->cells[id].known.algorithm)
        return CT_E_INPUT;
    settle(now, id);
    now->summary.known++;
    const struct ct_validation_result result = {.cell = &now->request->cells[id]};
    now->request->result(now->request->context, &result);
    return CT_OK;
}

static int take_wrong(struct validating *now, char *line)
{
    size_t id;
    if (sscanf(line, "%zu", &id) != 1 || id >= now->request->cell_count || now->settled[id])
        return CT_E_INPUT;
    settle(now, id);
    now->summary.wrong++;
    return CT_OK;
}

static int take_start(struct validating *now, char *line)
{
    (void)line;
    now->started = true;
    return CT_OK;
}

static int take_end(struct validating *now, char *line)
{
    (void)line;
    now->ended = true;
    return CT_OK;
}

static int take_slow(struct validating *now, char *line)
{
    ct_watch_notice(now->watch, "rank %.*s is far slower than the median rank: every collective waits for it",
                    (int)strcspn(line, " "), line);
    return CT_OK;
}

static int pass_over(struct validating *now, char *line)
{
    (void)now;
    (void)line;
    return CT_OK;
}

static int take_line(struct validating *now, char *line, struct ct_error *error)
{
    static const struct {
        const char *word;
        int (*take)(struct validating *, char *rest);
    } kinds[] = {{"point", take_point}, {"same", take_same},  {"wrong", take_wrong}, {"start", take_start},
                 {"end", take_end},     {"slow", take_slow},  {"ranks", pass_over},  {"clocks", pass_over},
                 {"jump", pass_over},   {"yield", pass_over}, {"node", pass_over}};
    char *rest = line;
    const char *word = strsep(&rest, " ");
    static char nothing[] = "";
    if (strcmp(word, "few") == 0)
        return ct_fail(
            error, CT_E_SYSTEM,
            "the launcher '%s' gave %.20s ranks where more were asked for: does it belong to the MPI "
            "of the library?",
            now->place.launcher, rest ? rest : nothing);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].word, word) == 0 && kinds[i].take(now, rest ? rest : nothing) == CT_OK)
            return CT_OK;
    return ct_fail(error, CT_E_SYSTEM, "unexpected line '%.40s' from the validation program", word);
}

static int take_report(struct validating *now, struct ct_error *error)
{
    char *at = now->job.results.data, *newline;
    int status = CT_OK;
    if (!at)
        return CT_OK;
    for (; status == CT_OK && (newline = strchr(at, '\n')); at = newline + 1) {
        *newline = '\0';
        status = take_line(now, at, error);
    }
    ct_watched_job_use_up(&now->job, at);
    return status;
}

/* Hands on what the program has printed about wrong results. */
static void tell_wrong(const struct validating *now)
{
    const size_t length = strlen(CT_VALIDATION_WRONG);
    char *text;
    size_t size;
    if (ct_file_read(now->job.log_path, NULL, &text, &size) != CT_OK)
        return;
    char *rest = text;
    for (const char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        const char *wrong = strstr(line, CT_VALIDATION_WRONG); /* launchers may name the rank in front */
        if (wrong)
            ct_watch_notice(now->watch, "%s", wrong + length);
    }
    free(text);
}

/* --- failures --- */

/* Leaves out all other points of the collective in the job's mode. */
static void give_up(struct validating *now, enum ct_collective collective)
{
    size_t others = 0;
    for (size_t i = 0; i < now->request->cell_count; i++)
        if (now->request->cells[i].collective == collective && now->request->cells[i].key.mode == now->mode &&
            !now->settled[i]) {
            settle(now, i);
            others++;
        }
    now->summary.left_out += others;
    if (others > 0)
        ct_watch_notice(now->watch, "%s has failed at three points: its other %zu are left out, too",
                        ct_collectives[collective].name, others);
}

/* Leaves out the point that was in flight. */
static int blame(struct validating *now, const struct ct_job_state *state, bool hung, struct ct_error *error)
{
    if (now->started && state->cell < now->request->cell_count && !now->settled[state->cell] &&
        state->method < CT_VALIDATION_SIDES) {
        const struct ct_validation_cell *cell = &now->request->cells[state->cell];
        char text[POINT_TEXT];
        settle(now, state->cell);
        now->summary.left_out++;
        ct_watch_notice(now->watch, "%s: %s %s; this point is left out", name_point(cell, text),
                        ct_validation_sides[state->method], hung ? "hangs" : "ended the job");
        if (++now->failures[now->mode][cell->collective] == GIVE_UP)
            give_up(now, cell->collective);
        return CT_OK;
    }
    if (now->started && ++now->blanks < BLANKS_MAX)
        return CT_OK;
    return ct_watched_job_fail(&now->job, "validation", now->started, hung, error);
}

/* --- following --- */

static void show_progress(const struct validating *now, const struct ct_job_state *state)
{
    char text[POINT_TEXT] = "";
    if (state->cell < now->request->cell_count)
        name_point(&now->request->cells[state->cell], text);
    ct_watch_progress(now->watch, &(struct ct_progress){.what = "validating",
                                                        .units = "points",
                                                        .done = now->settled_count,
                                                        .total = now->request->cell_count,
                                                        .note = text});
}

/* Follows one job to its end, or to where it hangs. */
static int follow(struct validating *now, double patience, struct ct_error *error)
{
    const struct timespec nap = {.tv_nsec = POLL_MILLISECONDS * 1000000L};
    double last = ct_monotonic_now(), alive = last;
    for (;;) {
        struct ct_job_state state;
        double time = ct_monotonic_now();
        bool ended;
        int code, status = ct_watched_job_look(&now->job, time - last, error, &ended, &code, &state);
        if (status == CT_OK)
            status = take_report(now, error);
        if (status != CT_OK)
            return status;
        last = time;
        show_progress(now, &state);
        if (!ended && now->ended)
            ended = ct_watched_job_lingers(&now->job);
        if (ended)
            return now->ended ? CT_OK : blame(now, &state, false, error);
        if (ct_watch_is_stopped(now->watch))
            return ct_fail(error, CT_E_STOPPED, "stopped after %zu of %zu point%s", now->summary.measured,
                           now->request->cell_count, ct_s(now->request->cell_count));
        if (ct_watched_job_hangs(&now->job, patience, now->started)) {
            ct_watched_job_end(&now->job);
            if ((status = ct_watched_job_read(&now->job, error)) != CT_OK ||
                (status = take_report(now, error)) != CT_OK)
                return status;
            return blame(now, &state, true, error);
        }
        if (time - alive >= 1) {
            ct_watched_job_say_alive(&now->job, time);
            alive = time;
        }
        nanosleep(&nap, NULL);
    }
}

/* Jobs until all points of the mode are settled, or the budget is used up. */
static int run_mode(struct validating *now, double patience, struct ct_error *error)
{
    int status = CT_OK;
    now->ended = false;
    while (status == CT_OK && !now->ended && points_left(now, now->mode) > 0) {
        if ((status = start_job(now, error)) == CT_OK)
            status = follow(now, patience, error);
        ct_watched_job_end(&now->job);
        tell_wrong(now);
    }
    now->passed_over += points_left(now, now->mode);
    return status;
}

static int run_jobs(struct validating *now, struct ct_error *error)
{
    double patience = now->request->timeout > 0 ? now->request->timeout : now->place.backend->timeout;
    int status = CT_OK;
    if (now->request->compute >= patience)
        return ct_fail(error, CT_E_INPUT,
                       "--compute: a call with %g s of computation beside it counts as hung after %g s; "
                       "expected less computation, or a longer --timeout",
                       now->request->compute, patience);
    now->begun = ct_monotonic_now();
    for (int mode = 0; status == CT_OK && mode < CT_MODES; mode++) {
        now->mode = (enum ct_call_mode)mode;
        status = run_mode(now, patience, error);
    }
    now->summary.skipped = now->passed_over;
    return status;
}

int ct_validate(const struct ct_validation_request *request, const struct ct_watch *watch,
                struct ct_error *error, struct ct_validation_summary *ret_summary)
{
    struct validating now = {.request = request, .watch = watch};
    int status;
    now.settled = ct_allocate(request->cell_count, sizeof *now.settled);
    if (!now.settled)
        return CT_E_MEMORY;
    if ((status = ct_place_open(&request->place, error, &now.place)) != CT_OK ||
        (status = make_folder(&now, error)) != CT_OK || (status = compile(&now, error)) != CT_OK ||
        (status = ct_watched_job_open(now.folder, 0, &now.job)) != CT_OK)
        goto done;
    status = run_jobs(&now, error);
    if (status == CT_OK)
        *ret_summary = now.summary;
done:
    ct_watched_job_close(&now.job);
    if (now.folder)
        ct_remove_all(now.folder, NULL);
    ct_place_close(&now.place);
    free(now.settled);
    free(now.folder);
    free(now.program);
    return status;
}
