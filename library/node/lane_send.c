/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/lane_internal.h"

/* Shall the receiver copy a message of so many bytes? */
static bool is_to_be_copied(const struct ct_lane *lane, size_t bytes)
{
    const uint64_t wanted = atomic_load_explicit(&lane->out.ring->wanted_copies, memory_order_relaxed);
    return bytes >= lane->copy_from || (ct_is_timed(lane, bytes) && (wanted >> ct_ways_class(bytes) & 1));
}

/* Long messages travel in pieces, so that both ranks copy at a time. All but the last are whole lines, so
 * that they hold whole elements. */
static size_t piece_of(const struct ct_ring_side *out, size_t bytes)
{
    enum { PIECES = 4, SHORTEST = 2048 };
    size_t piece = bytes / PIECES / CT_LINE * CT_LINE + CT_LINE;
    piece = piece > SHORTEST ? piece : SHORTEST;
    return piece < out->chunk_bytes ? piece : out->chunk_bytes;
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

static void offer_copy(struct ct_transfer *transfer, int slot)
{
    struct ct_lane *lane = transfer->lane;
    const struct ct_copy_cell copy = {transfer->left, (uintptr_t)transfer->address, (uint64_t)slot};
    struct ct_cell *cell = ct_ring_free_cell(&lane->out);
    if (!cell)
        return;
    memcpy(cell->data, &copy, sizeof copy);
    ct_ring_put(&lane->out, cell, transfer->call.label | CT_FORM_COPY);
    ct_lane_tell(lane);
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
    ct_ring_put(&transfer->lane->out, cell, transfer->call.label | form);
    ct_lane_tell(transfer->lane);
    transfer->address += bytes;
    transfer->left -= bytes;
    transfer->is_begun = transfer->left > 0;
}

/* Finds the piece on the board, or copies it there. */
static int find_shared(struct ct_transfer *transfer, size_t bytes)
{
    struct ct_board *board = transfer->lane->board;
    int slot = ct_board_find(board, transfer->group, transfer->left);
    if (slot != CT_BOARD_NO_SLOT)
        return slot;
    slot = ct_board_take(board, transfer->group, transfer->left);
    if (slot != CT_BOARD_NO_SLOT) {
        memcpy(board->memory + ct_board_offset(board, slot), transfer->address, bytes);
        transfer->lane->copied += bytes;
    }
    return slot;
}

enum sharing { SHARED, ALONE, LATER };

/* Tells of the piece on the board. If there is no place for it, this waits as long as the reader has
 * something left to read. */
static enum sharing share_piece(struct ct_transfer *transfer, struct ct_cell *cell,
                                struct ct_chunk_cell about)
{
    struct ct_lane *lane = transfer->lane;
    if (transfer->group == 0 || !lane->board || about.bytes > lane->board->slot_bytes)
        return ALONE;
    int slot = find_shared(transfer, about.bytes);
    if (slot == CT_BOARD_NO_SLOT)
        return ct_ring_has_taken(&lane->out, lane->out.cells) ? ALONE : LATER;
    if (!ct_board_add_reader(lane->board, slot, &lane->out))
        return ALONE;
    const struct ct_shared_cell shared = {about, ct_board_offset(lane->board, slot)};
    memcpy(cell->data, &shared, sizeof shared);
    put_piece(transfer, cell, CT_FORM_SHARED, about.bytes);
    return SHARED;
}

static bool send_in_chunks(struct ct_transfer *transfer)
{
    struct ct_ring_side *out = &transfer->lane->out;
    if (transfer->piece == 0) {
        transfer->piece = piece_of(out, transfer->left);
        if (ct_is_timed(transfer->lane, transfer->left))
            transfer->found = ct_lane_now();
    }
    while (transfer->left > 0) {
        struct ct_cell *cell = ct_ring_free_cell(out);
        struct ct_chunk_cell about = {.left = transfer->left,
                                      .bytes = transfer->left < transfer->piece ? transfer->left
                                                                                : transfer->piece};
        enum sharing sharing = cell ? share_piece(transfer, cell, about) : LATER;
        if (sharing == SHARED)
            continue;
        unsigned char *chunk = sharing == ALONE ? ct_ring_free_chunk(out) : NULL;
        if (!chunk)
            return false;
        memcpy(chunk, transfer->address, about.bytes);
        transfer->lane->copied += about.bytes;
        if (transfer->found > 0 && about.bytes == about.left)
            about.seconds = ct_lane_now() - transfer->found;
        memcpy(cell->data, &about, sizeof about);
        out->used_chunks++;
        put_piece(transfer, cell, CT_FORM_CHUNK, about.bytes);
        if (about.bytes <= CT_FETCHED_BYTES)
            ct_ring_fetch_chunk(out, about.bytes);
    }
    return true;
}

/* Messages do not wait for a slot, since those that have one may be received after them. */
bool ct_lane_send(struct ct_transfer *transfer)
{
    if (transfer->piece == 0 && transfer->left <= CT_CELL_BYTES)
        return ct_lane_send_short(transfer->lane, transfer->call.label, transfer->address, transfer->left);
    if (transfer->slot != CT_NO_SLOT)
        return is_copied(transfer);
    int slot = transfer->piece == 0 && is_to_be_copied(transfer->lane, transfer->left)
                   ? find_slot(transfer->lane)
                   : CT_NO_SLOT;
    if (slot == CT_NO_SLOT)
        return send_in_chunks(transfer);
    offer_copy(transfer, slot);
    return false;
}
