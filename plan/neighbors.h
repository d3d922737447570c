/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_NEIGHBORS_H
#define CT_PLAN_NEIGHBORS_H

#include <stddef.h>

/* With whom one rank exchanges data in a sparse collective: its topology, and with the lengths its pattern.
 * Lists are as MPI has them: a rank may occur several times, and may be this rank itself. The k-th occurrence
 * of rank b among the destinations of rank a belongs to the k-th occurrence of a among the sources of b. */
struct ct_neighbors {
    size_t out_count;
    const int *out;            /* destinations, in the order of the input's blocks */
    const size_t *out_lengths; /* of these blocks, in units; NULL where all blocks have the call's count */
    size_t in_count;
    const int *in; /* sources, in the order of the result's blocks; NULL where they are not known */
    const size_t *in_lengths;
};

/* Positions in a list of ranks, sorted by rank, and by position among those of one rank. CT_OK or
 * CT_E_MEMORY. The caller frees *ret_order. */
int ct_neighbors_order(const int *ranks, size_t count, size_t **ret_order);

/* The first place in that order whose rank is not less than `rank`; `count` where there is none. */
size_t ct_neighbors_find(const int *ranks, const size_t *order, size_t count, int rank);

/* Writes who sends to whom, given the neighbors of all ranks by rank: "0>1,0>2,1>0"; of many edges the first
 * ones and "...". Returns `text`. */
enum { CT_NEIGHBORS_TEXT = 480 };
char *ct_neighbors_format(const struct ct_neighbors *ranks, int size, char text[CT_NEIGHBORS_TEXT]);

#endif
