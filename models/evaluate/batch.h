/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_BATCH_H
#define CT_MODELS_EVALUATE_BATCH_H

#include "base/error.h"

#include <stddef.h>

/* Messages as long as one another that a rank posts one after the other, and that have equal shares of its
 * way out while they are under way together. So the first that is posted is the first that is through. */
struct ct_batch {
    double *begins; /* when each would have begun if it had had the way for itself; rising */
    size_t capacity;
    size_t at; /* the next of them */
    size_t count;
};

/* A new batch of `count` messages: posted at `first` and each `step` seconds (>= 0) after the one before, of
 * which one alone keeps the way out for `gap` seconds. Owner frees `begins`. CT_OK or CT_E_MEMORY. */
int ct_batch_begin(struct ct_batch *batch, double first, double step, double gap, size_t count);

#endif
