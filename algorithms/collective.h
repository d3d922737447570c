/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_COLLECTIVE_H
#define CT_ALGORITHMS_COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>

/* What is known of a collective operation as such, whatever carries it out. */

enum ct_collective { CT_BARRIER, CT_BCAST, CT_REDUCE, CT_ALLREDUCE, CT_COLLECTIVES };

/* One call, as one rank's plan is written for it. All but rank and in_place is equal on all ranks. */
struct ct_call {
    int rank;
    int size;
    int root;                  /* 0 where the collective has none */
    size_t count;              /* of the whole buffer, or of one block, as the collective says, in units */
    size_t unit_bytes;         /* of one unit: 1, or in reductions the size of the datatype; >= 1 */
    bool in_place;             /* at this rank: no CT_SEND, the input lies in CT_RECV */
    bool commutative;          /* the operation; true where there is none */
    const size_t *send_counts; /* v and w forms: units by block; else NULL */
    const size_t *recv_counts;
    const size_t *values; /* of the method's parameters, in the order of its algorithm's description */
};

/* What the prover checks against. Input and result of `rank` are ranges of its buffers; the result is
 * described by whose input it holds, or the reduction of whose. */
enum ct_contents {
    CT_NOTHING,
    CT_OWN,     /* input: the rank's own data. Position p holds unit p of this rank */
    CT_OF_ROOT, /* result: position p holds unit p of the root's input */
    CT_OF_ALL   /* result: position p holds the reduction of all ranks' unit p, in rank order */
};

struct ct_collective_description {
    const char *name;
    const char *text; /* one line for people */
    bool has_root;
    bool reduces;               /* counts in elements and takes an operation; else bytes */
    bool has_size;              /* a message size decides beside the communicator */
    bool synchronizes;          /* no rank may leave before all have entered */
    enum ct_contents input[2];  /* of CT_SEND (CT_RECV in place and for bcast), at the root and elsewhere */
    enum ct_contents result[2]; /* of CT_RECV, at the root and elsewhere */
    bool one_buffer;            /* bcast: input and result share CT_RECV */
};

/* By enum ct_collective. */
extern const struct ct_collective_description ct_collectives[CT_COLLECTIVES];

/* The collective of that name; CT_COLLECTIVES where there is none. */
enum ct_collective ct_collective_find(const char *name);

#endif
