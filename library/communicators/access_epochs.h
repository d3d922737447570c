/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_ACCESS_EPOCHS_H
#define CT_LIBRARY_ACCESS_EPOCHS_H

#include <mpi.h>
#include <stdbool.h>

/* Access epochs of windows, from MPI_Win_start to MPI_Win_complete. Within one another start is an error,
 * which the MPI library reports at once, and for which no rank gives notice (meeting.h).
 *
 * They are noted where meetings are held alone. */

bool ct_access_epoch_is_open(MPI_Win window);
/* MPI_Win_start or MPI_Win_complete has succeeded. */
void ct_access_epoch_begun(MPI_Win window);
void ct_access_epoch_ended(MPI_Win window);

/* Nothing is noted any longer. */
void ct_access_epochs_stop(void);

#endif
