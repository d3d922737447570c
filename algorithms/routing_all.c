/* SPDX-License-Identifier: BSD-3-Clause */
/* The set-ups and the plans of all ranks in one process: the ranks take each superstep in turn. */
#include "algorithms/routing.h"
#include "base/memory.h"

#include <stdlib.h>

struct ct_router_rank {
    struct ct_call call;
    struct ct_routing *routing;
    struct ct_letters inbox;
    struct ct_letters outbox;
};

/* Makes room for so many ranks. */
static int grow(struct ct_router *router, size_t size)
{
    int status = ct_grow(&router->ranks, &router->rank_capacity, size, sizeof *router->ranks);
    if (status == CT_OK)
        status = ct_grow(&router->routes, &router->route_capacity, size, sizeof *router->routes);
    for (; status == CT_OK && router->rank_count < size; router->rank_count++) {
        router->ranks[router->rank_count] = (struct ct_router_rank){.routing = NULL};
        router->routes[router->rank_count] = (struct ct_routes){0};
    }
    return status;
}

/* Delivers all letters. Senders rise, so inboxes are sorted. */
static int deliver_letters(struct ct_router_rank *ranks, int size)
{
    int status = CT_OK;
    for (int rank = 0; rank < size; rank++)
        ct_letters_clear(&ranks[rank].inbox);
    for (int from = 0; status == CT_OK && from < size; from++) {
        const struct ct_letters *outbox = &ranks[from].outbox;
        for (size_t i = 0; status == CT_OK && i < outbox->count; i++) {
            struct ct_letters *inbox = &ranks[outbox->items[i].rank].inbox;
            status = ct_letter_begin(inbox, from);
            if (status == CT_OK && outbox->items[i].count > 0)
                status =
                    ct_letter_write(inbox, outbox->numbers + outbox->items[i].begin, outbox->items[i].count);
        }
    }
    return status;
}

static int run_lock_step(struct ct_router_rank *ranks, int size, struct ct_error *error)
{
    enum ct_routing_state before = CT_ROUTING_PREPARES, now;
    int status = CT_OK;
    for (; status == CT_OK && before != CT_ROUTING_DONE; before = now) {
        now = CT_ROUTING_DONE;
        for (int rank = 0; status == CT_OK && rank < size; rank++) {
            struct ct_router_rank *own = &ranks[rank];
            enum ct_routing_state state = CT_ROUTING_DONE;
            ct_letters_clear(&own->outbox);
            status = ct_routing_step(own->routing, before, &own->inbox, &own->outbox, &state, error);
            now = state > now ? state : now;
        }
        if (status == CT_OK)
            status = deliver_letters(ranks, size);
    }
    return status;
}

int ct_router_run(struct ct_router *router, const struct ct_method *method, const struct ct_call *call,
                  struct ct_error *error)
{
    int status = grow(router, (size_t)call->size);
    for (int rank = 0; status == CT_OK && rank < call->size; rank++) {
        struct ct_router_rank *own = &router->ranks[rank];
        own->call = ct_call_of_rank(method->algorithm->collective, call, rank);
        ct_letters_clear(&own->inbox);
        status = ct_routing_begin(method, &own->call, &router->routes[rank], &own->routing);
    }
    return status == CT_OK ? run_lock_step(router->ranks, call->size, error) : status;
}

void ct_router_free(struct ct_router *router)
{
    for (size_t rank = 0; rank < router->rank_count; rank++) {
        ct_routing_free(router->ranks[rank].routing);
        ct_letters_free(&router->ranks[rank].inbox);
        ct_letters_free(&router->ranks[rank].outbox);
        if (router->routes)
            ct_routes_free(&router->routes[rank]);
    }
    free(router->ranks);
    free(router->routes);
    *router = (struct ct_router){0};
}

int ct_routes_make(const struct ct_method *method, const struct ct_call *call, struct ct_error *error,
                   struct ct_routes **ret_routes)
{
    struct ct_router router = {0};
    int status = ct_router_run(&router, method, call, error);
    if (status == CT_OK) {
        *ret_routes = router.routes;
        router.routes = NULL;
    }
    ct_router_free(&router);
    return status;
}

void ct_routes_free_all(struct ct_routes *routes, int size)
{
    for (int rank = 0; routes && rank < size; rank++)
        ct_routes_free(&routes[rank]);
    free(routes);
}

/* --- plans --- */

int ct_plans_make(const struct ct_method *method, const struct ct_call *call, struct ct_error *error,
                  struct ct_plan **ret_plans)
{
    struct ct_call routed = *call;
    struct ct_routes *routes = NULL;
    struct ct_plan *plans = ct_allocate((size_t)call->size, sizeof *plans);
    int status = plans ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK && ct_needs_routes(method))
        status = ct_routes_make(method, call, error, &routes);
    routed.routes = routes;
    for (int rank = 0; status == CT_OK && rank < call->size; rank++) {
        struct ct_call own = ct_call_of_rank(method->algorithm->collective, &routed, rank);
        ct_plan_reset(&plans[rank]);
        status = ct_method_build(method, &plans[rank], &own);
    }
    ct_routes_free_all(routes, call->size);
    if (status != CT_OK) {
        ct_plans_free_all(plans, call->size);
        return status;
    }
    *ret_plans = plans;
    return CT_OK;
}

void ct_plans_free_all(struct ct_plan *plans, int size)
{
    for (int rank = 0; plans && rank < size; rank++)
        ct_plan_free(&plans[rank]);
    free(plans);
}
