/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_PLACEMENT_H
#define CT_LIBRARY_PLACEMENT_H

#include <mpi.h>

/* Which ranks share a node, and whether they have enough CPUs there. */

/* How a rank waits for messages. */
enum ct_wait_policy {
    CT_WAIT_SPIN,  /* within MPI: each rank has a CPU of its own */
    CT_WAIT_YIELD, /* test, and yield the CPU between tests: the CPUs are oversubscribed */
    CT_WAIT_SLEEP  /* test, and sleep between tests: for ranks that have nothing to do for long */
};

/* The policy for this process: CT_WAIT_YIELD if the ranks on its node outnumber the CPUs that they may use
 * together (affinity masks, capped by the cgroup's quota), else CT_WAIT_SPIN. Under the simulator always
 * CT_WAIT_SPIN, which blocks there. Collective over `comm`, by native calls. */
enum ct_wait_policy ct_wait_policy_find(MPI_Comm comm);

/* Finds for every rank of `comm` the lowest rank that shares memory with it. Collective over `comm`, by
 * native calls. Returns an MPI error code. */
int ct_node_labels(MPI_Comm comm, int *ret_labels);

#endif
