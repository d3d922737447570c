/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_PROFILE_H
#define CT_LIBRARY_PROFILE_H

#include "algorithms/method.h"

/* COLLTUNE_PROFILE=FILE: which collectives the application calls, how often, by which method and how long, as
 * CSV with the columns rank,collective,comm_size,msg_bytes,method,calls,seconds. */
struct ct_profile;

/* Returns an empty profile, which lives as long as the process; NULL without memory. */
struct ct_profile *ct_profile_make(void);

/* A call that has begun. */
struct ct_profile_entry {
    const struct ct_profile *profile;
    enum ct_collective collective;
    size_t comm_size;
    size_t msg_bytes;
    const struct ct_method *method;
    double begun;
};

/* Called around each call; they do nothing without a profile. */
void ct_profile_begin(const struct ct_profile *profile, enum ct_collective collective,
                      const struct ct_call *call, const struct ct_method *method,
                      struct ct_profile_entry *ret_entry);
void ct_profile_end(struct ct_profile *profile, const struct ct_profile_entry *entry);

/* Gathers what all ranks recorded, and writes the file at rank 0; nothing is written if a rank has no
 * profile. Collective over MPI_COMM_WORLD, by native calls. */
void ct_profile_write(struct ct_profile *profile, const char *path);
/* Writes what this rank recorded, if it has a profile, to the file PATH.RANK. Does not call MPI. */
void ct_profile_write_part(struct ct_profile *profile, const char *path, int rank);

#endif
