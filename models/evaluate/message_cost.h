/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_MESSAGE_COST_H
#define CT_MODELS_EVALUATE_MESSAGE_COST_H

#include "models/model.h"

/* The cost of one message at both ends, in terms that the three models have in common. Seconds.
 *
 * Sending begins when the message has been posted and the send port is free. */
struct ct_message_cost {
    size_t bytes;
    double flight; /* from the begin of sending until the message arrives */
    double gap; /* how long it occupies the sender's port from its begin on, and the receiver's port before it
                   arrives */
    double send_busy;   /* work of the sender's CPU, done when it posts */
    double send_done;   /* from the begin of sending until the send is complete */
    double take_before; /* work of the receiver's CPU while the message arrives */
    double take_after;  /* work of the receiver's CPU after that */
};

/* The cost under a model that the link knows; docs/evaluation.md has the table. Source: Pjesivac-Grbovic
 * 2007, section 4.2.1. */
struct ct_message_cost ct_message_cost_of(const struct ct_link *link, enum ct_communication_model model,
                                          size_t bytes);

/* The same, with the overhead for the gap (see ct_link_gap_of_overhead()): for messages that share links. */
struct ct_message_cost ct_message_cost_of_overhead(const struct ct_link *link,
                                                   enum ct_communication_model model, size_t bytes);

#endif
