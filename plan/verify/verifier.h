/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_H
#define CT_PLAN_VERIFY_VERIFIER_H

#include "algorithms/method.h"

/* Verifies that the plans of all ranks together carry out a collective, for one size, root and set of counts,
 * by executing them symbolically: messages carry the origin of data instead of data. Every send waits for its
 * receive (rendezvous). As matching is static, more buffering never hurts, and the order in which ranks
 * advance does not matter. The cost depends on the number of steps, not on counts. */

/* Kinds of errors. */
enum ct_flaw {
    CT_FLAW_NONE,
    CT_FLAW_PLAN,       /* rounds do not cover the steps, or building failed */
    CT_FLAW_STEP,       /* unknown kind, local step of no length, reduction where nothing is reduced */
    CT_FLAW_PEER,       /* no such rank, or the rank itself */
    CT_FLAW_BOUNDS,     /* no such buffer or block, or beyond its end */
    CT_FLAW_SLOT,       /* slot unknown, taken twice, or never waited for */
    CT_FLAW_WRITE,      /* to CT_BUFFER_SEND, or to CT_BUFFER_RECV outside the result */
    CT_FLAW_UNDEFINED,  /* reads data that were never written, or the result is not complete */
    CT_FLAW_CONFLICT,   /* touches what a step in flight writes, or writes what one reads */
    CT_FLAW_LENGTH,     /* a message's send and receive differ in length */
    CT_FLAW_UNMATCHED,  /* a message that is never received, or never sent */
    CT_FLAW_DEADLOCK,   /* ranks wait for each other */
    CT_FLAW_MISPLACED,  /* other units than belong there, or of different positions combined */
    CT_FLAW_ORDER,      /* combined out of rank order */
    CT_FLAW_LOST,       /* the result lacks a rank's data or holds it more than once */
    CT_FLAW_UNEQUAL,    /* ranks compute the same result by different expressions */
    CT_FLAW_DEAD_STORE, /* stored, never read, and not the result */
    CT_FLAW_EARLY,      /* leaves a barrier before all have entered */
    CT_FLAWS
};

/* "deadlock", "dead store", ... */
extern const char *const ct_flaw_names[CT_FLAWS];

/* Traffic of one rank. */
struct ct_traffic {
    size_t messages; /* sent */
    size_t units;    /* sent */
};

struct ct_verdict {
    enum ct_flaw flaw; /* CT_FLAW_NONE: verified. Else where, counted from 0: */
    int rank;
    size_t round;
    size_t step; /* within the round */
    int peer;    /* -1 where none is involved */

    size_t steps;    /* of all ranks */
    size_t messages; /* sent by all ranks */
    size_t units;
    const struct ct_traffic *traffic; /* by rank; the verifier's, valid until its next verification */
};

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

struct ct_verifier;

/* A verifier keeps its memory between verifications. One thread uses it at a time. NULL without memory. */
struct ct_verifier *ct_verifier_new(void);
void ct_verifier_free(struct ct_verifier *verifier);

/* Verifies a method for one call of all ranks, see call.h. CT_OK and CT_E_ANSWER fill *ret_verdict;
 * CT_E_ANSWER, the plan is wrong, leaves one line in `error` that names rank, round and step. CT_E_INPUT
 * where the method has no plan; CT_E_MEMORY. */
int ct_verify(struct ct_verifier *verifier, const struct ct_method *method, const struct ct_call *call,
              struct ct_error *error, struct ct_verdict *ret_verdict);

/* The same, but plans that this verifier has verified before are not carried out again if all ranks' plans
 * and the task are equal (by 128 bits that depend on every step). Then `traffic` is NULL. */
int ct_verify_once(struct ct_verifier *verifier, const struct ct_method *method, const struct ct_call *call,
                   struct ct_error *error, struct ct_verdict *ret_verdict);

/* The same for plans that are there already, plans[rank], of any collective. */
int ct_verify_plans(struct ct_verifier *verifier, const struct ct_task *task, const struct ct_plan *plans,
                    struct ct_error *error, struct ct_verdict *ret_verdict);

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

/* The task of a collective in a call of all ranks, as ct_verify() uses it. CT_OK or CT_E_MEMORY. */
int ct_task_make(enum ct_collective collective, const struct ct_call *call, struct ct_task_memory *memory,
                 struct ct_task *ret_task);

#endif
