/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALGORITHM_H
#define CT_ALGORITHMS_ALGORITHM_H

#include "algorithms/collective.h"
#include "algorithms/plan.h"

/* The one description of an algorithm. Listings, dispatch, sweep, class names, proofs and generated code
 * derive from it; nothing repeats it. */

/* What a call must be for the algorithm to apply; all of it equal on all ranks. */
enum ct_constraint {
    CT_COMMUTATIVE = 1 << 0,  /* the operation commutes */
    CT_POWER_OF_TWO = 1 << 1, /* the communicator's size is one */
    CT_EVEN = 1 << 2          /* the communicator's size is even */
};

struct ct_constraint_description {
    enum ct_constraint constraint;
    const char *name; /* as `colltune list` shows it */
    bool (*holds)(const struct ct_call *call);
};

/* All constraints, ended by an entry whose name is NULL. */
extern const struct ct_constraint_description ct_constraints[];

enum { CT_PARAMETERS_MAX = 4 };

/* A number inside an algorithm. */
struct ct_parameter {
    const char *name;
    const char *text;
    size_t least;
    size_t most;
    size_t standard;   /* what it is where a method does not name it; then it is not spelled either */
    bool in_bytes;     /* a size: written with K, M, G */
    const char *sweep; /* list of values a sweep tries */
};

struct ct_algorithm {
    const char *name;
    enum ct_collective collective;
    const char *text;                                         /* one line */
    const char *source;                                       /* where it is described */
    const char *cost;                                         /* alpha-beta-gamma, as the card in its file */
    unsigned constraints;                                     /* of enum ct_constraint */
    const struct ct_parameter *parameters[CT_PARAMETERS_MAX]; /* NULL behind the last */
    /* Writes one rank's plan; NULL in `native`, which the MPI library carries out. */
    void (*build)(struct ct_plan *plan, const struct ct_call *call);
};

/* The registry: all algorithms in the order that ids and ties follow, by collective, `native` first. */
extern const struct ct_algorithm *const ct_algorithms[];
extern const size_t ct_algorithm_count;

/* The segment size, common to all that cut messages: 0 does not cut. */
extern const struct ct_parameter ct_segment_parameter;
/* Fan-out of a tree or number of chains. */
extern const struct ct_parameter ct_radix_parameter;

/* The algorithm of that name; NULL where there is none. */
const struct ct_algorithm *ct_algorithm_find(enum ct_collective collective, const char *name);

/* Does it apply to this call? *ret_failed (may be NULL) is the first constraint that does not hold. */
bool ct_algorithm_applies(const struct ct_algorithm *algorithm, const struct ct_call *call,
                          const struct ct_constraint_description **ret_failed);

/* How many parameters it has. */
int ct_algorithm_parameter_count(const struct ct_algorithm *algorithm);

#endif
