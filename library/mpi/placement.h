/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MPI_PLACEMENT_H
#define CT_LIBRARY_MPI_PLACEMENT_H

#include "library/mpi/wait_policy.h"

#include <mpi.h>
#include <stdbool.h>

/* Which ranks share a node, and whether they have enough CPUs there. If a rank cannot find out how many
 * there are, there are not enough. */

/* The number of ranks from which on the ranks of a node yield while they wait: one more than the CPUs that
 * they may use together (affinity masks, capped by the cgroup's quota), on the node that has the fewest. 0:
 * they never do, as under the simulator. Collective over `comm`, by native calls. */
int ct_yield_from(MPI_Comm comm);

/* Finds for every rank of `comm` the lowest rank that shares memory with it, and the policy of this rank:
 * CT_WAIT_YIELD if the ranks of `comm` on its node outnumber the CPUs that they may use together, else
 * CT_WAIT_SPIN. Under the simulator the policy is always CT_WAIT_SPIN, which blocks there. `ret_labels` may
 * be NULL, on all ranks alike. Collective over `comm`, by native calls. Returns an MPI error code. */
int ct_placement_find(MPI_Comm comm, int *ret_labels, enum ct_wait_policy *ret_policy);

/* The same. *ret_node is a communicator of the ranks that share memory with this one, in the order of `comm`,
 * which the caller frees; MPI_COMM_NULL if it could not be made. `is_one_node`: it is known, on all ranks,
 * that this is so of all of them, which saves the native call that finds out; then `comm` has no attributes.
 */
int ct_placement_find_node(MPI_Comm comm, bool is_one_node, int *ret_labels, enum ct_wait_policy *ret_policy,
                           MPI_Comm *ret_node);

/* The policy as far as this rank can tell alone: CT_WAIT_YIELD if the ranks that the launcher has started on
 * this node outnumber the CPUs that this process or its parent may use, else CT_WAIT_SPIN. The launcher binds
 * a rank to some CPUs, but is seldom bound itself. */
enum ct_wait_policy ct_wait_policy_alone(void);

#endif
