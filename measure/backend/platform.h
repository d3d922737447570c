/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_PLATFORM_H
#define CT_MEASURE_BACKEND_PLATFORM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A machine for the simulator: a SimGrid platform file, shipped in measure/backend/platforms/ or the user's
 * own. */
struct ct_platform {
    char *name; /* as the user gave it */
    char *path;
    char **hosts; /* one rank goes to each, in this order */
    size_t host_count;
    char *gamma_flops;  /* of local reductions and copies, flops per byte; from the file's properties */
    char *delta_flops;  /* colltune.gamma_flops and colltune.delta_flops, else common values */
    char *node_costs;   /* of messages within a host (node_platform.h): colltune.node_costs; or NULL */
    char *topology;     /* how hosts are joined (models/contention/interconnect.h); NULL: by one switch, or
                           unknown */
    double hop_latency; /* seconds of each link of that topology */
    bool is_plain;      /* that is all about the network: links are alike, and do what they say */
};

/* The name of a shipped one; NULL behind the last. */
const char *ct_platform_choice(size_t index);

/* Loads a shipped platform by name, or a file (a name with a '/' or ending in .xml).
 * CT_E_INPUT with a line in `error` for an unknown name, a file that is not there or no platform, or one
 * without hosts. Caller frees with ct_platform_free(). */
int ct_platform_load(const char *name, struct ct_error *error, struct ct_platform *ret_platform);
void ct_platform_free(struct ct_platform *platform);

/* Writes its file to `path`, where each host has at least `cores` cores. CT_OK; CT_E_INPUT, CT_E_SYSTEM with
 * a line in `error`; CT_E_MEMORY. */
int ct_platform_copy(const struct ct_platform *platform, size_t cores, const char *path,
                     struct ct_error *error);

#endif
