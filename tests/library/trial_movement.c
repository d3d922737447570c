/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that move data, in units of four ints: each side at each rank is made of any type of that signature,
 * in v and w forms with its blocks anywhere and in any order. Buffers are compared whole. */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SMPI_H
/* SimGrid 3.32 lays resized types out as if their extent were another: the last two are not for it. */
enum { SHAPES_USED = 3, USES_BOTTOM = 0 };
#else
enum { SHAPES_USED = 5, USES_BOTTOM = 1 };
#endif

enum { SHAPES = 5, INTS = 4, MARGIN = 64, JUNK = 0xa5 };

/* A datatype and how many make a unit. */
static struct shape {
    const char *name;
    int per_unit;
    MPI_Datatype type;
    MPI_Aint extent;
} shapes[SHAPES];

/* Where a side's blocks are and what they are made of. */
struct geometry {
    int blocks;
    const struct shape *shape[RANKS_MOST];
    size_t units[RANKS_MOST];
    MPI_Aint places[RANKS_MOST]; /* in bytes */
    int counts[RANKS_MOST];      /* of elements, as MPI has them */
    int displacements[RANKS_MOST];
    MPI_Datatype types[RANKS_MOST];
    MPI_Datatype absolute[RANKS_MOST]; /* types that hold the buffer's address; MPI_DATATYPE_NULL: none */
    size_t length;                     /* of the memory, margins included */
};

static struct geometry geometries[2]; /* CT_BUFFER_SEND, CT_BUFFER_RECV */
static struct memory {
    char *bytes;
    size_t capacity;
} memories[2], expected;

static void commit(int index, const char *name, int per_unit, MPI_Datatype type)
{
    MPI_Aint lb;
    MPI_Type_commit(&type);
    shapes[index] = (struct shape){name, per_unit, type, 0};
    MPI_Type_get_extent(type, &lb, &shapes[index].extent);
}

void movement_begin(void)
{
    MPI_Datatype type, resized;
    MPI_Type_contiguous(1, MPI_INT, &type);
    commit(0, "int", INTS, type);
    MPI_Type_contiguous(INTS, MPI_INT, &type);
    commit(1, "4 ints", 1, type);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    commit(2, "every second int", 2, type);
    MPI_Type_create_resized(MPI_INT, -4, 16, &type);
    commit(3, "int with gaps", INTS, type);
    const int lengths[INTS] = {1, 1, 1, 1};
    const MPI_Aint places[INTS] = {8, -4, 20, 0};
    MPI_Type_create_hindexed(INTS, lengths, places, MPI_INT, &type);
    MPI_Type_create_resized(type, -4, 32, &resized);
    MPI_Type_free(&type);
    commit(4, "4 swapped ints with gaps", 1, resized);
    for (int which = 0; which < 2; which++)
        for (int i = 0; i < RANKS_MOST; i++)
            geometries[which].absolute[i] = MPI_DATATYPE_NULL;
}

/* Forgets the types that hold addresses. */
static void forget_addresses(struct geometry *geometry)
{
    for (int i = 0; i < RANKS_MOST; i++)
        if (geometry->absolute[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&geometry->absolute[i]);
}

void movement_end(void)
{
    for (int i = 0; i < SHAPES; i++)
        MPI_Type_free(&shapes[i].type);
    for (int side = 0; side < 2; side++) {
        forget_addresses(&geometries[side]);
        free(memories[side].bytes);
    }
    free(expected.bytes);
}

/* Units of the block from one rank to another. */
static size_t units_of(const struct trial *trial, int from, int to)
{
    const struct ct_collective_description *about = &ct_collectives[trial->collective];
    if (about->result[0] == CT_CONTENTS_PARTS_OF_EACH && about->varies)
        return (trial->lengths[from] + trial->lengths[to]) / 2;
    return trial->lengths[about->input[0] == CT_CONTENTS_PARTS ? to : from];
}

static unsigned int_at(const struct trial *trial, int from, int to, size_t index)
{
    unsigned x = trial->seed * 2654435761u + (unsigned)from * 40503u + (unsigned)to * 977u +
                 (unsigned)index * 2246822519u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ (x >> 13);
}

static void make_room(struct memory *memory, size_t length)
{
    if (length <= memory->capacity)
        return;
    free(memory->bytes);
    memory->bytes = malloc(length);
    memory->capacity = length;
    if (!memory->bytes)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Blocks in any order and with gaps between them. */
static void place_blocks(struct geometry *geometry, struct random *own, bool varies, bool one_type)
{
    int order[RANKS_MOST];
    MPI_Aint at = 0;
    for (int i = 0; i < geometry->blocks; i++)
        order[i] = i;
    for (int i = geometry->blocks; varies && i > 1; i--) {
        int k = (int)draw(own, (unsigned)i), swap = order[k];
        order[k] = order[i - 1];
        order[i - 1] = swap;
    }
    for (int k = 0; k < geometry->blocks; k++) {
        int i = order[k];
        MPI_Aint extent = geometry->shape[i]->extent;
        if (varies && one_type)
            at += (MPI_Aint)draw(own, 3) * extent;
        else if (varies)
            at += (1 + (MPI_Aint)draw(own, 20)) * (MPI_Aint)sizeof(int); /* for those that begin before it */
        geometry->places[i] = at;
        geometry->displacements[i] = (int)(one_type ? at / extent : at);
        at += geometry->counts[i] * extent;
    }
    geometry->length = (size_t)at + 2 * MARGIN;
}

static MPI_Datatype at_address(void *address, MPI_Datatype type, MPI_Datatype *kept)
{
    const int one = 1;
    MPI_Aint place;
    MPI_Get_address(address, &place);
    MPI_Type_create_hindexed(1, &one, &place, type, kept);
    MPI_Type_commit(kept);
    return *kept;
}

/* Lets the types hold the address of the side's buffer, which is MPI_BOTTOM then. */
static void use_addresses(struct ct_side *side, struct geometry *geometry)
{
    if (side->types)
        for (int i = 0; i < geometry->blocks; i++)
            geometry->types[i] = at_address(side->buffer, geometry->types[i], &geometry->absolute[i]);
    else
        side->type = at_address(side->buffer, side->type, &geometry->absolute[0]);
    side->buffer = MPI_BOTTOM;
}

/* Draws one side's types and places; `contents` says how many blocks it has. */
static void draw_side(struct trial *trial, unsigned which, enum ct_contents contents, struct random *own)
{
    const struct ct_collective_description *about = &ct_collectives[trial->collective];
    struct geometry *geometry = &geometries[which];
    struct ct_side *side = which == CT_BUFFER_SEND ? &trial->operands.send : &trial->operands.recv;
    bool many = ct_contents_are_many(contents), one_type = trial->collective != CT_COLLECTIVE_ALLTOALLW;
    const struct shape *shape = &shapes[draw(own, SHAPES_USED)];
    geometry->blocks = contents == CT_CONTENTS_NOTHING ? 0 : many ? trial->size : 1;
    trial->types = shape->name;
    for (int i = 0; i < geometry->blocks; i++) {
        int peer = many ? i : trial->rank;
        if (contents == CT_CONTENTS_OF_ROOT)
            peer = trial->root;
        geometry->shape[i] = one_type ? shape : &shapes[draw(own, SHAPES_USED)];
        geometry->units[i] =
            which == CT_BUFFER_SEND ? units_of(trial, trial->rank, peer) : units_of(trial, peer, trial->rank);
        geometry->counts[i] = (int)geometry->units[i] * geometry->shape[i]->per_unit;
        geometry->types[i] = geometry->shape[i]->type;
    }
    place_blocks(geometry, own, many && about->varies, one_type);
    make_room(&memories[which], geometry->length);
    side->buffer = geometry->blocks > 0 ? memories[which].bytes + MARGIN : NULL;
    side->type = shape->type;
    side->count = geometry->blocks > 0 ? (size_t)geometry->counts[0] : 0;
    if (many && about->varies) {
        side->counts = geometry->counts;
        side->displacements = geometry->displacements;
        side->types = one_type ? NULL : geometry->types;
    }
    forget_addresses(geometry);
    enum { ONE_IN = 5 };
    if (geometry->blocks > 0 && USES_BOTTOM && draw(own, ONE_IN) == 0)
        use_addresses(side, geometry);
}

static bool input_in_recv(const struct trial *trial)
{
    const struct ct_collective_description *about = &ct_collectives[trial->collective];
    return about->one_buffer || (trial->in_place && about->in_place != CT_IN_PLACE_RESULT_IN_INPUT);
}

void movement_draw(struct trial *trial, struct random *random)
{
    const struct ct_collective_description *about = &ct_collectives[trial->collective];
    bool elsewhere = about->has_root && trial->rank != trial->root;
    struct random own = {.state = draw(random, 1u << 20) + 7919u * (unsigned)trial->rank};
    bool may =
        about->in_place == CT_IN_PLACE_INPUT_SAVED || ct_may_be_in_place(trial->collective, !elsewhere);
    trial->in_place = trial->in_place && may;
    trial->operands = (struct ct_operands){.root = trial->root, .op = MPI_OP_NULL};
    draw_side(trial, CT_BUFFER_SEND, about->one_buffer ? CT_CONTENTS_NOTHING : about->input[elsewhere], &own);
    draw_side(trial, CT_BUFFER_RECV, about->result[elsewhere], &own);
    if (trial->in_place && about->in_place == CT_IN_PLACE_RESULT_IN_INPUT)
        trial->operands.recv.buffer = MPI_IN_PLACE;
    else if (trial->in_place)
        trial->operands.send.buffer = MPI_IN_PLACE;
}

/* Writes the ints that go `from` one rank `to` another into block `i`. */
static void write_block(const struct trial *trial, const struct geometry *geometry, int i, char *base,
                        int from, int to)
{
    size_t ints = geometry->units[i] * INTS;
    unsigned *values = malloc(ints * sizeof *values + 1);
    int position = 0;
    for (size_t k = 0; k < ints; k++)
        values[k] = int_at(trial, from, to, k);
    if (ints > 0)
        MPI_Unpack(values, (int)(ints * sizeof *values), &position, base + geometry->places[i],
                   geometry->counts[i], geometry->shape[i]->type, MPI_COMM_SELF);
    free(values);
}

/* Block `i` of this rank's input. */
static void write_input(const struct trial *trial, const struct geometry *geometry, char *base)
{
    const struct ct_collective_description *about = &ct_collectives[trial->collective];
    enum ct_contents input = about->input[about->has_root && trial->rank != trial->root];
    bool in_own_block = geometry == &geometries[CT_BUFFER_RECV] && about->result[0] == CT_CONTENTS_OF_EACH;
    if (input == CT_CONTENTS_OWN)
        write_block(trial, geometry, in_own_block ? trial->rank : 0, base, trial->rank, 0);
    for (int i = 0; input == CT_CONTENTS_PARTS && i < trial->size; i++)
        write_block(trial, geometry, i, base, trial->rank, i);
}

static void write_result(const struct trial *trial, char *base)
{
    const struct ct_collective_description *about = &ct_collectives[trial->collective];
    const struct geometry *geometry = &geometries[CT_BUFFER_RECV];
    enum ct_contents result = about->result[about->has_root && trial->rank != trial->root];
    for (int i = 0; i < geometry->blocks; i++) {
        int from = ct_contents_are_many(result) ? i : trial->root;
        bool is_mine = result == CT_CONTENTS_PART_OF_ROOT || result == CT_CONTENTS_PARTS_OF_EACH;
        write_block(trial, geometry, i, base, from, is_mine ? trial->rank : 0);
    }
}

void movement_fill(struct trial *trial)
{
    for (unsigned which = 0; which < 2; which++)
        memset(memories[which].bytes, JUNK, geometries[which].length);
    unsigned which = input_in_recv(trial) ? CT_BUFFER_RECV : CT_BUFFER_SEND;
    write_input(trial, &geometries[which], memories[which].bytes + MARGIN);
}

bool movement_right(const struct trial *trial)
{
    const struct ct_collective_description *about = &ct_collectives[trial->collective];
    const struct geometry *geometry = &geometries[CT_BUFFER_RECV];
    make_room(&expected, geometry->length);
    memset(expected.bytes, JUNK, geometry->length);
    if (!(trial->in_place && about->in_place == CT_IN_PLACE_RESULT_IN_INPUT))
        write_result(trial, expected.bytes + MARGIN);
    if (memcmp(memories[CT_BUFFER_RECV].bytes, expected.bytes, geometry->length) != 0)
        return false;
    if (input_in_recv(trial))
        return true;
    make_room(&expected, geometries[CT_BUFFER_SEND].length);
    memset(expected.bytes, JUNK, geometries[CT_BUFFER_SEND].length);
    write_input(trial, &geometries[CT_BUFFER_SEND], expected.bytes + MARGIN);
    return memcmp(memories[CT_BUFFER_SEND].bytes, expected.bytes, geometries[CT_BUFFER_SEND].length) == 0;
}
