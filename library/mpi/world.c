/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi/world.h"

#include <mpi.h>

bool ct_world_is_alive(void)
{
    int begun = 0, ended = 0;
    PMPI_Initialized(&begun);
    PMPI_Finalized(&ended);
    return begun && !ended;
}
