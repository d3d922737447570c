/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/node/board.h"
#include "base/memory.h"

#include <stdlib.h>

int ct_board_make(unsigned char *memory, size_t bytes, size_t slot_bytes, unsigned readers_most,
                  struct ct_board *ret_board)
{
    const size_t slots = bytes / slot_bytes;
    struct ct_board board = {.memory = memory,
                             .slot_bytes = slot_bytes,
                             .slot_count = slots < CT_BOARD_SLOTS ? (unsigned)slots : CT_BOARD_SLOTS,
                             .readers_most = readers_most};
    board.readings = ct_allocate((size_t)CT_BOARD_SLOTS * readers_most, sizeof *board.readings);
    if (!board.readings)
        return CT_E_MEMORY;
    *ret_board = board;
    return CT_OK;
}

void ct_board_free(struct ct_board *board)
{
    free(board->readings);
    *board = (struct ct_board){0};
}

int ct_board_find(const struct ct_board *board, uint64_t group, size_t left)
{
    for (unsigned i = 0; i < board->slot_count; i++)
        if (board->slots[i].group == group && board->slots[i].left == left)
            return (int)i;
    return CT_BOARD_NO_SLOT;
}

static struct ct_board_reading *readings_of(const struct ct_board *board, int slot)
{
    return board->readings + (size_t)slot * board->readers_most;
}

int ct_board_take(struct ct_board *board, uint64_t group, size_t left)
{
    const int slot = (int)board->next;
    const struct ct_board_reading *readings = readings_of(board, slot);
    if (board->slot_count == 0)
        return CT_BOARD_NO_SLOT;
    for (unsigned i = 0; i < board->slots[slot].readers; i++)
        if (!ct_ring_has_taken(readings[i].ring, readings[i].cell))
            return CT_BOARD_NO_SLOT;
    board->slots[slot] = (struct ct_board_slot){.group = group, .left = left};
    board->next = (board->next + 1) % board->slot_count;
    return slot;
}

bool ct_board_add_reader(struct ct_board *board, int slot, struct ct_ring_side *ring)
{
    struct ct_board_slot *own = &board->slots[slot];
    if (own->readers == board->readers_most)
        return false;
    readings_of(board, slot)[own->readers++] = (struct ct_board_reading){ring, ring->cells + 1};
    return true;
}
