/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_LIBRARY_NEIGHBOR_TRIALS_H
#define CT_TESTS_LIBRARY_NEIGHBOR_TRIALS_H

/* What neighbor_calls.c tries once right calls have right results. Each function returns how many failures
 * this rank saw, and prints them. */

/* After SETTLING equal calls the ranks no longer agree before each call; they start to again before SETTLED
 * different ones have passed. */
enum { SETTLING = 20, SETTLED = 70 };

/* Ranks without neighbors pass any length; others send another length than they receive. */
int try_lengths_of_neighbors(void);
/* A receiver that expects less than is sent gets an error, and no rank hangs; later calls are right. */
int try_wrong_lengths(void);

#endif
