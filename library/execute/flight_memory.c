/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/flight_memory.h"

#include <string.h>

void ct_flight_trim(struct ct_flight *flight, size_t most)
{
    ct_memory_free(flight->temporary, flight->buffers_most, most);
    ct_memory_free(flight->packed, 2, most);
    ct_memory_free(flight->counts, 2, most);
    ct_memory_free(flight->places, 2, most);
    ct_memory_free(&flight->placed, 1, most);
}

void ct_flight_leave_memory(struct ct_flight *flight)
{
    memset(flight->temporary, 0, sizeof flight->temporary);
    memset(flight->packed, 0, sizeof flight->packed);
}
