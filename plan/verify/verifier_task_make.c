/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_task_make.h"
#include "base/memory.h"
#include "plan/verify/verifier_sparse_task.h"

#include <string.h>

/* Derives from the description of a collective the contents of each rank's buffers, before and after. */

struct making {
    const struct ct_collective_description *about;
    const struct ct_call *all;
    struct ct_call own; /* of the current rank */
    bool elsewhere;     /* it is not the root */
    bool is_table;      /* each rank has a block for each other: P x P of them */
    struct ct_task_memory *memory;
    size_t pieces; /* taken */
    size_t begins;
    const size_t *part_begins; /* of blocks by rank, where all ranks see the same: P + 1 */
    size_t *sent;              /* by rank: where in its input the part for the current rank begins */
    struct ct_piece *each;     /* the blocks of each rank, made once for all */
    size_t each_count;
};

static struct ct_piece *add_piece(struct making *making, struct ct_piece piece)
{
    struct ct_piece *place = &making->memory->pieces[making->pieces];
    if (piece.n > 0) {
        *place = piece;
        making->pieces++;
    }
    return place;
}

/* Where blocks of these lengths begin, and the end; `counts` NULL: all are as long as the call's count. */
static size_t *add_begins(struct making *making, const size_t *counts)
{
    size_t *begins = &making->memory->begins[making->begins], size = (size_t)making->all->size;
    making->begins += size + 1;
    begins[0] = 0;
    for (size_t i = 0; i < size; i++)
        begins[i + 1] = begins[i] + (counts ? counts[i] : making->all->count);
    return begins;
}

/* The blocks of each rank, made once for all. */
static void add_each(struct making *making, struct ct_share *share)
{
    if (!making->each) {
        making->each = &making->memory->pieces[making->pieces];
        for (int i = 0; i < making->all->size; i++)
            add_piece(making, (struct ct_piece){.offset = making->part_begins[i],
                                                .n = making->part_begins[i + 1] - making->part_begins[i],
                                                .origin = i});
        making->each_count = (size_t)(&making->memory->pieces[making->pieces] - making->each);
    }
    share->results = making->each;
    share->result_count = making->each_count;
}

static void add_parts_of_each(struct making *making, struct ct_share *share)
{
    const struct ct_call *own = &making->own;
    size_t offset = 0, before = making->pieces;
    share->results = &making->memory->pieces[making->pieces];
    for (int i = 0; i < own->size; i++) {
        size_t n = own->recv_counts ? own->recv_counts[i] : own->count;
        add_piece(making, (struct ct_piece){offset, .n = n, .origin = i, .unit = making->sent[i]});
        making->sent[i] += n;
        offset += n;
    }
    share->result_count = making->pieces - before;
}

static void add_result(struct making *making, enum ct_contents contents, struct ct_share *share)
{
    struct ct_piece piece = {.n = making->own.count};
    if (contents == CT_CONTENTS_OF_EACH) {
        add_each(making, share);
        return;
    }
    if (contents == CT_CONTENTS_PARTS_OF_EACH) {
        add_parts_of_each(making, share);
        return;
    }
    if (contents == CT_CONTENTS_OF_ROOT || contents == CT_CONTENTS_PART_OF_ROOT)
        piece.origin = making->all->root;
    else if (contents == CT_CONTENTS_OF_ALL || contents == CT_CONTENTS_PART_OF_ALL)
        piece.ranks = making->all->size;
    else
        piece.ranks = contents == CT_CONTENTS_OF_FIRST ? making->own.rank + 1 : making->own.rank;
    if (contents == CT_CONTENTS_PART_OF_ROOT || contents == CT_CONTENTS_PART_OF_ALL)
        piece.unit = making->part_begins[making->own.rank];
    if (contents == CT_CONTENTS_OF_EARLIER && piece.ranks == 0)
        return;
    share->results = add_piece(making, piece);
    share->result_count = piece.n > 0;
}

/* The lengths of one of the rank's buffers, and of its blocks where it is made of any. */
static void shape_buffer(struct making *making, enum ct_contents contents, const size_t *counts,
                         bool has_blocks, struct ct_share *share, unsigned buffer)
{
    size_t size = (size_t)making->all->size, length = contents == CT_CONTENTS_NOTHING ? 0 : making->own.count;
    if (ct_contents_are_many(contents) && counts) {
        bool same_for_all = counts == making->all->send_counts || counts == making->all->recv_counts;
        const size_t *begins =
            same_for_all && !making->is_table ? making->part_begins : add_begins(making, counts);
        length = begins[size];
        if (has_blocks) {
            share->buffers[buffer].blocks = begins;
            share->buffers[buffer].block_count = size;
        }
    } else if (ct_contents_are_many(contents)) {
        length = size * making->all->count;
    }
    if (length > share->buffers[buffer].length)
        share->buffers[buffer].length = length;
}

static struct ct_share share_of(struct making *making)
{
    const struct ct_collective_description *about = making->about;
    const struct ct_call *own = &making->own;
    enum ct_contents input = about->input[making->elsewhere], result = about->result[making->elsewhere];
    bool input_in_result =
        about->one_buffer || (own->in_place && about->in_place == CT_IN_PLACE_INPUT_IN_RESULT);
    bool result_in_input = own->in_place && about->in_place == CT_IN_PLACE_RESULT_IN_INPUT;
    struct ct_share share = {.input_buffer = input_in_result ? CT_BUFFER_RECV : CT_BUFFER_SEND};

    shape_buffer(making, input, own->send_counts, about->varies && !about->reduces, &share,
                 share.input_buffer);
    if (!result_in_input)
        shape_buffer(making, result, own->recv_counts, about->varies && !about->reduces, &share,
                     CT_BUFFER_RECV);
    if (input != CT_CONTENTS_NOTHING) {
        struct ct_piece piece = {.n = share.buffers[share.input_buffer].length};
        if (input == CT_CONTENTS_OWN)
            piece.n = own->count;
        if (input_in_result && result == CT_CONTENTS_OF_EACH)
            piece.offset = making->part_begins[own->rank];
        share.inputs = add_piece(making, piece);
        share.input_count = piece.n > 0;
    }
    /* a bcast's root has its result from the start and may not write it */
    if (result != CT_CONTENTS_NOTHING && !result_in_input &&
        !(about->one_buffer && input != CT_CONTENTS_NOTHING))
        add_result(making, result, &share);
    return share;
}

static int make_room(const struct making *making)
{
    struct ct_task_memory *memory = making->memory;
    size_t size = (size_t)making->all->size, tables = making->is_table ? size : 2;
    int status = ct_grow(&memory->shares, &memory->share_capacity, size, sizeof *memory->shares);
    if (status == CT_OK)
        status = ct_grow(&memory->pieces, &memory->piece_capacity, (size + 1) * (tables + 1),
                         sizeof *memory->pieces);
    if (status == CT_OK)
        status = ct_grow(&memory->begins, &memory->begin_capacity, 2 * (size + 1) * (tables + 1),
                         sizeof *memory->begins);
    return status;
}

int ct_task_make(enum ct_collective collective, const struct ct_call *call, struct ct_task_memory *memory,
                 struct ct_task *ret_task)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    struct making making = {.about = about, .all = call, .memory = memory};
    if (about->is_sparse)
        return ct_sparse_task_make(collective, call, memory, ret_task);
    making.is_table = about->result[0] == CT_CONTENTS_PARTS_OF_EACH;
    int status = make_room(&making);
    if (status != CT_OK)
        return status;
    const size_t *vector = call->send_counts ? call->send_counts : call->recv_counts;
    making.part_begins = add_begins(&making, vector);
    making.sent = &memory->begins[making.begins];
    making.begins += (size_t)call->size;
    memset(making.sent, 0, (size_t)call->size * sizeof *making.sent);
    for (int rank = 0; rank < call->size; rank++) {
        making.own = ct_call_of_rank(collective, call, rank);
        making.elsewhere = ct_is_elsewhere(about, rank, call->root);
        memory->shares[rank] = share_of(&making);
    }
    *ret_task = (struct ct_task){
        .size = call->size,
        .reduces = about->reduces,
        .commutative = call->commutative,
        .same_result = about->result[0] == CT_CONTENTS_OF_ALL && about->result[1] == CT_CONTENTS_OF_ALL,
        .synchronizes = about->synchronizes,
        .shares = memory->shares,
    };
    return CT_OK;
}
