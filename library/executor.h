/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTOR_H
#define CT_LIBRARY_EXECUTOR_H

#include "algorithms/method.h"
#include "library/operands.h"

#include <mpi.h>
#include <stdint.h>

/* Carries out plans over MPI point-to-point messages, blocking. */

/* How a rank waits for messages. */
enum ct_wait_policy {
    CT_WAIT_SPIN,  /* within MPI: where each rank has a CPU of its own */
    CT_WAIT_YIELD, /* test, and give the CPU away between tests: where ranks outnumber the CPUs */
    CT_WAIT_SLEEP  /* test, and sleep between tests: for ranks that have nothing to do for long */
};

/* A private communicator with what its calls reuse: tags, plan, temporary memory. One call at a time. */
struct ct_channel;

/* Opens a channel over `comm`, which must carry no other messages and stays the caller's, to be freed after
 * ct_channel_close(). Its errors are set to return. Returns an MPI error code. */
int ct_channel_open(MPI_Comm comm, enum ct_wait_policy policy, struct ct_channel **ret_channel);
void ct_channel_close(struct ct_channel *channel);
/* Tells which ranks share a node, by a label for each; without it node-aware methods do not apply. Returns an
 * MPI error code. */
int ct_channel_set_nodes(struct ct_channel *channel, const int *labels);
void ct_channel_set_policy(struct ct_channel *channel, enum ct_wait_policy policy);

/* Carries out one call by `method`, which is not `native` and applies to it. All ranks of the channel call
 * with the same method. Returns an MPI error code. */
int ct_execute(struct ct_channel *channel, const struct ct_method *method,
               const struct ct_operands *operands);

/* The same where the caller has described the call already. */
int ct_execute_call(struct ct_channel *channel, const struct ct_method *method,
                    const struct ct_operands *operands, struct ct_call *call);

/* The call as the plan sees it, from what a rank passes: whether a method applies to it can be asked then.
 * Its tables are the channel's, valid until the next call. */
int ct_call_describe(struct ct_channel *channel, enum ct_collective collective,
                     const struct ct_operands *operands, struct ct_call *ret_call);

/* For every rank of `comm` the lowest rank that shares memory with it. Collective, once; natively. Returns an
 * MPI error code. */
int ct_node_labels(MPI_Comm comm, int *ret_labels);

/* Messages posted by sends through this channel so far. */
uint64_t ct_channel_messages(const struct ct_channel *channel);

/* The policy for this process: CT_WAIT_YIELD where the ranks on its node outnumber the CPUs that they may use
 * together (affinity masks, capped by the cgroup's quota), else CT_WAIT_SPIN. Collective over `comm`, once;
 * natively. Under the simulator CT_WAIT_SPIN, which blocks there. */
enum ct_wait_policy ct_wait_policy_find(MPI_Comm comm);

/* The MPI library's own collective with the same arguments (PMPI). */
int ct_native_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm);

#endif
