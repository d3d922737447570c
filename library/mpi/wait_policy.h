/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MPI_WAIT_POLICY_H
#define CT_LIBRARY_MPI_WAIT_POLICY_H

/* How a rank waits for messages. If ranks differ, the greater one of the first two is in force on all. */
enum ct_wait_policy {
    CT_WAIT_SPIN,  /* within MPI: each rank has a CPU of its own */
    CT_WAIT_YIELD, /* test, and yield the CPU between tests: the CPUs are oversubscribed */
    CT_WAIT_SLEEP  /* test, and sleep between tests: for ranks that have nothing to do for long */
};

#endif
