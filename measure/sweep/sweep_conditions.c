/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_conditions.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "measure/backend/asked_channel.h"
#include "measure/backend/machine.h"
#include "measure/sweep/method_list.h"
#include "plan/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 2^k and 3 * 2^k, of which reductions of doubles take all: two thirds of the loss in calls between the
 * measured sizes comes from measuring powers of two alone. */
static const char default_msg_sizes[] = CT_SWEEP_MSG_SIZES;
static const double default_budget = 600, default_precision = 0.05;
enum { LEAST_RANKS = 8, SIMULATED_RANKS = 256, RANKS_MAX = 1 << 20, RANKS_OF_A_CPU = 16 };

/* Every method gets at least so many seconds in each cell, whatever the budget. */
static const double least_seconds = 0.002;

/* A budget that leaves a method less than this in a cell is too small to measure all of them: five
 * repetitions of a call that takes two milliseconds. */
static const double enough_seconds = 0.01;

/* A method is given up when it is significantly slower than the best one by more than this margin, within
 * which methods count as equally good. */
static const double racing_margin = 0.05;

struct making {
    const struct ct_sweep_request *request;
    const struct ct_run_description *before;
    struct ct_sweep_conditions *conditions;
    struct ct_run_description *description;
    struct ct_error *error;
};

/* --- where --- */

/* Opens the place that the request names, and where it leaves something open, the place of the run before. */
static int choose_place(const struct making *making)
{
    struct ct_place_request place = making->request->place;
    const struct ct_run_description *before = making->before;
    if (before) {
        const struct ct_sweep_state *state = &before->sweep;
        bool was_simulated = strcmp(before->backend, ct_backend_simulated.name) == 0;
        if (!place.simulate && !place.launcher && was_simulated)
            place.simulate = before->launcher;
        if (!place.simulate && !place.launcher)
            place.launcher = before->launcher;
        if (!place.cc && !place.mpi)
            place.cc = state->cc;
        if (!place.mpi)
            place.mpi = state->mpi;
        if (!place.hostfile)
            place.hostfile = state->hostfile;
        if (!place.simulator_options)
            place.simulator_options = state->simulator_options;
        if (!place.ppn)
            place.ppn = state->ppn;
    }
    return ct_place_open(&place, making->error, &making->conditions->place);
}

/* The nodes of jobs that run side by side. */
static int choose_nodes(const struct making *making)
{
    const struct ct_place *place = &making->conditions->place;
    const char *sync = making->before ? making->before->sweep.sync : NULL;
    if (!making->request->side_by_side)
        return CT_OK;
    if (place->backend->exact)
        return ct_fail(making->error, CT_E_INPUT,
                       "--side-by-side has no meaning on a simulated machine, whose jobs always run so");
    if (!place->hostfile || place->ppn == 0)
        return ct_fail(making->error, CT_E_INPUT,
                       "--side-by-side: expected --hostfile FILE and --ppn N, too");
    if (sync && strcmp(sync, ct_sync_modes[CT_SYNC_AUTO].name) == 0)
        return ct_fail(
            making->error, CT_E_INPUT,
            "--side-by-side: %s was begun with --sync auto, under which jobs on one node time calls "
            "otherwise than those on several: leave the option out, or measure into a new folder",
            making->request->folder);
    return ct_node_pool_read(place->hostfile, making->error, &making->conditions->nodes);
}

struct ct_sweep_division ct_sweep_conditions_division(const struct ct_sweep_conditions *conditions)
{
    const size_t nodes = conditions->nodes.count;
    return (struct ct_sweep_division){.exact = conditions->place.backend->exact,
                                      .datatype = conditions->datatype,
                                      .operation = conditions->operation,
                                      .roots = conditions->roots,
                                      .root_count = conditions->root_count,
                                      .divided_below = nodes > 0 ? nodes / 2 * conditions->place.ppn + 1 : 0};
}

size_t ct_sweep_conditions_nodes(const struct ct_sweep_conditions *conditions, size_t ranks)
{
    const size_t ppn = conditions->place.ppn;
    return conditions->nodes.count > 0 ? ranks / ppn + (ranks % ppn > 0) : 0;
}

static int choose_timeout(const struct making *making)
{
    const double timeout = making->request->timeout;
    making->conditions->timeout = timeout > 0 ? timeout : making->conditions->place.backend->timeout;
    return CT_OK;
}

static int choose_sync(const struct making *making)
{
    struct ct_sweep_conditions *conditions = making->conditions;
    /* Jobs on one node and jobs on several take times alike. */
    const enum ct_sync usual = conditions->nodes.count > 0 ? CT_SYNC_BARRIER : CT_SYNC_AUTO;
    const char *name = making->request->sync;
    if (!name)
        name = making->before ? making->before->sweep.sync : ct_sync_modes[usual].name;
    conditions->sync = ct_sync_find(name);
    if (conditions->sync == CT_SYNCS)
        return ct_fail(making->error, CT_E_INPUT, "--sync %s: expected one of %s", name, ct_sync_names);
    const char *start = conditions->place.backend->sync;
    if (start && conditions->sync != CT_SYNC_AUTO)
        return ct_fail(making->error, CT_E_INPUT,
                       "--sync %s has no meaning there: simulated ranks start at the same moment", name);
    making->description->sync = strdup(start ? start : ct_sync_modes[conditions->sync].start);
    making->description->sweep.sync = strdup(name);
    return making->description->sync && making->description->sweep.sync ? CT_OK : CT_E_MEMORY;
}

/* Calls that are not blocking: which, and what is computed beside them. */
static int choose_mode(const struct making *making)
{
    const struct ct_sweep_request *request = making->request;
    const struct ct_run_description *before = making->before;
    struct ct_run_description *description = making->description;
    struct ct_sweep_state *state = &description->sweep;
    const size_t mode = request->has_mode ? (size_t)request->mode : before ? ct_run_mode(before, 0) : 0;
    const char *name = ct_mode_names[mode];
    if (mode == CT_MODE_BLOCKING && (request->compute > 0 || request->has_tests))
        return ct_fail(making->error, CT_E_INPUT,
                       "--%s has no meaning for blocking calls: expected --mode nonblocking or "
                       "persistent, too",
                       request->compute > 0 ? "compute" : "tests");
    if (mode == CT_MODE_BLOCKING)
        return CT_OK;
    if (making->conditions->place.backend->exact)
        return ct_fail(making->error, CT_E_INPUT, "--mode %s: cannot be simulated; expected a real machine",
                       name);
    state->compute = request->compute > 0 ? request->compute : before ? before->sweep.compute : 0;
    state->tests = request->has_tests ? request->tests : before ? before->sweep.tests : CT_SWEEP_TESTS;
    if (state->compute >= making->conditions->timeout)
        return ct_fail(making->error, CT_E_INPUT,
                       "--compute: a call with %g s of computation beside it counts as hung after %g s; "
                       "expected less computation, or a longer --timeout",
                       state->compute, making->conditions->timeout);
    return ct_run_set_modes(description, &mode, 1);
}

/* What calls carry, and how reductions combine it. The run states what is not usual. */
static int choose_operands(const struct making *making)
{
    const struct ct_sweep_request *request = making->request;
    const struct ct_sweep_state *before = making->before ? &making->before->sweep : NULL;
    struct ct_sweep_conditions *conditions = making->conditions;
    struct ct_sweep_state *state = &making->description->sweep;
    const char *type = request->has_datatype        ? ct_data_type_choice((size_t)request->datatype)
                       : before && before->datatype ? before->datatype
                                                    : ct_data_types[0].name;
    const char *operation = request->has_operation        ? ct_operation_choice((size_t)request->operation)
                            : before && before->operation ? before->operation
                                                          : ct_operations[0].name;
    conditions->datatype = ct_data_type_find(type);
    conditions->operation = ct_operation_find(operation);
    if (conditions->datatype == CT_DATA_TYPES || conditions->operation == CT_OPERATIONS)
        return ct_fail(making->error, CT_E_INPUT,
                       "the run was measured with datatype '%.64s' and operation '%.64s', which this version "
                       "does not know",
                       type, operation);
    if (conditions->datatype != 0 && !(state->datatype = strdup(type)))
        return CT_E_MEMORY;
    if (conditions->operation != 0 && !(state->operation = strdup(operation)))
        return CT_E_MEMORY;
    for (size_t i = 0; i < making->description->collective_count; i++)
        if (conditions->datatype != 0 && ct_collectives[making->description->collectives[i]].is_sparse)
            return ct_fail(making->error, CT_E_INPUT,
                           "--datatype %s: collectives of neighbors are measured with bytes alone", type);
    return CT_OK;
}

/* The root is 0 unless others are asked for, which the run then states. */
static int choose_roots(const struct making *making)
{
    const struct ct_sweep_request *request = making->request;
    struct ct_sweep_conditions *conditions = making->conditions;
    const struct ct_run_description *description = making->description;
    const char *list = request->roots ? request->roots : making->before ? making->before->sweep.root : NULL;
    struct ct_text text = {0};
    bool has_root = false;
    int status = ct_list_parse(list ? list : "0", making->error, &conditions->roots, &conditions->root_count);
    if (status != CT_OK)
        return request->roots ? ct_fail_in(making->error, status, "--root") : status;
    for (size_t i = 0; i < description->collective_count; i++)
        has_root |= ct_collectives[description->collectives[i]].has_root;
    if (request->roots && !has_root)
        return ct_fail(
            making->error, CT_E_INPUT,
            "--root %s: none of the collectives has a root; expected one that has in --collectives",
            request->roots);
    if (conditions->root_count == 1 && conditions->roots[0] == 0)
        return CT_OK;
    if (conditions->root_count > 1 && request->cells == CT_SWEEP_CELLS_GUIDED)
        return ct_fail(making->error, CT_E_INPUT,
                       "--root %s: a guided sweep has one root; expected one, or no --guided", list);
    for (size_t i = 0; i < conditions->root_count; i++)
        ct_text_append(&text, "%s%zu", i > 0 ? "," : "", conditions->roots[i]);
    making->description->sweep.root = text.data;
    return text.failed ? CT_E_MEMORY : CT_OK;
}

/* Does each communicator have one of the roots, and each root a communicator? */
static int check_roots(const struct making *making)
{
    const struct ct_sweep_conditions *conditions = making->conditions;
    const struct ct_run_description *description = making->description;
    size_t smallest = SIZE_MAX, largest = 0, least = SIZE_MAX, most = 0;
    for (size_t i = 0; i < description->comm_size_count; i++) {
        const size_t size = description->comm_sizes[i];
        smallest = size < smallest ? size : smallest;
        largest = size > largest ? size : largest;
    }
    for (size_t i = 0; i < conditions->root_count; i++) {
        least = conditions->roots[i] < least ? conditions->roots[i] : least;
        most = conditions->roots[i] > most ? conditions->roots[i] : most;
    }
    if (most >= largest)
        return ct_fail(making->error, CT_E_INPUT,
                       "--root: rank %zu is in no communicator: expected at most %zu, since the largest has "
                       "%zu ranks",
                       most, largest - 1, largest);
    if (least >= smallest)
        return ct_fail(making->error, CT_E_INPUT,
                       "--root: communicators of %zu ranks have none of the roots: expected one below %zu, "
                       "or larger --comm-sizes",
                       smallest, smallest);
    return CT_OK;
}

/* The ranks read the variable from the environment that they are started in. */
static int choose_wait(const struct making *making)
{
    const char *wait = getenv("COLLTUNE_WAIT");
    if (!wait || !*wait || making->conditions->place.backend->exact)
        return CT_OK;
    if (strcmp(wait, "spin") != 0 && strcmp(wait, "yield") != 0)
        return ct_fail(making->error, CT_E_INPUT, "COLLTUNE_WAIT=%.80s: expected spin or yield", wait);
    making->description->sweep.wait = strdup(wait);
    return making->description->sweep.wait ? CT_OK : CT_E_MEMORY;
}

/* The jobs report which channel they have; a wrong value would be ignored there. */
static int check_node_channel(const struct making *making)
{
    enum ct_node_channel asked;
    return ct_asked_channel(making->error, &asked);
}

static int choose_program(const struct making *making)
{
    struct ct_sweep_conditions *conditions = making->conditions;
    const char *program = making->request->program;
    if (!program && making->before)
        program = making->before->sweep.program;
    if (!program)
        return CT_OK;
    if (access(program, X_OK) != 0)
        return ct_fail(making->error, CT_E_INPUT, "%s: cannot be run; expected a program", program);
    conditions->program = realpath(program, NULL);
    making->description->sweep.program = conditions->program ? strdup(conditions->program) : NULL;
    return making->description->sweep.program ? CT_OK : CT_E_MEMORY;
}

/* --- what --- */

static int copy_array(const void *from, size_t count, size_t size, void *ret_array, size_t *ret_count)
{
    void *copy = ct_allocate(count ? count : 1, size);
    if (!copy)
        return CT_E_MEMORY;
    memcpy(copy, from, count * size);
    memcpy(ret_array, &copy, sizeof copy);
    *ret_count = count;
    return CT_OK;
}

static int choose_collectives(const struct making *making)
{
    struct ct_run_description *description = making->description;
    const struct ct_sweep_request *request = making->request;
    enum ct_collective chosen[CT_COLLECTIVES];
    size_t count = 0;
    int status = CT_OK;
    if (request->collectives)
        status = ct_collective_list_parse(request->collectives, making->error, chosen, &count);
    else if (making->before)
        return copy_array(making->before->collectives, making->before->collective_count, sizeof chosen[0],
                          &description->collectives, &description->collective_count);
    else if (request->methods)
        status = ct_method_list_collectives(request->methods, making->error, chosen, &count);
    if (status != CT_OK)
        return status;
    if (count == 0)
        for (; count < CT_DENSE_COLLECTIVES; count++)
            chosen[count] = (enum ct_collective)count;
    return copy_array(chosen, count, sizeof chosen[0], &description->collectives,
                      &description->collective_count);
}

/* 2^k and 3 * 2^k, and the last. */
static int default_comm_sizes(size_t most, size_t **ret_sizes, size_t *ret_count)
{
    size_t sizes[2 * 64], count = 0;
    for (size_t power = 2; power < most; power *= 2) {
        sizes[count++] = power;
        if (power / 2 * 3 < most)
            sizes[count++] = power / 2 * 3;
    }
    sizes[count++] = most;
    return copy_array(sizes, count, sizeof sizes[0], ret_sizes, ret_count);
}

static int choose_comm_sizes(const struct making *making)
{
    struct ct_run_description *description = making->description;
    const struct ct_place *place = &making->conditions->place;
    const char *list = making->request->comm_sizes;
    const size_t hosts = making->conditions->nodes.count;
    size_t room = ct_place_room(place), cpus = ct_usable_cpus();
    size_t most = place->backend->exact ? SIMULATED_RANKS : cpus > LEAST_RANKS ? cpus : LEAST_RANKS;
    if (hosts > 0)
        most = room = hosts <= RANKS_MAX / place->ppn ? hosts * place->ppn : RANKS_MAX;
    /* another launcher than the MPI's own may start ranks elsewhere */
    bool is_here = !place->backend->exact && !place->hostfile && !making->request->place.launcher;
    size_t allowed = is_here && !making->request->oversubscribe ? RANKS_OF_A_CPU * cpus : SIZE_MAX;
    size_t **sizes = &description->comm_sizes, *count = &description->comm_size_count;
    int status = list             ? ct_list_parse(list, making->error, sizes, count)
                 : making->before ? copy_array(making->before->comm_sizes, making->before->comm_size_count,
                                               sizeof(size_t), sizes, count)
                                  : default_comm_sizes(most < room ? most : room, sizes, count);
    for (size_t i = 0; status == CT_OK && i < *count; i++) {
        size_t size = (*sizes)[i];
        if (size < 2 || size > RANKS_MAX)
            return ct_fail(making->error, CT_E_INPUT, "communicator size %zu: expected 2 to 1M", size);
        if (list && size > allowed)
            return ct_fail(making->error, CT_E_INPUT,
                           "--comm-sizes: %zu ranks on %zu CPU%s are more than %d on each; expected "
                           "--oversubscribe, too, or --hostfile",
                           size, cpus, cpus == 1 ? "" : "s", RANKS_OF_A_CPU);
        if (size > room && hosts > 0)
            return ct_fail(making->error, CT_E_INPUT,
                           "communicator size %zu: the %zu hosts of %s hold %zu ranks, %zu on each", size,
                           hosts, place->hostfile, room, place->ppn);
        if (size > room)
            return ct_fail(making->error, CT_E_INPUT,
                           "communicator size %zu: the platform %s has %zu hosts%s", size, place->name,
                           place->platform.host_count, place->ppn > 1 ? ", and --ppn is not enough" : "");
    }
    return status;
}

static int choose_msg_sizes(const struct making *making)
{
    struct ct_run_description *description = making->description;
    const char *list = making->request->msg_sizes;
    if (!list && making->before)
        return copy_array(making->before->msg_sizes, making->before->msg_size_count, sizeof(size_t),
                          &description->msg_sizes, &description->msg_size_count);
    return ct_list_parse(list ? list : default_msg_sizes, making->error, &description->msg_sizes,
                         &description->msg_size_count);
}

/* Sparse collectives need patterns, others have none. */
static int choose_patterns(const struct making *making)
{
    struct ct_run_description *description = making->description;
    const struct ct_run_description *before = making->before;
    const char *list = making->request->patterns;
    const char *sparse = NULL;
    char **words = NULL;
    size_t count = 0;
    for (size_t i = 0; i < description->collective_count; i++)
        if (ct_collectives[description->collectives[i]].is_sparse)
            sparse = ct_collectives[description->collectives[i]].name;
    if (list && !sparse)
        return ct_fail(making->error, CT_E_INPUT,
                       "--pattern: none of the collectives has a pattern; expected --collectives with %s or "
                       "others",
                       ct_collectives[CT_COLLECTIVE_NEIGHBOR_ALLTOALL].name);
    if (!list && before) {
        int status = CT_OK;
        for (size_t i = 0; status == CT_OK && i < before->pattern_count; i++)
            status = ct_run_add_pattern(description, before->patterns[i]);
        return status;
    }
    if (!list)
        return sparse ? ct_fail(making->error, CT_E_INPUT,
                                "--collectives: %s needs a pattern; expected --pattern, such as "
                                "'random:density=0.05 moore:d=2,r=1'",
                                sparse)
                      : CT_OK;
    int status = ct_patterns_split(list, making->error, &words, &count);
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        status =
            ct_pattern_check(words[i], description->comm_sizes, description->comm_size_count, making->error);
        if (status == CT_OK)
            status = ct_run_add_pattern(description, words[i]);
    }
    ct_words_free(words, count);
    return status;
}

static int choose_cells(const struct making *making)
{
    const char *cells = making->request->profile_cells;
    if (!cells && making->before)
        cells = making->before->sweep.cells;
    if (!cells)
        return CT_OK;
    making->description->sweep.cells = strdup(cells);
    return making->description->sweep.cells ? CT_OK : CT_E_MEMORY;
}

static int choose_methods(const struct making *making)
{
    struct ct_run_description *description = making->description;
    const char *list = making->request->methods;
    if (!list && making->before)
        return copy_array(making->before->methods, making->before->method_count, sizeof(struct ct_method),
                          &description->methods, &description->method_count);
    return ct_method_list_parse(list ? list : "all", description->collectives, description->collective_count,
                                making->error, &description->methods, &description->method_count);
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
static int share_budget(const struct making *making, double budget, double *ret_seconds)
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

static int choose_rules(const struct making *making)
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
    int status = samples ? ct_file_checksum(samples, error, checksum) : CT_E_MEMORY;
    free(samples);
    if (status != CT_OK)
        return status;
    state->prior = strdup(prior);
    state->prior_sha256 = strdup(checksum);
    return state->prior && state->prior_sha256 ? CT_OK : CT_E_MEMORY;
}

static bool has_many_roots(const struct ct_sweep_state *state)
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
        state->guided =
            before ? before->guided
                   : !exact && !state->cells && !has_many_roots(state) && method_seconds < enough_seconds;
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

static int describe(const struct making *making)
{
    struct ct_run_description *description = making->description;
    const struct ct_place *place = &making->conditions->place;
    int status = ct_run_stamp(description);
    if (status != CT_OK)
        return status;
    status = ct_place_describe(place, making->error, description);
    return status == CT_OK && place->backend->exact && place->ppn ? describe_nodes(place, description)
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
static int check_same(const struct making *making)
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
    return ct_sweep_state_check(&before->sweep, &now->sweep, folder, making->error);
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
    const struct making making = {request, before, &conditions, &conditions.description, error};
    int status = before ? check_resumable(before, request->folder, error) : CT_OK;
    if (status != CT_OK)
        return status;
    if ((status = choose_place(&making)) != CT_OK || (status = choose_nodes(&making)) != CT_OK ||
        (status = choose_timeout(&making)) != CT_OK || (status = choose_sync(&making)) != CT_OK ||
        (status = choose_mode(&making)) != CT_OK || (status = choose_wait(&making)) != CT_OK ||
        (status = check_node_channel(&making)) != CT_OK || (status = choose_program(&making)) != CT_OK ||
        (status = choose_collectives(&making)) != CT_OK || (status = choose_operands(&making)) != CT_OK ||
        (status = choose_roots(&making)) != CT_OK || (status = choose_comm_sizes(&making)) != CT_OK ||
        (status = check_roots(&making)) != CT_OK || (status = choose_msg_sizes(&making)) != CT_OK ||
        (status = choose_patterns(&making)) != CT_OK || (status = choose_cells(&making)) != CT_OK ||
        (status = choose_methods(&making)) != CT_OK || (status = choose_rules(&making)) != CT_OK ||
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
    free(conditions->program);
    free(conditions->roots);
    *conditions = (struct ct_sweep_conditions){0};
}
