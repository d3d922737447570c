/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_CHOOSABLE_H
#define CT_LEARNERS_CHOOSABLE_H

#include "decision/map.h"

/* Which methods a table may take in a call, by what was measured there and around it. All learners follow
 * these rules:
 *
 * - A method that was measured in the call may be chosen, unless it is significantly slower there than the
 *   best (CT_STANDING_WORSE), and by more than the map's margin of equivalence; or native, if it is allowed,
 *   was faster there in each launch that measured both and over all. For this both have at least five
 *   samples, and computed times (map->exact) are no reason. One launch is not believed if native is far from
 *   the best in all of the nearest cells that measured it.
 * - Another method may be chosen if it took at most CT_CHOOSABLE_NEAR longer than the best in one of the
 *   nearest measured cells, and has not failed in the call itself. Native is no exception. The nearest cells
 *   are those with at least, or at most, as many ranks, and at least, or at most, as many bytes: four of
 *   them. If some methods are near the best in all of these cells, they alone may be chosen where nothing was
 *   measured: what lies between two cells is as likely to be like the one as like the other. Methods whose
 *   times a model of the machine predicts need not have been near the best there.
 * - Where ranks share CPUs they yield while they wait. How native waits is the MPI library's, and there it
 *   may take a thousand times as long. So if the cells tell whether ranks yield in a call, native must have
 *   been near the best in cells that are alike in that. Where they do, native is not chosen in a cell where
 *   it took more than CT_CHOOSABLE_HOPELESS longer than the best, however few samples say so.
 * - A method must apply to the call.
 * - Where the cell, or the nearest one to a call that was not measured, says native_alone, native is the only
 *   one, if it is allowed.
 *
 * Cells in which one method alone was measured do not count, because they do not tell which is better. If no
 * method may be chosen by these rules, all that apply may, but for native where ranks yield. */

#define CT_CHOOSABLE_NEAR     0.1
#define CT_CHOOSABLE_HOPELESS 4.0

struct ct_choosable;

/* `allowed` and `predicted` are by method of the map: may it be chosen at all, and does a model predict its
 * times (NULL: of no method)? All must live as long. `cautious`: prefer methods on which all of the nearest
 * cells agree, as said above; without it one of these suffices. CT_OK, CT_E_MEMORY. Free with
 * ct_choosable_free(). */
int ct_choosable_new(const struct ct_map *map, const bool *allowed, const bool *predicted, bool cautious,
                     struct ct_choosable **ret_choosable);
void ct_choosable_free(struct ct_choosable *choosable); /* NULL is allowed */

/* By method of the map: may it be chosen in the call? Takes time in proportion to the cells. */
void ct_choosable_at(const struct ct_choosable *choosable, const struct ct_cell_key *key, bool *ret_may);

/* The call's own cell if several allowed methods were measured in it, or else the nearest such cell; NULL:
 * there is none. */
const struct ct_cell *ct_choosable_nearest(const struct ct_choosable *choosable,
                                           const struct ct_cell_key *key);

#endif
