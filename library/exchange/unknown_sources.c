/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/exchange/unknown_sources.h"
#include "base/memory.h"
#include "library/communicators/meeting.h"
#include "library/exchange/deliver_by_grid.h"
#include "library/exchange/deliver_by_nbx.h"
#include "library/exchange/deliver_personalized.h"
#include "library/mpi/backend_mpi.h"
#include "plan/neighbors.h"

#include <stdlib.h>
#include <string.h>

static void (*const ways[CT_UNKNOWN_KINDS])(struct ct_delivery *) = {
    [CT_UNKNOWN_NBX] = ct_deliver_by_nbx,
    [CT_UNKNOWN_PERSONALIZED] = ct_deliver_personalized,
    [CT_UNKNOWN_GRID] = ct_deliver_by_grid,
};

void ct_incoming_free(struct ct_incoming *incoming)
{
    free(incoming->sources);
    free(incoming->lengths);
    free(incoming->data);
    *incoming = (struct ct_incoming){0};
}

/* Puts what has arrived into the order of the sources. */
static int put_in_order(const struct ct_delivery *delivery, struct ct_incoming *ret_incoming)
{
    const struct ct_incoming *arrived = &delivery->arrived;
    struct ct_incoming sorted = {.count = arrived->count,
                                 .sources = ct_allocate(arrived->count + 1, sizeof(int)),
                                 .lengths = ct_allocate(arrived->count + 1, sizeof(size_t)),
                                 .data = ct_allocate(delivery->data.count + 1, 1)};
    size_t *places = ct_allocate(arrived->count + 1, sizeof *places), *order = NULL, to = 0, begin = 0;
    if (!sorted.sources || !sorted.lengths || !sorted.data || !places ||
        ct_neighbors_order(arrived->sources, arrived->count, &order) != CT_OK) {
        ct_incoming_free(&sorted);
        free(places);
        return MPI_ERR_NO_MEM;
    }
    for (size_t i = 0; i < arrived->count; begin += arrived->lengths[i++])
        places[i] = begin;
    for (size_t i = 0; i < arrived->count; i++) {
        size_t length = arrived->lengths[order[i]];
        sorted.sources[i] = arrived->sources[order[i]];
        sorted.lengths[i] = length;
        if (length > 0)
            memcpy(sorted.data + to, delivery->data.items + places[order[i]], length);
        to += length;
    }
    free(places);
    free(order);
    *ret_incoming = sorted;
    return MPI_SUCCESS;
}

struct ct_deliverer *ct_deliverer_make(const struct ct_unknown_method *method, MPI_Comm comm, int tag)
{
    struct ct_deliverer *deliverer = ct_allocate(1, sizeof *deliverer);
    if (!deliverer)
        return NULL;
    *deliverer = (struct ct_deliverer){.method = *method, .comm = comm, .tag = tag};
    PMPI_Comm_rank(comm, &deliverer->rank);
    PMPI_Comm_size(comm, &deliverer->size);
    bool is_made = true;
    if (method->kind == CT_UNKNOWN_PERSONALIZED)
        is_made = (deliverer->counts = ct_allocate((size_t)deliverer->size, sizeof *deliverer->counts));
    else if (method->kind == CT_UNKNOWN_GRID)
        is_made = ct_delivery_grid_make(deliverer);
    if (is_made)
        return deliverer;
    ct_deliverer_free(deliverer);
    return NULL;
}

void ct_deliverer_free(struct ct_deliverer *deliverer)
{
    if (!deliverer)
        return;
    ct_delivery_grid_free(&deliverer->grid);
    free(deliverer->counts);
    free(deliverer);
}

/* All ranks take over the greatest error class. Non-blocking reductions of SMPI send a message for each pair
 * of ranks. */
static void agree_on_delivery(struct ct_delivery *delivery)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int own = delivery->code, all = 0;
    int code = CT_SIMULATED ? PMPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, delivery->comm)
                            : PMPI_Iallreduce(&own, &all, 1, MPI_INT, MPI_MAX, delivery->comm, &request);
    ct_delivery_fail(delivery, ct_finish_request(code, &request));
    ct_delivery_fail(delivery, all);
}

int ct_deliver(struct ct_deliverer *deliverer, int code, const struct ct_outgoing *outgoing,
               struct ct_incoming *ret_incoming)
{
    struct ct_incoming incoming = {0};
    struct ct_delivery delivery = {.deliverer = deliverer,
                                   .comm = deliverer->comm,
                                   .tag = deliverer->tag + (int)(deliverer->deliveries++ % CT_DELIVERY_TAGS),
                                   .rank = deliverer->rank,
                                   .size = deliverer->size,
                                   .code = code,
                                   .outgoing = outgoing,
                                   .sends = ct_allocate(outgoing->count + 1, sizeof(MPI_Request))};
    if (!delivery.sends)
        ct_delivery_fail(&delivery, MPI_ERR_NO_MEM);
    ways[deliverer->method.kind](&delivery);
    if (ct_delivery_is_right(&delivery))
        ct_delivery_fail(&delivery, put_in_order(&delivery, &incoming));
    agree_on_delivery(&delivery);
    free(delivery.sends);
    free(delivery.data.items);
    ct_incoming_free(&delivery.arrived);
    if (ct_delivery_is_right(&delivery))
        *ret_incoming = incoming;
    else
        ct_incoming_free(&incoming);
    return delivery.code;
}
