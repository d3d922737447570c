/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_TASK_H
#define CT_PLAN_VERIFY_VERIFIER_TASK_H

#include <stdbool.h>
#include <stddef.h>

/* A range of a user's buffer, laid end to end where it is made of blocks, and what belongs there. */
struct ct_piece {
    size_t offset;
    size_t n;
    int origin;  /* result: the rank whose input it is; unused in inputs */
    int ranks;   /* result: 0, or it is the reduction of the input of so many ranks, from `origin` on */
    size_t unit; /* position `offset` holds this unit of the origin's input, the next the next */
};

/* One rank's buffers, and what the collective makes of them. Everything is the caller's. */
struct ct_share {
    struct {
        size_t length; /* in units; 0 where there is none */
        const size_t
            *blocks; /* where each begins, laid end to end, and the length; NULL: not made of blocks */
        size_t block_count;
    } buffers[2];          /* CT_BUFFER_SEND, CT_BUFFER_RECV */
    unsigned input_buffer; /* CT_BUFFER_SEND or CT_BUFFER_RECV */
    const struct ct_piece *inputs;
    size_t input_count;
    const struct ct_piece
        *results; /* in CT_BUFFER_RECV, by rising offset; nothing else of CT_BUFFER_RECV may be written */
    size_t result_count;
};

/* The result that plans must achieve. */
struct ct_task {
    int size;
    bool reduces;
    bool commutative;              /* operands may be in any order */
    bool same_result;              /* all ranks must have computed the same expression, up to commuting */
    bool synchronizes;             /* no rank leaves before all have entered */
    const struct ct_share *shares; /* by rank */
};

/* Memory that a task points to; all zeroes at first, and reused from task to task. */
struct ct_task_memory {
    struct ct_share *shares;
    size_t share_capacity;
    struct ct_piece *pieces;
    size_t piece_capacity;
    size_t *begins;
    size_t begin_capacity;
};

void ct_task_memory_free(struct ct_task_memory *memory);

#endif
