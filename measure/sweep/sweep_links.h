/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_LINKS_H
#define CT_MEASURE_SWEEP_SWEEP_LINKS_H

#include "base/progress.h"
#include "measure/sweep/sweep_grid.h"
#include "samples/sweep_state.h"

/* Links between nodes that were slow while some cells were measured. Jobs report how long blocks take that
 * their ranks pass around (measure/benchmark/links.h). Where that is several times the shortest time of as
 * many ranks placed alike, the cells between this check and the next good one are marked in the sweep's
 * state, and so are those since the last good one. */

/* The shortest time of communicators that are placed alike. */
struct ct_link_time {
    size_t ranks, nodes, ppn;
    double seconds;
};

/* What a sweep knows of its links. Freed by ct_sweep_links_free(); all zeroes at first. */
struct ct_sweep_links {
    struct ct_link_time *shortest;
    size_t count, capacity;
};

/* The cells that a job has measured since its last check, unless that found slow links. Freed by
 * ct_link_cells_free(); all zeroes before each job. */
struct ct_link_cells {
    size_t *ids; /* in the grid */
    size_t count, capacity;
    bool slow; /* the last check found slow links */
};

void ct_sweep_links_free(struct ct_sweep_links *links);
void ct_link_cells_free(struct ct_link_cells *cells);

/* Notes that the job has measured a cell of the grid; where links are slow, marks it. CT_OK, CT_E_MEMORY. */
int ct_link_cells_add(struct ct_link_cells *cells, const struct ct_sweep_grid *grid, size_t id,
                      struct ct_sweep_state *state);

/* Takes the job's check `now`, tells the user of links that have become slow, and marks cells of the grid in
 * the state: in link_cells, with the largest ratio of two such times in link_factor. A time far below the
 * shortest so far shows that the links were slow before: then all cells measured on as many ranks are marked.
 * CT_OK, CT_E_MEMORY. */
int ct_sweep_links_take(struct ct_sweep_links *links, const struct ct_link_time *now,
                        const struct ct_sweep_grid *grid, const struct ct_watch *watch,
                        struct ct_link_cells *cells, struct ct_sweep_state *state);

#endif
