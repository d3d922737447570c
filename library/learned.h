/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_LEARNED_H
#define CT_LIBRARY_LEARNED_H

#include "decision/tree/feature.h"
#include "library/tuner.h"

/* COLLTUNE_LEARNED=FILE: the times that ranks have agreed on while methods were chosen, as CSV with the
 * columns collective,method,nodes,ppn,comm_size,msg_bytes,seconds. `colltune import csv` makes a run of it.
 * Only rank 0 of MPI_COMM_WORLD writes, so it has the communicators that this rank is in. */

/* Notes a method's time for calls with these features, if the file is asked for. Threads may do so at the
 * same time. */
void ct_learned_add(const struct ct_choice *choice, const struct ct_features *features, double seconds);

/* Writes the file, if it is asked for. */
void ct_learned_write(void);

#endif
