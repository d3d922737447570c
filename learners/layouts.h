/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LAYOUTS_H
#define CT_LEARNERS_LAYOUTS_H

#include "learners/learn_features.h"

/* How ranks lie on nodes in a map: so many on each, one node filled after the other. */
struct ct_layouts {
    size_t *ppn;  /* rising */
    size_t count; /* 0: it makes no difference */
};

enum { CT_LAYOUTS_MAX = 16 };

/* Those of a map in which ranks of one communicator size lie in several ways, where a column asks how they
 * do. CT_OK; CT_E_INPUT with a line in `error` where there are more than CT_LAYOUTS_MAX; CT_E_MEMORY. Caller
 * frees with ct_layouts_free(). */
int ct_layouts_of(const struct ct_map *map, const struct ct_feature_columns *columns, struct ct_error *error,
                  struct ct_layouts *ret_layouts);
void ct_layouts_free(struct ct_layouts *layouts);

/* Do the ranks of this cell lie like that? On one node they do in every layout that they fit into. */
bool ct_layout_has(size_t ppn, const struct ct_cell *cell);

#endif
