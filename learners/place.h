/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_PLACE_H
#define CT_LEARNERS_PLACE_H

#include "decision/map.h"

/* Calls as places in a space whose axes are doublings of communicator size, message size and ranks per node.
 * The last axis counts only if ranks per node vary by themselves. */

enum { CT_PLACE_COMM, CT_PLACE_MSG, CT_PLACE_PPN, CT_PLACE_AXES };

void ct_place_of(const struct ct_cell_key *key, double ret_place[CT_PLACE_AXES]);

/* How far it is from one place to another by each of the first axes; returns the square of the distance. */
double ct_place_way(const double *from, const double *to, size_t axes, double ret_way[CT_PLACE_AXES]);

/* The nearest cell in each quarter of the plane of sizes around a call: with at least, or at most, as many
 * ranks, and at least, or at most, as many bytes. A cell with as many lies in both. All zeroes: there is none
 * as yet. */
enum { CT_QUARTERS = 4 };

struct ct_quarters {
    const struct ct_cell *nearest[CT_QUARTERS];
    double squares[CT_QUARTERS]; /* of their distances */
};

/* Takes a cell that lies that way from the call, where it is nearer than the others. */
void ct_quarters_take(struct ct_quarters *quarters, const struct ct_cell *cell, const double *way,
                      double square);

/* Do ranks per node vary among the cells with one communicator size? */
bool ct_map_has_layouts(const struct ct_map *map);

/* How many axes count. */
size_t ct_place_axes(const struct ct_map *map);

/* Sets nodes and ranks per node of a call as they are in the measured communicator that is next smaller, or
 * in the smallest. The map has a cell. */
void ct_place_ranks(const struct ct_map *map, struct ct_cell_key *key);

#endif
