/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALGORITHM_H
#define CT_ALGORITHMS_ALGORITHM_H

#include "algorithms/parameter.h"
#include "plan/call.h"
#include "plan/plan.h"

/* What is known of an algorithm: where it stands in the registry, and its descriptor. Listings, dispatch,
 * sweep, class names, proofs and generated code derive from there; nothing repeats it. */

/* What a call must be for the algorithm to apply; all of it equal on all ranks. */
enum ct_constraint {
    CT_CONSTRAINT_COMMUTATIVE = 1 << 0,  /* the operation commutes */
    CT_CONSTRAINT_POWER_OF_TWO = 1 << 1, /* the communicator's size is one */
    CT_CONSTRAINT_EVEN = 1 << 2,         /* the communicator's size is even */
    CT_CONSTRAINT_NODES_KNOWN = 1 << 3   /* several nodes, one at least with several ranks */
};

struct ct_constraint_description {
    enum ct_constraint constraint;
    const char *name; /* as `colltune list` shows it */
    bool (*holds)(const struct ct_call *call);
};

/* All constraints, ended by an entry whose name is NULL. */
extern const struct ct_constraint_description ct_constraints[];

/* What is sent in a call, as formulas in P (ranks), m (bytes of the message size, a multiple of P and of the
 * segments), S (segments that m is cut into), n (ranks on a node, all alike) and the parameters by name; root
 * 0, nobody in place. Beside muParser's own functions there are lg(P), the rounded up logarithm to base 2,
 * lgr(radix, P), that to any base, power(radix, P), the largest power of the radix up to P, digits(radix, P),
 * how many digits other than 0 the numbers below P have to that base, ceil(x), floor(x), and odd(P), 0 where
 * P is a power of two and 1 elsewhere. Exact where P is a power of two; for other P bounds from above. */
struct ct_traffic_formulas {
    const char *rank_messages; /* of the rank that sends the most of them */
    const char *rank_bytes;    /* of the rank that sends the most of them */
    const char *messages;      /* of all ranks together */
    const char *bytes;
};

/* The one description of an algorithm, in its file, for all collectives that it carries out. */
struct ct_descriptor {
    const char *text;   /* one line */
    const char *source; /* where it is described */
    const char *cost;   /* alpha-beta-gamma, as in the comment that begins the file */
    struct ct_traffic_formulas sends;
    unsigned constraints;                                     /* of enum ct_constraint */
    const struct ct_parameter *parameters[CT_PARAMETERS_MAX]; /* NULL behind the last */
    /* Writes one rank's plan; NULL in `native`, which the MPI library carries out. */
    void (*build)(struct ct_plan *plan, const struct ct_call *call);
};

struct ct_algorithm {
    enum ct_collective collective;
    const char *name;
    const struct ct_descriptor *descriptor;
};

/* The registry: all algorithms in the order that ids and ties follow, by collective, `native` first. */
extern const struct ct_algorithm ct_algorithms[];
extern const size_t ct_algorithm_count;

/* The algorithm of that name; NULL where there is none. */
const struct ct_algorithm *ct_algorithm_find(enum ct_collective collective, const char *name);

/* Is it the MPI library's own? */
static inline bool ct_is_native(const struct ct_algorithm *algorithm)
{
    return !algorithm->descriptor->build;
}

/* How many parameters the algorithm has. */
int ct_parameter_count(const struct ct_descriptor *descriptor);

/* Do all of these constraints (a set of enum ct_constraint) hold for the call? *ret_failed (may be NULL) is
 * the first that does not. */
bool ct_constraints_hold(unsigned constraints, const struct ct_call *call,
                         const struct ct_constraint_description **ret_failed);

/* The card of the algorithm of `collective` that a parameter's value names. */
const struct ct_descriptor *ct_descriptor_named(size_t value, enum ct_collective collective);

/* Writes the plan of an inner call by `inner`, which stands for a part of `outer`'s work: it takes the values
 * of those parameters that both have, and the standard ones else. */
void ct_inner_build(struct ct_plan *plan, const struct ct_descriptor *outer, const struct ct_call *outer_call,
                    const struct ct_descriptor *inner, struct ct_call *inner_call);

#endif
