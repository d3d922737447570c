/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_IMPORT_MAKE_RUN_H
#define CT_SAMPLES_IMPORT_IMPORT_MAKE_RUN_H

#include "samples/import/import_rows.h"

struct ct_import_summary {
    size_t cells;
    size_t samples;
    size_t lonely;   /* cells with samples of one method alone: nothing to choose there */
    size_t repeated; /* how often a cell has several samples of one method */
    size_t
        disagreeing; /* in how many of these the longest is more than CT_IMPORT_AGREES times the shortest */
    double least_seconds; /* the shortest time of all */
    double most_ratio;    /* of these, the largest longest / shortest; 1 where there are none */
    struct ct_import_place {
        uint32_t source; /* which file */
        size_t line;
    } shortest, longest; /* where these two stand; line 0 where there are none */
};

#define CT_IMPORT_AGREES 1.5
/* If all calls take more seconds than this, the times may be in another unit. */
#define CT_IMPORT_SLOW 0.1

/* Makes the run of all results, whose launches it numbers again where mappings are known: description without
 * texts and properties, samples and cells; where `comparable`, without the cells that hold one method alone.
 * CT_OK; CT_E_INPUT where nothing is left; CT_E_MEMORY. Caller frees with ct_run_free(). */
int ct_import_make_run(struct ct_import_results *results, bool comparable, struct ct_error *error,
                       struct ct_import_summary *ret_summary, struct ct_run *ret_run);

#endif
