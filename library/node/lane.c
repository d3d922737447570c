/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/lane.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>

/* What the lowest 8 bits of a cell's label are if they are no number of bytes. */
enum { FORM_CHUNK = 64, FORM_COPY, FORM_SHARED, FORM_BEGUN, FORM_LEFT, FORM_MASK = 255 };

/* What a cell holds that describes a piece. */
struct chunk_cell {
    uint64_t left;  /* bytes of the message from this piece on */
    uint64_t bytes; /* of this piece */
    double seconds; /* the last piece of a message that is timed: since its sender began it */
};
struct shared_cell {
    struct chunk_cell piece;
    uint64_t offset; /* on the sender's board */
};
struct copy_cell {
    uint64_t left;
    uint64_t address; /* in the sender's memory */
    uint64_t slot;
};

/* A piece that was set aside, with its bytes if it has any. */
struct ct_early_piece {
    struct ct_early_piece *next;
    uint64_t label;
    unsigned form;
    uint64_t left;
    uint64_t bytes;
    struct copy_cell copy;
    _Alignas(max_align_t) unsigned char data[];
};

/* A piece that can be received. */
struct piece {
    unsigned form;
    uint64_t left;
    uint64_t bytes;
    double seconds; /* as in struct chunk_cell */
    struct copy_cell copy;
    const unsigned char *data;
    struct ct_early_piece **early; /* where it is in the list; NULL: it is in the ring's first cell */
};

/* Many chunks let a sender run ahead of a receiver that has no CPU now, since each segment of a message takes
 * one. */
void ct_ring_divide(size_t bytes, size_t *ret_chunk_bytes, unsigned *ret_chunk_count)
{
    enum { SHORTEST = 1 << 10, FEWEST = 2, MOST = CT_RING_CELLS };
    size_t room = bytes > sizeof(struct ct_ring) ? bytes - sizeof(struct ct_ring) : 0;
    unsigned count = MOST;
    while (count > FEWEST && room / count < SHORTEST)
        count /= 2;
    *ret_chunk_bytes = room / count / CT_LINE * CT_LINE;
    *ret_chunk_count = count;
}

void ct_lane_make(struct ct_lane *ret_lane, const struct ct_ring_side *out, const struct ct_ring_side *in)
{
    *ret_lane = (struct ct_lane){.out = *out, .in = *in, .copy_from = SIZE_MAX};
    ret_lane->early_end = &ret_lane->early;
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

/* --- the way of a message --- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Is a message of so many bytes timed? */
static bool is_timed(const struct ct_lane *lane, size_t bytes)
{
    return lane->learns_ways && bytes < lane->copy_from && ct_ways_class(bytes) < CT_WAYS_CLASSES;
}

/* Shall the receiver copy a message of so many bytes? */
static bool is_to_be_copied(const struct ct_lane *lane, size_t bytes)
{
    const uint64_t wanted = atomic_load_explicit(&lane->out.ring->wanted_copies, memory_order_relaxed);
    return bytes >= lane->copy_from || (is_timed(lane, bytes) && (wanted >> ct_ways_class(bytes) & 1));
}

/* --- sending --- */

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
    const struct copy_cell copy = {transfer->left, (uintptr_t)transfer->address, (uint64_t)slot};
    struct ct_cell *cell = ct_ring_free_cell(&lane->out);
    if (!cell)
        return;
    memcpy(cell->data, &copy, sizeof copy);
    ct_ring_put(&lane->out, cell, transfer->call.label | FORM_COPY);
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
static enum sharing share_piece(struct ct_transfer *transfer, struct ct_cell *cell, struct chunk_cell about)
{
    struct ct_lane *lane = transfer->lane;
    if (transfer->group == 0 || !lane->board || about.bytes > lane->board->slot_bytes)
        return ALONE;
    int slot = find_shared(transfer, about.bytes);
    if (slot == CT_BOARD_NO_SLOT)
        return ct_ring_has_taken(&lane->out, lane->out.cells) ? ALONE : LATER;
    if (!ct_board_add_reader(lane->board, slot, &lane->out))
        return ALONE;
    const struct shared_cell shared = {about, ct_board_offset(lane->board, slot)};
    memcpy(cell->data, &shared, sizeof shared);
    put_piece(transfer, cell, FORM_SHARED, about.bytes);
    return SHARED;
}

static bool send_in_chunks(struct ct_transfer *transfer)
{
    struct ct_ring_side *out = &transfer->lane->out;
    if (transfer->piece == 0) {
        transfer->piece = piece_of(out, transfer->left);
        if (is_timed(transfer->lane, transfer->left))
            transfer->found = now();
    }
    while (transfer->left > 0) {
        struct ct_cell *cell = ct_ring_free_cell(out);
        struct chunk_cell about = {.left = transfer->left,
                                   .bytes =
                                       transfer->left < transfer->piece ? transfer->left : transfer->piece};
        enum sharing sharing = cell ? share_piece(transfer, cell, about) : LATER;
        if (sharing == SHARED)
            continue;
        unsigned char *chunk = sharing == ALONE ? ct_ring_free_chunk(out) : NULL;
        if (!chunk)
            return false;
        memcpy(chunk, transfer->address, about.bytes);
        transfer->lane->copied += about.bytes;
        if (transfer->found > 0 && about.bytes == about.left)
            about.seconds = now() - transfer->found;
        memcpy(cell->data, &about, sizeof about);
        out->used_chunks++;
        put_piece(transfer, cell, FORM_CHUNK, about.bytes);
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

/* --- receiving --- */

static bool is_announcement(unsigned form)
{
    return form == FORM_BEGUN || form == FORM_LEFT;
}

static void look_at_cell(const struct ct_lane *lane, const struct ct_cell *cell, struct piece *ret_piece)
{
    struct piece piece = {.form = cell->label & FORM_MASK, .data = cell->data};
    piece.left = piece.bytes = piece.form;
    if (piece.form == FORM_CHUNK) {
        struct chunk_cell about;
        memcpy(&about, cell->data, sizeof about);
        piece.left = about.left;
        piece.bytes = about.bytes;
        piece.seconds = about.seconds;
        piece.data = ct_ring_first_chunk(&lane->in);
    } else if (piece.form == FORM_SHARED) {
        struct shared_cell shared;
        memcpy(&shared, cell->data, sizeof shared);
        piece.left = shared.piece.left;
        piece.bytes = shared.piece.bytes;
        piece.data = lane->other_board + shared.offset;
    } else if (piece.form == FORM_COPY) {
        memcpy(&piece.copy, cell->data, sizeof piece.copy);
        piece.left = piece.copy.left;
        piece.bytes = 0;
    } else if (is_announcement(piece.form)) {
        piece.left = piece.bytes = 0;
    }
    *ret_piece = piece;
}

static void take(struct ct_lane *lane, const struct piece *piece)
{
    if (piece->form == FORM_CHUNK)
        ct_ring_take_chunk(&lane->in);
    ct_ring_take(&lane->in);
    ct_lane_tell(lane);
}

/* Makes way for the cells after it. False without memory. */
static bool set_aside(struct ct_lane *lane, uint64_t label, const struct piece *piece)
{
    struct ct_early_piece *early = malloc(sizeof *early + piece->bytes);
    if (!early)
        return false;
    *early = (struct ct_early_piece){
        .label = label, .form = piece->form, .left = piece->left, .bytes = piece->bytes, .copy = piece->copy};
    memcpy(early->data, piece->data, piece->bytes);
    *lane->early_end = early;
    lane->early_end = &early->next;
    take(lane, piece);
    return true;
}

static void look_at_early(struct ct_early_piece **place, struct piece *ret_piece)
{
    const struct ct_early_piece *early = *place;
    *ret_piece = (struct piece){.form = early->form,
                                .left = early->left,
                                .bytes = early->bytes,
                                .copy = early->copy,
                                .data = early->data,
                                .early = place};
}

static bool find_early(struct ct_lane *lane, uint64_t label, struct piece *ret_piece)
{
    for (struct ct_early_piece **place = &lane->early; *place; place = &(*place)->next) {
        const struct ct_early_piece *early = *place;
        if (early->label != label || is_announcement(early->form))
            continue;
        look_at_early(place, ret_piece);
        return true;
    }
    return false;
}

static void leave_piece(struct ct_lane *lane, const struct piece *piece)
{
    if (!piece->early) {
        take(lane, piece);
        return;
    }
    struct ct_early_piece *early = *piece->early;
    *piece->early = early->next;
    if (!early->next)
        lane->early_end = piece->early;
    free(early);
}

/* --- what erroneous calls leave behind --- */

/* The sender may use its memory again. It is told in any case, since it waits. */
static void end_copy(struct ct_lane *lane, const struct copy_cell *copy)
{
    _Atomic uint64_t *copied = &lane->in.ring->copied[copy->slot];
    atomic_store_explicit(copied, atomic_load_explicit(copied, memory_order_relaxed) + 1,
                          memory_order_release);
    ct_lane_tell(lane);
}

/* When is the call that a piece belongs to? CT_CALL_LATEST: this rank may be in it. */
static enum ct_call_time time_of(const struct ct_lane *lane, const struct ct_lane_call *call, uint64_t label)
{
    if (((label ^ call->label) & ~call->numbers) == 0)
        return ct_compare_calls(label, call->label, call->numbers);
    if (!lane->counts || !ct_is_set_label(label))
        return CT_CALL_UNKNOWN;
    const enum ct_call_time time = ct_call_time_of(lane->counts, label);
    /* Where this call is a blocking one, it is the only one. */
    return time == CT_CALL_LATEST && call->numbers > 0 ? CT_CALL_PAST : time;
}

/* That the other rank has begun a call that this rank has begun, too, tells nothing. */
static bool is_left_over(const struct ct_lane *lane, const struct ct_lane_call *call, uint64_t label,
                         unsigned form)
{
    const enum ct_call_time time = time_of(lane, call, label);
    return time == CT_CALL_PAST || (time == CT_CALL_LATEST && form == FORM_BEGUN);
}

static void drop(struct ct_lane *lane, const struct piece *piece)
{
    if (piece->form == FORM_COPY)
        end_copy(lane, &piece->copy);
    leave_piece(lane, piece);
}

static void drop_early(struct ct_lane *lane, const struct ct_lane_call *call)
{
    for (struct ct_early_piece **place = &lane->early; *place;) {
        struct piece piece;
        if (!is_left_over(lane, call, (*place)->label, (*place)->form)) {
            place = &(*place)->next;
            continue;
        }
        look_at_early(place, &piece);
        drop(lane, &piece);
    }
}

/* Has the sender left the call? Of other sets only announcements count: programs that call collectives of
 * several sets in different orders are wrong, but may work as long as nobody waits for long. */
static bool is_left(const struct ct_lane *lane, const struct ct_lane_call *call)
{
    if (call->numbers == 0)
        return false;
    for (const struct ct_early_piece *early = lane->early; early; early = early->next) {
        const enum ct_call_time time = time_of(lane, call, early->label);
        const bool is_same = ((early->label ^ call->label) & ~call->numbers) == 0;
        if ((time == CT_CALL_TO_COME && (is_same || is_announcement(early->form))) ||
            (time == CT_CALL_LATEST && is_same && early->form == FORM_LEFT))
            return true;
    }
    return false;
}

void ct_lane_tidy(struct ct_lane *lane, const struct ct_lane_call *call)
{
    const struct ct_cell *cell;
    struct piece piece;
    drop_early(lane, call);
    while ((cell = ct_ring_first(&lane->in))) {
        look_at_cell(lane, cell, &piece);
        if (!is_left_over(lane, call, cell->label & ~(uint64_t)FORM_MASK, piece.form))
            return;
        drop(lane, &piece);
    }
}

bool ct_lane_announce(struct ct_lane *lane, uint64_t label, bool has_left)
{
    struct ct_cell *cell = ct_ring_free_cell(&lane->out);
    if (!cell || !ct_ring_has_taken(&lane->out, lane->out.cells - CT_RING_CELLS / 2))
        return false;
    ct_ring_put(&lane->out, cell, label | (has_left ? FORM_LEFT : FORM_BEGUN));
    ct_lane_tell(lane);
    return true;
}

/* --- messages that are received --- */

/* Finds the next piece of a message. */
static bool find_piece(struct ct_transfer *transfer, struct piece *ret_piece)
{
    struct ct_lane *lane = transfer->lane;
    const struct ct_lane_call *call = &transfer->call;
    const struct ct_cell *cell;
    if (transfer->flaw == CT_TRANSFER_NO_MEMORY) /* of the last look */
        transfer->flaw = CT_TRANSFER_RIGHT;
    if (lane->early)
        drop_early(lane, call);
    if (lane->early && find_early(lane, call->label, ret_piece))
        return true;
    while ((cell = ct_ring_first(&lane->in))) {
        uint64_t own = cell->label & ~(uint64_t)FORM_MASK;
        look_at_cell(lane, cell, ret_piece);
        if (own == call->label && !is_announcement(ret_piece->form))
            return true;
        if (is_left_over(lane, call, own, ret_piece->form)) {
            drop(lane, ret_piece);
        } else if (!set_aside(lane, own, ret_piece)) {
            transfer->flaw = CT_TRANSFER_NO_MEMORY;
            return false;
        }
    }
    return false;
}

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
static bool copy_from_sender(struct ct_transfer *transfer, const struct copy_cell *copy, size_t bytes)
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
    end_copy(lane, copy);
    return is_read;
}

static void accept(struct ct_transfer *transfer, const struct piece *piece)
{
    if (piece->left != transfer->left)
        transfer->flaw = piece->left > transfer->left ? CT_TRANSFER_TOO_LONG : CT_TRANSFER_TOO_SHORT;
    size_t bytes = piece->form == FORM_COPY ? piece->left : piece->bytes;
    bytes = bytes < transfer->left ? bytes : transfer->left;
    if (piece->form == FORM_COPY) {
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

/* Begins to time a message whose way is to be learned; one that was set aside is not like others. */
static void begin_timing(struct ct_transfer *transfer, const struct piece *piece)
{
    if (!transfer->is_begun && !piece->early && is_timed(transfer->lane, piece->left)) {
        transfer->found = now();
        transfer->whole = piece->left;
    }
}

/* In chunks the sender may have taken longer than the receiver. */
static void end_timing(struct ct_transfer *transfer, const struct piece *last)
{
    struct ct_lane *lane = transfer->lane;
    const uint64_t before = lane->arrival.copies;
    const double seconds = now() - transfer->found;
    ct_ways_note(&lane->arrival, ct_ways_class(transfer->whole), last->form == FORM_COPY, transfer->whole,
                 seconds > last->seconds ? seconds : last->seconds);
    transfer->found = 0;
    if (lane->arrival.copies != before)
        atomic_store_explicit(&lane->in.ring->wanted_copies, lane->arrival.copies, memory_order_relaxed);
}

bool ct_lane_receive(struct ct_transfer *transfer)
{
    struct piece piece;
    while (find_piece(transfer, &piece)) {
        begin_timing(transfer, &piece);
        bool is_last = piece.form == FORM_COPY || piece.bytes == piece.left;
        accept(transfer, &piece);
        leave_piece(transfer->lane, &piece);
        transfer->is_begun = !is_last;
        if (is_last && transfer->found > 0)
            end_timing(transfer, &piece);
        if (is_last)
            return true;
    }
    if (transfer->flaw == CT_TRANSFER_NO_MEMORY || !transfer->lane->early ||
        !is_left(transfer->lane, &transfer->call))
        return false;
    transfer->flaw = CT_TRANSFER_TOO_SHORT;
    transfer->is_begun = false;
    return true;
}
