/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_SPARSE_CALLS_H
#define CT_LIBRARY_SPARSE_CALLS_H

#include "algorithms/routing.h"
#include "library/execute/channel_state.h"

/* What calls need before their plans can be written, by methods that forward blocks along routes
 * (ct_needs_routes()), in sparse collectives and in alltoallv: all ranks must know that the lengths fit the
 * routes. Routes are kept with the communicator: those of sparse collectives with its topology, those of
 * alltoallv with ct_topology_of_all(). `comm` is the user's communicator, `channel` the library's on it.
 *
 * Routes of v and w forms depend on the lengths at all ranks, which may change from call to call at some
 * ranks alone. The other forms have one length on all routes; MPI only wants that both ends of an edge agree,
 * so ranks that no path of edges joins may have different ones, and a rank may send another length than it
 * receives. Therefore the ranks agree in each blocking call, and once for a persistent one, by a small
 * allreduce.
 *
 * That allreduce may take longer than the exchange. So the ranks settle on lengths that did not change in
 * CT_SETTLED_AFTER agreements in a row (settled_choices.h). Then each of CT_SETTLED_FOR - 1 blocking calls
 * goes along the routes without an agreement, and blocks that have other lengths nevertheless go straight to
 * their destinations (algorithms/sparse.h). In the next call the ranks agree again, and if lengths have
 * changed, in each call from then on, until they settle on others. Non-blocking calls cannot wait for an
 * agreement: they go along the routes while the ranks are settled; else `linear` carries them out. */
enum { CT_SETTLED_FOR = 64 };

/* The method `linear` of a collective that has it, which needs nothing from other ranks. */
struct ct_method ct_sparse_direct_method(enum ct_collective collective);

/* Agrees on a call by `method`, and makes routes where there are none for it, or finds them; sets
 * call->routes, and call->count at ranks that have no neighbors. Where lengths differ that must be one for
 * all routes, *ret_method, else `method`, becomes `linear`, as at all ranks. `channel` is that of blocking
 * calls on `comm`. Collective. Returns an MPI error code, MPI_ERR_TRUNCATE where lengths at both ends of an
 * edge differ: then it is the same at all ranks. Where the routes need a communicator that cannot be made,
 * *ret_method is `linear`, too. */
int ct_sparse_call_prepare(struct ct_channel *channel, MPI_Comm comm, const struct ct_method *method,
                           struct ct_call *call, struct ct_method *ret_method);

/* The same for a blocking call, which does without an agreement while the ranks are settled. Sets
 * call->routed, too, which is valid until the next call by the method. */
int ct_sparse_call_follow(struct ct_channel *channel, MPI_Comm comm, const struct ct_method *method,
                          struct ct_call *call, struct ct_method *ret_method);

/* The same for a non-blocking call, at this rank alone: false, with nothing set, where the ranks are not
 * settled. That is the same at all ranks, since they settle in blocking and persistent calls. */
bool ct_sparse_call_is_settled(const struct ct_channel *channel, MPI_Comm comm,
                               const struct ct_method *method, struct ct_call *call);

/* Lets the ranks be settled on the lengths of the last agreement on calls by the method, as if they had
 * agreed on them CT_SETTLED_AFTER times. Does nothing where no routes are kept. All ranks call it between the
 * same calls. */
void ct_sparse_call_settle(const struct ct_channel *channel, MPI_Comm comm, const struct ct_method *method);

/* The routes that are kept for a method, as this rank has them; NULL where there are none. */
const struct ct_routes *ct_sparse_call_routes(const struct ct_channel *channel, MPI_Comm comm,
                                              const struct ct_method *method);

/* --- for agreements of sparse calls --- */

/* An allreduce of `count` numbers on the channel of blocking calls. Returns an MPI error code. */
int ct_sparse_reduce(struct ct_channel *channel, const int64_t *own, int64_t *ret_all, size_t count,
                     MPI_Op op);

/* Copies lengths; NULL stays NULL. False without memory. The caller frees *ret_copy. */
bool ct_lengths_copy(const size_t *lengths, size_t count, size_t **ret_copy);
/* Is a table that was kept like one of `count` lengths? NULL: there is none. */
bool ct_lengths_are_like(const size_t *kept, const size_t *lengths, size_t count);

#endif
