/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/lane_internal.h"
#include "library/node/streaming.h"

#include <stddef.h>

/* Long messages travel in pieces, so that both ranks copy at a time. All but the last are whole lines, so
 * that they hold whole elements. */
static size_t piece_of(const struct ct_ring_side *out, size_t bytes)
{
    enum { PIECES = 4, SHORTEST = 4096 };
    size_t piece = bytes / PIECES / CT_LINE * CT_LINE + CT_LINE;
    piece = piece > SHORTEST ? piece : SHORTEST;
    return piece < out->chunk_bytes ? piece : out->chunk_bytes;
}

/* To read the clock takes as long as a tenth of a short message: of these, some are timed. */
static bool is_timed(struct ct_lane *lane, size_t bytes, bool is_watched)
{
    enum { ONE_OF = 8 };
    if (bytes < CT_WAYS_COPIES_FROM && !is_watched && ++lane->untimed < ONE_OF)
        return false;
    lane->untimed = 0;
    return true;
}

/* What the receiver wants. If ranks exchange messages, one of them decides for both: if the two took
 * different ways, either would find its own the fastest, and both together would take longer. */
static uint64_t wanted_ways(const struct ct_lane *lane, enum ct_meanwhile meanwhile)
{
    return meanwhile != CT_MEANWHILE_NOTHING && lane->decides
               ? lane->arrival.wanted
               : atomic_load_explicit(&lane->out.ring->wanted_ways, memory_order_relaxed);
}

/* Chooses the way of a message, and its pieces if it goes in chunks. */
static void choose_way(struct ct_transfer *transfer)
{
    struct ct_lane *lane = transfer->lane;
    const size_t bytes = transfer->left;
    transfer->piece = piece_of(&lane->out, bytes);
    lane->ahead.left = 0;
    transfer->way = bytes >= lane->copy_from ? CT_WAY_COPY : CT_WAY_FETCHED;
    if (!lane->learns_ways || bytes < CT_WAYS_FROM)
        return;
    const uint64_t wanted = wanted_ways(lane, transfer->meanwhile);
    transfer->of_class = ct_ways_class(bytes, transfer->meanwhile);
    transfer->way = ct_ways_wanted(wanted, transfer->of_class);
    if (is_timed(lane, bytes, ct_ways_watched(wanted, transfer->of_class)))
        transfer->begun = ct_lane_now();
}

static struct ct_sent describe_sending(const struct ct_transfer *transfer)
{
    return (struct ct_sent){
        .begun = transfer->begun, .of_class = (uint16_t)transfer->of_class, .way = (uint16_t)transfer->way};
}

static uint64_t copied(const struct ct_lane *lane, size_t slot)
{
    return atomic_load_explicit(&lane->out.ring->copied[slot], memory_order_acquire);
}

/* Finds a slot whose copy is done, whether or not the sender has waited for it: it may have left its call
 * after an error. CT_NO_SLOT: there is none. */
static int find_slot(const struct ct_lane *lane)
{
    for (int slot = 0; slot < CT_RING_COPIES; slot++)
        if (copied(lane, (size_t)slot) == lane->copies_begun[slot])
            return slot;
    return CT_NO_SLOT;
}

/* Without a slot the message goes in chunks. */
static void offer_copy(struct ct_transfer *transfer)
{
    struct ct_lane *lane = transfer->lane;
    const int slot = find_slot(lane);
    if (slot == CT_NO_SLOT) {
        transfer->way = CT_WAY_FETCHED;
        transfer->begun = 0;
        return;
    }
    const struct ct_copy_cell copy = {transfer->left, (uintptr_t)transfer->address, (uint64_t)slot,
                                      describe_sending(transfer)};
    struct ct_cell *cell = ct_ring_free_cell(&lane->out);
    if (!cell)
        return;
    memcpy(cell->data, &copy, sizeof copy);
    ct_lane_put(lane, cell, transfer->call.label | CT_FORM_COPY);
    transfer->slot = slot;
    transfer->copy = ++lane->copies_begun[slot];
}

/* A later copy may have taken the slot since, and may be done as well. */
static bool is_copied(const struct ct_transfer *transfer)
{
    return copied(transfer->lane, (size_t)transfer->slot) - transfer->copy <= UINT64_MAX / 2;
}

static void put_piece(struct ct_transfer *transfer, struct ct_cell *cell, unsigned form, size_t bytes)
{
    ct_lane_put(transfer->lane, cell, transfer->call.label | form);
    transfer->address += bytes;
    transfer->left -= bytes;
    transfer->is_begun = transfer->left > 0;
}

static bool fetches(const struct ct_transfer *transfer)
{
    return transfer->way == CT_WAY_FETCHED && ct_lane_is_between_cpus(transfer->lane);
}

/* Fetches lines and writes them. To pass them on takes less time than the reader saves, unless they are many.
 */
static void fetch_and_write(unsigned char *to, const char *from, size_t bytes)
{
    enum { PASSED_ON_MOST = 8 * CT_LINE };
    ct_fetch_lines(to, bytes);
    memcpy(to, from, bytes);
    for (size_t i = 0; bytes <= PASSED_ON_MOST && i < bytes; i += CT_LINE)
        ct_pass_on_line(to + i);
}

static void write_piece(struct ct_transfer *transfer, unsigned char *to, size_t bytes)
{
    if (transfer->way == CT_WAY_STREAMED)
        ct_stream(to, transfer->address, bytes);
    else if (fetches(transfer))
        fetch_and_write(to, transfer->address, bytes);
    else
        memcpy(to, transfer->address, bytes);
    transfer->lane->copied += bytes;
}

/* Finds the piece on the board, or copies it there. A message that others have written is not timed. */
static int find_shared(struct ct_transfer *transfer, size_t bytes)
{
    struct ct_board *board = transfer->lane->board;
    int slot = ct_board_find(board, transfer->group, transfer->left);
    if (slot != CT_BOARD_NO_SLOT) {
        transfer->begun = 0;
        return slot;
    }
    slot = ct_board_take(board, transfer->group, transfer->left);
    if (slot != CT_BOARD_NO_SLOT)
        write_piece(transfer, board->memory + ct_board_offset(board, slot), bytes);
    return slot;
}

/* Says in the cell what the piece is, after it was written. Number by number: a structure would be read from
 * the stack in larger parts than it was written there, which takes tens of cycles. */
static void describe_piece(const struct ct_transfer *transfer, size_t bytes, struct ct_cell *cell)
{
    const uint64_t left = transfer->left, own = bytes;
    unsigned char *const data = cell->data;
    memcpy(data + offsetof(struct ct_chunk_cell, left), &left, sizeof left);
    memcpy(data + offsetof(struct ct_chunk_cell, bytes), &own, sizeof own);
    memcpy(data + offsetof(struct ct_chunk_cell, sent.begun), &transfer->begun, sizeof transfer->begun);
    if (transfer->begun > 0) {
        struct ct_sent sent = describe_sending(transfer);
        if (bytes == transfer->left)
            sent.lasted = (float)(ct_lane_now() - transfer->begun);
        memcpy(data + offsetof(struct ct_chunk_cell, sent), &sent, sizeof sent);
    }
}

enum sharing { SHARED, ALONE, LATER };

/* Tells of the piece on the board. If there is no place for it, this waits as long as the reader has
 * something left to read. */
static enum sharing share_piece(struct ct_transfer *transfer, struct ct_cell *cell, size_t bytes)
{
    struct ct_lane *lane = transfer->lane;
    if (transfer->group == 0 || !lane->board || bytes > lane->board->slot_bytes)
        return ALONE;
    int slot = find_shared(transfer, bytes);
    if (slot == CT_BOARD_NO_SLOT)
        return ct_ring_has_taken(&lane->out, lane->out.cells) ? ALONE : LATER;
    if (!ct_board_add_reader(lane->board, slot, &lane->out))
        return ALONE;
    const uint64_t offset = ct_board_offset(lane->board, slot);
    describe_piece(transfer, bytes, cell);
    memcpy(cell->data + offsetof(struct ct_shared_cell, offset), &offset, sizeof offset);
    put_piece(transfer, cell, CT_FORM_SHARED, bytes);
    return SHARED;
}

/* The next message is mostly as long as this one. */
static void look_ahead(const struct ct_transfer *transfer, size_t written)
{
    enum { AHEAD_MOST = 64 << 10 };
    struct ct_lane *lane = transfer->lane;
    const size_t left = lane->ahead.left + written;
    lane->ahead = (struct ct_ahead){.chunk = lane->out.used_chunks,
                                    .piece = transfer->piece,
                                    .left = left < AHEAD_MOST ? left : AHEAD_MOST};
}

static bool send_in_chunks(struct ct_transfer *transfer)
{
    struct ct_ring_side *out = &transfer->lane->out;
    while (transfer->left > 0) {
        struct ct_cell *cell = ct_ring_free_cell(out);
        const size_t bytes = transfer->left < transfer->piece ? transfer->left : transfer->piece;
        enum sharing sharing = cell ? share_piece(transfer, cell, bytes) : LATER;
        if (sharing == SHARED)
            continue;
        unsigned char *chunk = sharing == ALONE ? ct_ring_free_chunk(out) : NULL;
        if (!chunk)
            return false;
        write_piece(transfer, chunk, bytes);
        describe_piece(transfer, bytes, cell);
        out->used_chunks++;
        put_piece(transfer, cell, CT_FORM_CHUNK, bytes);
        if (fetches(transfer))
            look_ahead(transfer, bytes);
    }
    return true;
}

bool ct_lane_send_chunk(struct ct_lane *lane, uint64_t label, const void *from, size_t bytes)
{
    if (bytes > ct_lane_short_bytes(lane))
        return false;
    struct ct_transfer transfer = {.lane = lane,
                                   .address = (char *)(uintptr_t)from,
                                   .left = bytes,
                                   .piece = bytes,
                                   .call = {.label = label},
                                   .sends = true,
                                   .slot = CT_NO_SLOT};
    lane->ahead.left = 0;
    return send_in_chunks(&transfer);
}

/* Messages do not wait for a slot, since those that have one may be received after them. */
bool ct_lane_send(struct ct_transfer *transfer)
{
    if (transfer->piece == 0 && transfer->left <= CT_CELL_BYTES)
        return ct_lane_send_short(transfer->lane, transfer->call.label, transfer->address, transfer->left);
    if (transfer->slot != CT_NO_SLOT)
        return is_copied(transfer);
    if (transfer->piece == 0)
        choose_way(transfer);
    if (transfer->way == CT_WAY_COPY)
        offer_copy(transfer);
    return transfer->way != CT_WAY_COPY && send_in_chunks(transfer);
}
