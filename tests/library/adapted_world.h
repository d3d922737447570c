/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_LIBRARY_ADAPTED_WORLD_H
#define CT_TESTS_LIBRARY_ADAPTED_WORLD_H

#include "library/adapt/adapted_calls.h"

/* Calls of several classes whose methods are chosen while the application runs, by simulated ranks, each with
 * the calls of a communicator. Their messages, clocks and the methods of the tuner are simulated, too. */

enum {
    WORLD_RANKS = 3,
    KINDS = 8,
    METHODS = 8,
    NOTED = 1000 /* calls of a kind, before others are tried anew */
};

/* Calls that are alike. */
struct kind {
    enum ct_collective collective;
    size_t bytes;
    unsigned weight; /* how often it is called, against the others */
    double seconds[METHODS];

    unsigned calls;
    unsigned last_use[METHODS]; /* the number of the last call, from 1 */
    unsigned used[NOTED];       /* the methods of the first calls */
    double spent;               /* seconds, without noise */
    struct ct_choice *last;     /* of the last call */
};

struct world {
    struct kind kinds[KINDS];
    double noise;   /* the greatest share by which a rank's call takes longer */
    unsigned burst; /* so many calls of each of the first two kinds in turn; 0: all in random order */
    bool by_model;
    bool is_selfish; /* for trials that must fail: the last rank learns its own times only */
    size_t unfit;    /* number of a method that does not apply to calls of `unfit_bytes`; 0: all apply */
    size_t unfit_bytes;

    bool has_parted;  /* the ranks have chosen differently, or do not agree at the same time */
    unsigned passed;  /* calls that a rank has passed, and some rank has not */
    unsigned classes; /* that have ended, at all ranks */
    unsigned settled;
    unsigned changed; /* to another method than the table's */
    unsigned untimed; /* of the changed ones those that tell no time of the table's method */
    uint64_t random;
    struct ct_adapted_calls *calls[WORLD_RANKS];
};

/* Begins a world, of which there is one at a time, with random numbers of its own. */
void begin_world(struct world *world, uint64_t seed);
/* Its classes end. */
void end_world(struct world *world);

/* All ranks carry out a call of this kind. */
void call_kind(struct world *world, struct kind *kind);
/* Carries out so many calls of a kind. */
void call_often(struct world *world, struct kind *kind, unsigned calls);
/* Carries out calls until this kind, or each if it is NULL, has had so many more. */
void run_world(struct world *world, const struct kind *one, unsigned more);

/* Seconds of the fastest method. */
double best_of(const struct kind *kind);
/* Seconds of a call since then. */
double mean_since(const struct kind *kind, const struct kind *then);

#endif
