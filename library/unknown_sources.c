/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/unknown_sources.h"
#include "base/memory.h"
#include "library/backend_mpi.h"
#include "library/mpi_progress.h"
#include "plan/neighbors.h"
#include "plan/rank_grid.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
    char *items;
    size_t count;
    size_t capacity;
};

/* Before each block in a message of grid. A message begins with the sender's error class, an int. */
struct header {
    int source;
    int destination;
    size_t length;
};

struct grid {
    struct ct_rank_grid shape;
    struct bytes held; /* headers and blocks that are not at their destinations */
    int longest;       /* line */
    /* Of a stage: */
    int *receivers; /* of this rank, rising */
    int *senders;
    int receiver_count;
    int sender_count;
    struct bytes *outboxes; /* by receiver; with room for an error class */
    MPI_Request *sends;
};

struct ct_deliverer {
    struct ct_unknown_method method;
    MPI_Comm comm;
    int tag;
    int rank;
    int size;
    unsigned deliveries; /* that were carried out, equal on all ranks */
    int64_t *counts;     /* of personalized; else NULL */
    struct grid grid;    /* of grid */
};

/* What is under way at this rank. */
struct delivery {
    struct ct_deliverer *deliverer;
    MPI_Comm comm;
    int tag;
    int rank;
    int size;
    int code; /* the greatest error class that this rank knows of; it goes on, since the others wait for it */
    const struct ct_outgoing *outgoing;
    MPI_Request *sends;
    struct ct_incoming arrived; /* in the order of arrival, without data */
    size_t source_capacity;
    size_t length_capacity;
    struct bytes data; /* of it */
};

static void fail(struct delivery *delivery, int code)
{
    int class = code;
    if (code != MPI_SUCCESS && PMPI_Error_class(code, &class) == MPI_SUCCESS && class > delivery->code)
        delivery->code = class;
}

static bool is_right(const struct delivery *delivery)
{
    return delivery->code == MPI_SUCCESS;
}

/* Appends so many bytes and returns their place; NULL without memory. */
static char *extend(struct bytes *bytes, size_t more)
{
    if (ct_grow(&bytes->items, &bytes->capacity, bytes->count + more + 1, 1) != CT_OK)
        return NULL;
    bytes->count += more;
    return bytes->items + bytes->count - more;
}

/* --- what arrives --- */

/* Makes room for a block; NULL without memory, or where an error makes it useless. */
static char *make_room(struct delivery *delivery, int source, size_t length)
{
    struct ct_incoming *arrived = &delivery->arrived;
    if (!is_right(delivery))
        return NULL;
    char *room = NULL;
    if (ct_grow(&arrived->sources, &delivery->source_capacity, arrived->count + 1,
                sizeof *arrived->sources) == CT_OK &&
        ct_grow(&arrived->lengths, &delivery->length_capacity, arrived->count + 1,
                sizeof *arrived->lengths) == CT_OK)
        room = extend(&delivery->data, length);
    if (!room) {
        fail(delivery, MPI_ERR_NO_MEM);
        return NULL;
    }
    arrived->sources[arrived->count] = source;
    arrived->lengths[arrived->count++] = length;
    return room;
}

/* Receives a block that has been probed. Its sender waits for that, so a rank that cannot keep it receives it
 * in no room at all. */
static void receive_block(struct delivery *delivery, const MPI_Status *status)
{
    int count = 0;
    fail(delivery, PMPI_Get_count(status, MPI_BYTE, &count));
    char *room = make_room(delivery, status->MPI_SOURCE, (size_t)count);
    int code = PMPI_Recv(room, room ? count : 0, MPI_BYTE, status->MPI_SOURCE, delivery->tag, delivery->comm,
                         MPI_STATUS_IGNORE);
    if (room)
        fail(delivery, code);
}

/* Waits for a message. The simulator charges each look, so it is asked to wait. False: MPI has failed. */
static bool await(struct delivery *delivery, int source, MPI_Status *status)
{
    struct ct_patience patience = ct_progress_begin_wait();
    int found = false, code = MPI_SUCCESS;
    if (CT_SIMULATED)
        code = PMPI_Probe(source, delivery->tag, delivery->comm, status);
    while (!CT_SIMULATED && code == MPI_SUCCESS && !found) {
        code = PMPI_Iprobe(source, delivery->tag, delivery->comm, &found, status);
        if (!found)
            ct_progress_pass_time(&patience);
    }
    fail(delivery, code);
    return code == MPI_SUCCESS;
}

/* --- what is sent --- */

static int send_block(struct delivery *delivery, bool is_synchronous, const void *data, size_t length,
                      int destination, MPI_Request *request)
{
    int code =
        is_synchronous
            ? PMPI_Issend(data, (int)length, MPI_BYTE, destination, delivery->tag, delivery->comm, request)
            : PMPI_Isend(data, (int)length, MPI_BYTE, destination, delivery->tag, delivery->comm, request);
    fail(delivery, code);
    return code;
}

/* Begins to send all blocks, unless there is an error. Returns how many. */
static int send_all(struct delivery *delivery, bool is_synchronous)
{
    const struct ct_outgoing *outgoing = delivery->outgoing;
    const char *data = outgoing->data;
    int begun = 0;
    for (size_t i = 0; i < outgoing->count && is_right(delivery); i++) {
        if (send_block(delivery, is_synchronous, data, outgoing->lengths[i], outgoing->destinations[i],
                       &delivery->sends[begun]) == MPI_SUCCESS)
            begun++;
        data += outgoing->lengths[i];
    }
    return begun;
}

static void finish_sends(struct delivery *delivery, MPI_Request *sends, int count)
{
    struct ct_patience patience = ct_progress_begin_wait();
    int done = false, code = MPI_SUCCESS;
    while (!CT_SIMULATED && code == MPI_SUCCESS && !done) {
        code = PMPI_Testall(count, sends, &done, MPI_STATUSES_IGNORE);
        if (!done)
            ct_progress_pass_time(&patience);
    }
    if (CT_SIMULATED)
        code = PMPI_Waitall(count, sends, MPI_STATUSES_IGNORE);
    fail(delivery, code);
}

/* --- nbx --- */

static bool receive_any(struct delivery *delivery)
{
    MPI_Status status;
    int found = false;
    fail(delivery, PMPI_Iprobe(MPI_ANY_SOURCE, delivery->tag, delivery->comm, &found, &status));
    if (found)
        receive_block(delivery, &status);
    return found;
}

static void deliver_by_nbx(struct delivery *delivery)
{
    struct ct_patience patience = ct_progress_begin_wait();
    MPI_Request barrier = MPI_REQUEST_NULL;
    int sends = send_all(delivery, true), are_sent = false, is_over = false;
    int code = MPI_SUCCESS;
    while (!is_over && code == MPI_SUCCESS) {
        bool has_received = receive_any(delivery);
        if (!are_sent) {
            code = PMPI_Testall(sends, delivery->sends, &are_sent, MPI_STATUSES_IGNORE);
            if (code == MPI_SUCCESS && are_sent)
                code = PMPI_Ibarrier(delivery->comm, &barrier);
        } else {
            code = PMPI_Test(&barrier, &is_over, MPI_STATUS_IGNORE);
        }
        if (!has_received && !is_over)
            ct_progress_pass_time(&patience);
    }
    fail(delivery, code);
}

/* --- personalized --- */

/* A rank that has failed tells all by a count that no rank can reach. */
enum { WRONG_SHIFT = 40 };

/* All ranks take over the greatest error class. Non-blocking reductions of SMPI send a message for each pair
 * of ranks. */
static void agree(struct delivery *delivery)
{
    struct ct_patience patience = ct_progress_begin_wait();
    MPI_Request request = MPI_REQUEST_NULL;
    int own = delivery->code, all = 0, done = false;
    int code = CT_SIMULATED ? PMPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, delivery->comm)
                            : PMPI_Iallreduce(&own, &all, 1, MPI_INT, MPI_MAX, delivery->comm, &request);
    while (!CT_SIMULATED && code == MPI_SUCCESS && !done) {
        code = PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done)
            ct_progress_pass_time(&patience);
    }
    fail(delivery, code);
    fail(delivery, all);
}

/* Sets *ret_count to the number of blocks that this rank will get; -1 if a rank has failed. */
static void count_blocks(struct delivery *delivery, int64_t *ret_count)
{
    int64_t *counts = delivery->deliverer->counts;
    struct ct_patience patience = ct_progress_begin_wait();
    MPI_Request request = MPI_REQUEST_NULL;
    int64_t own = 0;
    int done = false, code;
    for (int i = 0; i < delivery->size; i++)
        counts[i] = is_right(delivery) ? 0 : (int64_t)1 << WRONG_SHIFT;
    for (size_t i = 0; i < delivery->outgoing->count && is_right(delivery); i++)
        counts[delivery->outgoing->destinations[i]]++;
    if (CT_SIMULATED) {
        code = PMPI_Reduce_scatter_block(counts, &own, 1, MPI_INT64_T, MPI_SUM, delivery->comm);
    } else {
        code = PMPI_Ireduce_scatter_block(counts, &own, 1, MPI_INT64_T, MPI_SUM, delivery->comm, &request);
        while (code == MPI_SUCCESS && !done) {
            code = PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
            if (!done)
                ct_progress_pass_time(&patience);
        }
    }
    fail(delivery, code);
    *ret_count = own >> WRONG_SHIFT ? -1 : own;
}

static void deliver_personalized(struct delivery *delivery)
{
    MPI_Status status;
    int64_t count = 0;
    count_blocks(delivery, &count);
    if (count < 0)
        return;
    int sends = send_all(delivery, false);
    for (int64_t i = 0; i < count && await(delivery, MPI_ANY_SOURCE, &status); i++)
        receive_block(delivery, &status);
    finish_sends(delivery, delivery->sends, sends);
}

/* --- grid --- */

static int compare_ranks(const void *a, const void *b)
{
    const int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

/* The ranks to which this one may have to send in a stage: one for each other digit. Before the last stage
 * the rank that has this digit and no other stands for all destinations with it. */
static void find_receivers(struct grid *grid, int rank, int number)
{
    const struct ct_rank_grid *shape = &grid->shape;
    bool is_last = number == shape->dimensions - 1;
    int own = ct_rank_grid_digit(shape, rank, number);
    grid->receiver_count = 0;
    for (int digit = 0; digit < shape->length[number]; digit++) {
        int destination =
            is_last ? ct_rank_grid_peer(shape, rank, number, digit) : digit * shape->stride[number];
        if (digit == own || destination >= shape->size)
            continue;
        int receiver = ct_rank_grid_hop(shape, rank, destination, number);
        if (receiver != rank)
            grid->receivers[grid->receiver_count++] = receiver;
    }
    qsort(grid->receivers, (size_t)grid->receiver_count, sizeof(int), compare_ranks);
}

static bool put_block(struct bytes *to, const struct header *header, const char *data)
{
    char *room = extend(to, sizeof *header + header->length);
    if (!room)
        return false;
    memcpy(room, header, sizeof *header);
    if (header->length > 0)
        memcpy(room + sizeof *header, data, header->length);
    return true;
}

static struct bytes *outbox_of(const struct grid *grid, int receiver)
{
    const int *place =
        bsearch(&receiver, grid->receivers, (size_t)grid->receiver_count, sizeof receiver, compare_ranks);
    assert(place && "all that this rank may have to send to are listed");
    return &grid->outboxes[place - grid->receivers];
}

/* Sorts what this rank holds: to the outboxes, or held further on. */
static void sort_held(struct delivery *delivery, struct grid *grid, int number)
{
    struct bytes before = grid->held, kept = {0};
    struct header header;
    for (size_t at = 0; at < before.count && is_right(delivery); at += sizeof header + header.length) {
        memcpy(&header, before.items + at, sizeof header);
        int next = ct_rank_grid_hop(&grid->shape, delivery->rank, header.destination, number);
        struct bytes *to = next == delivery->rank ? &kept : outbox_of(grid, next);
        if (!put_block(to, &header, before.items + at + sizeof header))
            fail(delivery, MPI_ERR_NO_MEM);
    }
    free(before.items);
    grid->held = kept;
}

/* A block has arrived in a message, or was there from the beginning. */
static void take_block(struct delivery *delivery, struct grid *grid, const struct header *header,
                       const char *data)
{
    if (header->destination != delivery->rank) {
        if (!put_block(&grid->held, header, data))
            fail(delivery, MPI_ERR_NO_MEM);
        return;
    }
    char *room = make_room(delivery, header->source, header->length);
    if (room && header->length > 0)
        memcpy(room, data, header->length);
}

/* Reads a message of another rank, and takes its blocks. */
static void open_message(struct delivery *delivery, struct grid *grid, const char *message, size_t length)
{
    struct header header;
    int code;
    if (length < sizeof code) {
        fail(delivery, MPI_ERR_INTERN);
        return;
    }
    memcpy(&code, message, sizeof code);
    fail(delivery, code);
    for (size_t at = sizeof code; at < length && is_right(delivery); at += header.length) {
        if (length - at < sizeof header) {
            fail(delivery, MPI_ERR_INTERN);
            return;
        }
        memcpy(&header, message + at, sizeof header);
        at += sizeof header;
        if (header.length > length - at || header.destination < 0 || header.destination >= delivery->size) {
            fail(delivery, MPI_ERR_INTERN);
            return;
        }
        take_block(delivery, grid, &header, message + at);
    }
}

static void receive_message(struct delivery *delivery, struct grid *grid, int sender)
{
    MPI_Status status;
    int count = 0;
    if (!await(delivery, sender, &status))
        return;
    fail(delivery, PMPI_Get_count(&status, MPI_BYTE, &count));
    char *message = ct_allocate((size_t)count + 1, 1);
    if (!message)
        fail(delivery, MPI_ERR_NO_MEM);
    int code = PMPI_Recv(message, message ? count : 0, MPI_BYTE, sender, delivery->tag, delivery->comm,
                         MPI_STATUS_IGNORE);
    if (message) {
        fail(delivery, code);
        open_message(delivery, grid, message, (size_t)count);
    }
    free(message);
}

/* Sends to each neighbor what this rank has for it, or that it has failed. */
static int send_outboxes(struct delivery *delivery, struct grid *grid)
{
    int begun = 0;
    for (int i = 0; i < grid->receiver_count; i++)
        if (grid->outboxes[i].count > INT_MAX)
            fail(delivery, MPI_ERR_COUNT);
    for (int i = 0; i < grid->receiver_count; i++) {
        struct bytes *outbox = &grid->outboxes[i];
        size_t length = is_right(delivery) ? outbox->count : sizeof delivery->code;
        memcpy(outbox->items, &delivery->code, sizeof delivery->code);
        if (send_block(delivery, false, outbox->items, length, grid->receivers[i], &grid->sends[begun]) ==
            MPI_SUCCESS)
            begun++;
    }
    return begun;
}

static void carry_out_stage(struct delivery *delivery, struct grid *grid, int number)
{
    find_receivers(grid, delivery->rank, number);
    grid->sender_count = ct_rank_grid_senders(&grid->shape, delivery->rank, number, grid->senders);
    for (int i = 0; i < grid->receiver_count; i++) /* which have memory for an error class from the start */
        grid->outboxes[i].count = sizeof delivery->code;
    sort_held(delivery, grid, number);
    int sends = send_outboxes(delivery, grid);
    for (int i = 0; i < grid->sender_count; i++)
        receive_message(delivery, grid, grid->senders[i]);
    finish_sends(delivery, grid->sends, sends);
}

static int longest_line(const struct ct_rank_grid *shape)
{
    int longest = 0;
    for (int i = 0; i < shape->dimensions; i++)
        longest = shape->length[i] > longest ? shape->length[i] : longest;
    return longest;
}

/* False without memory. */
static bool make_grid(struct ct_deliverer *deliverer)
{
    struct grid *grid = &deliverer->grid;
    bool is_made = true;
    grid->shape = ct_rank_grid_make(deliverer->size, deliverer->method.dimensions);
    grid->longest = longest_line(&grid->shape);
    size_t length = (size_t)grid->longest;
    grid->receivers = ct_allocate(length, sizeof *grid->receivers);
    grid->senders = ct_allocate(2 * length, sizeof *grid->senders);
    grid->outboxes = ct_allocate(length, sizeof *grid->outboxes);
    grid->sends = ct_allocate(length, sizeof(MPI_Request));
    for (int i = 0; grid->outboxes && i < grid->longest; i++)
        is_made = extend(&grid->outboxes[i], sizeof(int)) && is_made;
    return is_made && grid->receivers && grid->senders && grid->outboxes && grid->sends;
}

static void free_grid(struct grid *grid)
{
    for (int i = 0; grid->outboxes && i < grid->longest; i++)
        free(grid->outboxes[i].items);
    free(grid->outboxes);
    free(grid->receivers);
    free(grid->senders);
    free(grid->sends);
}

static void hold_own(struct delivery *delivery, struct grid *grid)
{
    const struct ct_outgoing *outgoing = delivery->outgoing;
    const char *data = outgoing->data;
    for (size_t i = 0; i < outgoing->count && is_right(delivery); i++) {
        const struct header header = {.source = delivery->rank,
                                      .destination = outgoing->destinations[i],
                                      .length = outgoing->lengths[i]};
        take_block(delivery, grid, &header, data);
        data += outgoing->lengths[i];
    }
}

static void deliver_by_grid(struct delivery *delivery)
{
    struct grid *grid = &delivery->deliverer->grid;
    hold_own(delivery, grid);
    for (int number = 0; number < grid->shape.dimensions; number++)
        carry_out_stage(delivery, grid, number);
    free(grid->held.items);
    grid->held = (struct bytes){0};
}

/* --- the exchange --- */

static void (*const ways[CT_UNKNOWN_KINDS])(struct delivery *) = {
    [CT_UNKNOWN_NBX] = deliver_by_nbx,
    [CT_UNKNOWN_PERSONALIZED] = deliver_personalized,
    [CT_UNKNOWN_GRID] = deliver_by_grid,
};

void ct_incoming_free(struct ct_incoming *incoming)
{
    free(incoming->sources);
    free(incoming->lengths);
    free(incoming->data);
    *incoming = (struct ct_incoming){0};
}

/* Puts what has arrived into the order of the sources. */
static int put_in_order(const struct delivery *delivery, struct ct_incoming *ret_incoming)
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
        is_made = make_grid(deliverer);
    if (is_made)
        return deliverer;
    ct_deliverer_free(deliverer);
    return NULL;
}

void ct_deliverer_free(struct ct_deliverer *deliverer)
{
    if (!deliverer)
        return;
    free_grid(&deliverer->grid);
    free(deliverer->counts);
    free(deliverer);
}

int ct_deliver(struct ct_deliverer *deliverer, int code, const struct ct_outgoing *outgoing,
               struct ct_incoming *ret_incoming)
{
    struct ct_incoming incoming = {0};
    /* A fast rank may already be in the next exchange, never in the one after that. */
    struct delivery delivery = {.deliverer = deliverer,
                                .comm = deliverer->comm,
                                .tag = deliverer->tag + (int)(deliverer->deliveries++ % 2),
                                .rank = deliverer->rank,
                                .size = deliverer->size,
                                .code = code,
                                .outgoing = outgoing,
                                .sends = ct_allocate(outgoing->count + 1, sizeof(MPI_Request))};
    if (!delivery.sends)
        fail(&delivery, MPI_ERR_NO_MEM);
    ways[deliverer->method.kind](&delivery);
    if (is_right(&delivery))
        fail(&delivery, put_in_order(&delivery, &incoming));
    agree(&delivery);
    free(delivery.sends);
    free(delivery.data.items);
    ct_incoming_free(&delivery.arrived);
    if (is_right(&delivery))
        *ret_incoming = incoming;
    else
        ct_incoming_free(&incoming);
    return delivery.code;
}
