/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_IDLE_H
#define CT_MODELS_EVALUATE_IDLE_H

#include <stddef.h>

/* When something had nothing to do: work that could have been done then costs nothing later. */

struct ct_idle_span {
    double begin;
    double end;
};

/* Rising, apart. All zeroes to begin with; the owner frees `intervals`. */
struct ct_idle {
    struct ct_idle_span *intervals;
    size_t count;
    size_t capacity;
    size_t spent_first, spent_end; /* a run of them that is used up: most are, one after another */
};

static inline void ct_idle_clear(struct ct_idle *idle)
{
    idle->count = idle->spent_first = idle->spent_end = 0;
}

/* Was idle from `begin` to `end`, later than all before. CT_OK or CT_E_MEMORY. */
int ct_idle_add(struct ct_idle *idle, double begin, double end);

/* Spends what there was of idle time from `from` on, the earliest first, on `seconds` of work. *ret_rest is
 * the work that is left, *ret_end when the last part was done that fitted (`from` where none did). CT_OK or
 * CT_E_MEMORY. */
int ct_idle_spend(struct ct_idle *idle, double from, double seconds, double *ret_rest, double *ret_end);

#endif
