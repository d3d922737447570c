/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_NEAR_WAITS_H
#define CT_LIBRARY_EXECUTE_NEAR_WAITS_H

#include "library/execute/message_state.h"
#include "library/execute/patience.h"

/* Waiting for messages through lanes. */

/* What ct_messages_exchange() does. */
int ct_near_messages_exchange(struct ct_messages *messages, const struct ct_exchange *exchange,
                              char *const addresses[2], const struct ct_units *units);

/* Passes the time between two looks, which were at lanes alone if `is_near`. */
void ct_near_messages_pass_time(struct ct_messages *messages, struct ct_patience *patience, bool is_near);

#endif
