/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_flaws.h"

/* --- ranks at which arguments count --- */

static bool has_data(const struct place *place, int rank)
{
    (void)rank;
    return place->about->has_data;
}

static bool has_root(const struct place *place, int rank)
{
    (void)rank;
    return place->about->has_root;
}

static bool reduces(const struct place *place, int rank)
{
    (void)rank;
    return place->about->reduces;
}

static bool any(const struct place *place, int rank)
{
    (void)place;
    (void)rank;
    return true;
}

static bool is_sparse(const struct place *place, int rank)
{
    (void)rank;
    return place->about->is_sparse;
}

static bool has_input(const struct place *place, int rank)
{
    return !place->about->one_buffer &&
           place->about->input[place->about->has_root && !(rank == place->root)] != CT_CONTENTS_NOTHING;
}

/* Rank 0 of an exscan has none. */
static bool has_result(const struct place *place, int rank)
{
    if (place->about->result[0] == CT_CONTENTS_OF_EARLIER && rank == 0)
        return false;
    return place->about->result[place->about->has_root && !(rank == place->root)] != CT_CONTENTS_NOTHING;
}

/* The root of scatter, the others of gather and reduce. */
static bool has_input_not_in_place(const struct place *place, int rank)
{
    bool is_scatter = place->about->in_place == CT_IN_PLACE_RESULT_IN_INPUT;
    return place->about->has_root && !place->about->one_buffer && (rank == place->root) == is_scatter;
}

static bool has_result_not_in_place(const struct place *place, int rank)
{
    bool is_scatter = place->about->in_place == CT_IN_PLACE_RESULT_IN_INPUT;
    return has_result(place, rank) && !(is_scatter && (rank == place->root));
}

static bool has_both(const struct place *place, int rank)
{
    return has_input(place, rank) && has_result(place, rank);
}

/* --- flaws --- */

static void negative_counts(const struct place *place, struct ct_operands *operands)
{
    struct ct_side *const sides[] = {&operands->send, &operands->recv};
    for (int i = 0; i < 2; i++) {
        sides[i]->count = (size_t)-1;
        sides[i]->counts = sides[i]->counts ? place->material.negative : NULL;
    }
}

static void set_types(struct ct_operands *operands, const MPI_Datatype types[RANKS_MOST])
{
    struct ct_side *const sides[] = {&operands->send, &operands->recv};
    for (int i = 0; i < 2; i++) {
        sides[i]->type = types[0];
        sides[i]->types = sides[i]->types ? types : NULL;
    }
}

static void null_types(const struct place *place, struct ct_operands *operands)
{
    set_types(operands, place->material.nulls);
}

/* Handles of something else. */
static void ops_as_types(const struct place *place, struct ct_operands *operands)
{
    set_types(operands, place->material.ops);
}

static void uncommitted_types(const struct place *place, struct ct_operands *operands)
{
    set_types(operands, place->material.uncommitted);
}

static void large_root(const struct place *place, struct ct_operands *operands)
{
    operands->root = place->size;
}

static void negative_root(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->root = -77;
}

static void null_send(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->send.buffer = NULL;
}

static void null_recv(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->recv.buffer = NULL;
}

static void in_place_send(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->send.buffer = MPI_IN_PLACE;
}

static void in_place_recv(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->recv.buffer = MPI_IN_PLACE;
}

/* This rank's own block at the same place in both. */
static void alias(const struct place *place, struct ct_operands *operands)
{
    bool is_scatter = place->about->result[0] == CT_CONTENTS_PART_OF_ROOT,
         is_gather = place->about->result[0] == CT_CONTENTS_OF_EACH;
    if (is_scatter)
        operands->recv.buffer = (int *)operands->send.buffer + LENGTH * place->rank;
    else
        operands->send.buffer = (int *)operands->recv.buffer + (is_gather ? LENGTH * place->rank : 0);
}

static void null_op(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->op = MPI_OP_NULL;
}

/* A handle of something else. */
static void type_as_op(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->op = (MPI_Op)MPI_INT;
}

static void band_of_doubles(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->op = MPI_BAND;
    operands->recv.type = MPI_DOUBLE;
}

static void sum_of_bytes(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->recv.type = MPI_BYTE;
}

static void largest_complex(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->op = MPI_MAX;
    operands->recv.type = MPI_C_DOUBLE_COMPLEX;
}

static void place_of_largest_int(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->op = MPI_MAXLOC;
}

static void sum_of_pairs(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->recv.type = MPI_DOUBLE_INT;
}

static void sum_of_blocks(const struct place *place, struct ct_operands *operands)
{
    operands->recv.type = place->material.block;
}

static void replace(const struct place *place, struct ct_operands *operands)
{
    (void)place;
    operands->op = MPI_REPLACE;
}

/* Collectives in which the MPI library itself does not survive a flaw, as found by running this program
 * without a tuned library. MPICH 4.0.2 uses what it has not looked at, such as neighbors that a communicator
 * does not have. Open MPI 4.1.4 does not look at buffers, reads the memory of communicators that are freed,
 * and takes types that are not committed where it receives. */
#define ONLY(collective) (1u << CT_COLLECTIVE_##collective)
#define ALL              (~0u)
#define SPARSE_V         (ONLY(NEIGHBOR_ALLGATHERV) | ONLY(NEIGHBOR_ALLTOALLV) | ONLY(NEIGHBOR_ALLTOALLW))
#define SPARSE           (SPARSE_V | ONLY(NEIGHBOR_ALLGATHER) | ONLY(NEIGHBOR_ALLTOALL))
#ifdef MPICH
#define BEYOND(mpich, openmpi) (mpich)
#else
#define BEYOND(mpich, openmpi) (openmpi)
#endif

const struct flaw flaws[FLAWS] = {
    {"negative counts", has_data, negative_counts, FLAW_OF_ARGUMENTS,
     BEYOND(ONLY(REDUCE) | ONLY(REDUCE_SCATTER_BLOCK) | ONLY(ALLREDUCE) | ONLY(SCAN) | ONLY(EXSCAN), 0)},
    {"no type", has_data, null_types, FLAW_OF_ARGUMENTS, 0},
    {"an operation as type", has_data, ops_as_types, FLAW_OF_ARGUMENTS, BEYOND(0, ALL)},
    {"a type that is not committed", has_data, uncommitted_types, FLAW_OF_ARGUMENTS, BEYOND(0, ALL)},
    {"a root beyond the last rank", has_root, large_root, FLAW_OF_ARGUMENTS, 0},
    {"a negative root", has_root, negative_root, FLAW_OF_ARGUMENTS, 0},
    {"no send buffer", has_input, null_send, FLAW_OF_ARGUMENTS, BEYOND(0, ALL)},
    {"no receive buffer", has_result, null_recv, FLAW_OF_ARGUMENTS, BEYOND(0, ALL)},
    {"MPI_IN_PLACE to send", has_input_not_in_place, in_place_send, FLAW_OF_ARGUMENTS,
     BEYOND(ONLY(GATHER) | ONLY(GATHERV) | ONLY(REDUCE), 0)},
    {"MPI_IN_PLACE to receive", has_result_not_in_place, in_place_recv, FLAW_OF_ARGUMENTS,
     BEYOND(ONLY(BCAST) | ONLY(SCATTER) | ONLY(SCATTERV) | SPARSE,
            ONLY(ALLTOALL) | ONLY(ALLREDUCE) | ONLY(EXSCAN) | ONLY(NEIGHBOR_ALLTOALL))},
    {"aliased buffers", has_both, alias, FLAW_OF_ARGUMENTS, BEYOND(0, ONLY(ALLREDUCE))},
    {"no operation", reduces, null_op, FLAW_OF_ARGUMENTS, 0},
    {"a type as operation", reduces, type_as_op, FLAW_OF_ARGUMENTS, BEYOND(0, ALL)},
    {"MPI_BAND of MPI_DOUBLE", reduces, band_of_doubles, FLAW_OF_ARGUMENTS, 0},
    {"MPI_SUM of MPI_BYTE", reduces, sum_of_bytes, FLAW_OF_ARGUMENTS, 0},
    {"MPI_MAX of MPI_C_DOUBLE_COMPLEX", reduces, largest_complex, FLAW_OF_ARGUMENTS, 0},
    {"MPI_MAXLOC of MPI_INT", reduces, place_of_largest_int, FLAW_OF_ARGUMENTS, 0},
    {"MPI_SUM of MPI_DOUBLE_INT", reduces, sum_of_pairs, FLAW_OF_ARGUMENTS, 0},
    {"MPI_SUM of a derived type", reduces, sum_of_blocks, FLAW_OF_ARGUMENTS, 0},
    {"MPI_REPLACE", reduces, replace, FLAW_OF_ARGUMENTS, 0},
    {"a communicator without neighbors", is_sparse, NULL, FLAW_OF_FLAT_COMM, BEYOND(SPARSE_V, 0)},
    {"no communicator", any, NULL, FLAW_OF_NO_COMM, BEYOND(0, ONLY(ALLGATHER) | ONLY(NEIGHBOR_ALLGATHER))},
    {"a communicator that is freed", any, NULL, FLAW_OF_FREED_COMM, BEYOND(SPARSE_V, ALL)},
};

MPI_Comm flawed_comm(const struct flaw *flaw, const struct place *place)
{
    switch (flaw->of) {
    case FLAW_OF_FLAT_COMM:
        return place->material.flat_comm;
    case FLAW_OF_FREED_COMM:
        return place->material.freed_comm;
    case FLAW_OF_NO_COMM:
        return MPI_COMM_NULL;
    default:
        return place->comm;
    }
}
