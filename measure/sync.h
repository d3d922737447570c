/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SYNC_H
#define CT_MEASURE_SYNC_H

/* Synchronisation modes; measure/sync.def describes each. */
enum ct_sync {
#define SYNC(constant, ...) CT_SYNC_##constant,
#include "measure/sync.def"
#undef SYNC
    CT_SYNCS
};

enum ct_sync_clock { CT_SYNC_CLOCK_OWN, CT_SYNC_CLOCK_SHARED, CT_SYNC_CLOCK_COMMON };

struct ct_sync_mode {
    const char *name;
    enum ct_sync_clock clock;
    const char *start; /* for run.xml */
};

extern const struct ct_sync_mode ct_sync_modes[CT_SYNCS];

/* All names, separated by commas, for messages. */
extern const char *const ct_sync_names;
/* The text of the option that chooses the mode. */
extern const char ct_sync_help[];

/* CT_SYNCS for an unknown name. */
enum ct_sync ct_sync_find(const char *name);

#endif
