/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/timeline_transfers.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

bool ct_timeline_transfers_make(struct ct_timeline_transfers *ret_transfers)
{
    struct ct_flows *flows = ct_flows_new();
    if (flows)
        *ret_transfers = (struct ct_timeline_transfers){.flows = flows};
    return flows != NULL;
}

void ct_timeline_transfers_free(struct ct_timeline_transfers *transfers)
{
    ct_flows_free(transfers->flows);
    ct_timeline_messages_free(&transfers->messages);
    free(transfers->way);
}

int ct_timeline_transfers_set_up(struct ct_timeline_transfers *transfers,
                                 const struct ct_timeline_terms *terms, struct ct_error *error)
{
    transfers->terms = terms;
    int status =
        ct_grow(&transfers->way, &transfers->way_capacity, terms->topology->longest, sizeof *transfers->way);
    if (status == CT_OK)
        status = ct_timeline_messages_match(&transfers->messages, terms, error);
    return status == CT_OK ? ct_flows_begin(transfers->flows, terms->topology) : status;
}

/* The message of the same two ranks before this one; NULL if it is the first. */
static struct ct_timeline_message *message_before(const struct ct_timeline_transfers *transfers,
                                                  uint32_t number)
{
    struct ct_timeline_message *message = &transfers->messages.all[number];
    const bool is_first = number == 0 ||
                          message[-1].ranks[CT_MESSAGE_SENDER] != message->ranks[CT_MESSAGE_SENDER] ||
                          message[-1].ranks[CT_MESSAGE_RECEIVER] != message->ranks[CT_MESSAGE_RECEIVER];
    return is_first ? NULL : message - 1;
}

/* Seconds of latency that a message of the measured way has because of its size. Its time has them in the
 * transfer, where they would keep links busy. */
static double latency_of_size(const struct ct_network_routes *routes, size_t bytes)
{
    const struct ct_network_factors *factors = &routes->factors;
    return routes->measured.latency *
           (ct_network_factor_of(factors, (double)bytes) - ct_network_factor_of(factors, 0));
}

/* Seconds of the way's links beyond those of the way that was measured. */
static double further_latency(const struct ct_timeline_transfers *transfers, size_t from, size_t to,
                              size_t bytes)
{
    const struct ct_timeline_terms *terms = transfers->terms;
    const struct ct_network_routes *routes = terms->topology->routes;
    if (routes)
        return (routes->ways[from * routes->nodes + to].latency - routes->measured.latency) *
               ct_network_factor_of(&routes->factors, (double)bytes);
    if (terms->hop_latency <= 0)
        return 0;
    const size_t links = ct_interconnect_route(terms->topology, from, to, transfers->way);
    return ((double)links - terms->hops) * terms->hop_latency;
}

/* Every rank that the transfer needs has come: it begins after the latency of the way, and not before
 * `earliest`. */
static int transfer(struct ct_timeline_transfers *transfers, uint32_t number, double earliest)
{
    const struct ct_timeline_message *message = &transfers->messages.all[number];
    const struct ct_transfer_cost *cost = &transfers->messages.costs[message->cost];
    const int from = ct_timeline_node_of(transfers->terms, message->ranks[CT_MESSAGE_SENDER]),
              to = ct_timeline_node_of(transfers->terms, message->ranks[CT_MESSAGE_RECEIVER]);
    double latency = cost->latency, seconds = cost->transfer;
    if (from != to && transfers->terms->topology->routes) {
        const double of_size = latency_of_size(transfers->terms->topology->routes, cost->bytes);
        latency += of_size;
        seconds = fmax(seconds - of_size, 0);
    }
    if (from != to)
        latency = fmax(latency + further_latency(transfers, (size_t)from, (size_t)to, cost->bytes), 0);
    return ct_flows_send(transfers->flows, number, fmax(message->posted + latency, earliest), seconds,
                         (size_t)from, (size_t)to);
}

int ct_timeline_transfers_begin(struct ct_timeline_transfers *transfers, uint32_t number)
{
    struct ct_timeline_message *message = &transfers->messages.all[number];
    const struct ct_timeline_message *before = message_before(transfers, number);
    message->is_queued = before && !before->is_through && !transfers->messages.costs[message->cost].meets;
    return message->is_queued ? CT_OK : transfer(transfers, number, 0);
}

/* The message behind it may go. */
static int end_transfer(struct ct_timeline_transfers *transfers, uint32_t number, double time)
{
    transfers->messages.all[number].is_through = true;
    if (number + 1 == transfers->messages.count || !transfers->messages.all[number + 1].is_queued ||
        !message_before(transfers, number + 1))
        return CT_OK;
    transfers->messages.all[number + 1].is_queued = false;
    return transfer(transfers, number + 1, time);
}

int ct_timeline_transfers_next(struct ct_timeline_transfers *transfers, bool *ret_is_any,
                               uint32_t *ret_number, double *ret_time)
{
    size_t number = 0;
    int status = ct_flows_next(transfers->flows, ret_is_any, &number, ret_time);
    if (status != CT_OK || !*ret_is_any)
        return status;
    *ret_number = (uint32_t)number;
    return end_transfer(transfers, *ret_number, *ret_time);
}
