/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_FLIGHT_MEMORY_H
#define CT_LIBRARY_EXECUTE_FLIGHT_MEMORY_H

#include "library/execute/flight_state.h"

/* Frees the memory that calls of any size have left: buffers of more than `most` bytes. */
void ct_flight_trim(struct ct_flight *flight, size_t most);
/* Leaves all memory that calls have used to messages that could not be withdrawn. */
void ct_flight_leave_memory(struct ct_flight *flight);

#endif
