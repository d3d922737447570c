/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_WINDOW_H
#define CT_MEASURE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

/* How far ahead of time rank 0 announces the start of a repetition: long enough for the announcement to reach
 * all ranks, else the repetition is lost; no longer, since all ranks wait. The lead adapts to the share of
 * lost repetitions, as the windows of SKaMPI do (Worsch, Reussner and Augustin 2002). */
struct ct_window {
    double lead; /* seconds; 0 stands for the first */
    size_t lost; /* turns in a row that were lost whole */
};

/* The lead now. */
double ct_window_lead(const struct ct_window *window);

/* After a turn of `calls` repetitions, of which `late` were lost. The same on all ranks. */
void ct_window_adapt(struct ct_window *window, size_t calls, size_t late);

/* So many turns were lost that the clocks should be checked for a jump. */
bool ct_window_is_doubtful(const struct ct_window *window);
/* No lead will help. */
bool ct_window_is_hopeless(const struct ct_window *window);

/* Is a start that is `seconds` away beyond any lead? Then this rank's clock is wrong. */
bool ct_window_is_too_far(double seconds);

#endif
