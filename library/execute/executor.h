/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_EXECUTOR_H
#define CT_LIBRARY_EXECUTE_EXECUTOR_H

#include "algorithms/method.h"
#include "library/execute/operands.h"
#include "library/execute/short_reduction.h"
#include "library/mpi/wait_policy.h"

#include <stdint.h>

/* Carries out plans over MPI point-to-point messages. Everything in library/ calls MPI by its PMPI_ names, so
 * that profilers and the library's own wrappers see the application's calls alone; only Fortran's procedures
 * call the tuned functions, and message_functions.h may show messages to profilers. */

/* Some or all ranks of a private communicator, with what their calls reuse: tags, plans, temporary memory. It
 * carries out one call at a time. */
struct ct_channel;

/* Opens a channel over `comm`, which must carry no other messages and stays the caller's, to be freed after
 * ct_channel_close(). Its errors are set to return. Returns an MPI error code. */
int ct_channel_open(MPI_Comm comm, enum ct_wait_policy policy, struct ct_channel **ret_channel);
void ct_channel_close(struct ct_channel *channel);
/* Does the channel join these ranks of the communicator that carries it, in this order? */
bool ct_channel_joins(const struct ct_channel *channel, const int *ranks, int size);
/* Frees the memory that calls of any size have left; plans are kept. */
void ct_channel_trim(struct ct_channel *channel);
/* Tells which ranks share a node, by a label for each; without it node-aware methods do not apply. Returns an
 * MPI error code. */
int ct_channel_set_nodes(struct ct_channel *channel, const int *labels);
void ct_channel_set_policy(struct ct_channel *channel, enum ct_wait_policy policy);
/* The number of messages that this rank has sent through the channel. */
uint64_t ct_channel_messages(const struct ct_channel *channel);

/* Describes the call as plans and decisions see it. The result's tables are the channel's, valid until the
 * next call. Returns an MPI error code. */
int ct_call_describe(struct ct_channel *channel, enum ct_collective collective,
                     const struct ct_operands *operands, struct ct_call *ret_call);

/* Carries out one call by `method`, which is not `native` and applies to the call. All ranks of the channel
 * call with the same method. Returns an MPI error code. */
int ct_execute(struct ct_channel *channel, const struct ct_method *method,
               const struct ct_operands *operands);

/* The same for a call that ct_call_describe() has described. */
int ct_execute_call(struct ct_channel *channel, const struct ct_method *method,
                    const struct ct_operands *operands, struct ct_call *call);

/* The plan of a call that repeats, if it has a shortcut (shortcut.h), as far as the channel keeps it. */
struct ct_kept_plan;
struct ct_short_call {
    struct ct_kept_plan *kept; /* NULL: there is none */
    uint64_t noted;            /* the entry may be used for another plan */
    ct_short_reduction *reduction;
};

/* Finds it for calls like the one that has been carried out last, but for the places of buffers. */
void ct_short_call_find(struct ct_channel *channel, struct ct_short_call *ret_short);
/* Is it still there? */
bool ct_short_call_is_kept(const struct ct_short_call *shorter);
/* Carries out a call by it, as ct_execute_call() does otherwise. */
int ct_execute_short(struct ct_channel *channel, const struct ct_short_call *shorter,
                     const struct ct_method *method, const struct ct_operands *operands,
                     struct ct_call *call);

/* Calls the native collective with the same arguments. Returns its MPI error code. */
int ct_native_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm);

#endif
