/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ROUTING_H
#define CT_ALGORITHMS_ROUTING_H

#include "algorithms/method.h"
#include "plan/letters.h"
#include "plan/routes.h"

/* The set-up of exchanges whose blocks are forwarded along routes: no rank knows alone which blocks will come
 * through it. It is a sequence of supersteps. In each, a rank reads the letters that it was sent in the last
 * one, and writes letters. It is written once: the library carries it out by messages, and ct_routes_make()
 * for all ranks in one process. A rank's memory grows with the blocks that it holds, not with the number of
 * ranks. */

struct ct_routing;

/* Does the method need a set-up? */
static inline bool ct_needs_routes(const struct ct_method *method)
{
    return method->algorithm->descriptor->forwarding;
}

/* Begins the set-up of one rank, which writes `routes`. The call, with its neighbors, the method and the
 * routes must stay until its end. Lengths are those of the neighbors, in neighbor_allgatherv call->count for
 * the own block; in a dense collective, where all ranks are neighbors, those of the call. *routing is NULL,
 * or a set-up that is over; its memory is used again, as is that of the routes. CT_OK or CT_E_MEMORY; either
 * way ct_routing_free() frees *routing and ct_routes_free() the routes. */
int ct_routing_begin(const struct ct_method *method, struct ct_call *call, struct ct_routes *routes,
                     struct ct_routing **routing);

/* What a rank needs; of all ranks the largest. */
enum ct_routing_state {
    CT_ROUTING_DONE,    /* no further superstep */
    CT_ROUTING_WAITS,   /* another superstep */
    CT_ROUTING_PREPARES /* it prepares its rule, and others must not go on to the next part yet */
};

/* The next superstep. `all` is the state of all ranks in the last one, at first CT_ROUTING_PREPARES. `inbox`
 * has what all ranks sent to this one in the last superstep, sorted by sender; it is empty in the first.
 * Fills `outbox`, which is empty. The set-up is done when *ret_state is CT_ROUTING_DONE at all ranks. CT_OK;
 * CT_E_INPUT with a line in `error` that names both ranks, where ranks disagree on who sends to whom or on a
 * length; CT_E_LIMIT, CT_E_MEMORY. The routes are of use only once all ranks are done. */
int ct_routing_step(struct ct_routing *routing, enum ct_routing_state all, const struct ct_letters *inbox,
                    struct ct_letters *outbox, enum ct_routing_state *ret_state, struct ct_error *error);

void ct_routing_free(struct ct_routing *routing);

/* Carries out set-ups of all ranks in lock step, one after the other. All zeroes have carried out none. */
struct ct_router {
    struct ct_routes *routes; /* by rank */
    size_t route_capacity;
    struct ct_router_rank *ranks; /* the other memory that is kept for the next set-up */
    size_t rank_count;
    size_t rank_capacity;
};

/* `call` is a call of all ranks, see call.h. Afterwards router->routes are theirs, until the next one. As
 * ct_routing_step(). */
int ct_router_run(struct ct_router *router, const struct ct_method *method, const struct ct_call *call,
                  struct ct_error *error);
void ct_router_free(struct ct_router *router);

/* One set-up alone. *ret_routes is an array by rank; ct_routes_free_all() frees it. As ct_router_run(). */
int ct_routes_make(const struct ct_method *method, const struct ct_call *call, struct ct_error *error,
                   struct ct_routes **ret_routes);
void ct_routes_free_all(struct ct_routes *routes, int size);

/* Writes the plans of all ranks, along routes where the method needs them. The method must apply to the call,
 * which is one of all ranks, see call.h. *ret_plans is an array by rank; ct_plans_free_all() frees it. As
 * ct_routing_step(). */
int ct_plans_make(const struct ct_method *method, const struct ct_call *call, struct ct_error *error,
                  struct ct_plan **ret_plans);
void ct_plans_free_all(struct ct_plan *plans, int size);

#endif
