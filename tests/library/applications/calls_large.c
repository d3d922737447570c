/* SPDX-License-Identifier: BSD-3-Clause */
/* What only large-count forms can say: counts and displacements above INT_MAX, with little memory; and both
 * forms of calls that repeat. */
#include "tests/library/applications/calls.h"
#include "tests/library/trial.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { BLOCK = 8, FEW = 3, TURNS = 6 };

static const MPI_Count many = (MPI_Count)INT_MAX + 9;

/* The lengths and places of a v or w form's blocks. */
struct blocks {
    MPI_Count counts[RANKS_MOST];
    MPI_Aint displacements[RANKS_MOST];
    MPI_Datatype types[RANKS_MOST];
};

static void set_blocks(struct blocks *blocks, MPI_Count count, MPI_Aint distance, MPI_Datatype type)
{
    for (int i = 0; i < RANKS_MOST; i++) {
        blocks->counts[i] = count;
        blocks->displacements[i] = i * distance;
        blocks->types[i] = type;
    }
}

static struct ct_side make_side(enum ct_collective collective, enum ct_contents contents, void *buffer,
                                const struct blocks *blocks)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    struct ct_side side = {.buffer = contents == CT_CONTENTS_NOTHING ? NULL : buffer,
                           .count = (size_t)blocks->counts[0],
                           .type = blocks->types[0],
                           .is_large = true};
    if (about->varies && (about->reduces || ct_contents_are_many(contents))) {
        side.counts = blocks->counts;
        side.displacements = about->reduces ? NULL : blocks->displacements;
        side.types = collective == CT_COLLECTIVE_ALLTOALLW ? blocks->types : NULL;
    }
    return side;
}

/* A call with root 0 whose blocks, both ways, are `blocks`. */
static struct ct_operands make_operands(enum ct_collective collective, int rank, void *send, void *recv,
                                        const struct blocks *blocks)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    bool elsewhere = about->has_root && rank != 0;
    enum ct_contents result = about->reduces ? CT_CONTENTS_OF_ALL : about->result[elsewhere];
    return (struct ct_operands){.send = make_side(collective, about->input[elsewhere], send, blocks),
                                .recv = make_side(collective, result, recv, blocks)};
}

/* --- many elements without bytes --- */

static void combine_nothing(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)in;
    (void)inout;
    (void)count;
    (void)type;
}

/* Where counts may differ at the two ends of a message, every second rank calls the other form. */
static void call_with_many(struct calls *calls, enum ct_collective collective, int rank,
                           const struct blocks *blocks, MPI_Op op)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    char send[BLOCK] = "send", recv[BLOCK] = "recv";
    struct ct_operands operands = make_operands(collective, rank, send, recv, blocks);
    operands.op = op;
    if (!about->reduces && !about->varies && rank % 2 == 1) {
        operands.send.is_large = operands.recv.is_large = false;
        operands.send.count = operands.recv.count = FEW;
    }
    int code = calls_call(collective, &operands, MPI_COMM_WORLD);
    calls->made[collective]++;
    if (code != MPI_SUCCESS || send[0] != 's' || recv[0] != 'r')
        calls_wrong(calls, "%s of many elements without bytes: MPI error or wrong result", about->name);
}

/* MPICH 4.0.2 itself counts in int in some of its reductions. */
static bool can_have_many(const struct calls *calls, enum ct_collective collective, int size)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    return about->has_data && (!about->reduces || (calls->all_tuned && size > 1));
}

static void call_all_with_many(struct calls *calls, int rank, int size)
{
    static struct blocks blocks;
    MPI_Datatype empty;
    MPI_Op op;
    MPI_Type_contiguous(0, MPI_BYTE, &empty);
    MPI_Type_commit(&empty);
    MPI_Op_create(combine_nothing, 1, &op);
    set_blocks(&blocks, many, 0, empty);
    for (int c = 0; c < CT_DENSE_COLLECTIVES; c++)
        if (can_have_many(calls, (enum ct_collective)c, size))
            call_with_many(calls, (enum ct_collective)c, rank, &blocks, op);
    MPI_Op_free(&op);
    MPI_Type_free(&empty);
}

/* --- blocks that lie far apart --- */

/* Memory of which only what is touched exists. */
static char *map_room(size_t length)
{
    void *room =
        mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        perror("calls: mmap");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return room;
}

static char byte_at(int from, int to, int position)
{
    return (char)(1 + 41 * from + 7 * to + position);
}

static void call_far_apart(struct calls *calls, enum ct_collective collective, int rank, int size,
                           const struct blocks *blocks)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    bool elsewhere = about->has_root && rank != 0, parts = about->input[0] == CT_CONTENTS_PARTS, right;
    int inputs = ct_contents_are_many(about->input[elsewhere]) ? size : 1;
    int results = about->result[elsewhere] == CT_CONTENTS_NOTHING  ? 0
                  : ct_contents_are_many(about->result[elsewhere]) ? size
                                                                   : 1;
    size_t length = (size_t)blocks->displacements[size];
    char *send = map_room(length), *recv = map_room(length);
    for (int i = 0; i < inputs; i++)
        for (int k = 0; k < BLOCK; k++)
            send[blocks->displacements[i] + k] = byte_at(rank, parts ? i : 0, k);
    const struct ct_operands operands = make_operands(collective, rank, send, recv, blocks);
    right = calls_call(collective, &operands, MPI_COMM_WORLD) == MPI_SUCCESS;
    calls->made[collective]++;
    for (int i = 0; i < results; i++)
        for (int k = 0; k < BLOCK; k++)
            right = right && recv[blocks->displacements[i] + k] == byte_at(i, parts ? rank : 0, k);
    if (!right)
        calls_wrong(calls, "%s of blocks far apart: MPI error or wrong result", about->name);
    munmap(send, length);
    munmap(recv, length);
}

static void call_all_far_apart(struct calls *calls, int rank, int size)
{
    static struct blocks blocks;
    set_blocks(&blocks, BLOCK, (MPI_Aint)INT_MAX + 1, MPI_BYTE);
    for (int c = 0; c < CT_DENSE_COLLECTIVES; c++)
        if (ct_collectives[c].varies && !ct_collectives[c].reduces)
            call_far_apart(calls, (enum ct_collective)c, rank, size, &blocks);
}

/* --- both forms in turn --- */

/* Ranks call one form in even turns, the other in odd ones, of a call that repeats. */
static void call_in_turn(struct calls *calls, int rank, int size)
{
    for (int turn = 0; turn < TURNS; turn++) {
        int data[BLOCK], mine = rank + turn, sum = 0, right = 1;
        for (int k = 0; k < BLOCK; k++)
            data[k] = rank == 0 ? turn * BLOCK + k : -1;
        struct ct_operands broadcast = ct_broadcast(data, BLOCK, MPI_INT, 0),
                           reduction = ct_reduction(&mine, &sum, 1, MPI_INT, MPI_SUM, 0);
        broadcast.recv.is_large = reduction.recv.is_large = (rank + turn) % 2 == 0;
        right = calls_call(CT_COLLECTIVE_BCAST, &broadcast, MPI_COMM_WORLD) == MPI_SUCCESS &&
                calls_call(CT_COLLECTIVE_ALLREDUCE, &reduction, MPI_COMM_WORLD) == MPI_SUCCESS;
        calls->made[CT_COLLECTIVE_BCAST]++;
        calls->made[CT_COLLECTIVE_ALLREDUCE]++;
        for (int k = 0; k < BLOCK; k++)
            right = right && data[k] == turn * BLOCK + k;
        if (!right || sum != size * (size - 1) / 2 + size * turn)
            calls_wrong(calls, "both forms in turn: MPI error or wrong result in turn %d", turn);
    }
}

void calls_large(struct calls *calls)
{
    int rank, size;
    if (!CT_HAS_LARGE_FORMS)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    call_all_with_many(calls, rank, size);
    call_all_far_apart(calls, rank, size);
    call_in_turn(calls, rank, size);
}
