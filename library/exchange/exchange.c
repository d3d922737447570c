/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges of the library's own interface. One that repeats is a plan of neighbor_alltoallv on a topology
 * that no communicator has; it is found out, and compared with what each rank says, when the exchange is
 * made. */
#include "base/memory.h"
#include "library/colltuned.h"
#include "library/decide/tuner.h"
#include "library/errors/error_guard.h"
#include "library/exchange/exchange_arguments.h"
#include "library/execute/channel.h"
#include "library/execute/describe_call.h"
#include "library/execute/mpi_progress.h"
#include "library/execute/set_up.h"
#include "library/execute/topology.h"
#include "library/mpi/backend_mpi.h"
#include "library/process/own_error.h"
#include "library/sparse/sparse_calls.h"

#include <stdlib.h>
#include <string.h>

/* The blocks of one side, as operands have them. */
struct blocks {
    size_t *lengths;
    MPI_Count *counts;
    MPI_Aint *places;
    size_t bytes; /* of all */
};

struct colltuned_exchange {
    MPI_Comm comm; /* the user's */
    struct ct_exchange_comm *own;
    struct ct_channel *channel;
    struct ct_flight *flight;
    struct ct_method method;
    char spelling[CT_METHOD_TEXT];
    struct ct_routes routes; /* where the method needs them */
    struct blocks blocks[2]; /* by CT_BUFFER_SEND and CT_BUFFER_RECV */
    struct ct_operands operands;
    struct ct_call call;
    char *zeroes;    /* what stands for the data of a rank whose lengths have changed; else NULL */
    bool is_active;  /* started, and not yet waited for */
    bool is_checked; /* its lengths have changed */
};

/* --- finding out, and comparing, who sends what --- */

/* Sends each destination the length of its block. */
static int find_sources(const struct ct_exchange_arguments *arguments, struct ct_exchange_finding *finding,
                        struct ct_exchange_comm *own, struct ct_incoming *ret_found)
{
    size_t count = finding->code == MPI_SUCCESS ? (size_t)arguments->destination_count : 0;
    size_t *bytes = ct_allocate(count + 1, sizeof *bytes);
    if (!bytes) {
        ct_exchange_fail(finding, MPI_ERR_NO_MEM, "no memory");
        count = 0;
    }
    for (size_t i = 0; i < count; i++)
        bytes[i] = sizeof *arguments->lengths;
    const struct ct_outgoing outgoing = {count, arguments->destinations, bytes, arguments->lengths};
    int code = ct_deliver(own->deliverer, finding->code, &outgoing, ret_found);
    free(bytes);
    return code;
}

static size_t length_found(const struct ct_incoming *found, size_t i)
{
    size_t length;
    memcpy(&length, found->data + i * sizeof length, sizeof length);
    return length;
}

/* Compares the sources that this rank expects with those that it has; both in the order of their ranks. */
static void compare(const struct ct_exchange_arguments *arguments, const struct ct_incoming *found,
                    const size_t *order, struct ct_exchange_finding *finding)
{
    size_t expected = (size_t)arguments->source_count;
    for (size_t i = 0; i < expected || i < found->count; i++) {
        int wanted = i < expected ? arguments->sources[order[i]] : finding->size;
        int actual = i < found->count ? found->sources[i] : finding->size;
        if (wanted < actual)
            ct_exchange_fail(finding, MPI_ERR_TOPOLOGY,
                             "rank %d expects a block of rank %d, which sends it none or fewer",
                             finding->rank, wanted);
        else if (wanted > actual)
            ct_exchange_fail(finding, MPI_ERR_TOPOLOGY,
                             "rank %d is sent a block by rank %d, which it does not expect", finding->rank,
                             actual);
        else if (arguments->source_lengths && arguments->source_lengths[order[i]] != length_found(found, i))
            ct_exchange_fail(finding, MPI_ERR_TRUNCATE,
                             "rank %d expects %zu bytes of rank %d, which sends %zu", finding->rank,
                             arguments->source_lengths[order[i]], actual, length_found(found, i));
    }
}

/* --- making --- */

static bool make_blocks(size_t count, struct blocks *blocks)
{
    blocks->lengths = ct_allocate(count + 1, sizeof *blocks->lengths);
    blocks->counts = ct_allocate(count + 1, sizeof *blocks->counts);
    blocks->places = ct_allocate(count + 1, sizeof *blocks->places);
    return blocks->lengths && blocks->counts && blocks->places;
}

/* From the lengths, which are set. */
static void place_blocks(size_t count, struct blocks *blocks)
{
    for (size_t i = 0; i < count; i++) {
        blocks->counts[i] = (MPI_Count)blocks->lengths[i];
        blocks->places[i] = (MPI_Aint)blocks->bytes;
        blocks->bytes += blocks->lengths[i];
    }
}

static struct ct_side side_of(const struct blocks *blocks)
{
    return (struct ct_side){
        .type = MPI_BYTE, .counts = blocks->counts, .displacements = blocks->places, .is_large = true};
}

static void free_exchange(struct colltuned_exchange *exchange)
{
    if (!exchange)
        return;
    if (exchange->flight) {
        ct_flight_leave_plan(exchange->flight);
        ct_progress_free(exchange->flight);
    }
    if (exchange->channel)
        ct_channel_close(exchange->channel);
    ct_routes_free(&exchange->routes);
    for (int side = 0; side < 2; side++) {
        free(exchange->blocks[side].lengths);
        free(exchange->blocks[side].counts);
        free(exchange->blocks[side].places);
    }
    free(exchange->zeroes);
    if (exchange->own)
        ct_exchange_comm_release(exchange->own);
    free(exchange);
}

/* The topology, with the sources in the order that the user has given, or as they were found; and the lengths
 * of both sides. False without memory. */
static bool take_pattern(const struct ct_exchange_arguments *arguments, const struct ct_incoming *found,
                         const size_t *order, struct colltuned_exchange *exchange)
{
    size_t out = (size_t)arguments->destination_count, in = found->count;
    struct ct_topology *topology = ct_allocate(1, sizeof *topology);
    if (!topology)
        return false;
    *topology = (struct ct_topology){.references = 1, .comm = MPI_COMM_NULL, .blocks = {out, in}};
    exchange->channel->topology = topology;
    topology->ranks = ct_allocate(out + in + 1, sizeof *topology->ranks);
    if (!topology->ranks || !make_blocks(out, &exchange->blocks[CT_BUFFER_SEND]) ||
        !make_blocks(in, &exchange->blocks[CT_BUFFER_RECV]))
        return false;
    for (size_t i = 0; i < out; i++) {
        topology->ranks[i] = arguments->destinations[i];
        exchange->blocks[CT_BUFFER_SEND].lengths[i] = arguments->lengths[i];
    }
    for (size_t i = 0; i < in; i++) {
        size_t place = order ? order[i] : i;
        topology->ranks[out + place] = found->sources[i];
        exchange->blocks[CT_BUFFER_RECV].lengths[place] = length_found(found, i);
    }
    topology->neighbors = (struct ct_neighbors){
        .out_count = out, .out = topology->ranks, .in_count = in, .in = topology->ranks + out};
    for (int side = 0; side < 2; side++)
        place_blocks(topology->blocks[side], &exchange->blocks[side]);
    return true;
}

/* What this rank makes alone, before the set-up. */
static int make_alone(const struct ct_exchange_arguments *arguments, const struct ct_incoming *found,
                      const size_t *order, int tag, struct colltuned_exchange *exchange)
{
    int code = ct_exchange_comm_open(exchange->own, &exchange->channel);
    if (code != MPI_SUCCESS)
        return code;
    if (!take_pattern(arguments, found, order, exchange) ||
        !(exchange->flight = ct_flight_make(exchange->channel, tag)))
        return MPI_ERR_NO_MEM;
    exchange->operands = (struct ct_operands){.send = side_of(&exchange->blocks[CT_BUFFER_SEND]),
                                              .recv = side_of(&exchange->blocks[CT_BUFFER_RECV])};
    return ct_flight_describe(exchange->flight, CT_COLLECTIVE_NEIGHBOR_ALLTOALLV, &exchange->operands,
                              &exchange->call);
}

/* Collective, if the method forwards blocks. Returns an MPI error code, the same at all ranks. */
static int find_routes(struct colltuned_exchange *exchange)
{
    struct ct_error error = {{0}};
    struct ct_neighbors neighbors = exchange->channel->topology->neighbors;
    struct ct_call call = exchange->call;
    if (!ct_needs_routes(&exchange->method))
        return MPI_SUCCESS;
    neighbors.out_lengths = call.send_counts;
    neighbors.in_lengths = call.recv_counts;
    call.neighbors = &neighbors;
    int status = ct_set_up(&exchange->method, &call, exchange->own->comm, &exchange->own->supersteps, &error,
                           &exchange->routes);
    exchange->call.routes = &exchange->routes;
    return ct_set_up_code(status);
}

/* Does it apply? The same at all ranks, since it depends on the communicator alone. */
static void choose_method(struct colltuned_exchange *exchange)
{
    exchange->method = exchange->own->known;
    if (!ct_method_applies(&exchange->method, &exchange->call, NULL))
        exchange->method = ct_sparse_direct_method(CT_COLLECTIVE_NEIGHBOR_ALLTOALLV);
    ct_method_format(&exchange->method, true, exchange->spelling);
}

/* Makes the exchange of a pattern that is found out. Collective; returns the same class at all ranks. */
static int make(const struct ct_exchange_arguments *arguments, const struct ct_incoming *found,
                struct ct_exchange_finding *finding, struct ct_exchange_comm *own,
                struct colltuned_exchange **ret_exchange)
{
    bool is_known = arguments->source_count != COLLTUNED_UNKNOWN;
    size_t *order = NULL;
    int tag = ct_exchange_comm_tag(own);
    struct colltuned_exchange *exchange = ct_allocate(1, sizeof *exchange);
    int code = exchange ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS && is_known &&
        ct_neighbors_order(arguments->sources, (size_t)arguments->source_count, &order) != CT_OK)
        code = MPI_ERR_NO_MEM;
    if (code == MPI_SUCCESS && is_known) {
        compare(arguments, found, order, finding);
        code = finding->code;
    }
    if (code == MPI_SUCCESS) {
        exchange->comm = arguments->comm;
        exchange->own = own;
        own->references++;
        code = make_alone(arguments, found, order, tag, exchange);
    }
    code = ct_exchange_comm_agree(own, code);
    if (code == MPI_SUCCESS) {
        choose_method(exchange);
        code = find_routes(exchange);
    }
    if (code == MPI_SUCCESS)
        code = ct_exchange_comm_agree(
            own, ct_flight_plan(exchange->flight, &exchange->method, &exchange->call, true));
    free(order);
    if (code == MPI_SUCCESS)
        *ret_exchange = exchange;
    else
        free_exchange(exchange);
    return code;
}

int colltuned_exchange_make(MPI_Comm comm, int destination_count, const int destinations[],
                            const size_t lengths[], int source_count, const int sources[],
                            const size_t source_lengths[], colltuned_exchange *exchange)
{
    const struct ct_exchange_arguments arguments = {.function = __func__,
                                                    .comm = comm,
                                                    .destination_count = destination_count,
                                                    .destinations = destinations,
                                                    .lengths = lengths,
                                                    .source_count = source_count,
                                                    .sources = sources,
                                                    .source_lengths = source_lengths};
    struct ct_exchange_finding finding = {.code = MPI_SUCCESS};
    struct ct_exchange_comm *own;
    struct ct_incoming found = {0};
    int code = ct_exchange_enter(&arguments, &finding, &own);
    if (code != MPI_SUCCESS)
        return code;
    bool is_guarded = ct_error_guard_up();
    code = find_sources(&arguments, &finding, own, &found);
    if (code == MPI_SUCCESS)
        code = make(&arguments, &found, &finding, own, exchange);
    ct_incoming_free(&found);
    ct_error_guard_down(is_guarded);
    return ct_exchange_raise(&arguments, &finding, code);
}

int colltuned_exchange_sources(colltuned_exchange exchange, int *source_count, const int *sources[],
                               const size_t *lengths[])
{
    const struct ct_neighbors *neighbors = &exchange->channel->topology->neighbors;
    *source_count = (int)neighbors->in_count;
    *sources = neighbors->in;
    *lengths = exchange->blocks[CT_BUFFER_RECV].lengths;
    return MPI_SUCCESS;
}

const char *colltuned_exchange_method(colltuned_exchange exchange)
{
    return exchange->spelling;
}

/* --- carrying it out --- */

static bool have_changed(const struct colltuned_exchange *exchange, const size_t *lengths)
{
    const struct ct_neighbors *neighbors = &exchange->channel->topology->neighbors;
    return lengths && neighbors->out_count > 0 &&
           memcmp(lengths, exchange->blocks[CT_BUFFER_SEND].lengths,
                  neighbors->out_count * sizeof *lengths) != 0;
}

/* Zeroes stand for the user's data, whose lengths are others. They are not sent: after an error a rank sends
 * empty messages, so that all that would have had data of it return an error, too. */
static const void *stand_in(struct colltuned_exchange *exchange)
{
    if (!exchange->zeroes)
        exchange->zeroes = ct_allocate(exchange->blocks[CT_BUFFER_SEND].bytes + 1, 1);
    return exchange->zeroes;
}

int colltuned_exchange_start(colltuned_exchange exchange, const void *send, const size_t lengths[],
                             void *recv)
{
    struct ct_flight *flight = exchange->flight;
    if (exchange->is_active)
        return ct_raise_own_error(__func__, MPI_ERR_REQUEST,
                                  "the exchange has been started already; expected a wait before",
                                  exchange->comm);
    bool is_guarded = ct_error_guard_up();
    exchange->is_checked = have_changed(exchange, lengths);
    if (exchange->is_checked && !(send = stand_in(exchange))) {
        ct_error_guard_down(is_guarded);
        return ct_raise_own_error(__func__, MPI_ERR_NO_MEM, "no memory", exchange->comm);
    }
    exchange->operands.send.buffer = (void *)send;
    exchange->operands.recv.buffer = recv;
    exchange->operands.own_code = exchange->is_checked ? MPI_ERR_COUNT : MPI_SUCCESS;
    int code =
        ct_flight_begin(flight, CT_COLLECTIVE_NEIGHBOR_ALLTOALLV, &exchange->operands, &exchange->call);
    if (code == MPI_SUCCESS) {
        exchange->is_active = true;
        flight->code = ct_flight_advance(flight, CT_UNTIL_POSTED);
        if (flight->code == CT_PENDING && !ct_tuner()->many_threads)
            ct_progress_add(flight);
    }
    ct_error_guard_down(is_guarded);
    return ct_raise_own_error(__func__, code, "the exchange cannot be started", exchange->comm);
}

/* The exchange is complete. A message of another length has been noticed as an error or as none, by the MPI
 * library or after it. */
static int end(struct colltuned_exchange *exchange, const char *function)
{
    int code = exchange->flight->code, class = MPI_SUCCESS;
    exchange->is_active = false;
    if (code == MPI_SUCCESS)
        return code;
    PMPI_Error_class(code, &class);
    if (exchange->is_checked)
        return ct_raise_own_error(
            function, MPI_ERR_COUNT,
            "lengths differ from those that the exchange was made with; nothing was sent", exchange->comm);
    if (class == MPI_ERR_TRUNCATE || class == MPI_ERR_OTHER)
        return ct_raise_own_error(function, MPI_ERR_TRUNCATE,
                                  "a rank has not sent what the exchange was made for", exchange->comm);
    return ct_raise_own_error(function, code, "a message has failed", exchange->comm);
}

int colltuned_exchange_test(colltuned_exchange exchange, int *done)
{
    struct ct_flight *flight = exchange->flight;
    *done = true;
    if (!exchange->is_active)
        return MPI_SUCCESS;
    bool is_guarded = ct_error_guard_up();
    if (flight->code == CT_PENDING && ct_tuner()->many_threads)
        flight->code = ct_flight_advance(flight, CT_UNTIL_TESTED);
    else if (flight->code == CT_PENDING)
        ct_progress();
    ct_error_guard_down(is_guarded);
    *done = flight->code != CT_PENDING;
    return *done ? end(exchange, __func__) : MPI_SUCCESS;
}

int colltuned_exchange_wait(colltuned_exchange exchange)
{
    struct ct_flight *flight = exchange->flight;
    if (!exchange->is_active)
        return MPI_SUCCESS;
    bool is_guarded = ct_error_guard_up();
    if (ct_tuner()->many_threads)
        while (flight->code == CT_PENDING)
            flight->code = ct_flight_advance(flight, CT_UNTIL_COMPLETE);
    else
        ct_progress_wait(flight);
    ct_error_guard_down(is_guarded);
    return end(exchange, __func__);
}

int colltuned_exchange_free(colltuned_exchange *exchange)
{
    int code = *exchange ? colltuned_exchange_wait(*exchange) : MPI_SUCCESS;
    bool is_guarded = ct_error_guard_up();
    free_exchange(*exchange);
    ct_error_guard_down(is_guarded);
    *exchange = NULL;
    return code;
}

/* --- at once --- */

int colltuned_exchange_once(MPI_Comm comm, int destination_count, const int destinations[],
                            const size_t lengths[], const void *send, struct colltuned_arrivals *arrivals)
{
    const struct ct_exchange_arguments arguments = {.function = __func__,
                                                    .comm = comm,
                                                    .destination_count = destination_count,
                                                    .destinations = destinations,
                                                    .lengths = lengths,
                                                    .source_count = COLLTUNED_UNKNOWN};
    struct ct_exchange_finding finding = {.code = MPI_SUCCESS};
    struct ct_exchange_comm *own;
    struct ct_incoming found = {0};
    int code = ct_exchange_enter(&arguments, &finding, &own);
    if (code != MPI_SUCCESS)
        return code;
    bool is_guarded = ct_error_guard_up();
    const struct ct_outgoing outgoing = {finding.code == MPI_SUCCESS ? (size_t)destination_count : 0,
                                         destinations, lengths, send};
    code = ct_deliver(own->deliverer, finding.code, &outgoing, &found);
    ct_error_guard_down(is_guarded);
    if (code != MPI_SUCCESS)
        return ct_exchange_raise(&arguments, &finding, code);
    *arrivals = (struct colltuned_arrivals){.count = (int)found.count,
                                            .sources = found.sources,
                                            .lengths = found.lengths,
                                            .data = found.data,
                                            .method = own->unknown_spelling};
    return MPI_SUCCESS;
}

void colltuned_arrivals_free(struct colltuned_arrivals *arrivals)
{
    free(arrivals->sources);
    free(arrivals->lengths);
    free(arrivals->data);
    *arrivals = (struct colltuned_arrivals){0};
}
