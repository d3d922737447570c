/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/exchange/deliver_by_grid.h"
#include "base/memory.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Before each block in a message of grid. A message begins with the sender's error class, an int. */
struct header {
    int source;
    int destination;
    size_t length;
};

static int compare_ranks(const void *a, const void *b)
{
    const int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

/* The ranks to which this one may have to send in a stage: one for each other digit. Before the last stage
 * the rank that has this digit and no other stands for all destinations with it. */
static void find_receivers(struct ct_delivery_grid *grid, int rank, int number)
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

static bool put_block(struct ct_bytes *to, const struct header *header, const char *data)
{
    char *room = ct_bytes_extend(to, sizeof *header + header->length);
    if (!room)
        return false;
    memcpy(room, header, sizeof *header);
    if (header->length > 0)
        memcpy(room + sizeof *header, data, header->length);
    return true;
}

static struct ct_bytes *outbox_of(const struct ct_delivery_grid *grid, int receiver)
{
    const int *place =
        bsearch(&receiver, grid->receivers, (size_t)grid->receiver_count, sizeof receiver, compare_ranks);
    assert(place && "all that this rank may have to send to are listed");
    return &grid->outboxes[place - grid->receivers];
}

/* Sorts what this rank holds: to the outboxes, or held further on. */
static void sort_held(struct ct_delivery *delivery, struct ct_delivery_grid *grid, int number)
{
    struct ct_bytes before = grid->held, kept = {0};
    struct header header;
    for (size_t at = 0; at < before.count && ct_delivery_is_right(delivery);
         at += sizeof header + header.length) {
        memcpy(&header, before.items + at, sizeof header);
        int next = ct_rank_grid_hop(&grid->shape, delivery->rank, header.destination, number);
        struct ct_bytes *to = next == delivery->rank ? &kept : outbox_of(grid, next);
        if (!put_block(to, &header, before.items + at + sizeof header))
            ct_delivery_fail(delivery, MPI_ERR_NO_MEM);
    }
    free(before.items);
    grid->held = kept;
}

/* A block has arrived in a message, or was there from the beginning. */
static void take_block(struct ct_delivery *delivery, struct ct_delivery_grid *grid,
                       const struct header *header, const char *data)
{
    if (header->destination != delivery->rank) {
        if (!put_block(&grid->held, header, data))
            ct_delivery_fail(delivery, MPI_ERR_NO_MEM);
        return;
    }
    char *room = ct_delivery_make_room(delivery, header->source, header->length);
    if (room && header->length > 0)
        memcpy(room, data, header->length);
}

/* Reads a message of another rank, and takes its blocks. */
static void open_message(struct ct_delivery *delivery, struct ct_delivery_grid *grid, const char *message,
                         size_t length)
{
    struct header header;
    int code;
    if (length < sizeof code) {
        ct_delivery_fail(delivery, MPI_ERR_INTERN);
        return;
    }
    memcpy(&code, message, sizeof code);
    ct_delivery_fail(delivery, code);
    for (size_t at = sizeof code; at < length && ct_delivery_is_right(delivery); at += header.length) {
        if (length - at < sizeof header) {
            ct_delivery_fail(delivery, MPI_ERR_INTERN);
            return;
        }
        memcpy(&header, message + at, sizeof header);
        at += sizeof header;
        if (header.length > length - at || header.destination < 0 || header.destination >= delivery->size) {
            ct_delivery_fail(delivery, MPI_ERR_INTERN);
            return;
        }
        take_block(delivery, grid, &header, message + at);
    }
}

static void receive_message(struct ct_delivery *delivery, struct ct_delivery_grid *grid, int sender)
{
    MPI_Status status;
    int count = 0;
    if (!ct_delivery_await(delivery, sender, &status))
        return;
    ct_delivery_fail(delivery, PMPI_Get_count(&status, MPI_BYTE, &count));
    char *message = ct_allocate((size_t)count + 1, 1);
    if (!message)
        ct_delivery_fail(delivery, MPI_ERR_NO_MEM);
    int code = PMPI_Recv(message, message ? count : 0, MPI_BYTE, sender, delivery->tag, delivery->comm,
                         MPI_STATUS_IGNORE);
    if (message) {
        ct_delivery_fail(delivery, code);
        open_message(delivery, grid, message, (size_t)count);
    }
    free(message);
}

/* Sends to each neighbor what this rank has for it, or that it has failed. */
static int send_outboxes(struct ct_delivery *delivery, struct ct_delivery_grid *grid)
{
    int begun = 0;
    for (int i = 0; i < grid->receiver_count; i++)
        if (grid->outboxes[i].count > INT_MAX)
            ct_delivery_fail(delivery, MPI_ERR_COUNT);
    for (int i = 0; i < grid->receiver_count; i++) {
        struct ct_bytes *outbox = &grid->outboxes[i];
        size_t length = ct_delivery_is_right(delivery) ? outbox->count : sizeof delivery->code;
        memcpy(outbox->items, &delivery->code, sizeof delivery->code);
        if (ct_delivery_send_block(delivery, false, outbox->items, length, grid->receivers[i],
                                   &grid->sends[begun]) == MPI_SUCCESS)
            begun++;
    }
    return begun;
}

static void carry_out_stage(struct ct_delivery *delivery, struct ct_delivery_grid *grid, int number)
{
    find_receivers(grid, delivery->rank, number);
    grid->sender_count = ct_rank_grid_senders(&grid->shape, delivery->rank, number, grid->senders);
    for (int i = 0; i < grid->receiver_count; i++) /* which have memory for an error class from the start */
        grid->outboxes[i].count = sizeof delivery->code;
    sort_held(delivery, grid, number);
    int sends = send_outboxes(delivery, grid);
    for (int i = 0; i < grid->sender_count; i++)
        receive_message(delivery, grid, grid->senders[i]);
    ct_delivery_finish_sends(delivery, grid->sends, sends);
}

static int longest_line(const struct ct_rank_grid *shape)
{
    int longest = 0;
    for (int i = 0; i < shape->dimensions; i++)
        longest = shape->length[i] > longest ? shape->length[i] : longest;
    return longest;
}

bool ct_delivery_grid_make(struct ct_deliverer *deliverer)
{
    struct ct_delivery_grid *grid = &deliverer->grid;
    bool is_made = true;
    grid->shape = ct_rank_grid_make(deliverer->size, deliverer->method.dimensions);
    grid->longest = longest_line(&grid->shape);
    size_t length = (size_t)grid->longest;
    grid->receivers = ct_allocate(length, sizeof *grid->receivers);
    grid->senders = ct_allocate(2 * length, sizeof *grid->senders);
    grid->outboxes = ct_allocate(length, sizeof *grid->outboxes);
    grid->sends = ct_allocate(length, sizeof(MPI_Request));
    for (int i = 0; grid->outboxes && i < grid->longest; i++)
        is_made = ct_bytes_extend(&grid->outboxes[i], sizeof(int)) && is_made;
    return is_made && grid->receivers && grid->senders && grid->outboxes && grid->sends;
}

void ct_delivery_grid_free(struct ct_delivery_grid *grid)
{
    for (int i = 0; grid->outboxes && i < grid->longest; i++)
        free(grid->outboxes[i].items);
    free(grid->outboxes);
    free(grid->receivers);
    free(grid->senders);
    free(grid->sends);
}

static void hold_own(struct ct_delivery *delivery, struct ct_delivery_grid *grid)
{
    const struct ct_outgoing *outgoing = delivery->outgoing;
    const char *data = outgoing->data;
    for (size_t i = 0; i < outgoing->count && ct_delivery_is_right(delivery); i++) {
        const struct header header = {.source = delivery->rank,
                                      .destination = outgoing->destinations[i],
                                      .length = outgoing->lengths[i]};
        take_block(delivery, grid, &header, data);
        data += outgoing->lengths[i];
    }
}

void ct_deliver_by_grid(struct ct_delivery *delivery)
{
    struct ct_delivery_grid *grid = &delivery->deliverer->grid;
    hold_own(delivery, grid);
    for (int number = 0; number < grid->shape.dimensions; number++)
        carry_out_stage(delivery, grid, number);
    free(grid->held.items);
    grid->held = (struct ct_bytes){0};
}
