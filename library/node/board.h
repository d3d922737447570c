/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_BOARD_H
#define CT_LIBRARY_NODE_BOARD_H

#include "library/node/cell_ring.h"

/* A board: memory of a rank that all ranks of its node can read. A piece of a message that goes to several of
 * them is copied there once; a cell in each one's ring tells where it lies. A reader has read a piece when it
 * takes that cell: it stores the ring's `taken` with release, and this rank loads it with acquire before it
 * writes there again. Only the owner of the board uses this structure.
 *
 * Slots are used in turn. Where the next one is still read, the piece goes another way, so that no reader
 * waits for another one; a piece that has lost its slot is copied again. */

enum { CT_BOARD_SLOTS = 32, CT_BOARD_NO_SLOT = -1 };

struct ct_board_reading {
    struct ct_ring_side *ring; /* to the reader */
    uint64_t cell;             /* that tells of the piece */
};

struct ct_board {
    unsigned char *memory;
    size_t slot_bytes;
    unsigned slot_count;
    unsigned next;         /* slot to be used next */
    unsigned readers_most; /* of a piece */
    uint64_t groups;       /* so many groups of messages have got numbers, from 1 on */
    struct ct_board_slot {
        uint64_t group; /* of messages with the same contents; 0: the slot was never used */
        size_t left;    /* bytes of the message from the piece on, which tell the piece */
        unsigned readers;
    } slots[CT_BOARD_SLOTS];
    struct ct_board_reading *readings; /* `readers_most` for each slot */
};

/* Divides memory into slots for pieces of that length. CT_OK or CT_E_MEMORY; ct_board_free() frees. */
int ct_board_make(unsigned char *memory, size_t bytes, size_t slot_bytes, unsigned readers_most,
                  struct ct_board *ret_board);
void ct_board_free(struct ct_board *board);

/* The slot that holds the piece; CT_BOARD_NO_SLOT. */
int ct_board_find(const struct ct_board *board, uint64_t group, size_t left);
/* Takes the next slot for a piece, which the caller then copies there; CT_BOARD_NO_SLOT if it is read. */
int ct_board_take(struct ct_board *board, uint64_t group, size_t left);
/* The cell that the ring's writer puts next tells of the slot's piece. False if there are too many readers.
 */
bool ct_board_add_reader(struct ct_board *board, int slot, struct ct_ring_side *ring);

static inline size_t ct_board_offset(const struct ct_board *board, int slot)
{
    return (size_t)slot * board->slot_bytes;
}

#endif
