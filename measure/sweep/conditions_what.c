/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/conditions_what.h"
#include "base/memory.h"
#include "measure/backend/machine.h"
#include "measure/backend/place_launch.h"
#include "measure/sweep/conditions_where.h"
#include "measure/sweep/method_list.h"
#include "plan/pattern.h"

#include <stdlib.h>
#include <string.h>

/* What a sweep measures. */

/* 2^k and 3 * 2^k, of which reductions of doubles take all: two thirds of the loss in calls between the
 * measured sizes comes from measuring powers of two alone. */
static const char default_msg_sizes[] = CT_SWEEP_MSG_SIZES;
enum { LEAST_RANKS = 8, SIMULATED_RANKS = 256, RANKS_MAX = 1 << 20 };

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

/* Calls that are not blocking: which, and what is computed beside them. */
static int choose_mode(const struct ct_making_conditions *making)
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
static int choose_operands(const struct ct_making_conditions *making)
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
                           "--datatype %s: neighborhood collectives are measured with bytes alone", type);
    return CT_OK;
}

/* The root is 0 unless others are asked for, which the run then states. */
static int choose_roots(const struct ct_making_conditions *making)
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
static int check_roots(const struct ct_making_conditions *making)
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

static int choose_collectives(const struct ct_making_conditions *making)
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

/* The placements that --nodes and --ppn make, or those of the run before. */
static int choose_nodes(const struct ct_making_conditions *making)
{
    const struct ct_sweep_request *request = making->request;
    struct ct_placements *placements = &making->conditions->placements;
    const char *before = making->before ? making->before->sweep.placements : NULL;
    size_t *ppns = NULL, *nodes = NULL, ppn_count = 0, node_count = 0;
    if (!request->nodes)
        return before && !request->ppn && !request->comm_sizes
                   ? ct_placements_parse(before, making->error, placements)
                   : CT_OK;
    if (!request->ppn)
        return ct_fail(making->error, CT_E_INPUT, "--nodes: expected --ppn, too");
    if (request->comm_sizes)
        return ct_fail(making->error, CT_E_INPUT, "--nodes: cannot be combined with --comm-sizes");
    int status = ct_conditions_parse_ppn(making, &ppns, &ppn_count);
    if (status == CT_OK &&
        ((status = ct_list_parse(request->nodes, making->error, &nodes, &node_count)) != CT_OK ||
         (status = ct_placements_of_nodes(nodes, node_count, ppns, ppn_count, making->error, placements)) !=
             CT_OK))
        status = ct_fail_in(making->error, status, "--nodes");
    free(ppns);
    free(nodes);
    return status;
}

/* Completes the placements, now that the communicator sizes are known; there are none if all have one number
 * of ranks on a node. */
static int choose_placements(const struct ct_making_conditions *making)
{
    struct ct_sweep_conditions *conditions = making->conditions;
    struct ct_run_description *description = making->description;
    struct ct_placements *placements = &conditions->placements;
    size_t *ppns = NULL, count = 0;
    int status = placements->count > 0 ? CT_OK : ct_conditions_parse_ppn(making, &ppns, &count);
    if (status == CT_OK && count > 1)
        status = ct_placements_of_sizes(description->comm_sizes, description->comm_size_count, ppns, count,
                                        placements);
    free(ppns);
    if (status != CT_OK)
        return status;
    if (ct_placements_run(placements, 0) == placements->count) {
        ct_placements_free(placements);
        return CT_OK;
    }
    description->sweep.placements = ct_placements_format(placements);
    return description->sweep.placements ? CT_OK : CT_E_MEMORY;
}

/* Can the place hold them, and this kind of sweep measure them? */
static int check_placements(const struct ct_making_conditions *making)
{
    const struct ct_sweep_request *request = making->request;
    const struct ct_placements *placements = &making->conditions->placements;
    const struct ct_place *place = &making->conditions->place;
    static const char several[] = "several numbers of ranks on a node: cannot be combined with";
    if (placements->count == 0)
        return CT_OK;
    if (request->side_by_side)
        return ct_fail(making->error, CT_E_INPUT, "--ppn: %s --side-by-side", several);
    if (request->profile_cells)
        return ct_fail(making->error, CT_E_INPUT, "--ppn: %s --from-profile", several);
    for (size_t i = 0; place->backend->exact && i < placements->count; i++)
        if (ct_placement_nodes(&placements->items[i]) > place->platform.host_count)
            return ct_fail(making->error, CT_E_INPUT,
                           "--ppn: %zu ranks, %zu on each node, need %zu nodes: the platform %s has %zu",
                           placements->items[i].ranks, placements->items[i].ppn,
                           ct_placement_nodes(&placements->items[i]), place->name,
                           place->platform.host_count);
    return CT_OK;
}

static int choose_comm_sizes(const struct ct_making_conditions *making)
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
    const bool is_bounded = list && is_here && !making->request->oversubscribe;
    size_t **sizes = &description->comm_sizes, *count = &description->comm_size_count;
    int status = making->conditions->placements.count > 0
                     ? ct_placements_sizes(&making->conditions->placements, sizes, count)
                 : list           ? ct_list_parse(list, making->error, sizes, count)
                 : making->before ? copy_array(making->before->comm_sizes, making->before->comm_size_count,
                                               sizeof(size_t), sizes, count)
                                  : default_comm_sizes(most < room ? most : room, sizes, count);
    if (status != CT_OK && list)
        return ct_fail_in(making->error, status, "--comm-sizes");
    for (size_t i = 0; status == CT_OK && i < *count; i++) {
        size_t size = (*sizes)[i];
        if (size < 2 || size > RANKS_MAX)
            return ct_fail(making->error, CT_E_INPUT, "--comm-sizes: %zu: expected 2 to 1M", size);
        if (is_bounded && (status = ct_check_crowd(size, making->error)) != CT_OK)
            return status;
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

static int choose_msg_sizes(const struct ct_making_conditions *making)
{
    struct ct_run_description *description = making->description;
    const char *list = making->request->msg_sizes;
    if (!list && making->before)
        return copy_array(making->before->msg_sizes, making->before->msg_size_count, sizeof(size_t),
                          &description->msg_sizes, &description->msg_size_count);
    const int status = ct_list_parse(list ? list : default_msg_sizes, making->error, &description->msg_sizes,
                                     &description->msg_size_count);
    return status == CT_OK ? CT_OK : ct_fail_in(making->error, status, "--msg-sizes");
}

/* Sparse collectives need patterns, others have none. */
static int choose_patterns(const struct ct_making_conditions *making)
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

static int choose_cells(const struct ct_making_conditions *making)
{
    const char *cells = making->request->profile_cells;
    if (!cells && making->before)
        cells = making->before->sweep.cells;
    if (!cells)
        return CT_OK;
    making->description->sweep.cells = strdup(cells);
    return making->description->sweep.cells ? CT_OK : CT_E_MEMORY;
}

static int choose_methods(const struct ct_making_conditions *making)
{
    struct ct_run_description *description = making->description;
    const char *list = making->request->methods;
    if (!list && making->before)
        return copy_array(making->before->methods, making->before->method_count, sizeof(struct ct_method),
                          &description->methods, &description->method_count);
    const int status =
        ct_method_list_parse(list ? list : "all", description->collectives, description->collective_count,
                             making->error, &description->methods, &description->method_count);
    return status == CT_OK ? CT_OK : ct_fail_in(making->error, status, "--methods");
}

int ct_conditions_choose_what(const struct ct_making_conditions *making)
{
    int status;
    if ((status = choose_mode(making)) != CT_OK || (status = choose_collectives(making)) != CT_OK ||
        (status = choose_operands(making)) != CT_OK || (status = choose_roots(making)) != CT_OK ||
        (status = choose_nodes(making)) != CT_OK || (status = choose_comm_sizes(making)) != CT_OK ||
        (status = choose_placements(making)) != CT_OK || (status = check_placements(making)) != CT_OK ||
        (status = check_roots(making)) != CT_OK || (status = choose_msg_sizes(making)) != CT_OK ||
        (status = choose_patterns(making)) != CT_OK || (status = choose_cells(making)) != CT_OK)
        return status;
    return choose_methods(making);
}
