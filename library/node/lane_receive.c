/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/lane_leftovers.h"

#include <assert.h>
#include <sys/uio.h>

/* --- the next piece --- */

/* Makes way for the cells after it. False without memory. */
static bool set_aside(struct ct_lane *lane, uint64_t label, const struct ct_piece *piece)
{
    if (ct_is_announcement(piece->form))
        ct_drop_announcements(lane, label);
    struct ct_early_piece *early = malloc(sizeof *early + piece->bytes);
    if (!early)
        return false;
    *early = (struct ct_early_piece){
        .label = label, .form = piece->form, .left = piece->left, .bytes = piece->bytes, .copy = piece->copy};
    memcpy(early->data, piece->data, piece->bytes);
    *lane->early_end = early;
    lane->early_end = &early->next;
    ct_take_piece(lane, piece);
    return true;
}

void ct_lane_free(struct ct_lane *lane)
{
    for (struct ct_early_piece *early = lane->early, *next; early; early = next) {
        next = early->next;
        free(early);
    }
    lane->early = NULL;
    lane->early_end = &lane->early;
}

static bool find_early(struct ct_lane *lane, uint64_t label, struct ct_piece *ret_piece)
{
    for (struct ct_early_piece **place = &lane->early; *place; place = &(*place)->next) {
        const struct ct_early_piece *early = *place;
        if (early->label != label || ct_is_announcement(early->form))
            continue;
        ct_look_at_early(place, ret_piece);
        return true;
    }
    return false;
}

/* Finds the next piece of a message. */
static bool find_piece(struct ct_transfer *transfer, struct ct_piece *ret_piece)
{
    struct ct_lane *lane = transfer->lane;
    const struct ct_lane_call *call = &transfer->call;
    const struct ct_cell *cell;
    if (transfer->flaw == CT_TRANSFER_NO_MEMORY) /* of the last look */
        transfer->flaw = CT_TRANSFER_RIGHT;
    if (lane->early)
        ct_drop_early(lane, call);
    if (lane->early && find_early(lane, call->label, ret_piece))
        return true;
    while ((cell = ct_ring_first(&lane->in))) {
        uint64_t own = cell->label & ~(uint64_t)CT_FORM_MASK;
        ct_look_at_cell(lane, cell, ret_piece);
        if (own == call->label && !ct_is_announcement(ret_piece->form))
            return true;
        if (ct_is_left_over(lane, call, own, ret_piece->form)) {
            ct_drop_piece(lane, ret_piece);
        } else if (!set_aside(lane, own, ret_piece)) {
            transfer->flaw = CT_TRANSFER_NO_MEMORY;
            return false;
        }
    }
    return false;
}

/* --- its contents --- */

/* `from` is an address in the sender's memory, not in ours. */
static bool read_sender(struct ct_lane *lane, uint64_t from, char *to, size_t bytes)
{
    while (bytes > 0) {
        struct iovec local = {to, bytes}, remote = {(void *)(uintptr_t)from, bytes};
        ssize_t count = process_vm_readv(lane->process, &local, 1, &remote, 1, 0);
        if (count <= 0)
            return false;
        lane->copied += (size_t)count;
        to += count;
        from += (uint64_t)count;
        bytes -= (size_t)count;
    }
    return true;
}

/* Combines bytes of the message. They are at transfer->address if the transfer has an operand. A message of
 * another length may end within an element. */
static void combine(struct ct_transfer *transfer, const void *message, size_t bytes)
{
    const struct ct_reduction *reduction = transfer->reduction;
    bytes -= bytes % reduction->element;
    if (bytes == 0)
        return;
    reduction->combine(reduction->context, transfer->operand ? transfer->operand : message, transfer->address,
                       bytes);
    if (transfer->operand)
        transfer->operand += bytes;
}

/* Reads the message piece by piece, and combines each. */
static bool combine_copy(struct ct_transfer *transfer, uint64_t from, size_t bytes)
{
    enum { PIECE = 32 << 10 };
    _Alignas(max_align_t) char piece[PIECE];
    assert(transfer->reduction->element <= PIECE);
    const size_t whole = PIECE - PIECE % transfer->reduction->element;
    char *const begin = transfer->address;
    bool is_read = true;
    for (size_t done = 0; is_read && done < bytes; done += whole) {
        const size_t count = bytes - done < whole ? bytes - done : whole;
        is_read = read_sender(transfer->lane, from + done, piece, count);
        transfer->address = begin + done;
        if (is_read)
            combine(transfer, piece, count);
    }
    transfer->address = begin;
    return is_read;
}

/* Reads the message out of the sender's memory. */
static bool copy_from_sender(struct ct_transfer *transfer, const struct ct_copy_cell *copy, size_t bytes)
{
    struct ct_lane *lane = transfer->lane;
    bool is_read;
    if (transfer->reduction && !transfer->operand) {
        is_read = combine_copy(transfer, copy->address, bytes);
    } else {
        is_read = read_sender(lane, copy->address, transfer->address, bytes);
        if (is_read && transfer->reduction)
            combine(transfer, transfer->address, bytes);
    }
    ct_end_copy(lane, copy);
    return is_read;
}

static void accept(struct ct_transfer *transfer, const struct ct_piece *piece)
{
    if (piece->left != transfer->left)
        transfer->flaw = piece->left > transfer->left ? CT_TRANSFER_TOO_LONG : CT_TRANSFER_TOO_SHORT;
    size_t bytes = piece->form == CT_FORM_COPY ? piece->left : piece->bytes;
    bytes = bytes < transfer->left ? bytes : transfer->left;
    if (piece->form == CT_FORM_COPY) {
        if (!copy_from_sender(transfer, &piece->copy, bytes))
            transfer->flaw = CT_TRANSFER_LOST;
    } else if (bytes > 0) { /* an empty one may have no address */
        if (!transfer->reduction || transfer->operand) {
            memcpy(transfer->address, piece->data, bytes);
            transfer->lane->copied += bytes;
        }
        if (transfer->reduction)
            combine(transfer, piece->data, bytes);
        transfer->address += bytes;
    }
    transfer->left -= bytes;
}

/* One that was set aside is not like others. */
static void begin_timing(struct ct_transfer *transfer, const struct ct_piece *first)
{
    if (first->sent.begun > 0 && !first->early) {
        transfer->begun = ct_lane_now();
        transfer->whole = first->left;
    }
}

static void end_timing(struct ct_transfer *transfer, const struct ct_sent *sent)
{
    struct ct_lane *lane = transfer->lane;
    const uint64_t before = lane->arrival.wanted;
    const struct ct_way_times times = {sent->begun, sent->begun + (double)sent->lasted, transfer->begun,
                                       ct_lane_now()};
    transfer->begun = 0;
    if (!(sent->begun > 0) || sent->of_class >= CT_WAYS_CLASSES || sent->way >= CT_WAYS)
        return;
    ct_ways_note(&lane->arrival, sent->of_class, (enum ct_way)sent->way, transfer->whole,
                 ct_ways_seconds(&times));
    if (lane->arrival.wanted != before)
        atomic_store_explicit(&lane->in.ring->wanted_ways, lane->arrival.wanted, memory_order_relaxed);
}

bool ct_lane_receive(struct ct_transfer *transfer)
{
    struct ct_piece piece;
    while (find_piece(transfer, &piece)) {
        if (!transfer->is_begun)
            begin_timing(transfer, &piece);
        bool is_last = piece.form == CT_FORM_COPY || piece.bytes == piece.left;
        accept(transfer, &piece);
        ct_leave_piece(transfer->lane, &piece);
        transfer->is_begun = !is_last;
        if (is_last && transfer->begun > 0)
            end_timing(transfer, &piece.sent);
        if (is_last)
            return true;
    }
    ct_lane_fetch_ahead(transfer->lane);
    if (transfer->flaw == CT_TRANSFER_NO_MEMORY || !transfer->lane->early ||
        !ct_sender_has_left(transfer->lane, &transfer->call))
        return false;
    transfer->flaw = CT_TRANSFER_TOO_SHORT;
    transfer->is_begun = false;
    return true;
}

bool ct_lane_receive_chunk(struct ct_lane *lane, uint64_t label, void *to, size_t bytes)
{
    const struct ct_cell *cell = lane->early ? NULL : ct_ring_first(&lane->in);
    if (!cell || cell->label != (label | CT_FORM_CHUNK) || bytes > CT_SHORT_BYTES)
        return false;
    struct ct_piece piece;
    ct_look_at_cell(lane, cell, &piece);
    if (piece.left != bytes || piece.bytes != bytes)
        return false;
    memcpy(to, piece.data, bytes);
    lane->copied += bytes;
    ct_take_piece(lane, &piece);
    return true;
}
