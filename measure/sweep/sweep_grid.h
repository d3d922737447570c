/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_GRID_H
#define CT_MEASURE_SWEEP_SWEEP_GRID_H

#include "measure/data_type.h"
#include "measure/operation.h"
#include "measure/sweep/placements.h"
#include "samples/run.h"

/* The cells of a sweep, in the order in which they are measured, and how far the sweep has come.
 *
 * Real: each launch is one batch, which one job measures on communicators of its first ranks, so that the
 * conditions are the same for all cells. Cells come by communicator size, largest first, and within a size in
 * random order: a new size wakes ranks or puts them to sleep, so it changes rarely, while the methods, which
 * are what is compared, take turns within each cell. In a guided sweep all cells of a launch are in random
 * order, those of the smallest messages first, because its budget may run out, which must not cost whole
 * sizes. Cells of a profile come in its order, those with the most time first. Side by side: as real, but
 * each communicator size of a launch is a batch, so that jobs of small ones need few nodes, and where several
 * of them fit on the nodes each collective is one. Exact (simulated): each collective at each communicator
 * size is a batch, largest first, in the order of sizes; results then depend on nothing but the grid. */

/* What the batches are. */
struct ct_sweep_division {
    bool exact; /* simulated */
    enum ct_data_type datatype;
    enum ct_operation operation;
    const size_t *roots; /* each is measured where a communicator has that rank; NULL: 0 alone */
    size_t root_count;
    const struct ct_placements *placements; /* none: where the launcher places ranks */
    /* Side by side: cells of communicators with fewer ranks than this are a batch for each collective. 0: a
     * launch is one batch. */
    size_t divided_below;
};

/* A cell in one launch. */
struct ct_sweep_cell {
    uint32_t launch;
    size_t number; /* of the cell among those of the sweep: the same in all launches */
    enum ct_collective collective;
    struct ct_cell_key key; /* nodes and ppn: as its placement says; without one 0 until it is measured */
    size_t first;           /* its methods: grid->slots[first ... first + method_count - 1] */
    size_t method_count;
    bool done;
    bool wanted; /* to be measured in this round, or measured in it already */
    bool known;  /* of a guided sweep: was measured in a round before */
};

/* A method in a cell. */
struct ct_sweep_slot {
    size_t method;                /* index in the description */
    enum ct_sample_status status; /* CT_SAMPLE_OK as long as it has not failed */
    bool wanted;                  /* if its cell is */
};

/* Cells that one job measures. */
struct ct_sweep_batch {
    size_t first;
    size_t count;
    size_t size; /* ranks */
    size_t ppn;  /* on each node, of a placement; 0: as for all */
};

struct ct_sweep_grid {
    bool exact;
    struct ct_sweep_cell *cells;
    size_t cell_count;
    /* Cells as they are told to the user: one that several launches measure counts once. */
    size_t distinct_count;
    size_t distinct_done; /* in at least one launch */
    bool *is_measured;    /* by the cell's number: in at least one launch */
    struct ct_sweep_slot *slots;
    size_t slot_count;
    struct ct_sweep_batch *batches;
    size_t batch_count;
    size_t *failures;   /* by method: cells in which it crashed or hung */
    size_t cells_done;  /* in all launches */
    double weight_done; /* work that the done cells took, in units of ct_sweep_cell_weight() */
    size_t uneven;      /* cells of reductions left out: no whole number of elements */
    size_t left_out;    /* cells left out because their buffers would be too large */
};

/* A method that has failed in so many cells is given up. */
enum { CT_SWEEP_GIVE_UP = 3 };

/* All cells of the description, all of them wanted, and the batches. CT_OK; CT_E_INPUT if there is no cell at
 * all; CT_E_MEMORY. Caller frees. */
int ct_sweep_grid_make(const struct ct_run_description *description, const struct ct_sweep_division *division,
                       struct ct_error *error, struct ct_sweep_grid *ret_grid);
void ct_sweep_grid_free(struct ct_sweep_grid *grid);

/* Marks the cells that the run has, and counts the failures in it. CT_OK or CT_E_MEMORY. */
int ct_sweep_grid_mark_done(struct ct_sweep_grid *grid, const struct ct_run *run);
/* Marks one cell. */
void ct_sweep_grid_finish(struct ct_sweep_grid *grid, struct ct_sweep_cell *cell);

/* Can the method still be measured in its cell: wanted, without a failure there, and not given up? */
bool ct_sweep_slot_usable(const struct ct_sweep_grid *grid, const struct ct_sweep_slot *slot);
/* Usable slots of wanted cells that are not done, among `count` cells from `first` on. */
size_t ct_sweep_grid_slots_left(const struct ct_sweep_grid *grid, size_t first, size_t count);

/* The cell's share of the work, for progress. */
double ct_sweep_cell_weight(const struct ct_sweep_grid *grid, const struct ct_sweep_cell *cell);

#endif
