/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_conditions.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "measure/backend/backend.h"
#include "measure/backend/machine.h"
#include "measure/sweep/conditions_what.h"
#include "measure/sweep/conditions_where.h"
#include "samples/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double default_budget = 600, default_precision = 0.05;

/* Every method gets at least so many seconds in each cell, whatever the budget. */
static const double least_seconds = 0.002;

/* A budget that leaves a method less than this in a cell is too small to measure all of them: five
 * repetitions of a call that takes two milliseconds. */
static const double enough_seconds = 0.01;

/* A method is given up when it is significantly slower than the best one by more than this margin, within
 * which methods count as equally good. */
static const double racing_margin = 0.05;

struct ct_sweep_division ct_sweep_conditions_division(const struct ct_sweep_conditions *conditions)
{
    const size_t nodes = conditions->nodes.count;
    return (struct ct_sweep_division){.exact = conditions->place.backend->exact,
                                      .datatype = conditions->datatype,
                                      .operation = conditions->operation,
                                      .roots = conditions->roots,
                                      .root_count = conditions->root_count,
                                      .placements = &conditions->placements,
                                      .divided_below = nodes > 0 ? nodes / 2 * conditions->place.ppn + 1 : 0};
}

/* --- how often --- */

double ct_sweep_conditions_at_a_time(const struct ct_sweep_conditions *conditions,
                                     const struct ct_sweep_grid *grid)
{
    double slots = 0, of_nodes = 0;
    for (size_t i = 0; i < grid->batch_count; i++) {
        const struct ct_sweep_batch *batch = &grid->batches[i];
        const double own = (double)ct_sweep_grid_slots_left(grid, batch->first, batch->count);
        slots += own;
        of_nodes += own * (double)ct_sweep_conditions_nodes(conditions, batch->size);
    }
    return of_nodes > 0 ? slots * (double)conditions->nodes.count / of_nodes : 1;
}

/* Divides the budget evenly among all methods of all cells. */
static int share_budget(const struct ct_making_conditions *making, double budget, double *ret_seconds)
{
    struct ct_sweep_grid grid;
    const struct ct_sweep_division division = ct_sweep_conditions_division(making->conditions);
    int status = ct_sweep_grid_make(making->description, &division, making->error, &grid);
    if (status != CT_OK)
        return status;
    budget *= ct_sweep_conditions_at_a_time(making->conditions, &grid);
    *ret_seconds = fmax(budget / (double)grid.slot_count, least_seconds);
    ct_sweep_grid_free(&grid);
    return CT_OK;
}

static int choose_rules(const struct ct_making_conditions *making)
{
    const struct ct_sweep_request *request = making->request;
    struct ct_run_description *description = making->description;
    const struct ct_backend *backend = making->conditions->place.backend;
    const struct ct_run_description usual = {.launches = backend->launches,
                                             .seed = 1,
                                             .warmup = backend->warmup,
                                             .least_repetitions = backend->least_repetitions,
                                             .most_repetitions = backend->most_repetitions,
                                             .precision = default_precision};
    const struct ct_run_description *from = making->before ? making->before : &usual;
    if (backend->exact && request->budget > 0)
        return ct_fail(making->error, CT_E_INPUT, "--budget has no meaning on a simulated machine");
    if (backend->exact && request->launches > 1)
        return ct_fail(making->error, CT_E_INPUT,
                       "--launches %zu: expected 1, since simulated times are exact", request->launches);
    description->launches = request->launches ? request->launches : from->launches;
    description->seed = request->has_seed ? request->seed : from->seed;
    description->warmup = from->warmup;
    description->least_repetitions = from->least_repetitions;
    description->most_repetitions = from->most_repetitions;
    description->precision = request->precision > 0 ? request->precision : from->precision;
    description->most_seconds = from->most_seconds;
    if (request->most_repetitions && !backend->exact) {
        description->most_repetitions = request->most_repetitions;
        if (description->least_repetitions > request->most_repetitions)
            description->least_repetitions = request->most_repetitions;
    }
    return making->before ? CT_OK
                          : share_budget(making, request->budget > 0 ? request->budget : default_budget,
                                         &description->most_seconds);
}

/* --- saving time --- */

/* Notes the prior with a checksum of its samples: another prior would lead to other cells. */
static int choose_prior(const char *prior, struct ct_error *error, struct ct_sweep_state *state)
{
    char checksum[CT_CHECKSUM_TEXT], *samples = ct_format("%s/samples.csv", prior);
    int status = samples ? ct_run_check(prior, error) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_file_checksum(samples, error, checksum);
    free(samples);
    if (status != CT_OK)
        return ct_fail_in(error, status, "--prior");
    state->prior = strdup(prior);
    state->prior_sha256 = strdup(checksum);
    return state->prior && state->prior_sha256 ? CT_OK : CT_E_MEMORY;
}

/* Which cells are worth measuring is predicted without regard to the root. */
static bool has_roots(const struct ct_sweep_state *state)
{
    return state->root && strchr(state->root, ',');
}

int ct_sweep_choose_saving(const struct ct_sweep_request *request, const struct ct_sweep_state *before,
                           bool exact, double method_seconds, struct ct_error *error,
                           struct ct_sweep_state *state)
{
    const char *prior = request->prior;
    if (request->cells != CT_SWEEP_CELLS_USUAL)
        state->guided = request->cells == CT_SWEEP_CELLS_GUIDED;
    else
        state->guided = before
                            ? before->guided
                            : !exact && !state->cells && !has_roots(state) && method_seconds < enough_seconds;
    if (!prior && before && state->guided)
        prior = before->prior;
    if (prior && !state->guided)
        return ct_fail(error, CT_E_INPUT,
                       "--prior has no meaning when all cells are measured: expected --guided, too");
    state->racing_margin = before ? before->racing_margin : exact ? 0 : racing_margin;
    if (request->no_racing)
        state->racing_margin = 0;
    state->budget = before ? before->budget : 0;
    if (request->budget > 0 && request->point_count == 0)
        state->budget = request->budget;
    else if (!before && request->cells == CT_SWEEP_CELLS_USUAL && state->guided)
        state->budget = default_budget;
    return prior ? choose_prior(prior, error, state) : CT_OK;
}

/* --- all --- */

/* Simulated ranks fill up one host after the other; sweep_journal.c notes the nodes of real ones. */
static int describe_nodes(const struct ct_place *place, struct ct_run_description *description)
{
    size_t most = 0, ppn = place->ppn;
    char text[64];
    for (size_t i = 0; i < description->comm_size_count; i++)
        most = description->comm_sizes[i] > most ? description->comm_sizes[i] : most;
    size_t full = most / ppn, rest = most % ppn;
    if (full > 0 && rest > 0)
        snprintf(text, sizeof text, "%zu*%zu,1*%zu", full, ppn, rest);
    else
        snprintf(text, sizeof text, "%zu*%zu", full > 0 ? full : 1, full > 0 ? ppn : rest);
    return ct_run_add_property(description, "nodes.ranks", text);
}

static int describe(const struct ct_making_conditions *making)
{
    struct ct_run_description *description = making->description;
    const struct ct_place *place = &making->conditions->place;
    int status = ct_run_stamp(description);
    if (status != CT_OK)
        return status;
    status = ct_place_describe(place, making->error, description);
    return status == CT_OK && place->backend->exact && place->ppn && !description->sweep.placements
               ? describe_nodes(place, description)
               : status;
}

static bool same_bytes(const void *a, size_t a_count, const void *b, size_t b_count, size_t size)
{
    return a_count == b_count && (a_count == 0 || memcmp(a, b, a_count * size) == 0);
}

static bool same_patterns(const struct ct_run_description *a, const struct ct_run_description *b)
{
    if (a->pattern_count != b->pattern_count)
        return false;
    for (size_t i = 0; i < a->pattern_count; i++)
        if (strcmp(a->patterns[i], b->patterns[i]) != 0)
            return false;
    return true;
}

static bool same_methods(const struct ct_run_description *a, const struct ct_run_description *b)
{
    if (a->method_count != b->method_count)
        return false;
    for (size_t i = 0; i < a->method_count; i++)
        if (!ct_method_equal(&a->methods[i], &b->methods[i]))
            return false;
    return true;
}

/* A run has one set of conditions: what is added to it later must be measured under the same. */
static int check_same(const struct ct_making_conditions *making)
{
    const struct ct_run_description *before = making->before, *now = making->description;
    const char *folder = making->request->folder;
    const struct {
        const char *name;
        bool same;
    } parts[] = {
        {"other collectives", same_bytes(before->collectives, before->collective_count, now->collectives,
                                         now->collective_count, sizeof *now->collectives)},
        {"other communicator sizes", same_bytes(before->comm_sizes, before->comm_size_count, now->comm_sizes,
                                                now->comm_size_count, sizeof *now->comm_sizes)},
        {"other message sizes", same_bytes(before->msg_sizes, before->msg_size_count, now->msg_sizes,
                                           now->msg_size_count, sizeof *now->msg_sizes)},
        {"other patterns", same_patterns(before, now)},
        {"other methods", same_methods(before, now)},
        {"another number of launches", before->launches == now->launches},
        {"another mode", ct_run_mode(before, 0) == ct_run_mode(now, 0)},
        {"another seed", before->seed == now->seed},
        {"another precision", before->precision == now->precision},
        {"another number of repetitions", before->most_repetitions == now->most_repetitions},
    };
    if (strcmp(before->backend, now->backend) != 0 || strcmp(before->launcher, now->launcher) != 0)
        return ct_fail(making->error, CT_E_INPUT,
                       "%s: was begun on the %s machine with '%s', not on the %s machine with '%s': measure "
                       "into a new folder",
                       folder, before->backend, before->launcher, now->backend, now->launcher);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!parts[i].same)
            return ct_fail(making->error, CT_E_INPUT,
                           "%s: was begun with %s: leave the option out, or measure into a new folder",
                           folder, parts[i].name);
    int status = ct_sweep_state_check(&before->sweep, &now->sweep, folder, making->error);
    if (status == CT_OK && ct_run_property(now, "platform.cores") &&
        !ct_run_property(before, "platform.cores"))
        status = ct_fail(making->error, CT_E_INPUT,
                         "%s: was begun with one core on each simulated host, whose ranks reduced and copied "
                         "in turn: measure into a new folder",
                         folder);
    return status;
}

/* Can the run be continued at all? */
static int check_resumable(const struct ct_run_description *before, const char *folder,
                           struct ct_error *error)
{
    char spelling[CT_METHOD_TEXT];
    if (!before->sweep.sync)
        return ct_fail(error, CT_E_INPUT, "%s: no sweep made this run: it cannot be resumed", folder);
    for (size_t i = 0; i < before->method_count; i++)
        if (ct_is_foreign(before->methods[i].algorithm))
            return ct_fail(error, CT_E_INPUT,
                           "%s: holds %s, which colltune cannot carry out: it cannot be resumed", folder,
                           ct_method_format(&before->methods[i], true, spelling));
    return CT_OK;
}

int ct_sweep_conditions_make(const struct ct_sweep_request *request, const struct ct_run_description *before,
                             struct ct_error *error, struct ct_sweep_conditions *ret_conditions)
{
    struct ct_sweep_conditions conditions = {0};
    const struct ct_making_conditions making = {request, before, &conditions, &conditions.description, error};
    int status = before ? check_resumable(before, request->folder, error) : CT_OK;
    if (status != CT_OK)
        return status;
    if ((status = ct_conditions_choose_where(&making)) != CT_OK ||
        (status = ct_conditions_choose_what(&making)) != CT_OK || (status = choose_rules(&making)) != CT_OK ||
        (status = describe(&making)) != CT_OK)
        goto failed;
    const struct ct_backend *backend = conditions.place.backend;
    if ((status = ct_sweep_choose_saving(request, before ? &before->sweep : NULL, backend->exact,
                                         conditions.description.most_seconds, error,
                                         &conditions.description.sweep)) != CT_OK ||
        (before && (status = check_same(&making)) != CT_OK))
        goto failed;
    *ret_conditions = conditions;
    return CT_OK;
failed:
    ct_sweep_conditions_free(&conditions);
    return status;
}

void ct_sweep_conditions_free(struct ct_sweep_conditions *conditions)
{
    ct_run_description_free(&conditions->description);
    ct_place_close(&conditions->place);
    ct_node_pool_free(&conditions->nodes);
    ct_placements_free(&conditions->placements);
    free(conditions->program);
    free(conditions->roots);
    *conditions = (struct ct_sweep_conditions){0};
}
