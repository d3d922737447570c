/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of a sparse exchange along its routes: stage by stage, each rank packs the blocks of a message,
 * unless they lie together, and sends them. What ends here is received in its place where it travels alone,
 * or beside the blocks that follow it there; else it is copied in the round after its arrival. */
#include "plan/routed_plan.h"
#include "base/memory.h"
#include "plan/routes.h"

#include <string.h>

struct building {
    struct ct_plan *plan;
    const struct ct_call *call;
    const struct ct_routes *routes;
    struct ct_slice *places; /* by block held: where it lies */
    size_t *deliveries;      /* by block held: one more than the index of its first delivery; 0: none */
    unsigned *stages;        /* by block held: the first stage in which it may be sent */
    bool *are_delivered;     /* by delivery */
    bool *are_repeated;      /* by block held: it ends at several places of the result */
    struct ct_slice *slices; /* by message: where its blocks lie, or are packed */
    bool *are_packed;        /* by message */
    unsigned staged;         /* buffer of what arrives and is not received in its place */
    size_t staged_units;
    unsigned packs; /* buffer of what is packed */
    size_t packed_units;
    struct ct_slice to, from; /* a copy that is not written yet, from.n units */
};

static bool joins(const struct ct_slice *before, const struct ct_slice *after)
{
    return before->buffer == after->buffer && before->block == after->block &&
           before->offset + before->n == after->offset;
}

static void flush_copy(struct building *building)
{
    if (building->from.n > 0)
        ct_copy_slice(building->plan, building->to, building->from);
    building->from.n = 0;
}

/* Adjacent copies become one. */
static void add_copy(struct building *building, struct ct_slice to, struct ct_slice from)
{
    to.n = from.n;
    if (building->from.n > 0 && joins(&building->to, &to) && joins(&building->from, &from)) {
        building->to.n += from.n;
        building->from.n += from.n;
        return;
    }
    flush_copy(building);
    building->to = to;
    building->from = from;
}

static size_t length_of(const struct building *building, size_t held)
{
    const struct ct_routes *routes = building->routes;
    return routes->counts_blocks ? routes->lengths[held] * building->call->count : routes->lengths[held];
}

/* Takes so many units of a temporary buffer. */
static struct ct_slice take(unsigned buffer, size_t *used, size_t n)
{
    struct ct_slice slice = {.buffer = buffer, .offset = *used, .n = n};
    *used += n;
    return slice;
}

static size_t held_by(const struct building *building, const struct ct_routed_message *message, size_t i)
{
    return building->routes->carried[message->begin + i];
}

/* Do all blocks of the message end here, side by side? */
static bool is_received_in_place(const struct building *building, const struct ct_routed_message *message)
{
    struct ct_slice before = {0};
    for (size_t i = 0; i < message->count; i++) {
        size_t held = held_by(building, message, i), delivery = building->deliveries[held];
        if (delivery == 0 || building->are_repeated[held])
            return false;
        struct ct_slice slice =
            ct_recv_block(building->call, (int)building->routes->deliveries[delivery - 1].block);
        if (i > 0 && !joins(&before, &slice))
            return false;
        before = slice;
    }
    return true;
}

/* Finds the places of the blocks that a message brings. */
static void place_arrivals(struct building *building, const struct ct_routed_message *message)
{
    bool in_place = is_received_in_place(building, message);
    for (size_t i = 0; i < message->count; i++) {
        size_t held = held_by(building, message, i), delivery = building->deliveries[held];
        building->stages[held] = message->stage + 1;
        if (in_place) {
            building->places[held] =
                ct_recv_block(building->call, (int)building->routes->deliveries[delivery - 1].block);
            building->are_delivered[delivery - 1] = true;
        } else {
            building->places[held] =
                take(building->staged, &building->staged_units, length_of(building, held));
        }
    }
}

/* The slice in which all blocks of the message lie side by side; false if they do not. */
static bool find_together(const struct building *building, const struct ct_routed_message *message,
                          struct ct_slice *ret_slice)
{
    struct ct_slice all = {0};
    for (size_t i = 0; i < message->count; i++) {
        const struct ct_slice *place = &building->places[held_by(building, message, i)];
        if (i > 0 && !joins(&all, place))
            return false;
        if (i == 0)
            all = *place;
        else
            all.n += place->n;
    }
    *ret_slice = all;
    return true;
}

/* Do both messages carry the same blocks? */
static bool are_alike(const struct ct_routes *routes, const struct ct_routed_message *a,
                      const struct ct_routed_message *b)
{
    return a->is_sent && b->is_sent && a->stage == b->stage && a->count == b->count &&
           memcmp(routes->carried + a->begin, routes->carried + b->begin,
                  a->count * sizeof *routes->carried) == 0;
}

/* Finds where the blocks of a message lie when it is sent or received. Messages that are alike are packed
 * once. */
static void place_message(struct building *building, size_t index)
{
    const struct ct_routed_message *message = &building->routes->messages[index];
    struct ct_slice *all = &building->slices[index];
    if (!message->is_sent)
        place_arrivals(building, message);
    if (find_together(building, message, all))
        return;
    assert(message->is_sent && "what arrives is placed together");
    if (index > 0 && are_alike(building->routes, message - 1, message)) {
        *all = building->slices[index - 1];
        return;
    }
    size_t n = 0;
    for (size_t i = 0; i < message->count; i++)
        n += length_of(building, held_by(building, message, i));
    *all = take(building->packs, &building->packed_units, n);
    building->are_packed[index] = true;
}

/* Packs the blocks of a message that is sent. */
static void pack(struct building *building, size_t index)
{
    const struct ct_routed_message *message = &building->routes->messages[index];
    struct ct_slice to = building->slices[index];
    for (size_t i = 0; i < message->count; i++) {
        const struct ct_slice *from = &building->places[held_by(building, message, i)];
        to.n = from->n;
        add_copy(building, to, *from);
        to.offset += to.n;
    }
    flush_copy(building);
}

/* A block of the input and one of the result that have other numbers cannot be named in one copy: it goes
 * by way of a temporary buffer. */
static bool goes_by_way(const struct building *building, const struct ct_route_end *delivery)
{
    return delivery->held < building->routes->own_count && building->call->send_counts &&
           building->call->recv_counts && delivery->held != delivery->block;
}

static void place_own_blocks(struct building *building)
{
    const struct ct_routes *routes = building->routes;
    for (size_t i = 0; i < routes->own_count; i++)
        building->places[i] = ct_send_block(building->call, (int)i);
    for (size_t i = 0; i < routes->delivery_count; i++) {
        struct ct_slice *place = &building->places[routes->deliveries[i].held];
        if (goes_by_way(building, &routes->deliveries[i]))
            *place = take(building->packs, &building->packed_units, place->n);
    }
}

static void move_own_blocks(struct building *building)
{
    const struct ct_routes *routes = building->routes;
    for (size_t i = 0; i < routes->delivery_count; i++)
        if (goes_by_way(building, &routes->deliveries[i])) {
            size_t held = routes->deliveries[i].held;
            add_copy(building, building->places[held], ct_send_block(building->call, (int)held));
        }
    flush_copy(building);
    ct_round_end(building->plan);
}

/* Copies to the result what came before that stage. */
static void deliver(struct building *building, unsigned stage)
{
    for (size_t i = 0; i < building->routes->delivery_count; i++) {
        const struct ct_route_end *delivery = &building->routes->deliveries[i];
        if (building->are_delivered[i] || building->stages[delivery->held] > stage)
            continue;
        add_copy(building, ct_recv_block(building->call, (int)delivery->block),
                 building->places[delivery->held]);
        building->are_delivered[i] = true;
    }
    flush_copy(building);
}

/* Writes the messages of a stage, from index *message on. */
static void build_stage(struct building *building, unsigned stage, size_t *message)
{
    const struct ct_routes *routes = building->routes;
    size_t begin = *message, end = begin;
    for (; end < routes->message_count && routes->messages[end].stage == stage; end++)
        if (building->are_packed[end])
            pack(building, end);
    ct_round_end(building->plan);
    for (size_t i = begin; i < end; i++)
        if (!routes->messages[i].is_sent)
            ct_receive_slice(building->plan, routes->messages[i].peer, building->slices[i]);
    for (size_t i = begin; i < end; i++)
        if (routes->messages[i].is_sent)
            ct_send_slice(building->plan, routes->messages[i].peer, building->slices[i]);
    deliver(building, stage);
    ct_round_end(building->plan);
    *message = end;
}

/* Do all lengths fit into a size_t, also added up? */
static bool lengths_fit(const struct building *building)
{
    const struct ct_routes *routes = building->routes;
    size_t sum = 0, units;
    for (size_t i = 0; i < routes->held_count; i++)
        if (routes->counts_blocks && !ct_multiply(routes->lengths[i], building->call->count, &units))
            return false;
    for (size_t i = 0; i < routes->carried_count; i++)
        if (!ct_add(sum, length_of(building, routes->carried[i]), &sum))
            return false;
    return true;
}

static bool make_tables(struct building *building)
{
    const struct ct_routes *routes = building->routes;
    struct ct_plan *plan = building->plan;
    size_t held = routes->held_count + 1, messages = routes->message_count + 1;
    building->places = ct_scratch(plan, held, sizeof *building->places);
    building->deliveries = ct_scratch(plan, held, sizeof *building->deliveries);
    building->stages = ct_scratch(plan, held, sizeof *building->stages);
    building->are_repeated = ct_scratch(plan, held, sizeof *building->are_repeated);
    building->are_delivered = ct_scratch(plan, routes->delivery_count + 1, sizeof *building->are_delivered);
    building->slices = ct_scratch(plan, messages, sizeof *building->slices);
    building->are_packed = ct_scratch(plan, messages, sizeof *building->are_packed);
    return plan->status == CT_OK;
}

void ct_routes_build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_routes *routes = call->routes;
    assert(routes);
    struct building building = {.plan = plan, .call = call, .routes = routes};
    size_t message = 0;
    if (!lengths_fit(&building)) {
        plan->status = CT_E_LIMIT;
        return;
    }
    if (!make_tables(&building))
        return;
    for (size_t i = routes->delivery_count; i-- > 0;) {
        size_t held = routes->deliveries[i].held;
        building.are_repeated[held] = building.deliveries[held] > 0;
        building.deliveries[held] = i + 1;
    }
    /* The buffers' numbers are the next two; how long they are is known when all messages have their places.
     */
    building.staged = plan->buffer_count;
    building.packs = plan->buffer_count + 1;
    place_own_blocks(&building);
    for (size_t i = 0; i < routes->message_count; i++)
        place_message(&building, i);
    ct_temporary(plan, building.staged_units);
    ct_temporary(plan, building.packed_units);
    move_own_blocks(&building);
    for (unsigned stage = 0; stage < routes->stages; stage++)
        build_stage(&building, stage, &message);
    deliver(&building, routes->stages);
    ct_round_end(plan);
}
