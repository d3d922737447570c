/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_TIMELINE_TRANSFERS_H
#define CT_MODELS_EVALUATE_TIMELINE_TRANSFERS_H

#include "models/evaluate/flows.h"
#include "models/evaluate/timeline_messages.h"

/* The transfers of a timeline's messages: when each begins, and how long it would take alone. flows.h finds
 * when it ends. */
struct ct_timeline_transfers {
    const struct ct_timeline_terms *terms;
    struct ct_timeline_messages messages;
    struct ct_flows *flows;
    uint32_t *way; /* room for the links of one */
    size_t way_capacity;
};

/* False without memory. */
bool ct_timeline_transfers_make(struct ct_timeline_transfers *ret_transfers);
void ct_timeline_transfers_free(struct ct_timeline_transfers *transfers);

/* Matches the messages of the plans; none is in transfer. CT_OK, or errors as of
 * ct_timeline_messages_match(). */
int ct_timeline_transfers_set_up(struct ct_timeline_transfers *transfers,
                                 const struct ct_timeline_terms *terms, struct ct_error *error);

/* Every rank that the transfer needs has come, the last one at message->posted. Messages that do not meet
 * their receive leave one after another for each receiver, so it may have to wait for the one before it.
 * CT_OK, CT_E_MEMORY. */
int ct_timeline_transfers_begin(struct ct_timeline_transfers *transfers, uint32_t number);

/* The next message whose transfer has ended, in the order of time; the one behind it goes. *ret_is_any is
 * false if none is left. CT_OK, CT_E_MEMORY. */
int ct_timeline_transfers_next(struct ct_timeline_transfers *transfers, bool *ret_is_any,
                               uint32_t *ret_number, double *ret_time);

#endif
