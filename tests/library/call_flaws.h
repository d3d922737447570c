/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_CALL_FLAWS_H
#define CT_TESTS_CALL_FLAWS_H

#include "library/execute/operands.h"
#include "plan/collective.h"

#include <stdbool.h>

/* The ways in which a call of a collective can be wrong, for the program `refused`. */

enum { RANKS_MOST = 16, LENGTH = 4 }; /* LENGTH ints are a block */

/* What the flaws are made of. */
struct material {
    MPI_Datatype uncommitted[RANKS_MOST], nulls[RANKS_MOST], ops[RANKS_MOST], block;
    MPI_Comm freed_comm, flat_comm;
    MPI_Count negative[RANKS_MOST]; /* also as ints */
};

/* Where this rank is, and what it calls. */
struct place {
    int rank, size, root;
    bool is_large; /* calls the large-count form */
    MPI_Comm comm;
    MPI_Comm comms[2]; /* of dense collectives, and of sparse ones: each rank is a neighbor of all */
    enum ct_collective collective;
    const struct ct_collective_description *about;
    struct material material;
};

/* What is wrong: arguments, or the communicator. */
enum flaw_of { FLAW_OF_ARGUMENTS, FLAW_OF_FLAT_COMM, FLAW_OF_NO_COMM, FLAW_OF_FREED_COMM };

enum { FLAWS = 23 };
extern const struct flaw {
    const char *name;
    bool (*concerns)(const struct place *place, int rank);                  /* its arguments */
    void (*spoil)(const struct place *place, struct ct_operands *operands); /* NULL: none of these */
    enum flaw_of of;
    unsigned beyond; /* collectives in which the MPI library itself does not survive it */
} flaws[FLAWS];

/* The communicator of a call with the flaw. */
MPI_Comm flawed_comm(const struct flaw *flaw, const struct place *place);

#endif
