/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_PREDICTION_GRID_H
#define CT_CLI_PREDICTION_GRID_H

#include "samples/run.h"

/* What is to be predicted, as the user writes it; NULL stands for the usual. */
struct ct_prediction_grid {
    const char *collectives; /* names */
    const char *comm_sizes;  /* lists of sizes */
    const char *msg_sizes;
    const char *methods;
    const char *segments; /* sizes that each segmented method has in turn; NULL: its own */
};

enum { CT_PREDICTED_RANKS_MOST = 1 << 20 };

/* Fills in collectives, sizes and methods, tool version and date of a description that is all zeroes. CT_OK;
 * CT_E_INPUT with a line in `error`; CT_E_MEMORY. */
int ct_prediction_grid_read(const struct ct_prediction_grid *grid, struct ct_error *error,
                            struct ct_run_description *description);

#endif
