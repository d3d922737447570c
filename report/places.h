/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_PLACES_H
#define CT_REPORT_PLACES_H

#include "decision/map.h"

/* The cells of one collective that pictures show: those of the map, in its order, then those that the run was
 * to measure and has not. A decision table decides in all of them. */

struct ct_places {
    struct ct_cell_key *keys;
    size_t count;
    size_t measured; /* keys[i] is that of the map's cell i where i is less than this */
};

/* `description` is that of the map's run. The nodes of an unmeasured cell are those of measured cells of the
 * same communicator size; where there are none, nodes are filled one after the other. CT_OK, CT_E_MEMORY,
 * CT_E_LIMIT. Caller frees with ct_places_free(). */
int ct_places_make(const struct ct_map *map, const struct ct_run_description *description,
                   struct ct_places *ret_places);
void ct_places_free(struct ct_places *places);

#endif
