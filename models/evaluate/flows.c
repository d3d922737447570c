/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/flows.h"
#include "base/memory.h"
#include "models/evaluate/flow_moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX

/* Moments that are as close together are one: rates are found once for all that happens then. */
static const double same_moment = 1e-10;

/* Where a flow shares a wire with so many others, it changes little when it begins or ends: rates may be
 * found somewhat later, after this part of a transfer. Otherwise n flows that begin and end one by one would
 * cost n looks at n flows. */
enum { CROWD = 32 };
static const double patience = 0.01;

/* A message that has been given to ct_flows_send() and is not done. */
struct flow {
    uint32_t message;
    uint32_t from, to; /* nodes; the same: no links */
    uint32_t count;    /* links; 0 before the transfer begins */
    uint32_t stamp;    /* of the last look for rates */
    bool has_rate;     /* in that look */
    struct ct_interconnect_share share;
    double left; /* seconds of transfer at rate 1, at `since` */
    double since;
    double rate;
};

/* A direction of a link. */
struct wire {
    uint32_t *flows; /* in transfer */
    uint32_t count;
    size_t capacity;
    uint32_t stamp; /* of the last look for rates */
    double left;    /* of what it carries, not given to a flow in this look */
    double weights; /* of flows without a rate in this look */
};

/* A wire, or a flow that has a bound of its own. */
struct level {
    double share;  /* rate per weight that the wire can give; at least, it may have risen */
    uint32_t wire; /* or NOWHERE */
    uint32_t flow;
};

struct ct_flows {
    const struct ct_interconnect *topology;
    double now;
    double due;       /* when rates must be found, if flows have changed */
    double mean_left; /* seconds of the flows of the last look until their ends */

    struct flow *flows;
    size_t flow_count, flow_capacity;
    uint32_t *unused;
    size_t unused_count, unused_capacity;
    uint32_t *ways;   /* by flow `longest` links */
    uint32_t *places; /* by flow: where it stands in the lists of these links */
    size_t way_capacity, place_capacity;

    struct ct_flow_moments moments; /* begins and ends of transfers */

    struct wire *wires;
    size_t wire_count, wire_capacity;
    double *capacities;
    size_t capacities_capacity;
    uint32_t *changed; /* wires whose flows have changed since the last look */
    size_t changed_count, changed_capacity;
    uint32_t stamp;
    uint32_t *reached; /* flows */
    size_t reached_count, reached_capacity;
    struct level *levels; /* a heap */
    size_t level_count, level_capacity;
};

struct ct_flows *ct_flows_new(void)
{
    return ct_allocate(1, sizeof(struct ct_flows));
}

void ct_flows_free(struct ct_flows *flows)
{
    if (!flows)
        return;
    for (size_t i = 0; i < flows->wire_capacity; i++)
        free(flows->wires[i].flows);
    free(flows->flows);
    free(flows->unused);
    free(flows->ways);
    free(flows->places);
    ct_flow_moments_free(&flows->moments);
    free(flows->wires);
    free(flows->capacities);
    free(flows->changed);
    free(flows->reached);
    free(flows->levels);
    free(flows);
}

static int make_wires(struct ct_flows *flows, size_t count)
{
    const size_t before = flows->wire_capacity;
    int status = ct_grow(&flows->wires, &flows->wire_capacity, count, sizeof *flows->wires);
    if (status == CT_OK)
        status = ct_grow(&flows->capacities, &flows->capacities_capacity, count, sizeof *flows->capacities);
    if (flows->wire_capacity > before)
        memset(flows->wires + before, 0, (flows->wire_capacity - before) * sizeof *flows->wires);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        flows->wires[i].count = flows->wires[i].stamp = 0;
        flows->capacities[i] = ct_interconnect_capacity(flows->topology, i);
    }
    flows->wire_count = count;
    return CT_OK;
}

int ct_flows_begin(struct ct_flows *flows, const struct ct_interconnect *topology)
{
    flows->topology = topology;
    flows->now = flows->mean_left = 0;
    flows->due = INFINITY;
    flows->flow_count = flows->unused_count = flows->moments.count = flows->changed_count = 0;
    flows->stamp = 0;
    return make_wires(flows, topology->links);
}

/* --- flows on their wires --- */

static int new_flow(struct ct_flows *flows, uint32_t *ret_flow)
{
    if (flows->unused_count > 0) {
        *ret_flow = flows->unused[--flows->unused_count];
        return CT_OK;
    }
    const size_t need = flows->flow_count + 1, longest = flows->topology->longest;
    size_t places;
    if (need >= NOWHERE || !ct_multiply(need, longest, &places))
        return CT_E_LIMIT;
    int status = ct_grow(&flows->flows, &flows->flow_capacity, need, sizeof *flows->flows);
    if (status == CT_OK)
        status = ct_flow_moments_reserve(&flows->moments, need);
    if (status == CT_OK)
        status = ct_grow(&flows->ways, &flows->way_capacity, places, sizeof *flows->ways);
    if (status == CT_OK)
        status = ct_grow(&flows->places, &flows->place_capacity, places, sizeof *flows->places);
    if (status == CT_OK) /* so that it can be given back */
        status = ct_grow(&flows->unused, &flows->unused_capacity, need, sizeof *flows->unused);
    if (status != CT_OK)
        return status;
    *ret_flow = (uint32_t)flows->flow_count++;
    return CT_OK;
}

static uint32_t *way_of(const struct ct_flows *flows, uint32_t flow)
{
    return flows->ways + flow * flows->topology->longest;
}

static uint32_t *places_of(const struct ct_flows *flows, uint32_t flow)
{
    return flows->places + flow * flows->topology->longest;
}

static int note_change(struct ct_flows *flows, uint32_t wire)
{
    int status =
        ct_grow(&flows->changed, &flows->changed_capacity, flows->changed_count + 1, sizeof *flows->changed);
    if (status == CT_OK)
        flows->changed[flows->changed_count++] = wire;
    return status;
}

/* The flow begins or ends now, and `seconds` is how long such a transfer takes. */
static void set_due(struct ct_flows *flows, uint32_t number, double seconds)
{
    const struct flow *flow = &flows->flows[number];
    const uint32_t *way = way_of(flows, number);
    bool is_crowded = false;
    for (uint32_t i = 0; i < flow->count; i++)
        is_crowded |= flows->wires[way[i]].count >= CROWD;
    flows->due = fmin(flows->due, is_crowded ? flows->now + patience * seconds : flows->now);
}

/* Its transfer begins now. */
static int enter_wires(struct ct_flows *flows, uint32_t number)
{
    struct flow *flow = &flows->flows[number];
    uint32_t *way = way_of(flows, number), *places = places_of(flows, number);
    const size_t count = ct_interconnect_route(flows->topology, flow->from, flow->to, way);
    int status = CT_OK;
    flow->since = flows->now;
    flow->rate = 0;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        struct wire *wire = &flows->wires[way[i]];
        status = ct_grow(&wire->flows, &wire->capacity, (size_t)wire->count + 1, sizeof *wire->flows);
        if (status != CT_OK)
            break;
        places[i] = wire->count;
        wire->flows[wire->count++] = number;
        flow->count++;
        status = note_change(flows, way[i]);
    }
    set_due(flows, number, flow->left);
    return status;
}

/* The place of a flow in the list of a wire has changed. */
static void set_place(const struct ct_flows *flows, uint32_t flow, uint32_t wire, uint32_t place)
{
    const uint32_t *way = way_of(flows, flow);
    size_t i = 0;
    while (way[i] != wire)
        i++;
    places_of(flows, flow)[i] = place;
}

static int leave_wires(struct ct_flows *flows, uint32_t number)
{
    const struct flow *flow = &flows->flows[number];
    const uint32_t *way = way_of(flows, number), *places = places_of(flows, number);
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < flow->count; i++) {
        struct wire *wire = &flows->wires[way[i]];
        const uint32_t last = wire->flows[--wire->count];
        wire->flows[places[i]] = last;
        if (last != number)
            set_place(flows, last, way[i], places[i]);
        if (wire->count > 0)
            status = note_change(flows, way[i]);
    }
    set_due(flows, number, flows->mean_left);
    return status;
}

/* --- rates --- */

static int push_level(struct ct_flows *flows, struct level level)
{
    int status =
        ct_grow(&flows->levels, &flows->level_capacity, flows->level_count + 1, sizeof *flows->levels);
    if (status != CT_OK)
        return status;
    size_t place = flows->level_count++;
    for (; place > 0 && level.share < flows->levels[(place - 1) / 2].share; place = (place - 1) / 2)
        flows->levels[place] = flows->levels[(place - 1) / 2];
    flows->levels[place] = level;
    return CT_OK;
}

static struct level take_level(struct ct_flows *flows)
{
    const struct level first = flows->levels[0], last = flows->levels[--flows->level_count];
    size_t place = 0;
    for (size_t child; (child = 2 * place + 1) < flows->level_count; place = child) {
        if (child + 1 < flows->level_count && flows->levels[child + 1].share < flows->levels[child].share)
            child++;
        if (flows->levels[child].share >= last.share)
            break;
        flows->levels[place] = flows->levels[child];
    }
    if (flows->level_count > 0)
        flows->levels[place] = last;
    return first;
}

/* All flows of a wire that was not reached before belong to this look. */
static int reach_wire(struct ct_flows *flows, uint32_t number)
{
    struct wire *wire = &flows->wires[number];
    if (wire->stamp == flows->stamp || wire->count == 0)
        return CT_OK;
    wire->stamp = flows->stamp;
    wire->left = flows->capacities[number];
    wire->weights = 0;
    int status = ct_grow(&flows->reached, &flows->reached_capacity, flows->reached_count + wire->count,
                         sizeof *flows->reached);
    if (status != CT_OK)
        return status;
    for (uint32_t i = 0; i < wire->count; i++) {
        struct flow *flow = &flows->flows[wire->flows[i]];
        wire->weights += flow->share.weight;
        if (flow->stamp == flows->stamp)
            continue;
        flow->stamp = flows->stamp;
        flow->has_rate = false;
        flows->reached[flows->reached_count++] = wire->flows[i];
        if (flow->share.most < INFINITY)
            status = push_level(
                flows, (struct level){flow->share.most / flow->share.weight, NOWHERE, wire->flows[i]});
        if (status != CT_OK)
            return status;
    }
    return push_level(flows, (struct level){wire->left / wire->weights, number, NOWHERE});
}

/* Everything that a change can have an effect on. */
static int reach(struct ct_flows *flows)
{
    int status = CT_OK;
    flows->stamp++;
    flows->reached_count = flows->level_count = 0;
    for (size_t i = 0; status == CT_OK && i < flows->changed_count; i++)
        status = reach_wire(flows, flows->changed[i]);
    for (size_t i = 0; status == CT_OK && i < flows->reached_count; i++) {
        const uint32_t flow = flows->reached[i], *way = way_of(flows, flow);
        for (size_t k = 0; status == CT_OK && k < flows->flows[flow].count; k++)
            status = reach_wire(flows, way[k]);
    }
    flows->changed_count = 0;
    return status;
}

static int set_rate(struct ct_flows *flows, uint32_t number, double rate)
{
    struct flow *flow = &flows->flows[number];
    const uint32_t *way = way_of(flows, number);
    flow->has_rate = true;
    for (size_t k = 0; k < flow->count; k++) {
        struct wire *wire = &flows->wires[way[k]];
        wire->left -= rate;
        wire->weights -= flow->share.weight;
    }
    const double close = 1e-9;
    flow->left -= flow->rate * (flows->now - flow->since);
    flow->since = flows->now;
    flows->mean_left += fmax(flow->left, 0) / rate / (double)flows->reached_count;
    if (fabs(rate - flow->rate) <= close * rate && ct_flow_moments_has(&flows->moments, number))
        return CT_OK;
    flow->rate = rate;
    return ct_flow_moments_set(&flows->moments, number, flow->message,
                               flows->now + fmax(flow->left, 0) / rate);
}

/* The wire with the least share decides for its flows; then the next one. A share only rises meanwhile. A
 * flow whose bound is below them has that rate. */
static int find_rates(struct ct_flows *flows)
{
    const double close = 1e-12;
    int status = reach(flows);
    flows->mean_left = 0;
    flows->due = INFINITY;
    while (status == CT_OK && flows->level_count > 0) {
        const struct level level = take_level(flows);
        if (level.wire == NOWHERE) {
            const struct flow *bounded = &flows->flows[level.flow];
            if (!bounded->has_rate)
                status = set_rate(flows, level.flow, bounded->share.most);
            continue;
        }
        const struct wire *wire = &flows->wires[level.wire];
        uint32_t without = 0;
        for (uint32_t i = 0; i < wire->count; i++)
            without += !flows->flows[wire->flows[i]].has_rate;
        if (without == 0)
            continue;
        const double share = wire->left / wire->weights;
        if (share > level.share * (1 + close)) {
            status = push_level(flows, (struct level){share, level.wire, NOWHERE});
            continue;
        }
        for (uint32_t i = 0; status == CT_OK && i < wire->count; i++)
            if (!flows->flows[wire->flows[i]].has_rate)
                status =
                    set_rate(flows, wire->flows[i], level.share * flows->flows[wire->flows[i]].share.weight);
    }
    return status;
}

/* --- all --- */

int ct_flows_send(struct ct_flows *flows, size_t message, double begin, double seconds, size_t from_node,
                  size_t to_node)
{
    uint32_t number;
    int status = new_flow(flows, &number);
    if (status != CT_OK)
        return status;
    struct flow flow = {
        .message = (uint32_t)message, .from = (uint32_t)from_node, .to = (uint32_t)to_node, .left = seconds};
    size_t links = 0;
    if (from_node != to_node && seconds > 0) {
        links = ct_interconnect_route(flows->topology, from_node, to_node, way_of(flows, number));
        flow.share = ct_interconnect_share_of(flows->topology, from_node, to_node, links);
        seconds /= links > 0 ? 1 : flow.share.most;
    }
    /* Nothing is shared: the end is known. */
    if (links == 0) {
        flow.left = 0;
        begin += fmax(seconds, 0);
    }
    flows->flows[number] = flow;
    return ct_flow_moments_set(&flows->moments, number, flow.message, begin);
}

int ct_flows_next(struct ct_flows *flows, bool *ret_is_any, size_t *ret_message, double *ret_time)
{
    for (;;) {
        const double due = fmax(flows->due, flows->now);
        if (flows->changed_count > 0 &&
            (flows->moments.count == 0 || flows->moments.heap[0].time > due * (1 + same_moment))) {
            flows->now = due;
            int status = find_rates(flows);
            if (status != CT_OK)
                return status;
        }
        *ret_is_any = flows->moments.count > 0;
        if (!*ret_is_any)
            return CT_OK;
        const struct ct_flow_moment moment = ct_flow_moments_take(&flows->moments);
        struct flow *flow = &flows->flows[moment.flow];
        const bool begins = flow->count == 0 && flow->left > 0;
        flows->now = fmax(flows->now, moment.time);
        int status = begins ? enter_wires(flows, moment.flow) : leave_wires(flows, moment.flow);
        if (status != CT_OK)
            return status;
        if (begins)
            continue;
        flows->unused[flows->unused_count++] = moment.flow;
        *ret_message = moment.message;
        *ret_time = flows->now;
        return CT_OK;
    }
}
