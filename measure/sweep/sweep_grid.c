/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/random.h"
#include "measure/sweep/sweep_internal.h"
#include "samples/element.h"

#include <stdlib.h>
#include <string.h>

struct making {
    const struct ct_run_description *description;
    struct ct_sweep_grid grid;
    size_t cell_capacity;
    size_t slot_capacity;
    size_t batch_capacity;
    uint64_t random;
    bool simulated;
};

/* May the method apply to calls of this size? The operation, a sum, commutes. Which ranks share a node only
 * the benchmark program knows: it passes over what does not apply. */
static bool may_apply(const struct ct_method *method, size_t comm_size)
{
    const struct ct_call call = {.size = (int)comm_size, .unit_bytes = 1, .commutative = true};
    return ct_constraints_hold(ct_method_constraints(method) & ~(unsigned)CT_CONSTRAINT_NODES_KNOWN, &call,
                               NULL);
}

/* The largest buffers that a cell may need: at each rank, and where one machine simulates them all, together.
 */
static const size_t room_of_rank = (size_t)64 << 20, room_of_all = (size_t)1 << 30;

static bool has_room(const struct making *making, enum ct_collective collective, size_t comm_size,
                     size_t msg_bytes)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    size_t room = room_of_rank, bytes;
    if (!ct_contents_are_many(about->input[0]) && !ct_contents_are_many(about->result[0]))
        return true;
    if (making->simulated && room > room_of_all / comm_size)
        room = room_of_all / comm_size;
    return ct_multiply(msg_bytes, comm_size, &bytes) && bytes <= room;
}

static int add_cell(struct making *making, uint32_t launch, enum ct_collective collective, size_t comm_size,
                    size_t msg_bytes)
{
    struct ct_sweep_grid *grid = &making->grid;
    const struct ct_run_description *description = making->description;
    struct ct_sweep_cell cell = {.launch = launch,
                                 .collective = collective,
                                 .key = {.comm_size = comm_size, .msg_bytes = msg_bytes},
                                 .first = grid->slot_count,
                                 .wanted = true};
    for (size_t m = 0; m < description->method_count; m++) {
        const struct ct_method *method = &description->methods[m];
        if (method->algorithm->collective != collective || !may_apply(method, comm_size))
            continue;
        int status = ct_grow(&grid->slots, &making->slot_capacity, grid->slot_count + 1, sizeof *grid->slots);
        if (status != CT_OK)
            return status;
        grid->slots[grid->slot_count++] = (struct ct_sweep_slot){m, CT_SAMPLE_OK, true};
        cell.method_count++;
    }
    if (cell.method_count == 0)
        return CT_OK;
    int status = ct_grow(&grid->cells, &making->cell_capacity, grid->cell_count + 1, sizeof *grid->cells);
    if (status == CT_OK)
        grid->cells[grid->cell_count++] = cell;
    return status;
}

static int add_sizes(struct making *making, uint32_t launch, enum ct_collective collective, size_t comm_size)
{
    const struct ct_run_description *description = making->description;
    if (!ct_collectives[collective].has_size)
        return add_cell(making, launch, collective, comm_size, 0);
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < description->msg_size_count; i++) {
        size_t bytes = description->msg_sizes[i];
        if (!ct_has_elements(collective, bytes))
            making->grid.uneven++;
        else if (!has_room(making, collective, comm_size, bytes))
            making->grid.left_out++;
        else
            status = add_cell(making, launch, collective, comm_size, bytes);
    }
    return status;
}

static int add_batch(struct making *making, size_t first, size_t size)
{
    struct ct_sweep_grid *grid = &making->grid;
    if (first == grid->cell_count)
        return CT_OK;
    int status =
        ct_grow(&grid->batches, &making->batch_capacity, grid->batch_count + 1, sizeof *grid->batches);
    if (status == CT_OK)
        grid->batches[grid->batch_count++] = (struct ct_sweep_batch){first, grid->cell_count - first, size};
    return status;
}

/* A cell, and when its turn comes. */
struct dealt {
    size_t turn;
    size_t place;
    struct ct_sweep_cell cell;
};

static int compare_dealt(const void *a, const void *b)
{
    const struct dealt *x = a, *y = b;
    if (x->turn != y->turn)
        return x->turn < y->turn ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* The first cell of each collective, then the second of each: one with few cells is not last by chance. */
static int deal(struct making *making, size_t first)
{
    struct ct_sweep_cell *cells = making->grid.cells + first;
    size_t count = making->grid.cell_count - first, turns[CT_COLLECTIVES] = {0};
    struct dealt *dealt = ct_allocate(count, sizeof *dealt);
    if (!dealt)
        return CT_E_MEMORY;
    for (size_t i = 0; i < count; i++)
        dealt[i] = (struct dealt){.turn = turns[cells[i].collective]++, .place = i, .cell = cells[i]};
    qsort(dealt, count, sizeof *dealt, compare_dealt);
    for (size_t i = 0; i < count; i++)
        cells[i] = dealt[i].cell;
    free(dealt);
    return CT_OK;
}

static int compare_falling(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x < y) - (x > y);
}

/* Rounds of a guided sweep may be cut short by its budget, which must not cost whole sizes or collectives. */
static bool is_mixed(const struct ct_run_description *description)
{
    const char *cells = ct_run_property(description, ct_sweep_cells_name);
    return cells && strcmp(cells, ct_sweep_guided_word) == 0;
}

/* One launch of a real sweep: a batch. */
static int add_launch(struct making *making, uint32_t launch, const size_t *comm_sizes)
{
    const struct ct_run_description *description = making->description;
    size_t begun = making->grid.cell_count;
    int status = CT_OK;
    making->random = description->seed * 2654435761u + launch;
    for (size_t p = 0; status == CT_OK && p < description->comm_size_count; p++) {
        size_t first = making->grid.cell_count;
        for (size_t c = 0; status == CT_OK && c < description->collective_count; c++)
            status = add_sizes(making, launch, description->collectives[c], comm_sizes[p]);
        if (status == CT_OK)
            ct_shuffle(making->grid.cells + first, making->grid.cell_count - first,
                       sizeof *making->grid.cells, &making->random);
    }
    if (status == CT_OK && is_mixed(description)) {
        ct_shuffle(making->grid.cells + begun, making->grid.cell_count - begun, sizeof *making->grid.cells,
                   &making->random);
        status = deal(making, begun);
    }
    return status == CT_OK ? add_batch(making, begun, comm_sizes[0]) : status;
}

/* A simulated sweep: batches that depend on nothing but the grid, so that the results do not either. The
 * largest come first, which leaves no long one to the end. */
static int add_simulated(struct making *making, const size_t *comm_sizes)
{
    const struct ct_run_description *description = making->description;
    int status = CT_OK;
    for (size_t p = 0; status == CT_OK && p < description->comm_size_count; p++) {
        for (size_t c = 0; status == CT_OK && c < description->collective_count; c++) {
            size_t first = making->grid.cell_count;
            status = add_sizes(making, 0, description->collectives[c], comm_sizes[p]);
            if (status == CT_OK)
                status = add_batch(making, first, comm_sizes[p]);
        }
    }
    return status;
}

int ct_sweep_grid_make(const struct ct_run_description *description, bool simulated, struct ct_error *error,
                       struct ct_sweep_grid *ret_grid)
{
    struct making making = {.description = description, .simulated = simulated};
    size_t *comm_sizes = ct_allocate(description->comm_size_count, sizeof *comm_sizes);
    if (!comm_sizes)
        return CT_E_MEMORY;
    memcpy(comm_sizes, description->comm_sizes, description->comm_size_count * sizeof *comm_sizes);
    qsort(comm_sizes, description->comm_size_count, sizeof *comm_sizes, compare_falling);
    int status = CT_OK;
    if (simulated)
        status = add_simulated(&making, comm_sizes);
    for (size_t launch = 0; !simulated && status == CT_OK && launch < description->launches; launch++)
        status = add_launch(&making, (uint32_t)launch, comm_sizes);
    free(comm_sizes);
    if (status == CT_OK && making.grid.cell_count == 0)
        status = ct_fail(error, CT_E_INPUT, "nothing to measure: %s", ct_uneven_text);
    if (status != CT_OK) {
        ct_sweep_grid_free(&making.grid);
        return status;
    }
    *ret_grid = making.grid;
    return CT_OK;
}

void ct_sweep_grid_free(struct ct_sweep_grid *grid)
{
    free(grid->cells);
    free(grid->slots);
    free(grid->batches);
    *grid = (struct ct_sweep_grid){0};
}

/* Where a run's cell stands in the order below; nodes and processes per node follow from the launcher. */
static int compare_places(const struct ct_run_cell *a, const struct ct_run_cell *b)
{
    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    if (a->collective != b->collective)
        return a->collective < b->collective ? -1 : 1;
    if (a->key.comm_size != b->key.comm_size)
        return a->key.comm_size < b->key.comm_size ? -1 : 1;
    return (a->key.msg_bytes > b->key.msg_bytes) - (a->key.msg_bytes < b->key.msg_bytes);
}

static int compare_cells(const void *a, const void *b)
{
    return compare_places(a, b);
}

int ct_sweep_grid_mark_done(struct ct_sweep_grid *grid, const struct ct_run *run)
{
    if (run->cell_count == 0)
        return CT_OK;
    struct ct_run_cell *sorted = ct_allocate(run->cell_count, sizeof *sorted);
    if (!sorted)
        return CT_E_MEMORY;
    memcpy(sorted, run->cells, run->cell_count * sizeof *sorted);
    qsort(sorted, run->cell_count, sizeof *sorted, compare_cells);
    for (size_t i = 0; i < grid->cell_count; i++) {
        struct ct_sweep_cell *cell = &grid->cells[i];
        struct ct_run_cell place = {.launch = cell->launch, .collective = cell->collective, .key = cell->key};
        cell->done = bsearch(&place, sorted, run->cell_count, sizeof *sorted, compare_cells) != NULL;
    }
    free(sorted);
    return CT_OK;
}
