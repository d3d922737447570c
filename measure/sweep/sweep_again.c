/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_again.h"
#include "decision/map.h"
#include "measure/backend/backend.h"
#include "measure/backend/backend_simulated.h"
#include "samples/samples_csv_write.h"

#include <string.h>

/* Methods up to this many times as slow as the best are measured again. */
static const double near = 2;

uint32_t ct_sweep_again_launch(const struct ct_run_description *description)
{
    return (uint32_t)(description->launches + description->sweep.again);
}

/* Where a sweep has several numbers of ranks on a node, validation has the largest. */
static bool is_validated(const struct ct_run_description *description, const struct ct_cell_key *key)
{
    const size_t ppn = description->sweep.ppn;
    return !description->sweep.placements || key->ppn == (key->comm_size < ppn ? key->comm_size : ppn);
}

/* The point of a cell that is to be measured again; NULL if there is none. */
static const struct ct_sweep_point *point_of(const struct ct_sweep_request *request,
                                             const struct ct_run_description *description,
                                             const struct ct_sweep_cell *cell)
{
    for (size_t i = 0; is_validated(description, &cell->key) && i < request->point_count; i++) {
        const struct ct_sweep_point *point = &request->points[i];
        if (point->again && point->collective == cell->collective &&
            point->key.comm_size == cell->key.comm_size && point->key.msg_bytes == cell->key.msg_bytes &&
            point->key.pattern == cell->key.pattern && point->key.root == cell->key.root)
            return point;
    }
    return NULL;
}

/* The same cell in the map of what was measured; NULL if there is none. */
static const struct ct_cell *known_cell(const struct ct_map *map, const struct ct_sweep_cell *cell)
{
    for (size_t i = 0; i < map->cell_count; i++) {
        const struct ct_cell_key *key = &map->cells[i].key;
        if (key->comm_size == cell->key.comm_size && key->msg_bytes == cell->key.msg_bytes &&
            key->pattern == cell->key.pattern && key->root == cell->key.root &&
            (cell->key.ppn == 0 || key->ppn == cell->key.ppn))
            return &map->cells[i];
    }
    return NULL;
}

/* Is the method worth measuring in a cell where `known` is measured? */
static bool is_near(const struct ct_map *map, const struct ct_cell *known, const struct ct_method *method)
{
    size_t index = ct_map_find_method(map, method);
    if (index == SIZE_MAX || known->methods[index].count == 0)
        return false;
    return known->methods[index].median <= near * known->methods[known->best].median;
}

/* Marks the cells of one collective. */
static int mark_collective(const struct ct_sweep_request *request, const struct ct_run *run,
                           enum ct_collective collective, struct ct_sweep_grid *grid, struct ct_error *error)
{
    struct ct_map map = {0};
    bool any = ct_run_measures(run, collective);
    int status = any ? ct_map_make(run, collective, error, &map) : CT_OK;
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < grid->cell_count; i++) {
        struct ct_sweep_cell *cell = &grid->cells[i];
        const struct ct_sweep_point *point =
            cell->collective == collective ? point_of(request, &run->description, cell) : NULL;
        const struct ct_cell *known = any && point ? known_cell(&map, cell) : NULL;
        if (!point)
            continue;
        cell->wanted = true;
        for (size_t m = 0; m < cell->method_count; m++) {
            struct ct_sweep_slot *slot = &grid->slots[cell->first + m];
            const struct ct_method *method = &run->description.methods[slot->method];
            slot->wanted = grid->exact || !known || known->best == SIZE_MAX ||
                           ct_is_native(method->algorithm) || ct_method_equal(method, &point->method) ||
                           is_near(&map, known, method);
        }
    }
    ct_map_free(&map);
    return CT_OK;
}

int ct_sweep_again_mark(const struct ct_sweep_request *request, const struct ct_run *run,
                        struct ct_sweep_grid *grid, struct ct_error *error)
{
    const struct ct_run_description *description = &run->description;
    int status = CT_OK;
    size_t wanted = 0;
    for (size_t i = 0; i < grid->cell_count; i++) {
        grid->cells[i].launch = ct_sweep_again_launch(description) + 1;
        grid->cells[i].wanted = false;
    }
    for (size_t c = 0; status == CT_OK && c < description->collective_count; c++)
        status = mark_collective(request, run, description->collectives[c], grid, error);
    for (size_t i = 0; i < grid->cell_count; i++)
        wanted += grid->cells[i].wanted;
    if (status == CT_OK && wanted == 0)
        return ct_fail(error, CT_E_INPUT, "--again: none of the slow points is a cell of this run");
    return status;
}

/* Any cell of the point's communicator size and pattern that was measured: it knows the nodes, and what is
 * known of the pattern. NULL if there is none. */
static const struct ct_run_cell *like_point(const struct ct_run *run, const struct ct_sweep_point *point)
{
    for (size_t i = 0; i < run->cell_count; i++) {
        const struct ct_cell_key *key = &run->cells[i].key;
        if (key->comm_size == point->key.comm_size && key->pattern == point->key.pattern &&
            is_validated(&run->description, key) &&
            (key->pattern == 0 || run->cells[i].collective == point->collective))
            return &run->cells[i];
    }
    return NULL;
}

static bool holds(const size_t *sizes, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++)
        if (sizes[i] == size)
            return true;
    return false;
}

/* What the validation has compared the library with; see validate.h. */
static int find_reference(const struct ct_run_description *description, enum ct_collective collective,
                          struct ct_error *error, struct ct_method *ret_method)
{
    const bool is_linear =
        ct_collectives[collective].is_sparse && strcmp(description->backend, ct_backend_simulated.name) == 0;
    return ct_method_parse(is_linear ? "linear" : "native", collective, error, ret_method);
}

static int add_point(const struct ct_sweep_point *point, const struct ct_run_cell *like,
                     struct ct_sweep_journal *journal, struct ct_error *error)
{
    const struct ct_run_description *description = &journal->conditions->description;
    struct ct_sweep_cell cell = {.collective = point->collective, .key = like->key};
    struct ct_method reference;
    int status = find_reference(description, point->collective, error, &reference);
    if (status != CT_OK)
        return status;
    cell.launch = ct_sweep_again_launch(description) - 2; /* the state counts both by now */
    cell.key.msg_bytes = point->key.msg_bytes;
    cell.key.root = point->key.root;
    const struct {
        const struct ct_method *method;
        double seconds;
        struct ct_overlap overlap;
    } samples[] = {{&reference, point->native, point->native_overlap},
                   {&point->method, point->tuned, point->tuned_overlap}};
    const size_t count = ct_method_equal(&point->method, &reference) ? 1 : 2;
    struct ct_sample sample = {.launch = cell.launch, .key = cell.key};
    for (size_t i = 0; i < count; i++) {
        const size_t method =
            ct_method_index(samples[i].method, description->methods, description->method_count);
        sample.seconds = samples[i].seconds;
        sample.overlap = samples[i].overlap;
        if (method < description->method_count &&
            (status = ct_sweep_journal_add(journal, &cell, method, &sample, error)) != CT_OK)
            return status;
    }
    return ct_samples_commit(&journal->writer, cell.collective, &sample) == CT_OK
               ? CT_OK
               : ct_fail(error, CT_E_SYSTEM, "%s: cannot be written", journal->writer.path);
}

int ct_sweep_again_add_times(const struct ct_sweep_request *request, const struct ct_run *run,
                             struct ct_sweep_journal *journal, struct ct_error *error)
{
    const struct ct_run_description *description = &run->description;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < request->point_count; i++) {
        const struct ct_sweep_point *point = &request->points[i];
        const struct ct_run_cell *like = like_point(run, point);
        bool of_grid = ct_run_measures(run, point->collective) &&
                       holds(description->comm_sizes, description->comm_size_count, point->key.comm_size) &&
                       (!ct_collectives[point->collective].has_size ||
                        holds(description->msg_sizes, description->msg_size_count, point->key.msg_bytes));
        if (like && of_grid)
            status = add_point(point, like, journal, error);
    }
    return status;
}
