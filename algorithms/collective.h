/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_COLLECTIVE_H
#define CT_ALGORITHMS_COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>

/* What is known of a collective operation as such, whatever carries it out. */

enum ct_collective {
    CT_BARRIER,
    CT_BCAST,
    CT_SCATTER,
    CT_SCATTERV,
    CT_GATHER,
    CT_GATHERV,
    CT_ALLGATHER,
    CT_ALLGATHERV,
    CT_ALLTOALL,
    CT_ALLTOALLV,
    CT_ALLTOALLW,
    CT_REDUCE,
    CT_REDUCE_SCATTER_BLOCK,
    CT_REDUCE_SCATTER,
    CT_ALLREDUCE,
    CT_SCAN,
    CT_EXSCAN,
    CT_COLLECTIVES
};

/* What a rank's input or result is made of. `count` units each, or, in v and w forms, as the counts say. */
enum ct_contents {
    CT_NOTHING,
    /* inputs */
    CT_OWN,   /* one block */
    CT_PARTS, /* a block for each rank, in rank order */
    /* results */
    CT_OF_ROOT,       /* the root's block */
    CT_PART_OF_ROOT,  /* the block that the root has for this rank */
    CT_OF_EACH,       /* each rank's block, in rank order */
    CT_PARTS_OF_EACH, /* the block that each rank has for this one, in rank order */
    CT_OF_ALL,        /* the reduction of all ranks' blocks, in rank order */
    CT_PART_OF_ALL,   /* the reduction of the blocks that all ranks have for this one */
    CT_OF_FIRST,      /* the reduction of the blocks of the ranks up to this one */
    CT_OF_EARLIER,    /* of those before this one; rank 0 has none */
    CT_CONTENTS
};

/* What MPI_IN_PLACE means. */
enum ct_in_place {
    CT_NEVER_IN_PLACE,
    CT_INPUT_IN_RESULT, /* there is no CT_SEND: the input lies in CT_RECV, where the result is to be, a vector
                           of parts at its beginning. Only where a rank has both */
    CT_RESULT_IN_INPUT, /* scatter: the root has no CT_RECV and leaves its own block where it is */
    CT_INPUT_SAVED      /* alltoall: whoever carries out the plan saves CT_RECV and lends it as CT_SEND */
};

struct ct_collective_description {
    const char *name;
    const char *text; /* one line for people */
    bool has_root;
    bool reduces;      /* counts in elements and takes an operation; else bytes */
    bool has_data;     /* there is something to send at all */
    bool has_size;     /* a message size that all ranks know decides beside the communicator */
    bool varies;       /* v and w forms: blocks differ in length */
    bool synchronizes; /* no rank may leave before all have entered */
    bool one_buffer;   /* bcast: input and result share CT_RECV */
    enum ct_in_place in_place;
    enum ct_contents input[2];  /* at the root and elsewhere */
    enum ct_contents result[2]; /* of CT_RECV, at the root and elsewhere */
};

/* By enum ct_collective. */
extern const struct ct_collective_description ct_collectives[CT_COLLECTIVES];

/* The collective of that name; CT_COLLECTIVES where there is none. */
enum ct_collective ct_collective_find(const char *name);

/* Does the contents count a block for every rank? */
bool ct_contents_are_many(enum ct_contents contents);

#endif
