/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_TREES_MAP_FIXTURE_H
#define CT_TESTS_TREES_MAP_FIXTURE_H

#include "decision/map.h"

/* Decision maps made by hand. */

/* A map of comm_sizes x msg_sizes (both lists as users write them) with these methods (likewise) and nothing
 * measured; free with ct_map_free(). */
void fixture_map(enum ct_collective collective, const char *comm_sizes, const char *msg_sizes,
                 const char *methods, struct ct_map *ret_map);

/* The time of a method in a cell, by indices; sets the cell's best anew. */
void fixture_set(struct ct_map *map, size_t cell, size_t method, double seconds);

/* The same random numbers from the same seed. */
size_t fixture_random(unsigned *seed, size_t below);

#endif
