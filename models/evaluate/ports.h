/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_PORTS_H
#define CT_MODELS_EVALUATE_PORTS_H

#include "base/error.h"

#include <stddef.h>

/* The ports of a rank in the full-duplex one-port model: the sharing of its send port, and the idle times of
 * its receive port and its CPU. */

/* --- the send port, shared --- */

/* Messages of one length that a rank posts one after the other, and that have equal shares of its send port
 * while they are in transfer together. The first one posted is therefore the first one done. */
struct ct_batch {
    double *begins; /* when each would have begun if it had had the port for itself; ascending */
    size_t capacity;
    size_t at; /* the next of them */
    size_t count;
};

/* A new batch of `count` messages: posted at `first` and each `step` seconds (>= 0) after the previous one;
 * each alone would occupy the port for `gap` seconds. Owner frees `begins`. CT_OK or CT_E_MEMORY. */
int ct_batch_begin(struct ct_batch *batch, double first, double step, double gap, size_t count);

/* --- idle times ---
 *
 * Work that could have been done in an idle time costs nothing later. */

struct ct_idle_span {
    double begin;
    double end;
};

/* Ascending and disjoint. All zeroes to begin with; the owner frees `intervals`. */
struct ct_idle {
    struct ct_idle_span *intervals;
    size_t count;
    size_t capacity;
    size_t spent_first, spent_end; /* a range of them that is used up: most are, one after another */
};

static inline void ct_idle_clear(struct ct_idle *idle)
{
    idle->count = idle->spent_first = idle->spent_end = 0;
}

/* Was idle from `begin` to `end`, later than all before. CT_OK or CT_E_MEMORY. */
int ct_idle_add(struct ct_idle *idle, double begin, double end);

/* Uses idle time from `from` on, the earliest first, for `seconds` of work. *ret_rest is the work that is
 * left, *ret_end the end of the last part that fitted (`from` if none did). CT_OK or CT_E_MEMORY. */
int ct_idle_spend(struct ct_idle *idle, double from, double seconds, double *ret_rest, double *ret_end);

#endif
