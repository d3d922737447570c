/* SPDX-License-Identifier: BSD-3-Clause */
/* The set-ups and the plans of all ranks in one process: the ranks take each superstep in turn. */
#include "algorithms/routing.h"
#include "base/memory.h"

#include <stdlib.h>

struct lock_step {
    int size;
    struct ct_call *calls;
    struct ct_routing **ranks;
    struct ct_letters *inboxes;
    struct ct_letters *outboxes;
};

/* Delivers all letters. Senders rise, so inboxes are sorted. */
static int deliver_letters(struct lock_step *all)
{
    int status = CT_OK;
    for (int rank = 0; rank < all->size; rank++)
        ct_letters_clear(&all->inboxes[rank]);
    for (int from = 0; status == CT_OK && from < all->size; from++) {
        const struct ct_letters *outbox = &all->outboxes[from];
        for (size_t i = 0; status == CT_OK && i < outbox->count; i++) {
            struct ct_letters *inbox = &all->inboxes[outbox->items[i].rank];
            status = ct_letter_begin(inbox, from);
            if (status == CT_OK && outbox->items[i].count > 0)
                status =
                    ct_letter_write(inbox, outbox->numbers + outbox->items[i].begin, outbox->items[i].count);
        }
    }
    return status;
}

static int run_lock_step(struct lock_step *all, struct ct_error *error)
{
    enum ct_routing_state before = CT_ROUTING_PREPARES, now;
    int status = CT_OK;
    for (; status == CT_OK && before != CT_ROUTING_DONE; before = now) {
        now = CT_ROUTING_DONE;
        for (int rank = 0; status == CT_OK && rank < all->size; rank++) {
            enum ct_routing_state state = CT_ROUTING_DONE;
            ct_letters_clear(&all->outboxes[rank]);
            status = ct_routing_step(all->ranks[rank], before, &all->inboxes[rank], &all->outboxes[rank],
                                     &state, error);
            now = state > now ? state : now;
        }
        if (status == CT_OK)
            status = deliver_letters(all);
    }
    return status;
}

static void free_lock_step(struct lock_step *all)
{
    for (int rank = 0; rank < all->size; rank++) {
        if (all->ranks)
            ct_routing_end(all->ranks[rank]);
        if (all->inboxes)
            ct_letters_free(&all->inboxes[rank]);
        if (all->outboxes)
            ct_letters_free(&all->outboxes[rank]);
    }
    free(all->calls);
    free(all->ranks);
    free(all->inboxes);
    free(all->outboxes);
}

int ct_routes_make(const struct ct_method *method, const struct ct_call *call, struct ct_error *error,
                   struct ct_routes **ret_routes)
{
    size_t size = (size_t)call->size;
    struct lock_step all = {.size = call->size,
                            .calls = ct_allocate(size, sizeof *all.calls),
                            .ranks = ct_allocate(size, sizeof *all.ranks),
                            .inboxes = ct_allocate(size, sizeof *all.inboxes),
                            .outboxes = ct_allocate(size, sizeof *all.outboxes)};
    struct ct_routes *routes = ct_allocate(size, sizeof *routes);
    int status = all.calls && all.ranks && all.inboxes && all.outboxes && routes ? CT_OK : CT_E_MEMORY;
    for (int rank = 0; status == CT_OK && rank < call->size; rank++) {
        all.calls[rank] = ct_call_of_rank(method->algorithm->collective, call, rank);
        status = ct_routing_begin(method, &all.calls[rank], &all.ranks[rank]);
    }
    if (status == CT_OK)
        status = run_lock_step(&all, error);
    for (int rank = 0; status == CT_OK && rank < call->size; rank++)
        ct_routing_take(all.ranks[rank], &routes[rank]);
    free_lock_step(&all);
    if (status != CT_OK) {
        free(routes);
        return status;
    }
    *ret_routes = routes;
    return CT_OK;
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
