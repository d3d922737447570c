/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_LEARNED_H
#define CT_LIBRARY_LEARNED_H

#include "decision/tree/feature.h"
#include "library/decide/tuner.h"

/* COLLTUNE_LEARNED=FILE: the times that ranks have agreed on while methods were chosen, as CSV with the
 * columns collective,method,nodes,ppn,comm_size,msg_bytes,seconds. `colltune import csv` makes a run of it.
 * Only rank 0 of MPI_COMM_WORLD writes, so it has the communicators that this rank is in. */

/* Notes a method's time for calls with these features, if the file is asked for. Threads may do so at the
 * same time. */
void ct_learned_add(const struct ct_choice *choice, const struct ct_features *features, double seconds);

/* Writes the file, if it is asked for. */
void ct_learned_write(void);

/* What the calls of a class have ended with. */
struct ct_learned_class {
    const struct ct_features *features;
    const struct ct_choice *decided; /* by the table */
    const struct ct_choice *chosen;
    double decided_seconds; /* as ranks have agreed on; 0: not known */
    double chosen_seconds;  /* the same */
    bool is_settled;        /* else a trial was going on */
};

/* Notes it, if COLLTUNE_VERBOSE asks for the summary. Threads may do so at the same time. */
void ct_learned_add_class(const struct ct_learned_class *class);

/* Prints the summary on rank 0: how many classes there were, how many were settled, how many were
 * changed, and with COLLTUNE_VERBOSE=2 the changes. */
void ct_learned_print(void);

#endif
