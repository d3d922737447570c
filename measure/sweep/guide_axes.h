/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_GUIDE_AXES_H
#define CT_MEASURE_SWEEP_GUIDE_AXES_H

#include "samples/run.h"

/* The sides of a guide's space (measure/sweep/guide.h), and where the cells of a sweep lie in it.
 *
 * Where ranks per node vary by themselves, they are the layers. Rows are then numbers of nodes if every node
 * is full: numbers of nodes with numbers of ranks on each make a grid without holes, where their products do
 * not. Otherwise rows are communicator sizes. */

/* Values rise. Arrays are owned. */
struct ct_guide_axes {
    size_t *ppns; /* by layer; where there is one layer, any */
    size_t layers;
    size_t *row_values;
    size_t rows;
    size_t *msg_sizes;
    size_t columns;
    bool by_nodes; /* rows are numbers of nodes */
};

/* The sides of a space with these cells, at least one. CT_OK, CT_E_MEMORY. Caller frees. */
int ct_guide_axes_make(const struct ct_cell_key *keys, size_t count, struct ct_guide_axes *ret_axes);
void ct_guide_axes_free(struct ct_guide_axes *axes);

/* The point of one of these cells, also where it was measured since and so knows its nodes. */
size_t ct_guide_axes_point(const struct ct_guide_axes *axes, const struct ct_cell_key *key);

#endif
