/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/prover.h"

/* From the description of a collective to what each rank's buffers are and must become. */

bool ct_may_be_in_place(enum ct_collective collective, bool is_root)
{
    const struct ct_collective_description *description = &ct_collectives[collective];
    return !description->one_buffer && description->input[!is_root] != CT_NOTHING &&
           description->result[!is_root] != CT_NOTHING;
}

struct ct_call ct_call_of_rank(enum ct_collective collective, const struct ct_call *call, int rank)
{
    bool is_root = !ct_collectives[collective].has_root || rank == call->root;
    struct ct_call own = *call;
    own.rank = rank;
    own.in_place = call->in_place && ct_may_be_in_place(collective, is_root);
    return own;
}

static struct ct_share share_of(const struct ct_collective_description *description,
                                const struct ct_call *own, const struct ct_piece *whole)
{
    bool elsewhere = description->has_root && own->rank != own->root;
    bool has_input = description->input[elsewhere] != CT_NOTHING;
    bool has_result = description->result[elsewhere] != CT_NOTHING;
    struct ct_share share = {.input_buffer = own->in_place || description->one_buffer ? CT_RECV : CT_SEND,
                             .inputs = whole,
                             .input_count = has_input,
                             .results = whole,
                             .result_count = has_result};
    if (has_input)
        share.buffers[share.input_buffer].length = own->count;
    if (has_result)
        share.buffers[CT_RECV].length = own->count;
    if (description->one_buffer && has_input)
        share.result_count = 0; /* the root has its result from the start and may not write it */
    return share;
}

void ct_task_of(enum ct_collective collective, const struct ct_call *call, struct ct_piece *whole,
                struct ct_share *shares, struct ct_task *ret_task)
{
    const struct ct_collective_description *description = &ct_collectives[collective];
    bool of_all[2] = {description->result[0] == CT_OF_ALL, description->result[1] == CT_OF_ALL};
    *whole = (struct ct_piece){.n = call->count, .origin = of_all[0] ? CT_ALL_RANKS : call->root};
    for (int rank = 0; rank < call->size; rank++) {
        struct ct_call own = ct_call_of_rank(collective, call, rank);
        shares[rank] = share_of(description, &own, whole);
    }
    *ret_task = (struct ct_task){
        .size = call->size,
        .reduces = description->reduces,
        .commutative = call->commutative,
        .same_result = of_all[0] && of_all[1],
        .synchronizes = description->synchronizes,
        .shares = shares,
    };
}
