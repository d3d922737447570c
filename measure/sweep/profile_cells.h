/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_PROFILE_CELLS_H
#define CT_MEASURE_SWEEP_PROFILE_CELLS_H

#include "base/error.h"
#include "plan/collective.h"

#include <stddef.h>

/* The cells that an application's profile asks to measure. A run notes them as a text, so that a sweep is
 * resumed without the profile: `allreduce/8/1024 bcast/8/64`, those with the most time first. */

/* What a sweep of them is asked for; strings are owned. */
struct ct_profile_cells {
    char *collectives; /* lists, as a user writes them */
    char *comm_sizes;
    char *msg_sizes; /* NULL if no cell has a message size */
    char *cells;
    size_t count;
    size_t left_out; /* cells that together take less than a hundredth of the time of all that can be measured
                      */
};

/* Chooses cells from the profile in a file. The message size of a cell is the mean of its class, for
 * reductions whole elements of it. CT_OK; CT_E_INPUT with a line in `error`, also if there is nothing to
 * measure; CT_E_SYSTEM; CT_E_MEMORY. Caller frees with ct_profile_cells_free(). */
int ct_profile_cells_read(const char *path, struct ct_error *error, struct ct_profile_cells *ret_cells);
void ct_profile_cells_free(struct ct_profile_cells *cells);

struct ct_wanted_cell {
    enum ct_collective collective;
    size_t comm_size;
    size_t msg_bytes;
};

/* Reads the text. CT_OK; CT_E_INPUT with a line in `error`; CT_E_MEMORY. Caller frees *ret_wanted. */
int ct_wanted_cells_parse(const char *text, struct ct_error *error, struct ct_wanted_cell **ret_wanted,
                          size_t *ret_count);

#endif
