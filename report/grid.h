/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_REPORT_GRID_H
#define CT_REPORT_GRID_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Points of a sweep laid out as a picture shows them: message sizes to the right and communicator sizes
 * upwards, both by index, so that a logarithmic axis needs no logarithm and an irregular one no gaps. A
 * collective without a message size has its communicator sizes to the right and one row. */

struct ct_place {
    size_t comm_size;
    size_t msg_bytes;
};

struct ct_grid {
    bool has_size; /* x is the message size in bytes, y the communicator size; else x is that and y nothing */
    size_t *x;     /* rising */
    size_t x_count;
    size_t *y; /* rising; a single 0 where there is no message size */
    size_t y_count;
    size_t *at;      /* [y * x_count + x]: index of the place; SIZE_MAX where there is none */
    size_t shadowed; /* places left out: an earlier one has the same sizes */
};

/* Caller frees with ct_grid_free(). CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_grid_make(const struct ct_place *places, size_t count, bool has_size, struct ct_grid *ret_grid);
void ct_grid_free(struct ct_grid *grid);

/* The label of column x: a number of ranks, or a size as "64K". */
char *ct_grid_x_text(const struct ct_grid *grid, size_t x, char text[CT_SIZE_TEXT]);

/* Up to `most` rows spread over all, the last among them; returns their number. */
size_t ct_grid_pick_rows(const struct ct_grid *grid, size_t most, size_t *ret_rows);

#endif
