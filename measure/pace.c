/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/pace.h"

#include <math.h>

/* Kept back for jobs to end in, and overdrawn at most before they are ended, as parts of the budget. */
static const double reserve = 0.01, overdraft = 0.03;

/* A job must be told some seconds, for 0 means no budget. */
static const double least_seconds = 1e-3;

double ct_pace_left(const struct ct_pace *pace, double now)
{
    if (!(pace->budget > 0))
        return INFINITY;
    return fmax(pace->begun + pace->budget - now, 0);
}

double ct_pace_of_job(const struct ct_pace *pace, double now, size_t slots, size_t all_slots)
{
    if (!(pace->budget > 0))
        return 0;
    double part = all_slots > slots ? (double)slots / (double)all_slots : 1;
    double left = ct_pace_left(pace, now) - reserve * pace->budget;
    return fmax(part * left - pace->startup, least_seconds);
}

bool ct_pace_is_over(const struct ct_pace *pace, double now)
{
    return pace->budget > 0 && now - pace->begun > (1 + overdraft) * pace->budget;
}

double ct_pace_of_slot(double job_seconds, double elapsed, size_t slots)
{
    double left = job_seconds - elapsed;
    return left > 0 && slots > 0 ? left / (double)slots : 0;
}
