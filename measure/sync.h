/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SYNC_H
#define CT_MEASURE_SYNC_H

/* How repetitions start and are timed. */
enum ct_sync {
    CT_SYNC_AUTO, /* behind a barrier; on the common clock where the ranks share one, else each by itself */
    CT_SYNC_BARRIER, /* behind a barrier; the longest of the ranks' own times, as in OCC */
    CT_SYNC_COMMON,  /* behind a barrier; on a common clock, made where the ranks do not share one */
    CT_SYNC_WINDOW,  /* at a time agreed on, on a common clock, as in SKaMPI */
    CT_SYNCS
};

/* By enum: "auto", "barrier", "common", "window". */
extern const char *const ct_sync_names[CT_SYNCS];

/* CT_SYNCS for an unknown name. */
enum ct_sync ct_sync_find(const char *name);

#endif
