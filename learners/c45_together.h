/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_TOGETHER_H
#define CT_LEARNERS_C45_TOGETHER_H

#include "learners/learner.h"

/* One C4.5 tree for several collectives, the collective being an attribute like others, so that those alike
 * share what was measured of any (Pjesivac-Grbovic 2007, section 6.3.2); then cut into a tree for each. A
 * leaf whose method a collective does not have gets, of those it has, the one that was best in most of the
 * leaf's cells, else the one of least geometric-mean time over all of its own.
 *
 * Adds a tree to the table for each collective of the run that has a message size; `run_index` is the run in
 * the table. CT_OK; CT_E_INPUT where there are not two of these; CT_E_MEMORY, CT_E_LIMIT. */
int ct_c45_learn_together(const struct ct_run *run, const struct ct_learn_options *options, size_t run_index,
                          struct ct_error *error, struct ct_table *table);

/* The same from maps, of a collective each, and the tree of one of them alone: that of maps[wanted]. Caller
 * frees *ret_tree with ct_tree_free(). CT_OK; CT_E_INPUT where that map has no measured method that is
 * allowed; CT_E_MEMORY, CT_E_LIMIT. */
int ct_c45_tree_together(const struct ct_map *maps, size_t count, size_t wanted,
                         const struct ct_learn_options *options, struct ct_error *error,
                         struct ct_decision_tree *ret_tree);

/* Maps of the collectives of the run that have a message size, in room for CT_COLLECTIVES. Caller frees all
 * *ret_count with ct_map_free(), also on failure. CT_OK; CT_E_INPUT where there are not two of these; or what
 * ct_map_make() says. */
int ct_c45_maps_together(const struct ct_run *run, struct ct_error *error, struct ct_map *maps,
                         size_t *ret_count);

#endif
