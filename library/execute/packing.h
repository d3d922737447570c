/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_PACKING_H
#define CT_LIBRARY_EXECUTE_PACKING_H

#include "library/execute/flight_state.h"
#include "library/execute/operands.h"

/* Makes the user's buffers available as bytes of their type signature, the unit of plans that move data.
 * Ranks may pass different types of one signature, so a type that is not contiguous at this rank is packed,
 * whatever it is at others. Sets SEND and RECV of *ret_buffers. Returns an MPI error code. */
int ct_buffers_pack(struct ct_flight *flight, const struct ct_collective_description *about,
                    const struct ct_operands *operands, const struct ct_call *call,
                    struct ct_buffers *ret_buffers);

/* Unpacks the result into the user's buffer, if it was packed. Returns an MPI error code. */
int ct_buffers_unpack(struct ct_flight *flight, const struct ct_collective_description *about,
                      const struct ct_operands *operands, const struct ct_call *call,
                      struct ct_buffers *buffers);

#endif
