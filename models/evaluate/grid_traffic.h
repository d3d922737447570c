/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_GRID_TRAFFIC_H
#define CT_MODELS_EVALUATE_GRID_TRAFFIC_H

#include "models/model.h"
#include "plan/pattern.h"
#include "plan/rank_grid.h"

/* What ranks send if the blocks of a sparse exchange travel along the dimensions of a grid: the counts of
 * neighbor_alltoallv/grid without set-up and plans, by walking the ways of all blocks. It takes time in
 * proportion to edges and dimensions, and memory in proportion to edges and ranks. Source: Selvitopi and
 * Aykanat 2019, section 4. */

struct ct_grid_traffic {
    size_t messages;      /* of all ranks */
    size_t units;         /* sent by all ranks, each as often as it is forwarded */
    size_t most_messages; /* that a rank sends */

    /* An estimate: the stages one after another, each as long as the rank with the most work of CPU, send
     * port or receive port, and the delay of a message. Copies take no time, and no rank is ahead of
     * another. */
    double seconds;
};

/* One dimension is the direct exchange. Edges from a rank to itself, and those without length, send nothing.
 * `unit_bytes` is the size of a unit of the edges' lengths. CT_OK or CT_E_MEMORY. */
int ct_grid_traffic(const struct ct_rank_grid *grid, const struct ct_edge *edges, size_t count,
                    size_t unit_bytes, const struct ct_link *link, enum ct_communication_model kind,
                    struct ct_grid_traffic *ret_traffic);

#endif
