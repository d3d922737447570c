/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_CONTRADICTION_H
#define CT_DECISION_CONTRADICTION_H

#include "decision/map.h"

/* Communicator sizes whose times contradict those of the sizes next to them for several methods at once: most
 * likely something else ran while they were measured, or while the others were. */

struct ct_contradiction {
    size_t comm_size;
    size_t compared; /* methods that were measured here and at both neighbouring sizes */
    size_t methods;  /* of these, how many contradict in the same direction */
    size_t method;   /* of these, native, or the one that contradicts most */
    double factor; /* its time here over that of the nearer neighbour: 9 is 9 times slower, 1.0 / 9 faster */
};

/* The map's contradictions, by rising communicator size. A method contradicts where its time is at least
 * three times longer, or shorter, than at both neighbouring sizes, in the median over the message sizes that
 * all three have. A size does if at least two methods and a quarter of those that can be compared do so in
 * the same direction. Sizes are compared only if all three have the same nodes, or ranks per node. CT_OK,
 * CT_E_MEMORY. The caller frees *ret_found. */
int ct_contradictions_find(const struct ct_map *map, struct ct_contradiction **ret_found, size_t *ret_count);

#endif
