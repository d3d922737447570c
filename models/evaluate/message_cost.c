/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/message_cost.h"

#include <math.h>

static struct ct_message_cost hockney_cost(const struct ct_link *link, size_t bytes)
{
    double whole = link->hockney.alpha + link->hockney.beta * (double)bytes;
    return (struct ct_message_cost){.bytes = bytes, .flight = whole, .gap = whole, .send_done = whole};
}

static struct ct_message_cost loggp_cost(const struct ct_link *link, size_t bytes)
{
    const struct ct_loggp *loggp = &link->loggp;
    double rest = bytes > 0 ? (double)(bytes - 1) * loggp->gap_per_byte : 0;
    return (struct ct_message_cost){.bytes = bytes,
                                    .flight = loggp->overhead + rest + loggp->latency,
                                    .gap = loggp->gap + rest,
                                    .send_busy = loggp->overhead,
                                    .send_done = loggp->overhead,
                                    .take_after = loggp->overhead};
}

static struct ct_message_cost plogp_cost(const struct ct_link *link, size_t bytes)
{
    const struct ct_plogp *plogp = &link->plogp;
    double gap = ct_curve_at(&plogp->gap, (double)bytes);
    double sending = ct_curve_at(&plogp->send_overhead, (double)bytes);
    return (struct ct_message_cost){.bytes = bytes,
                                    .flight = plogp->latency + gap,
                                    .gap = gap,
                                    .send_busy = sending,
                                    .send_done = sending,
                                    .take_before = ct_curve_at(&plogp->receive_overhead, (double)bytes)};
}

struct ct_message_cost ct_message_cost_of(const struct ct_link *link, enum ct_communication_model model,
                                          size_t bytes)
{
    static struct ct_message_cost (*const rules[CT_COMMUNICATION_MODELS])(const struct ct_link *, size_t) = {
        [CT_MODEL_HOCKNEY] = hockney_cost, [CT_MODEL_LOGGP] = loggp_cost, [CT_MODEL_PLOGP] = plogp_cost};
    return rules[model](model == CT_MODEL_PLOGP ? link : ct_link_of_size(link, (double)bytes), bytes);
}

struct ct_message_cost ct_message_cost_of_overhead(const struct ct_link *link,
                                                   enum ct_communication_model model, size_t bytes)
{
    struct ct_message_cost cost = ct_message_cost_of(link, model, bytes);
    const struct ct_message_cost one = ct_message_cost_of(link, model, 1);
    const double overhead = fmax(one.send_busy, fmax(one.take_before, one.take_after));
    if (model == CT_MODEL_HOCKNEY)
        return cost;
    cost.gap = fmax(cost.gap - fmax(one.gap - overhead, 0), fmax(cost.send_busy, cost.take_before));
    return cost;
}
