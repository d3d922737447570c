/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_OVERLAP_H
#define CT_PLAN_OVERLAP_H

/* How much of a computation a call hides that is in flight meanwhile. docs/overlap.md says how it is
 * measured. Source: the CPU overhead of collectives as a measure beside their completion time, Kumar 2005,
 * chapter 6. */
struct ct_overlap {
    double completion;  /* seconds from the start of the call until it was waited for, with the computation */
    double in_mpi;      /* seconds in MPI functions for the call: of the rank that spent the most */
    double computation; /* seconds of the computation without the call */
    double hidden;      /* share of the computation that the call took no longer for, 0..1 */
};

#endif
