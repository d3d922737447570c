/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_PROFILE_H
#define CT_LIBRARY_PROFILE_H

#include "library/tuner.h"

/* COLLTUNE_PROFILE=FILE: which collectives the application calls, how often, by which method and how long, as
 * CSV with the columns rank,collective,comm_size,msg_bytes,method,calls,seconds. */

/* One call on its way; all zeroes where nothing is recorded. */
struct ct_profile_entry {
    bool recorded;
    enum ct_collective collective;
    size_t comm_size;
    size_t msg_bytes;
    const struct ct_method *method;
    double begun;
};

/* Around a call. Both do next to nothing where COLLTUNE_PROFILE is not set. */
struct ct_profile_entry ct_profile_begin(enum ct_collective collective, const struct ct_call *call,
                                         const struct ct_method *method);
void ct_profile_end(const struct ct_profile_entry *entry);

/* Gathers what all ranks recorded and writes the file at rank 0; collective over MPI_COMM_WORLD, natively. */
void ct_profile_write(void);

#endif
