/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_LANE_INTERNAL_H
#define CT_LIBRARY_NODE_LANE_INTERNAL_H

#include "library/node/lane.h"

#include <assert.h>
#include <stdlib.h>
#include <time.h>

/* Pieces of messages: how a lane's cells describe them, and how a receiver finds and leaves them. */

/* What the lowest 8 bits of a cell's label are if they are no number of bytes. */
enum ct_form {
    CT_FORM_CHUNK = 64,
    CT_FORM_COPY,
    CT_FORM_SHARED,
    CT_FORM_BEGUN,
    CT_FORM_LEFT,
    CT_FORM_MASK = 255
};

/* Of a message that is timed, as in ways.h; of the last piece, as far as it says when all was sent. */
struct ct_sent {
    double begun; /* 0: it is not timed */
    float lasted;
    uint16_t of_class;
    uint16_t way;
};

/* What a cell holds that describes a piece. */
struct ct_chunk_cell {
    uint64_t left;  /* bytes of the message from this piece on */
    uint64_t bytes; /* of this piece */
    struct ct_sent sent;
};
struct ct_shared_cell {
    struct ct_chunk_cell piece;
    uint64_t offset; /* on the sender's board */
};
struct ct_copy_cell {
    uint64_t left;
    uint64_t address; /* in the sender's memory */
    uint64_t slot;
    struct ct_sent sent;
};
static_assert(sizeof(struct ct_shared_cell) <= CT_CELL_BYTES && sizeof(struct ct_copy_cell) <= CT_CELL_BYTES,
              "a cell describes a piece");

/* A piece that was set aside, with its bytes if it has any. */
struct ct_early_piece {
    struct ct_early_piece *next;
    uint64_t label;
    unsigned form;
    uint64_t left;
    uint64_t bytes;
    struct ct_copy_cell copy;
    _Alignas(max_align_t) unsigned char data[];
};

/* A piece that can be received. */
struct ct_piece {
    unsigned form;
    uint64_t left;
    uint64_t bytes;
    struct ct_sent sent;
    struct ct_copy_cell copy;
    const unsigned char *data;
    struct ct_early_piece **early; /* where it is in the list; NULL: it is in the ring's first cell */
};

static inline double ct_lane_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* --- the receiver's side --- */

static inline bool ct_is_announcement(unsigned form)
{
    return form == CT_FORM_BEGUN || form == CT_FORM_LEFT;
}

static inline void ct_look_at_cell(const struct ct_lane *lane, const struct ct_cell *cell,
                                   struct ct_piece *ret_piece)
{
    /* The rest of it is set only where there is more to say, since most messages are short. */
    ret_piece->form = cell->label & CT_FORM_MASK;
    ret_piece->left = ret_piece->bytes = ret_piece->form;
    ret_piece->data = cell->data;
    ret_piece->early = NULL;
    ret_piece->sent.begun = 0;
    if (ret_piece->form == CT_FORM_CHUNK) {
        struct ct_chunk_cell about;
        memcpy(&about, cell->data, sizeof about);
        ret_piece->left = about.left;
        ret_piece->bytes = about.bytes;
        ret_piece->sent = about.sent;
        ret_piece->data = ct_ring_first_chunk(&lane->in);
    } else if (ret_piece->form == CT_FORM_SHARED) {
        struct ct_shared_cell shared;
        memcpy(&shared, cell->data, sizeof shared);
        ret_piece->left = shared.piece.left;
        ret_piece->bytes = shared.piece.bytes;
        ret_piece->sent = shared.piece.sent;
        ret_piece->data = lane->other_board + shared.offset;
    } else if (ret_piece->form == CT_FORM_COPY) {
        memcpy(&ret_piece->copy, cell->data, sizeof ret_piece->copy);
        ret_piece->left = ret_piece->copy.left;
        ret_piece->sent = ret_piece->copy.sent;
        ret_piece->bytes = 0;
    } else if (ct_is_announcement(ret_piece->form)) {
        ret_piece->left = ret_piece->bytes = 0;
    }
}

static inline void ct_take_piece(struct ct_lane *lane, const struct ct_piece *piece)
{
    if (piece->form == CT_FORM_CHUNK)
        ct_ring_take_chunk(&lane->in);
    ct_ring_take(&lane->in);
    ct_lane_tell(lane);
}

static inline void ct_look_at_early(struct ct_early_piece **place, struct ct_piece *ret_piece)
{
    const struct ct_early_piece *early = *place;
    *ret_piece = (struct ct_piece){.form = early->form,
                                   .left = early->left,
                                   .bytes = early->bytes,
                                   .copy = early->copy,
                                   .data = early->data,
                                   .early = place};
}

static inline void ct_leave_piece(struct ct_lane *lane, const struct ct_piece *piece)
{
    if (!piece->early) {
        ct_take_piece(lane, piece);
        return;
    }
    struct ct_early_piece *early = *piece->early;
    *piece->early = early->next;
    if (!early->next)
        lane->early_end = piece->early;
    free(early);
}

/* The sender may use its memory again. It is told in any case, since it waits. */
static inline void ct_end_copy(struct ct_lane *lane, const struct ct_copy_cell *copy)
{
    _Atomic uint64_t *copied = &lane->in.ring->copied[copy->slot];
    atomic_store_explicit(copied, atomic_load_explicit(copied, memory_order_relaxed) + 1,
                          memory_order_release);
    ct_lane_tell(lane);
}

#endif
