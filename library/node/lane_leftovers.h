/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_LANE_LEFTOVERS_H
#define CT_LIBRARY_NODE_LANE_LEFTOVERS_H

#include "library/node/lane_internal.h"

/* What erroneous calls leave behind in a lane: see lane.h. */

/* Does a piece with this label and form belong to a call that this rank has left? That the other rank has
 * begun a call that this rank has begun, too, tells nothing. As long as a receive waits for the rest of its
 * message, it may look for it during other calls, and they keep it. */
bool ct_is_left_over(const struct ct_lane *lane, const struct ct_lane_call *call, uint64_t label,
                     unsigned form);

/* Removes a piece. Its sender is told in any case, since it may wait. */
void ct_drop_piece(struct ct_lane *lane, const struct ct_piece *piece);

/* Removes left-over pieces from those that were set aside. */
void ct_drop_early(struct ct_lane *lane, const struct ct_lane_call *call);

/* Removes the announcements that were set aside of the set of ranks of a label: the last one says all, and a
 * sender that finds no room for others repeats them. */
void ct_drop_announcements(struct ct_lane *lane, uint64_t label);

/* Has the sender left the call, as pieces that were set aside tell? Of other sets only announcements count:
 * programs that call collectives of several sets in different orders are wrong, but may work as long as
 * nobody waits for long. */
bool ct_sender_has_left(const struct ct_lane *lane, const struct ct_lane_call *call);

#endif
