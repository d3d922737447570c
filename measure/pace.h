/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_PACE_H
#define CT_MEASURE_PACE_H

#include <stdbool.h>
#include <stddef.h>

/* A budget in seconds: a sweep gives each job a share of the time that is left, and a job does so for each of
 * its cells. Time that was overspent is thus taken evenly from all later shares. Times are passed in; a slot
 * is a method in a cell. */

struct ct_pace {
    double budget;  /* seconds for all; 0: as long as it takes */
    double begun;   /* the clock when it began */
    double startup; /* seconds that the last job took to come up, 0 before the first */
};

/* Seconds left at `now`, at least 0; INFINITY without a budget. */
double ct_pace_left(const struct ct_pace *pace, double now);

/* Seconds that a job of so many slots may measure, where `all_slots`, these among them, are still to come. 0
 * without a budget, else more. */
double ct_pace_of_job(const struct ct_pace *pace, double now, size_t slots, size_t all_slots);

/* Has the sweep gone so far beyond its budget that what runs is to be ended? */
bool ct_pace_is_over(const struct ct_pace *pace, double now);

/* Seconds that each method of a cell may take, where the job began `elapsed` seconds ago and this cell's
 * slots and those after it are `slots`. */
double ct_pace_of_slot(double job_seconds, double elapsed, size_t slots);

#endif
