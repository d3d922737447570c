/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_WINDOW_H
#define CT_MEASURE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>

/* How far ahead of time rank 0 announces the start of a repetition: long enough for the word to go round,
 * else ranks come late and the repetition is lost; no longer, since all wait for it. SKaMPI (Worsch, Reussner
 * and Augustin 2002) adapts the length of its windows by the share that was lost; so does this. */
struct ct_window {
    double lead; /* seconds; 0 stands for the first */
    size_t lost; /* turns in a row that were lost whole */
};

/* The lead now. */
double ct_window_lead(const struct ct_window *window);

/* After a turn of `calls` repetitions, of which `late` were lost. The same on all ranks. */
void ct_window_adapt(struct ct_window *window, size_t calls, size_t late);

/* Whether a longer lead will help is doubtful: it is time to look whether a clock jumped. */
bool ct_window_is_doubtful(const struct ct_window *window);
/* No lead will help. */
bool ct_window_is_hopeless(const struct ct_window *window);

/* Is a start that is `seconds` away further than any lead? Then it is this clock that is wrong. */
bool ct_window_is_too_far(double seconds);

#endif
