/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_PLAN_H
#define CT_PLAN_PLAN_H

#include "base/error.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A plan is what one rank does in one call of a collective: rounds of sends, receives and local work on
 * slices of buffers. An algorithm is a function that writes it; executor, verifier, evaluator and explanation
 * read it. It knows nothing of MPI.
 *
 * Rounds follow one another. A round first waits for the deferred steps that it names, then posts its
 * communication in list order, then does its local steps in list order, then waits for what it posted -
 * except for deferred steps, which are waited for by a later round or at the end of the plan. A step in
 * flight must not touch what another step in flight or a local step writes; local steps of one round may
 * depend on each other; what local work produces is sent in a later round.
 *
 * Between two ranks the k-th send meets the k-th receive, so the order of posting to one peer is part of the
 * plan, and one tag serves a whole call. Plans must not rely on buffering: every send may wait for its
 * receive.
 *
 * Units. Collectives that only move data count in bytes of the type signature, reductions in elements. In v
 * and w forms the user's buffers are made of blocks, and a slice lies in one of them. Temporary buffers count
 * in the same units and have no blocks. */

enum ct_buffer {
    CT_BUFFER_SEND,     /* the user's input; absent in place, and in bcast and barrier */
    CT_BUFFER_RECV,     /* the user's result; bcast's only buffer; holds the input in place */
    CT_BUFFER_TEMPORARY /* the first of the plan's own buffers, see ct_temporary() */
};

enum { CT_BUFFERS_MAX = 64 };

/* Algorithms write sends and receives. The kinds of receives after them come from ct_plan_fuse(), see fuse.h:
 * they combine a message with data that this rank has while it arrives. Until the step has been waited for,
 * `buffer` is written, and LOWER's `buffer` and UPPER's `other` are read. They stand in reductions alone,
 * where no buffer has blocks. */
enum ct_step_kind {
    CT_STEP_SEND,
    CT_STEP_RECEIVE,
    CT_STEP_RECEIVE_LOWER, /* buffer[offset] = message op buffer[offset], lower ranks in the message */
    CT_STEP_RECEIVE_UPPER, /* buffer[offset] = other[other_offset] op message, lower ranks in other */
    CT_STEP_COPY,          /* other[other_offset] = buffer[offset] */
    CT_STEP_REDUCE, /* other[other_offset] = buffer[offset] op other[other_offset], lower ranks in buffer */
    CT_STEP_WAIT    /* for the deferred step that holds this slot */
};

/* When a communication step is waited for (its `until`): at the end of its round, at the end of the plan, or,
 * any other value being its slot, before the round that holds the WAIT step of that slot. */
enum { CT_ROUND_END = 0, CT_PLAN_END = 0xffff };

struct ct_step {
    unsigned kind : 4;
    unsigned buffer : 6;
    unsigned other : 6; /* copy and reduce: the destination; receive upper: the first operand; send: see
                           share_sends.h, else 0 */
    unsigned until : 16;
    int32_t peer;  /* send and receive: rank in the communicator; copy: block of the user's buffers */
    size_t offset; /* of the slice in `buffer`, within its block where the buffer has blocks */
    size_t n;      /* length of the slice in units; 0 only in a token, a message without data */
    union {
        size_t other_offset; /* copy, reduce, receive upper */
        size_t block;        /* send and receive in v and w forms, else 0 */
    };
};

_Static_assert(sizeof(struct ct_step) == 32, "a step is half a cache line");

static inline bool ct_step_is_message(const struct ct_step *step)
{
    return step->kind <= CT_STEP_RECEIVE_UPPER;
}

static inline bool ct_step_is_receive(const struct ct_step *step)
{
    return ct_step_is_message(step) && step->kind != CT_STEP_SEND;
}

/* Does it receive and reduce? */
static inline bool ct_step_is_fused(const struct ct_step *step)
{
    return step->kind == CT_STEP_RECEIVE_LOWER || step->kind == CT_STEP_RECEIVE_UPPER;
}

/* Is it work without a message? */
static inline bool ct_step_is_local(const struct ct_step *step)
{
    return step->kind == CT_STEP_COPY || step->kind == CT_STEP_REDUCE;
}

struct ct_round {
    size_t end;      /* index of the step after the round's last */
    unsigned window; /* most communication steps outstanding at once; 0 sets no bound */
};

struct ct_view;
struct ct_scratch;

/* A plan that is being written or complete. All zeroes is an empty plan; ct_plan_reset() reuses its
 * memory. */
struct ct_plan {
    struct ct_step *steps;
    size_t step_count;
    size_t step_capacity;
    size_t round_begin; /* index of the first step of the round being written */
    struct ct_round *rounds;
    size_t round_count;
    size_t round_capacity;
    unsigned buffer_count;
    const struct ct_view *view; /* of the sub-plan being written */
    int status;                 /* the first failure while building; CT_OK */
    unsigned window;            /* of the round being written */

    uint16_t *free_slots; /* slots that may be handed out again */
    size_t free_slot_count;
    size_t free_slot_capacity;
    unsigned slot_count; /* slots ever handed out: 1 .. slot_count */

    /* Long plans: called as a round closes with at least `drain_at` steps queued, to carry out all that is
     * queued; then it is forgotten and its space used again. NULL keeps the whole plan. */
    int (*drain)(struct ct_plan *plan, void *context);
    void *drain_context;
    size_t drain_at;

    size_t temporary[CT_BUFFERS_MAX]; /* length in units of buffers CT_BUFFER_TEMPORARY and up, by buffer
                                         number */
    struct ct_scratch *scratch;       /* see ct_scratch(), the latest first */
};

/* Empties the plan and keeps its memory and its drain. */
void ct_plan_reset(struct ct_plan *plan);
void ct_plan_free(struct ct_plan *plan);
/* Copies the rounds and steps of a finished plan, in no more memory than they need, to be carried out later.
 * CT_OK or CT_E_MEMORY; ct_plan_free() frees. */
int ct_plan_copy(const struct ct_plan *plan, struct ct_plan *ret_copy);
/* The same in one piece of memory, to which nothing can be added; free() frees. NULL without memory. */
struct ct_plan *ct_plan_clone(const struct ct_plan *plan);
/* Writes a finished plan, whose blocks are at most one, with all lengths and places multiplied; the products
 * must fit. CT_OK, CT_E_LIMIT or CT_E_MEMORY. */
int ct_plan_scale(const struct ct_plan *one, size_t factor, struct ct_plan *plan);
/* Closes the last round; returns the plan's status. */
int ct_plan_finish(struct ct_plan *plan);

/* --- what algorithms call; failures collect in plan->status --- */

/* Part of a buffer, in units; `block` counts where the buffer is made of blocks, `offset` then lies within
 * it. */
struct ct_slice {
    unsigned buffer;
    size_t block;
    size_t offset;
    size_t n;
};

enum ct_deferral { CT_DEFERRAL_IN_ROUND, CT_DEFERRAL_LATER, CT_DEFERRAL_AT_END };

/* Writes a send or receive. Slices of zero units are dropped. CT_DEFERRAL_LATER: returns the slot that one
 * ct_wait() of a later round must name, 0 where the step was dropped; otherwise returns 0. */
unsigned ct_post(struct ct_plan *plan, enum ct_step_kind kind, int peer, struct ct_slice slice,
                 enum ct_deferral deferral);

/* A message that is waited for in its round. */
static inline void ct_send_slice(struct ct_plan *plan, int peer, struct ct_slice slice)
{
    ct_post(plan, CT_STEP_SEND, peer, slice, CT_DEFERRAL_IN_ROUND);
}

static inline void ct_receive_slice(struct ct_plan *plan, int peer, struct ct_slice slice)
{
    ct_post(plan, CT_STEP_RECEIVE, peer, slice, CT_DEFERRAL_IN_ROUND);
}

/* The usual: a slice of a buffer without blocks, waited for in its round. In line, since every call of every
 * collective comes through here. */
static inline void ct_post_plain(struct ct_plan *plan, enum ct_step_kind kind, int peer, unsigned buffer,
                                 size_t offset, size_t n)
{
    assert(buffer < CT_BUFFERS_MAX);
    if (n == 0)
        return;
    if (plan->view || plan->step_count == plan->step_capacity) {
        ct_post(plan, kind, peer, (struct ct_slice){.buffer = buffer, .offset = offset, .n = n},
                CT_DEFERRAL_IN_ROUND);
        return;
    }
    plan->steps[plan->step_count++] = (struct ct_step){
        .kind = kind, .buffer = buffer & (CT_BUFFERS_MAX - 1), .peer = peer, .offset = offset, .n = n};
}

static inline void ct_send(struct ct_plan *plan, int peer, unsigned buffer, size_t offset, size_t n)
{
    ct_post_plain(plan, CT_STEP_SEND, peer, buffer, offset, n);
}

static inline void ct_receive(struct ct_plan *plan, int peer, unsigned buffer, size_t offset, size_t n)
{
    ct_post_plain(plan, CT_STEP_RECEIVE, peer, buffer, offset, n);
}

/* Messages without data: barriers, green lights. Always kept. */
void ct_send_token(struct ct_plan *plan, int peer);
void ct_receive_token(struct ct_plan *plan, int peer);

/* The round being written begins by waiting for the step that holds `slot`; 0 does nothing. */
void ct_wait(struct ct_plan *plan, unsigned slot);

/* A copy between slices where blocks matter: both lie in blocks of one number, or one of the buffers has none
 * (its slice then says block 0). from.n counts. */
void ct_copy_slice(struct ct_plan *plan, struct ct_slice to, struct ct_slice from);

void ct_copy(struct ct_plan *plan, unsigned to, size_t to_offset, unsigned from, size_t from_offset,
             size_t n);
/* to = from op to, lower ranks in `from`. */
void ct_reduce(struct ct_plan *plan, unsigned to, size_t to_offset, unsigned from, size_t from_offset,
               size_t n);

/* A temporary buffer of n units, which lasts to the end of the plan. Returns its number. */
unsigned ct_temporary(struct ct_plan *plan, size_t n);

/* Zeroed memory for the algorithm's own tables, which lasts until the plan is reset; NULL and a failed plan
 * where there is none. */
void *ct_scratch(struct ct_plan *plan, size_t count, size_t size);

/* Bounds what the round being written has outstanding. */
void ct_window(struct ct_plan *plan, unsigned window);
/* Ends the round being written, which holds a step. */
void ct_round_close(struct ct_plan *plan);
/* Ends the round being written; an empty one vanishes. */
static inline void ct_round_end(struct ct_plan *plan)
{
    if (plan->step_count > plan->round_begin)
        ct_round_close(plan);
}

/* --- plans made of plans --- */

/* How a sub-plan sees the plan around it: its ranks and its SEND and RECV. Temporary buffers are its own. */
struct ct_view {
    const int *peers; /* rank outside by rank inside; NULL where they are the same */
    struct {
        unsigned buffer;
        size_t offset;
        const size_t *blocks; /* where each block begins, counted from `offset`; NULL: it has none */
    } map[2]; /* what CT_BUFFER_SEND and CT_BUFFER_RECV are outside: buffers without blocks there, unless
                 they stand for themselves */
    const struct ct_view *outer; /* set by ct_view_enter() */
};

/* Between the two, steps are written as `view`, which the caller keeps, sees them; views nest. Both end the
 * round being written. */
void ct_view_enter(struct ct_plan *plan, struct ct_view *view);
void ct_view_leave(struct ct_plan *plan);

#endif
