/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_TRANSFERS_H
#define CT_LIBRARY_NODE_TRANSFERS_H

#include "library/node/lane.h"

/* The transfers of a call that are not complete, in the order of its plan. */
struct ct_transfers {
    struct ct_transfer *items;
    size_t count;
    size_t capacity;
};

/* Adds a transfer; what can be sent without waiting is sent at once, and nothing is added if that is all,
 * which *ret_sent tells. CT_OK or CT_E_MEMORY. */
int ct_transfers_add(struct ct_transfers *transfers, const struct ct_transfer *transfer, bool *ret_sent);

/* Moves all transfers as far as goes without waiting. Those that are complete leave the list; `complete` is
 * called for each of them. CT_OK, or CT_E_MEMORY: a message cannot be received. */
int ct_transfers_advance(struct ct_transfers *transfers,
                         void (*complete)(void *context, const struct ct_transfer *transfer), void *context);

/* How many of them are to be complete at `until`? */
size_t ct_transfers_left(const struct ct_transfers *transfers, unsigned until);
/* The first one that the call waits for; NULL: there is none. */
const struct ct_transfer *ct_transfers_first(const struct ct_transfers *transfers);

/* The call ends before its sends, or its receives, are complete. `forget` is called for each of them, and
 * what a later message with the label may be taken for is mended. Of a message that is sent in part, an empty
 * piece says the end, and its receiver finds that it is too short; of one that is received in part, the rest
 * is dropped. That is done by transfers that stay in the list, that no call waits for, and that have no
 * memory. The others leave it. True: the other ranks use the memory of none. */
bool ct_transfers_abandon(struct ct_transfers *transfers, bool sends,
                          void (*forget)(const struct ct_transfer *transfer));
/* Before the list is freed with such transfers: the lanes are to wait for them no longer. */
void ct_transfers_leave_lanes(const struct ct_transfers *transfers);

#endif
