/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_TRIAL_H
#define CT_TESTS_TRIAL_H

#include "library/execute/executor.h"

/* A call with seeded data, whose result a serial oracle knows. What all ranks must agree on is drawn from the
 * seed, what each may choose for itself (types of one signature, places of blocks, the form) from seed and
 * rank. */

enum { RANKS_MOST = 128 };

/* Numbers from a seed. */
struct random {
    unsigned state;
};

unsigned draw(struct random *random, unsigned below);

struct trial {
    enum ct_collective collective;
    int rank, size, root;
    unsigned seed;
    bool asks_in_place;                /* all ranks that may be are */
    bool in_place;                     /* this one is */
    size_t count;                      /* ints of the mean block, or elements */
    size_t lengths[RANKS_MOST];        /* of blocks that vary, by rank; else `count` */
    struct ct_operands operands;       /* what to call with */
    const char *types;                 /* what this rank passes, for messages */
    const struct reduction_kind *kind; /* of a reduction */
};

/* What reductions are tried with: an operation and a type that it goes with. */
struct reduction_kind {
    const char *name;
    MPI_Op op;
    MPI_Datatype type;
    /* one element's bytes from random numbers; returns how many */
    size_t (*write)(struct random *random, void *element);
    size_t significant[2][2]; /* offset and length of what counts in an element; the rest is padding */
};

/* Types and operations; made once, behind MPI_Init. */
void trials_begin(void);
void trials_end(void);

size_t reduction_kind_count(void);
const struct reduction_kind *reduction_kind(size_t index);

/* Draws a call; `about` everything that is not the method. For a reduction `kind` says which. */
void trial_draw(struct trial *trial, enum ct_collective collective, int rank, int size, unsigned seed,
                size_t kind);

/* Makes a drawn call one of the large-count form, if it is not yet. */
void trial_use_large_form(struct trial *trial);

/* Before each call: input and junk. */
void trial_fill(struct trial *trial);
/* Behind it: is every byte as it should be, gaps and surroundings too? */
bool trial_right(const struct trial *trial);

/* --- the two kinds of trials --- */

void movement_draw(struct trial *trial, struct random *random);
void movement_fill(struct trial *trial);
bool movement_right(const struct trial *trial);
void movement_begin(void);
void movement_end(void);

void reduction_draw(struct trial *trial, struct random *random);
void reduction_fill(struct trial *trial);
bool reduction_right(const struct trial *trial);
void reduction_begin(void);
void reduction_end(void);

#endif
