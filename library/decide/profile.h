/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_PROFILE_H
#define CT_LIBRARY_PROFILE_H

#include "algorithms/profile_format.h"
#include "plan/call.h"

#include <stdbool.h>
#include <stdint.h>

/* COLLTUNE_PROFILE=FILE: which collectives the application calls, how often, by which method and how long.
 * The file's format is that of algorithms/profile_format.h. */
struct ct_profile;
struct ct_choice;

/* Returns an empty profile of this rank, which lives as long as the process; NULL without memory. `path` is
 * that of the file of all ranks, and must stay. */
struct ct_profile *ct_profile_make(const char *path, int rank, bool many_threads);

/* Nanoseconds on this rank's clock, of which differences mean something. */
uint64_t ct_profile_now(void);

/* Records a call that has taken so many nanoseconds. Threads may do so at the same time. A call is not
 * recorded if there is no memory for the first of its kind. */
void ct_profile_add(struct ct_profile *profile, enum ct_call_mode mode, const struct ct_choice *choice,
                    const struct ct_call *call, uint64_t nanoseconds);

/* Gathers what all ranks recorded, and writes the file at rank 0; nothing is written if a rank has no
 * profile. Collective over MPI_COMM_WORLD, by native calls. */
void ct_profile_write(const struct ct_profile *profile);
/* Writes what this rank recorded, if it has a profile, to the file PATH.RANK. Does not call MPI. A signal
 * handler may call it. */
void ct_profile_write_part(const struct ct_profile *profile);

#endif
