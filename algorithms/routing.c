/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/routing.h"
#include "base/memory.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* A block that is held here and has not reached this destination. */
struct pending {
    size_t held;
    int destination;
};

struct ct_routing {
    const struct ct_method *method;
    const struct ct_call *call;
    const struct ct_collective_description *about;
    const struct ct_forwarding *forwarding;
    void *rule;
    bool is_prepared;
    unsigned superstep; /* since it was prepared */
    struct ct_routes *routes;
    int *origins; /* by block held */
    size_t origin_capacity;
    struct pending *pending;
    size_t pending_count, pending_capacity;
    struct pending *leaving; /* in this stage */
    size_t leaving_count, leaving_capacity;
    struct ct_keyed *nexts; /* places in `leaving` by the rank that they go to, twice: see ct_sort_keyed() */
    size_t next_capacity;
    struct ct_keyed *arrivals; /* by the source: blocks held that end here */
    size_t arrival_count, arrival_capacity;
    size_t *ends; /* by place in the result: one more than the block held that ends there; 0: none */
    size_t end_capacity;
};

static int hold(struct ct_routing *routing, int origin, size_t length)
{
    struct ct_routes *routes = routing->routes;
    size_t need = routes->held_count + 1;
    int status = ct_grow(&routes->lengths, &routes->held_capacity, need, sizeof *routes->lengths);
    if (status == CT_OK)
        status = ct_grow(&routing->origins, &routing->origin_capacity, need, sizeof *routing->origins);
    if (status != CT_OK)
        return status;
    routing->origins[routes->held_count] = origin;
    routes->lengths[routes->held_count++] = length;
    return CT_OK;
}

/* A block has come to this rank, or begins at it. */
static int add_destination(struct ct_routing *routing, size_t held, int destination)
{
    int status;
    if (destination == routing->call->rank) {
        status = ct_grow(&routing->arrivals, &routing->arrival_capacity, routing->arrival_count + 1,
                         sizeof *routing->arrivals);
        if (status == CT_OK)
            routing->arrivals[routing->arrival_count++] =
                (struct ct_keyed){(uint64_t)routing->origins[held], held};
        return status;
    }
    status = ct_grow(&routing->pending, &routing->pending_capacity, routing->pending_count + 1,
                     sizeof *routing->pending);
    if (status == CT_OK)
        routing->pending[routing->pending_count++] = (struct pending){held, destination};
    return status;
}

/* The length of the block for a destination, or from a source. Neighbors have lengths of their own. */
static size_t block_length(const struct ct_routing *routing, unsigned buffer, size_t i)
{
    const struct ct_call *call = routing->call;
    const bool is_sent = buffer == CT_BUFFER_SEND;
    const size_t *lengths = is_sent ? call->send_counts : call->recv_counts;
    if (!routing->about->varies)
        return 1;
    if (call->neighbors)
        lengths = is_sent ? call->neighbors->out_lengths : call->neighbors->in_lengths;
    return lengths ? lengths[i] : call->count;
}

/* Blocks that begin here: one for each destination, or one for all. Blocks without data are not sent. */
static int hold_own(struct ct_routing *routing)
{
    const struct ct_call *call = routing->call;
    bool one_for_all = routing->about->input[0] == CT_CONTENTS_OWN;
    int status = CT_OK;
    routing->routes->counts_blocks = !routing->about->varies;
    if (one_for_all)
        status = hold(routing, call->rank, routing->about->varies ? call->count : 1);
    for (size_t i = 0; status == CT_OK && i < ct_call_blocks(call, CT_BUFFER_SEND); i++) {
        if (!one_for_all)
            status = hold(routing, call->rank, block_length(routing, CT_BUFFER_SEND, i));
        size_t held = one_for_all ? 0 : i;
        if (status == CT_OK && routing->routes->lengths[held] > 0)
            status = add_destination(routing, held, ct_call_destination(call, i));
    }
    routing->routes->own_count = routing->routes->held_count;
    return status;
}

/* Forgets what was routed; the memory is kept. */
static void reset(struct ct_routing *routing)
{
    const struct ct_routing kept = *routing;
    if (kept.forwarding && kept.forwarding->end)
        kept.forwarding->end(kept.rule);
    *routing = (struct ct_routing){
        .origins = kept.origins,
        .origin_capacity = kept.origin_capacity,
        .pending = kept.pending,
        .pending_capacity = kept.pending_capacity,
        .leaving = kept.leaving,
        .leaving_capacity = kept.leaving_capacity,
        .nexts = kept.nexts,
        .next_capacity = kept.next_capacity,
        .arrivals = kept.arrivals,
        .arrival_capacity = kept.arrival_capacity,
        .ends = kept.ends,
        .end_capacity = kept.end_capacity,
    };
}

int ct_routing_begin(const struct ct_method *method, struct ct_call *call, struct ct_routes *routes,
                     struct ct_routing **routing)
{
    struct ct_routing *begun = *routing ? *routing : ct_allocate(1, sizeof *begun);
    if (!begun)
        return CT_E_MEMORY;
    *routing = begun;
    reset(begun);
    ct_routes_reset(routes);
    call->descriptor = method->algorithm->descriptor;
    call->values = method->values;
    begun->method = method;
    begun->call = call;
    begun->about = &ct_collectives[method->algorithm->collective];
    begun->forwarding = method->algorithm->descriptor->forwarding;
    begun->routes = routes;
    int status = begun->forwarding->begin(call, &begun->rule);
    return status == CT_OK ? hold_own(begun) : status;
}

void ct_routing_free(struct ct_routing *routing)
{
    if (!routing)
        return;
    reset(routing);
    free(routing->origins);
    free(routing->pending);
    free(routing->leaving);
    free(routing->nexts);
    free(routing->arrivals);
    free(routing->ends);
    free(routing);
}

/* --- letters: for each block its origin, its length, the number of its destinations, and these --- */

static int add_message(struct ct_routes *routes, int peer, bool is_sent, unsigned stage)
{
    int status = ct_grow(&routes->messages, &routes->message_capacity, routes->message_count + 1,
                         sizeof *routes->messages);
    if (status == CT_OK)
        routes->messages[routes->message_count++] = (struct ct_routed_message){
            .peer = peer, .is_sent = is_sent, .stage = stage, .begin = routes->carried_count};
    return status;
}

static int carry(struct ct_routes *routes, size_t held)
{
    int status = ct_grow(&routes->carried, &routes->carried_capacity, routes->carried_count + 1,
                         sizeof *routes->carried);
    if (status != CT_OK)
        return status;
    routes->carried[routes->carried_count++] = held;
    routes->messages[routes->message_count - 1].count++;
    return CT_OK;
}

static bool is_rank(const struct ct_routing *routing, uint64_t number)
{
    return number < (uint64_t)routing->call->size;
}

/* Reads one block of a letter. */
static int read_block(struct ct_routing *routing, const struct ct_letters *inbox,
                      const struct ct_letter *letter, size_t *position, struct ct_error *error)
{
    uint64_t origin = 0, length = 0, count = 0, destination = 0;
    bool is_right = ct_letter_read(inbox, letter, position, &origin) &&
                    ct_letter_read(inbox, letter, position, &length) &&
                    ct_letter_read(inbox, letter, position, &count) && is_rank(routing, origin) &&
                    count > 0 && length > 0 && length <= SIZE_MAX;
    size_t held = routing->routes->held_count;
    int status = is_right ? hold(routing, (int)origin, (size_t)length) : CT_OK;
    if (status == CT_OK && is_right)
        status = carry(routing->routes, held);
    for (uint64_t i = 0; status == CT_OK && is_right && i < count; i++) {
        is_right = ct_letter_read(inbox, letter, position, &destination) && is_rank(routing, destination);
        if (is_right)
            status = add_destination(routing, held, (int)destination);
    }
    if (status != CT_OK || is_right)
        return status;
    return ct_fail(error, CT_E_INPUT, "set-up of %s: rank %d sent rank %d a letter that is not understood",
                   routing->about->name, letter->rank, routing->call->rank);
}

static int read_letters(struct ct_routing *routing, const struct ct_letters *inbox, unsigned stage,
                        struct ct_error *error)
{
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < inbox->count; i++) {
        const struct ct_letter *letter = &inbox->items[i];
        size_t position = 0;
        status = add_message(routing->routes, letter->rank, false, stage);
        while (status == CT_OK && position < letter->count)
            status = read_block(routing, inbox, letter, &position, error);
    }
    return status;
}

/* Finds what leaves in this stage, in the order of the ranks that it goes to; the rest stays pending. Blocks
 * are pending in the order in which they are held. */
static int find_leaving(struct ct_routing *routing, unsigned stage, const struct ct_keyed **ret_nexts)
{
    const int self = routing->call->rank;
    size_t kept = 0, count = 0;
    int status = ct_grow(&routing->leaving, &routing->leaving_capacity, routing->pending_count,
                         sizeof *routing->leaving);
    if (status == CT_OK)
        status = ct_grow(&routing->nexts, &routing->next_capacity, 2 * routing->pending_count,
                         sizeof *routing->nexts);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; i < routing->pending_count; i++) {
        struct pending pending = routing->pending[i];
        int next = routing->forwarding->next(routing->rule, stage, self, pending.destination);
        assert(next >= 0 && next < routing->call->size);
        if (next == self) {
            routing->pending[kept++] = pending;
            continue;
        }
        routing->nexts[count] = (struct ct_keyed){(uint64_t)next, count};
        routing->leaving[count++] = pending;
    }
    routing->pending_count = kept;
    routing->leaving_count = count;
    *ret_nexts = routing->nexts;
    if (count > 0)
        *ret_nexts = ct_sort_keyed(routing->nexts, routing->nexts + count, count);
    return CT_OK;
}

/* Writes a block and all of its destinations that lie behind the same rank; *position rises behind them. */
static int write_block(struct ct_routing *routing, const struct ct_keyed *nexts, struct ct_letters *outbox,
                       size_t *position)
{
    const size_t held = routing->leaving[nexts[*position].value].held;
    size_t end = *position;
    while (end < routing->leaving_count && nexts[end].key == nexts[*position].key &&
           routing->leaving[nexts[end].value].held == held)
        end++;
    const uint64_t head[] = {(uint64_t)routing->origins[held], routing->routes->lengths[held],
                             end - *position};
    int status = ct_letter_write(outbox, head, sizeof head / sizeof head[0]);
    for (; status == CT_OK && *position < end; ++*position) {
        uint64_t destination = (uint64_t)routing->leaving[nexts[*position].value].destination;
        status = ct_letter_write(outbox, &destination, 1);
    }
    return status == CT_OK ? carry(routing->routes, held) : status;
}

static int write_letters(struct ct_routing *routing, struct ct_letters *outbox, unsigned stage)
{
    const struct ct_keyed *nexts = NULL;
    int status = find_leaving(routing, stage, &nexts);
    for (size_t i = 0; status == CT_OK && i < routing->leaving_count;) {
        uint64_t next = nexts[i].key;
        status = add_message(routing->routes, (int)next, true, stage);
        if (status == CT_OK)
            status = ct_letter_begin(outbox, (int)next);
        while (status == CT_OK && i < routing->leaving_count && nexts[i].key == next)
            status = write_block(routing, nexts, outbox, &i);
    }
    return status;
}

/* --- the end: which block of the result is what has arrived? --- */

/* The sources are those that have sent something. */
static int number_sources(struct ct_routing *routing)
{
    struct ct_routes *routes = routing->routes;
    const size_t most = routing->arrival_count + 1;
    int status = ct_grow(&routes->sources, &routes->source_capacity, most, sizeof *routes->sources);
    if (status == CT_OK)
        status = ct_grow(&routes->source_lengths, &routes->source_length_capacity, most,
                         sizeof *routes->source_lengths);
    if (status != CT_OK)
        return status;
    routes->source_count = routing->arrival_count;
    for (size_t i = 0; i < routing->arrival_count; i++) {
        const struct ct_keyed *arrival = &routing->arrivals[i];
        routes->sources[i] = (int)arrival->key;
        routes->source_lengths[i] = routes->lengths[arrival->value];
        routes->deliveries[i] = (struct ct_route_end){arrival->value, i};
    }
    return CT_OK;
}

static int disagree(const struct ct_routing *routing, int source, size_t sent, size_t expected,
                    struct ct_error *error)
{
    const char *unit = routing->about->varies ? " bytes" : "";
    return ct_fail(error, CT_E_INPUT,
                   "%s: rank %d sends %zu%s to rank %d, which expects %zu%s from it at that place",
                   routing->about->name, source, sent, unit, routing->call->rank, expected, unit);
}

/* The k-th block from a rank belongs to its k-th occurrence among the sources, where those that bring no data
 * do not count. `order` has the sources by rank; NULL: they are in that order. Writes to `ends`. */
static int match_sources(const struct ct_routing *routing, const size_t *order, struct ct_error *error)
{
    const struct ct_call *call = routing->call;
    const size_t *lengths = routing->routes->lengths;
    size_t arrived = 0;
    for (size_t i = 0; i < ct_call_blocks(call, CT_BUFFER_RECV); i++) {
        size_t block = order ? order[i] : i, expected = block_length(routing, CT_BUFFER_RECV, block);
        int source = ct_call_source(call, block);
        const struct ct_keyed *arrival =
            arrived < routing->arrival_count ? &routing->arrivals[arrived] : NULL;
        if (arrival && (int)arrival->key < source)
            return disagree(routing, (int)arrival->key, lengths[arrival->value], 0, error);
        if (expected == 0)
            continue;
        if (!arrival || (int)arrival->key != source)
            return disagree(routing, source, 0, expected, error);
        if (lengths[arrival->value] != expected)
            return disagree(routing, source, lengths[arrival->value], expected, error);
        routing->ends[block] = arrival->value + 1;
        arrived++;
    }
    if (arrived < routing->arrival_count)
        return disagree(routing, (int)routing->arrivals[arrived].key,
                        lengths[routing->arrivals[arrived].value], 0, error);
    return CT_OK;
}

static int find_deliveries(struct ct_routing *routing, struct ct_error *error)
{
    const struct ct_neighbors *neighbors = routing->call->neighbors;
    struct ct_routes *routes = routing->routes;
    const size_t sources = ct_call_blocks(routing->call, CT_BUFFER_RECV);
    size_t *order = NULL, count = 0;
    int status = ct_grow(&routing->ends, &routing->end_capacity, sources + 1, sizeof *routing->ends);
    if (status == CT_OK)
        memset(routing->ends, 0, sources * sizeof *routing->ends);
    if (status == CT_OK && neighbors)
        status = ct_neighbors_order(neighbors->in, sources, &order);
    if (status == CT_OK)
        status = match_sources(routing, order, error);
    for (size_t i = 0; status == CT_OK && i < sources; i++)
        if (routing->ends[i] > 0)
            routes->deliveries[count++] = (struct ct_route_end){routing->ends[i] - 1, i};
    free(order);
    return status;
}

/* Blocks are held in the order of their arrival. */
static int sort_arrivals(struct ct_routing *routing)
{
    size_t count = routing->arrival_count;
    int status =
        ct_grow(&routing->arrivals, &routing->arrival_capacity, 2 * count, sizeof *routing->arrivals);
    if (status != CT_OK || count == 0)
        return status;
    const struct ct_keyed *sorted = ct_sort_keyed(routing->arrivals, routing->arrivals + count, count);
    if (sorted != routing->arrivals)
        memcpy(routing->arrivals, sorted, count * sizeof *sorted);
    return CT_OK;
}

static int finish(struct ct_routing *routing, struct ct_error *error)
{
    struct ct_routes *routes = routing->routes;
    assert(routing->pending_count == 0 && "the last stage reaches all destinations");
    int status = ct_grow(&routes->deliveries, &routes->delivery_capacity, routing->arrival_count + 1,
                         sizeof *routes->deliveries);
    if (status == CT_OK)
        status = sort_arrivals(routing);
    if (status != CT_OK)
        return status;
    routes->delivery_count = routing->arrival_count;
    return routing->about->finds_sources ? number_sources(routing) : find_deliveries(routing, error);
}

/* A superstep of forwarding: reads what was sent in the last stage, and writes what leaves in the next. */
static int forward(struct ct_routing *routing, const struct ct_letters *inbox, struct ct_letters *outbox,
                   struct ct_error *error)
{
    unsigned superstep = routing->superstep++, stages = routing->routes->stages;
    int status = CT_OK;
    if (superstep > 0 && superstep <= stages)
        status = read_letters(routing, inbox, superstep - 1, error);
    if (status == CT_OK && superstep < stages)
        status = write_letters(routing, outbox, superstep);
    else if (status == CT_OK && superstep == stages)
        status = finish(routing, error);
    return status;
}

int ct_routing_step(struct ct_routing *routing, enum ct_routing_state all, const struct ct_letters *inbox,
                    struct ct_letters *outbox, enum ct_routing_state *ret_state, struct ct_error *error)
{
    bool active = false;
    if (!routing->is_prepared) {
        bool done = true;
        int status = CT_OK;
        if (routing->forwarding->prepare)
            status = routing->forwarding->prepare(routing->rule, all < CT_ROUTING_PREPARES, inbox, outbox,
                                                  &active, &done);
        if (status != CT_OK)
            return status;
        if (!done) {
            *ret_state = active ? CT_ROUTING_PREPARES : CT_ROUTING_WAITS;
            return CT_OK;
        }
        routing->is_prepared = true;
        routing->routes->stages = routing->forwarding->stages(routing->rule);
    }
    int status = forward(routing, inbox, outbox, error);
    if (status == CT_OK)
        *ret_state = routing->superstep <= routing->routes->stages ? CT_ROUTING_WAITS : CT_ROUTING_DONE;
    return status;
}
