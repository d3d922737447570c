/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_MESSAGE_ERRORS_H
#define CT_LIBRARY_EXECUTE_MESSAGE_ERRORS_H

#include "library/execute/message_state.h"

/* Does this code say that the errors stand in the statuses? */
bool ct_is_in_status(int code);
/* Keeps the first error of the call. */
void ct_messages_keep_error(struct ct_messages *messages, int code);
/* Can the call go on after the error of a message? A message that is too long ends its receive and nothing
 * else. The call carries out its other steps, so that no rank waits for this one, and returns the error at
 * its end. Returns the code of any other error. */
int ct_messages_tolerate(struct ct_messages *messages, int code);

#endif
