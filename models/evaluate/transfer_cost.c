/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/transfer_cost.h"

#include <math.h>

/* Half a round trip, and what the CPUs do of it. */
struct parts {
    double whole, send, receive;
};

static struct parts hockney_parts(const struct ct_link *link, double bytes)
{
    return (struct parts){.whole = link->hockney.alpha + link->hockney.beta * bytes};
}

static struct parts loggp_parts(const struct ct_link *link, double bytes)
{
    const struct ct_loggp *loggp = &link->loggp;
    const double rest = bytes > 1 ? (bytes - 1) * loggp->gap_per_byte : 0;
    return (struct parts){.whole = loggp->latency + 2 * loggp->overhead + rest,
                          .send = loggp->overhead,
                          .receive = loggp->overhead};
}

static struct parts plogp_parts(const struct ct_link *link, double bytes)
{
    const struct ct_plogp *plogp = &link->plogp;
    return (struct parts){.whole = plogp->latency + ct_curve_at(&plogp->gap, bytes),
                          .send = ct_curve_at(&plogp->send_overhead, bytes),
                          .receive = ct_curve_at(&plogp->receive_overhead, bytes)};
}

static struct parts parts_of(const struct ct_link *link, enum ct_communication_model model, double bytes)
{
    static struct parts (*const rules[CT_COMMUNICATION_MODELS])(const struct ct_link *, double) = {
        [CT_MODEL_HOCKNEY] = hockney_parts, [CT_MODEL_LOGGP] = loggp_parts, [CT_MODEL_PLOGP] = plogp_parts};
    return rules[model](model == CT_MODEL_PLOGP ? link : ct_link_of_size(link, bytes), bytes);
}

double ct_link_rendezvous(const struct ct_link *link)
{
    const struct ct_curve *sends = &link->plogp.send_overhead;
    double from = INFINITY;
    if (!link->known[CT_MODEL_PLOGP] || sends->count == 0)
        return from;
    const struct parts none = plogp_parts(link, 0);
    for (size_t i = sends->count; i-- > 0;) {
        const double bytes = sends->points[i].bytes;
        const struct parts parts = plogp_parts(link, bytes);
        if (parts.whole <= none.whole || parts.send - none.send < (parts.whole - none.whole) / 2)
            break;
        from = bytes;
    }
    return from > 0 ? from : INFINITY;
}

bool ct_link_meets(const struct ct_link *link)
{
    struct parts parts;
    double gap;
    if (link->known[CT_MODEL_PLOGP]) {
        parts = plogp_parts(link, 1);
        gap = ct_curve_at(&link->plogp.gap, 1);
    } else if (link->known[CT_MODEL_LOGGP]) {
        parts = loggp_parts(link, 1);
        gap = link->loggp.gap;
    } else {
        return false;
    }
    const double overhead = fmax(parts.send, parts.receive), one_by_one = parts.whole - parts.send;
    return gap > overhead && gap - overhead > one_by_one - gap;
}

/* The curve of messages whose sender does not wait, continued beyond them: the CPU's work for longer ones
 * cannot be seen in the time of the send. On the way to the first of these the curve would rise in vain. */
static double continued(const struct ct_curve *curve, double rendezvous, double bytes)
{
    struct ct_curve shorter = *curve;
    while (shorter.count > 0 && shorter.points[shorter.count - 1].bytes >= rendezvous)
        shorter.count--;
    return ct_curve_at(&shorter, bytes);
}

struct ct_transfer_cost ct_transfer_cost_of(const struct ct_link *link, enum ct_communication_model model,
                                            const struct ct_link_protocol *protocol, size_t bytes)
{
    const double size = (double)bytes, rendezvous = protocol->rendezvous;
    const struct ct_link *sized = model == CT_MODEL_PLOGP ? link : ct_link_of_size(link, size);
    const struct parts parts = parts_of(link, model, size);
    const struct parts none = parts_of(sized, model, fmin(size, fmax(sized->from, 0)));
    struct ct_transfer_cost cost = {
        .bytes = bytes, .send = parts.send, .receive = parts.receive, .waits = size >= rendezvous};
    if (model == CT_MODEL_PLOGP) {
        cost.post = size >= protocol->copied_from ? plogp_parts(link, 0).send
                                                  : continued(&link->plogp.send_overhead, rendezvous, size);
        cost.send = cost.waits ? 0 : cost.post;
        cost.receive =
            cost.waits ? parts.receive : continued(&link->plogp.receive_overhead, rendezvous, size);
    } else if (cost.waits) {
        cost.post = parts.send;
        cost.send = cost.receive = 0;
    }
    cost.latency = fmax(none.whole - none.send - none.receive, 0);
    cost.meets = cost.waits || protocol->meets;
    cost.transfer = fmax(parts.whole - cost.send - cost.receive - cost.latency, 0);
    return cost;
}
