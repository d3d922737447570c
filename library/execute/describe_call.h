/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_DESCRIBE_CALL_H
#define CT_LIBRARY_EXECUTE_DESCRIBE_CALL_H

#include "library/execute/flight_state.h"
#include "library/execute/operands.h"

/* A call with its operands as plans and decisions see it. */

/* Describes the call as plans and decisions see it. The result's tables are the channel's, valid until the
 * next call. Returns an MPI error code. */
int ct_call_describe(struct ct_channel *channel, enum ct_collective collective,
                     const struct ct_operands *operands, struct ct_call *ret_call);

/* ct_call_describe() with tables in the memory of the flight. */
int ct_flight_describe(struct ct_flight *flight, enum ct_collective collective,
                       const struct ct_operands *operands, struct ct_call *ret_call);

#endif
