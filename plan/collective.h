/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_COLLECTIVE_H
#define CT_PLAN_COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>

/* Collective operations, independent of the algorithms that carry them out. */

enum ct_collective {
    CT_COLLECTIVE_BARRIER,
    CT_COLLECTIVE_BCAST,
    CT_COLLECTIVE_SCATTER,
    CT_COLLECTIVE_SCATTERV,
    CT_COLLECTIVE_GATHER,
    CT_COLLECTIVE_GATHERV,
    CT_COLLECTIVE_ALLGATHER,
    CT_COLLECTIVE_ALLGATHERV,
    CT_COLLECTIVE_ALLTOALL,
    CT_COLLECTIVE_ALLTOALLV,
    CT_COLLECTIVE_ALLTOALLW,
    CT_COLLECTIVE_REDUCE,
    CT_COLLECTIVE_REDUCE_SCATTER_BLOCK,
    CT_COLLECTIVE_REDUCE_SCATTER,
    CT_COLLECTIVE_ALLREDUCE,
    CT_COLLECTIVE_SCAN,
    CT_COLLECTIVE_EXSCAN,
    CT_COLLECTIVE_NEIGHBOR_ALLGATHER,
    CT_COLLECTIVE_NEIGHBOR_ALLGATHERV,
    CT_COLLECTIVE_NEIGHBOR_ALLTOALL,
    CT_COLLECTIVE_NEIGHBOR_ALLTOALLV,
    CT_COLLECTIVE_NEIGHBOR_ALLTOALLW,
    CT_COLLECTIVE_EXCHANGE,
    CT_COLLECTIVES,
    /* Those before are dense: each rank may exchange data with any other one. Runs and tables have dense
     * collectives alone. */
    CT_DENSE_COLLECTIVES = CT_COLLECTIVE_NEIGHBOR_ALLGATHER,
    /* MPI has those before. */
    CT_MPI_COLLECTIVES = CT_COLLECTIVE_EXCHANGE
};

/* Contents of a rank's input or result, in blocks of `count` units each, or, in v and w forms, of the given
 * counts. */
enum ct_contents {
    CT_CONTENTS_NOTHING,
    /* inputs */
    CT_CONTENTS_OWN,                    /* one block */
    CT_CONTENTS_PARTS,                  /* a block for each rank, in rank order */
    CT_CONTENTS_PARTS_FOR_DESTINATIONS, /* a block for each destination, in their order */
    /* results */
    CT_CONTENTS_OF_ROOT,          /* the root's block */
    CT_CONTENTS_PART_OF_ROOT,     /* the block that the root has for this rank */
    CT_CONTENTS_OF_EACH,          /* each rank's block, in rank order */
    CT_CONTENTS_PARTS_OF_EACH,    /* the block that each rank has for this one, in rank order */
    CT_CONTENTS_OF_ALL,           /* the reduction of all ranks' blocks, in rank order */
    CT_CONTENTS_PART_OF_ALL,      /* the reduction of the blocks that all ranks have for this one */
    CT_CONTENTS_OF_FIRST,         /* the reduction of the blocks of the ranks up to this one */
    CT_CONTENTS_OF_EARLIER,       /* of those before this one; rank 0 has none */
    CT_CONTENTS_OF_SOURCES,       /* each source's block, in their order */
    CT_CONTENTS_PARTS_OF_SOURCES, /* the block that each source has for this rank, in their order */
    CT_CONTENTS
};

/* The meaning of MPI_IN_PLACE. */
enum ct_in_place {
    CT_IN_PLACE_NEVER,
    CT_IN_PLACE_INPUT_IN_RESULT, /* there is no CT_BUFFER_SEND: the input lies in CT_BUFFER_RECV, where the
                           result is to be, a vector of parts at its beginning. Only where a rank has both */
    CT_IN_PLACE_RESULT_IN_INPUT, /* scatter: the root has no CT_BUFFER_RECV and leaves its own block where it
                                    is */
    CT_IN_PLACE_INPUT_SAVED      /* alltoall: the executor copies CT_BUFFER_RECV and passes the copy as
                                    CT_BUFFER_SEND */
};

struct ct_collective_description {
    const char *name;
    const char *text; /* one line for people */
    bool has_root;
    bool reduces;       /* counts in elements and takes an operation; else bytes */
    bool has_data;      /* there is something to send at all */
    bool has_size;      /* decisions depend on a message size that all ranks know */
    bool varies;        /* v and w forms: blocks differ in length */
    bool synchronizes;  /* no rank may leave before all have entered */
    bool one_buffer;    /* bcast: input and result share CT_BUFFER_RECV */
    bool is_sparse;     /* each rank exchanges data with its neighbors alone, see plan/neighbors.h */
    bool finds_sources; /* ranks do not know from whom they receive */
    enum ct_in_place in_place;
    enum ct_contents input[2];  /* at the root and elsewhere */
    enum ct_contents result[2]; /* of CT_BUFFER_RECV, at the root and elsewhere */
};

/* By enum ct_collective. */
extern const struct ct_collective_description ct_collectives[CT_COLLECTIVES];

/* Is this another rank than the root? That is the index of `input` and `result`. */
static inline bool ct_is_elsewhere(const struct ct_collective_description *about, int rank, int root)
{
    return about->has_root && rank != root;
}

/* The collective of that name; CT_COLLECTIVES where there is none. */
enum ct_collective ct_collective_find(const char *name);

/* Units of the block that a rank has for another one in measured and predicted calls: the mean, or, in v and
 * w forms, alternately half as much and half as much again. */
size_t ct_block_length(enum ct_collective collective, size_t mean, int from, int to, int size);

/* Does the contents count a block for every rank? */
static inline bool ct_contents_are_many(enum ct_contents contents)
{
    return contents == CT_CONTENTS_PARTS || contents == CT_CONTENTS_OF_EACH ||
           contents == CT_CONTENTS_PARTS_OF_EACH;
}

#endif
