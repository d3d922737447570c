/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_grid.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"
#include "measure/sweep/profile_cells.h"
#include "samples/element.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct making {
    const struct ct_run_description *description;
    const struct ct_sweep_division *division;
    size_t ppn;                    /* of the placements whose cells are added; 0: none */
    struct ct_wanted_cell *wanted; /* of a profile, in order; NULL: all cells of the description */
    size_t wanted_count;
    struct ct_sweep_grid grid;
    size_t cell_capacity;
    size_t slot_capacity;
    size_t batch_capacity;
    uint64_t random;
};

/* May the method apply to calls of this size? Only the benchmark program knows which ranks share a node: it
 * skips methods that do not apply. */
static bool may_apply(const struct making *making, const struct ct_method *method, size_t comm_size)
{
    if (making->grid.exact && ct_is_native(method->algorithm) &&
        ct_collectives[method->algorithm->collective].is_sparse)
        return false; /* the simulator's MPI lacks the function */
    const struct ct_call call = {.size = (int)comm_size,
                                 .unit_bytes = 1,
                                 .commutative = ct_operations[making->division->operation].commutes};
    return ct_constraints_hold(ct_method_constraints(method) & ~(unsigned)CT_CONSTRAINT_NODES_KNOWN, &call,
                               NULL);
}

/* The largest buffers that a cell may need: at each rank, and if one machine simulates all ranks, in total.
 */
static const size_t room_of_rank = (size_t)64 << 20, room_of_all = (size_t)1 << 30;

static bool has_room(const struct making *making, enum ct_collective collective, size_t comm_size,
                     size_t msg_bytes)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    size_t room = room_of_rank, bytes;
    if (about->is_sparse) /* a rank may have all others as neighbors, but hardly every rank */
        return ct_multiply(msg_bytes, comm_size, &bytes) && bytes <= room;
    if (!ct_contents_are_many(about->input[0]) && !ct_contents_are_many(about->result[0]))
        return true;
    if (making->grid.exact && room > room_of_all / comm_size)
        room = room_of_all / comm_size;
    return ct_multiply(msg_bytes, comm_size, &bytes) && bytes <= room;
}

static int add_cell(struct making *making, uint32_t launch, enum ct_collective collective, size_t comm_size,
                    size_t msg_bytes, size_t pattern, size_t root)
{
    struct ct_sweep_grid *grid = &making->grid;
    const struct ct_run_description *description = making->description;
    struct ct_sweep_cell cell = {.launch = launch,
                                 .collective = collective,
                                 .key = {.comm_size = comm_size,
                                         .msg_bytes = msg_bytes,
                                         .mode = ct_run_mode(description, launch),
                                         .root = (uint32_t)root,
                                         .pattern = pattern},
                                 .first = grid->slot_count,
                                 .wanted = true};
    if (making->ppn > 0) {
        const struct ct_placement placement = {comm_size, making->ppn};
        cell.key.nodes = (uint32_t)ct_placement_nodes(&placement);
        cell.key.ppn = (uint32_t)ct_placement_ppn(&placement);
    }
    for (size_t m = 0; m < description->method_count; m++) {
        const struct ct_method *method = &description->methods[m];
        if (method->algorithm->collective != collective || !may_apply(making, method, comm_size))
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

/* Adds a cell for each root that the communicator has. */
static int add_roots(struct making *making, uint32_t launch, enum ct_collective collective, size_t comm_size,
                     size_t msg_bytes)
{
    const struct ct_sweep_division *division = making->division;
    int status = CT_OK;
    if (!ct_collectives[collective].has_root || division->root_count == 0)
        return add_cell(making, launch, collective, comm_size, msg_bytes, 0, 0);
    for (size_t i = 0; status == CT_OK && i < division->root_count; i++)
        if (division->roots[i] < comm_size)
            status = add_cell(making, launch, collective, comm_size, msg_bytes, 0, division->roots[i]);
    return status;
}

/* Adds the cell, of a sparse collective one for each pattern, unless it cannot be measured. */
static int try_cell(struct making *making, uint32_t launch, enum ct_collective collective, size_t comm_size,
                    size_t msg_bytes)
{
    const struct ct_run_description *description = making->description;
    const size_t patterns = ct_collectives[collective].is_sparse ? description->pattern_count : 0;
    int status = CT_OK;
    if (ct_collectives[collective].has_size &&
        !ct_data_type_divides(collective, making->division->datatype, making->division->operation, msg_bytes))
        making->grid.uneven += launch == 0;
    else if (ct_collectives[collective].has_size && !has_room(making, collective, comm_size, msg_bytes))
        making->grid.left_out += launch == 0;
    else if (patterns == 0)
        status = add_roots(making, launch, collective, comm_size, msg_bytes);
    else
        for (size_t i = 0; status == CT_OK && i < patterns; i++)
            status = add_cell(making, launch, collective, comm_size, msg_bytes,
                              ct_pattern_id(description->patterns[i]), 0);
    return status;
}

static int add_sizes(struct making *making, uint32_t launch, enum ct_collective collective, size_t comm_size)
{
    const struct ct_run_description *description = making->description;
    if (!ct_collectives[collective].has_size)
        return try_cell(making, launch, collective, comm_size, 0);
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < description->msg_size_count; i++)
        status = try_cell(making, launch, collective, comm_size, description->msg_sizes[i]);
    return status;
}

/* Adds the cells of a profile: all, or those of one collective and communicator size. */
static int add_wanted(struct making *making, uint32_t launch, enum ct_collective collective, size_t comm_size)
{
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < making->wanted_count; i++) {
        const struct ct_wanted_cell *cell = &making->wanted[i];
        if ((collective == CT_COLLECTIVES || cell->collective == collective) &&
            (comm_size == 0 || cell->comm_size == comm_size))
            status = try_cell(making, launch, cell->collective, cell->comm_size, cell->msg_bytes);
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
        grid->batches[grid->batch_count++] =
            (struct ct_sweep_batch){first, grid->cell_count - first, size, making->ppn};
    return status;
}

/* Puts cells of the smallest message size first, because applications make most calls with a number or two:
 * a budget that ends early must not cost those. */
static void advance_smallest(const struct making *making, size_t first)
{
    struct ct_sweep_cell *cells = making->grid.cells;
    size_t smallest[CT_COLLECTIVES], place = first;
    for (size_t i = 0; i < CT_COLLECTIVES; i++)
        smallest[i] = SIZE_MAX;
    for (size_t i = first; i < making->grid.cell_count; i++)
        if (cells[i].key.msg_bytes < smallest[cells[i].collective])
            smallest[cells[i].collective] = cells[i].key.msg_bytes;
    for (size_t i = first; i < making->grid.cell_count; i++) {
        const struct ct_sweep_cell cell = cells[i];
        if (cell.key.msg_bytes > smallest[cell.collective])
            continue;
        memmove(cells + place + 1, cells + place, (i - place) * sizeof *cells);
        cells[place++] = cell;
    }
}

/* Puts the first cell of each collective first, then the second of each: so a collective with few cells does
 * not come last by chance. */
static int deal(struct making *making, size_t first)
{
    struct ct_sweep_cell *cells = making->grid.cells + first;
    size_t count = making->grid.cell_count - first;
    struct ct_sweep_cell *before = ct_allocate(count, sizeof *before);
    if (!before)
        return CT_E_MEMORY;
    memcpy(before, cells, count * sizeof *before);
    for (size_t turn = 0, dealt = 0; dealt < count; turn++) {
        size_t seen[CT_COLLECTIVES] = {0};
        for (size_t i = 0; i < count; i++)
            if (seen[before[i].collective]++ == turn)
                cells[dealt++] = before[i];
    }
    free(before);
    return CT_OK;
}

static int compare_falling(const void *a, const void *b)
{
    return ct_compare_sizes(b, a);
}

/* Puts the cells of a guided sweep from `first` on into their order. */
static int order_guided(struct making *making, size_t first)
{
    struct ct_sweep_grid *grid = &making->grid;
    if (grid->cell_count == first)
        return CT_OK;
    ct_shuffle(grid->cells + first, grid->cell_count - first, sizeof *grid->cells, &making->random);
    advance_smallest(making, first);
    return deal(making, first);
}

/* The cells of one communicator size, and of one collective or all (CT_COLLECTIVES), in random order. */
static int add_size(struct making *making, uint32_t launch, size_t comm_size, enum ct_collective only)
{
    const struct ct_run_description *description = making->description;
    struct ct_sweep_grid *grid = &making->grid;
    const size_t first = grid->cell_count;
    for (size_t c = 0; c < description->collective_count; c++) {
        const enum ct_collective collective = description->collectives[c];
        int status = only == CT_COLLECTIVES || collective == only
                         ? add_sizes(making, launch, collective, comm_size)
                         : CT_OK;
        if (status != CT_OK)
            return status;
    }
    if (grid->cell_count > first)
        ct_shuffle(grid->cells + first, grid->cell_count - first, sizeof *grid->cells, &making->random);
    return CT_OK;
}

/* One launch of a real sweep, which is a batch. */
static int add_launch(struct making *making, uint32_t launch, const size_t *comm_sizes, size_t count)
{
    const struct ct_run_description *description = making->description;
    const size_t begun = making->grid.cell_count;
    int status = CT_OK;
    making->random = description->seed * 2654435761u + launch;
    if (making->wanted)
        status = add_wanted(making, launch, CT_COLLECTIVES, 0);
    for (size_t p = 0; !making->wanted && status == CT_OK && p < count; p++)
        status = add_size(making, launch, comm_sizes[p], CT_COLLECTIVES);
    if (!making->wanted && status == CT_OK && description->sweep.guided)
        status = order_guided(making, begun);
    return status == CT_OK ? add_batch(making, begun, comm_sizes[0]) : status;
}

/* A batch of one communicator size, and of one collective or all. */
static int add_part(struct making *making, uint32_t launch, size_t comm_size, enum ct_collective only)
{
    const size_t first = making->grid.cell_count;
    int status = making->wanted ? add_wanted(making, launch, only, comm_size)
                                : add_size(making, launch, comm_size, only);
    if (!making->wanted && status == CT_OK && making->description->sweep.guided)
        status = order_guided(making, first);
    return status == CT_OK ? add_batch(making, first, comm_size) : status;
}

/* One launch of a sweep whose jobs run side by side. */
static int add_divided_launch(struct making *making, uint32_t launch, const size_t *comm_sizes,
                              size_t divided_below)
{
    const struct ct_run_description *description = making->description;
    int status = CT_OK;
    making->random = description->seed * 2654435761u + launch;
    for (size_t p = 0; status == CT_OK && p < description->comm_size_count; p++) {
        const bool is_divided = comm_sizes[p] < divided_below;
        if (!is_divided)
            status = add_part(making, launch, comm_sizes[p], CT_COLLECTIVES);
        for (size_t c = 0; is_divided && status == CT_OK && c < description->collective_count; c++)
            status = add_part(making, launch, comm_sizes[p], description->collectives[c]);
    }
    return status;
}

/* An exact sweep: the largest batches come first, so that no long one is left at the end. */
static int add_exact(struct making *making, const size_t *comm_sizes, size_t count)
{
    const struct ct_run_description *description = making->description;
    int status;
    for (size_t p = 0; p < count; p++)
        for (size_t c = 0; c < description->collective_count; c++) {
            size_t first = making->grid.cell_count;
            if ((status = (making->wanted ? add_wanted : add_sizes)(making, 0, description->collectives[c],
                                                                    comm_sizes[p])) != CT_OK ||
                (status = add_batch(making, first, comm_sizes[p])) != CT_OK)
                return status;
        }
    return CT_OK;
}

/* The batches of one launch, or of an exact sweep, on communicators of these sizes, of which the first is the
 * largest. */
static int add_batches(struct making *making, uint32_t launch, const size_t *comm_sizes, size_t count)
{
    const size_t divided_below = making->division->divided_below;
    if (making->division->exact)
        return add_exact(making, comm_sizes, count);
    return divided_below > 0 ? add_divided_launch(making, launch, comm_sizes, divided_below)
                             : add_launch(making, launch, comm_sizes, count);
}

/* The same for each number of ranks on a node. */
static int add_placements(struct making *making, uint32_t launch, size_t *comm_sizes)
{
    const struct ct_placements *placements = making->division->placements;
    int status = CT_OK;
    for (size_t first = 0, count; status == CT_OK && first < placements->count; first += count) {
        count = ct_placements_run(placements, first);
        for (size_t i = 0; i < count; i++)
            comm_sizes[i] = placements->items[first + i].ranks;
        making->ppn = placements->items[first].ppn;
        status = add_batches(making, launch, comm_sizes, count);
    }
    return status;
}

/* A cell by what the sweep chooses; where it places no ranks, nodes, ranks on each and how they wait follow
 * from the launcher, and what is known of a pattern from the pattern. */
static struct ct_run_cell chosen_cell(uint32_t launch, enum ct_collective collective, struct ct_cell_key key,
                                      bool is_placed)
{
    key.nodes = key.yield = 0;
    key.ppn = is_placed ? key.ppn : 0;
    key.degree = key.mean_degree = key.imbalance = key.on_node = 0;
    return (struct ct_run_cell){.launch = launch, .collective = collective, .key = key};
}

/* One of the grid's cells, and where it is. */
struct numbered {
    struct ct_run_cell cell;
    size_t index;
};

static int compare_numbered(const void *a, const void *b)
{
    const struct numbered *left = a, *right = b;
    return ct_run_cell_compare(&left->cell, &right->cell);
}

/* Gives cells that differ in their launch alone one number. */
static int number_cells(struct ct_sweep_grid *grid)
{
    const bool is_placed = grid->cells[0].key.ppn > 0;
    struct numbered *sorted = ct_allocate(grid->cell_count, sizeof *sorted);
    grid->is_measured = ct_allocate(grid->cell_count, sizeof *grid->is_measured);
    if (!sorted || !grid->is_measured) {
        free(sorted);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < grid->cell_count; i++) {
        const struct ct_sweep_cell *cell = &grid->cells[i];
        sorted[i] = (struct numbered){chosen_cell(0, cell->collective, cell->key, is_placed), i};
    }
    qsort(sorted, grid->cell_count, sizeof *sorted, compare_numbered);
    for (size_t i = 0; i < grid->cell_count; i++) {
        grid->distinct_count += i == 0 || compare_numbered(&sorted[i - 1], &sorted[i]) != 0;
        grid->cells[sorted[i].index].number = grid->distinct_count - 1;
    }
    free(sorted);
    return CT_OK;
}

int ct_sweep_grid_make(const struct ct_run_description *description, const struct ct_sweep_division *division,
                       struct ct_error *error, struct ct_sweep_grid *ret_grid)
{
    struct making making = {.description = description, .division = division, .grid.exact = division->exact};
    struct ct_sweep_grid *grid = &making.grid;
    int status = CT_OK;
    size_t *comm_sizes = ct_allocate(description->comm_size_count, sizeof *comm_sizes);
    grid->failures = ct_allocate(description->method_count, sizeof *grid->failures);
    if (!comm_sizes || !grid->failures) {
        status = CT_E_MEMORY;
        goto done;
    }
    memcpy(comm_sizes, description->comm_sizes, description->comm_size_count * sizeof *comm_sizes);
    qsort(comm_sizes, description->comm_size_count, sizeof *comm_sizes, compare_falling);
    if (description->sweep.cells)
        status = ct_wanted_cells_parse(description->sweep.cells, error, &making.wanted, &making.wanted_count);
    const size_t launches = division->exact ? 1 : description->launches;
    const bool is_placed = division->placements && division->placements->count > 0;
    for (size_t launch = 0; status == CT_OK && launch < launches; launch++)
        status = is_placed ? add_placements(&making, (uint32_t)launch, comm_sizes)
                           : add_batches(&making, (uint32_t)launch, comm_sizes, description->comm_size_count);
    if (status == CT_OK && grid->cell_count > 0)
        status = number_cells(grid);
    else if (status == CT_OK)
        status = ct_fail(error, CT_E_INPUT, "nothing to measure: %s", ct_uneven_text);
done:
    free(making.wanted);
    free(comm_sizes);
    if (status != CT_OK)
        ct_sweep_grid_free(grid);
    else
        *ret_grid = *grid;
    return status;
}

void ct_sweep_grid_free(struct ct_sweep_grid *grid)
{
    free(grid->cells);
    free(grid->slots);
    free(grid->batches);
    free(grid->failures);
    free(grid->is_measured);
    *grid = (struct ct_sweep_grid){0};
}

/* --- progress --- */

double ct_sweep_cell_weight(const struct ct_sweep_grid *grid, const struct ct_sweep_cell *cell)
{
    const double messages_of_a_call = 8, bytes_of_a_message = 4096;
    double methods = (double)cell->method_count;
    if (!grid->exact)
        return methods;
    return methods * (double)cell->key.comm_size *
           (messages_of_a_call + (double)cell->key.msg_bytes / bytes_of_a_message);
}

void ct_sweep_grid_finish(struct ct_sweep_grid *grid, struct ct_sweep_cell *cell)
{
    assert(!cell->done);
    cell->done = true;
    grid->cells_done++;
    grid->distinct_done += !grid->is_measured[cell->number];
    grid->is_measured[cell->number] = true;
    grid->weight_done += ct_sweep_cell_weight(grid, cell);
}

bool ct_sweep_slot_usable(const struct ct_sweep_grid *grid, const struct ct_sweep_slot *slot)
{
    return slot->wanted && slot->status == CT_SAMPLE_OK && grid->failures[slot->method] < CT_SWEEP_GIVE_UP;
}

size_t ct_sweep_grid_slots_left(const struct ct_sweep_grid *grid, size_t first, size_t count)
{
    size_t left = 0;
    assert(first + count <= grid->cell_count);
    for (size_t i = first; i < first + count; i++) {
        const struct ct_sweep_cell *cell = &grid->cells[i];
        for (size_t m = 0; cell->wanted && !cell->done && m < cell->method_count; m++)
            left += ct_sweep_slot_usable(grid, &grid->slots[cell->first + m]);
    }
    return left;
}

int ct_sweep_grid_mark_done(struct ct_sweep_grid *grid, const struct ct_run *run)
{
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->samples[i].status == CT_SAMPLE_CRASHED || run->samples[i].status == CT_SAMPLE_HUNG)
            grid->failures[run->samples[i].method]++;
    if (run->cell_count == 0)
        return CT_OK;
    const bool is_placed = grid->cells[0].key.ppn > 0;
    struct ct_run_cell *sorted = ct_allocate(run->cell_count, sizeof *sorted);
    if (!sorted)
        return CT_E_MEMORY;
    for (size_t i = 0; i < run->cell_count; i++)
        sorted[i] = chosen_cell(run->cells[i].launch, run->cells[i].collective, run->cells[i].key, is_placed);
    qsort(sorted, run->cell_count, sizeof *sorted, ct_run_cell_compare);
    for (size_t i = 0; i < grid->cell_count; i++) {
        struct ct_sweep_cell *cell = &grid->cells[i];
        const struct ct_run_cell key = chosen_cell(cell->launch, cell->collective, cell->key, is_placed);
        if (bsearch(&key, sorted, run->cell_count, sizeof *sorted, ct_run_cell_compare))
            ct_sweep_grid_finish(grid, cell);
    }
    free(sorted);
    return CT_OK;
}
