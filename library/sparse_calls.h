/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_SPARSE_CALLS_H
#define CT_LIBRARY_SPARSE_CALLS_H

#include "algorithms/routing.h"
#include "library/channel.h"
#include "library/tuner.h"
#include "plan/pattern_features.h"

/* What calls of sparse collectives need before their plans can be written, by methods that forward blocks
 * (ct_needs_routes()): all ranks must know that the lengths fit the routes.
 *
 * Routes of v and w forms depend on the lengths at all ranks, which may change from call to call at some
 * ranks alone. The other forms have one length on all routes; MPI only wants that both ends of an edge agree,
 * so ranks that no path of edges joins may have different ones, and a rank may send another length than it
 * receives. Therefore the ranks agree in each blocking call, and once for a persistent one, by a small
 * allreduce. Non-blocking calls cannot wait for an agreement, so `linear` carries them out. */

/* Calls whose method depends on the pattern (ct_choice.depends_on_pattern) are decided when the ranks agree:
 * the features of the pattern take two allreduces in the first call with its lengths; each later call takes a
 * small one, by which the ranks see that no length has changed anywhere. A few decisions are kept, for
 * applications that exchange blocks of several lengths in turn.
 *
 * That allreduce may take longer than all messages of `linear`. So the ranks settle on what was decided
 * CT_SETTLED_AFTER times in a row, if it is native or a method that needs no routes: further calls on the
 * communicator follow it whatever their lengths, and no longer agree. */
enum { CT_SETTLED_AFTER = 8 };

/* The method `linear` of a sparse collective, which needs nothing from other ranks. */
struct ct_method ct_sparse_direct_method(enum ct_collective collective);

/* The features of a call's pattern, equal on all ranks. `channel` is that of blocking calls. Collective.
 * Returns an MPI error code. */
int ct_sparse_features(struct ct_channel *channel, enum ct_collective collective, const struct ct_call *call,
                       struct ct_pattern_features *ret_features);

/* Agrees on a call by `method`, and makes routes where there are none for it, or finds them; sets
 * call->routes, and call->count at ranks that have no neighbors. Where lengths differ that must be one for
 * all routes, *ret_method, else `method`, becomes `linear`, as at all ranks. `channel` is that of blocking
 * calls on `comm`. Collective. Returns an MPI error code, MPI_ERR_TRUNCATE where lengths at both ends of an
 * edge differ: then it is the same at all ranks. Where the routes need a communicator that cannot be made,
 * *ret_method is `linear`, too. */
int ct_sparse_call_prepare(struct ct_channel *channel, MPI_Comm comm, const struct ct_method *method,
                           struct ct_call *call, struct ct_method *ret_method);

/* What the ranks have settled on; NULL: they have not. */
struct ct_choice *ct_sparse_call_settled(const struct ct_channel *channel, enum ct_collective collective);

/* Decides on a call that depends on the pattern, or finds the decision that was made for its lengths; then
 * does what ct_sparse_call_prepare() does. *ret_choice is what was decided, the same at all ranks;
 * *ret_method carries it out, unless it is native. Collective; errors as there. */
int ct_sparse_call_decide(struct ct_channel *channel, MPI_Comm comm, enum ct_agreement agreement,
                          enum ct_collective collective, struct ct_call *call, struct ct_choice **ret_choice,
                          struct ct_method *ret_method);

/* The routes that are kept for a method, as this rank has them; NULL where there are none. */
const struct ct_routes *ct_sparse_call_routes(const struct ct_channel *channel,
                                              const struct ct_method *method);

#endif
