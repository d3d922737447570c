/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_PATIENCE_H
#define CT_LIBRARY_EXECUTE_PATIENCE_H

#include "library/mpi/wait_policy.h"

#include <stdbool.h>

/* A wait by tests, on a rank that shares its CPU with others or has nothing to do for long. */
struct ct_patience {
    enum ct_wait_policy policy;
    unsigned tests;
    unsigned looks;       /* at what is waited for */
    double begun;         /* seconds: a time soon after the wait has begun */
    bool announces_sleep; /* see node.h */
    long nap;             /* the last one, in nanoseconds */
};

/* Passes the time between two tests as the policy says. Under CT_WAIT_SPIN there is none to pass. */
void ct_patience_rest(struct ct_patience *patience);

#endif
