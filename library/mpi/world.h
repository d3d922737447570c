/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MPI_WORLD_H
#define CT_LIBRARY_MPI_WORLD_H

#include <stdbool.h>

/* Is there an MPI_COMM_WORLD, between MPI_Init and MPI_Finalize? MPI sessions need none. */
bool ct_world_is_alive(void);

#endif
