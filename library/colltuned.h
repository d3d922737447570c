/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLLTUNED_H
#define COLLTUNED_H

/* libcolltuned: tuned collectives for MPI. Link it before the MPI library, or preload it; there is nothing to
 * call. It takes over the blocking collectives on intracommunicators, those of neighbors as the environment
 * asks for it, and leaves the rest to the MPI library. What follows is for those who want to look inside. */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define COLLTUNED_API __attribute__((visibility("default")))
#else
#define COLLTUNED_API
#endif

/* What one method has done in this process. */
struct colltuned_counter {
    const char *method; /* "bcast/binomial:seg=8K"; "bcast/native" counts calls passed on */
    unsigned long long calls;
    unsigned long long messages; /* sent by this process; 0 for native */
};

/* Fills at most `room` counters, in a stable order, and returns how many there are. */
COLLTUNED_API size_t colltuned_counters(struct colltuned_counter *counters, size_t room);

/* Where the decisions come from, one line a fact; never NULL. */
COLLTUNED_API const char *colltuned_provenance(void);

#ifdef __cplusplus
}
#endif

#endif
