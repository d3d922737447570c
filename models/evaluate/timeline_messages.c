/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/timeline_messages.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int find_cost(struct ct_timeline_messages *messages, const struct ct_timeline_terms *terms, int from,
                     int to, size_t bytes, uint32_t *ret_cost)
{
    const bool is_near = ct_timeline_node_of(terms, from) == ct_timeline_node_of(terms, to);
    const enum ct_link_kind kind = is_near ? CT_LINK_NODE : CT_LINK_NETWORK;
    uint32_t *kept = &messages->kept[kind][(bytes * UINT64_C(0x9e3779b97f4a7c15) >> 32) % CT_COSTS_KEPT];
    if (*kept == 0 || messages->costs[*kept - 1].bytes != bytes) {
        int status = ct_grow(&messages->costs, &messages->cost_capacity, messages->cost_count + 1,
                             sizeof *messages->costs);
        if (status != CT_OK)
            return status;
        messages->costs[messages->cost_count++] =
            ct_transfer_cost_of(&terms->model->links[kind], terms->kind, &messages->protocols[kind], bytes);
        *kept = (uint32_t)messages->cost_count;
    }
    *ret_cost = *kept - 1;
    return CT_OK;
}

static int check_peer(const struct ct_timeline_terms *terms, int rank, int peer, struct ct_error *error)
{
    if (peer >= 0 && peer < terms->size && peer != rank)
        return CT_OK;
    return ct_fail(error, CT_E_ANSWER, "rank %d has a message with rank %d of %d", rank, peer, terms->size);
}

/* Counts the steps of all ranks, and the messages for each. */
static int count_messages(struct ct_timeline_messages *messages, const struct ct_timeline_terms *terms,
                          struct ct_error *error, size_t *ret_steps)
{
    size_t steps = 0, *begins = messages->begins;
    memset(begins, 0, ((size_t)terms->size + 1) * sizeof *begins);
    for (int rank = 0; rank < terms->size; rank++) {
        const struct ct_plan *plan = &terms->plans[rank];
        messages->first_steps[rank] = steps;
        steps += plan->step_count;
        for (size_t i = 0; i < plan->step_count; i++) {
            const struct ct_step *step = &plan->steps[i];
            if (!ct_step_is_message(step))
                continue;
            int status = check_peer(terms, rank, step->peer, error);
            if (status != CT_OK)
                return status;
            if (step->kind == CT_STEP_SEND)
                begins[step->peer + 1]++;
        }
    }
    for (int rank = 0; rank < terms->size; rank++)
        begins[rank + 1] += begins[rank];
    *ret_steps = steps;
    if (begins[terms->size] <= terms->most_messages && begins[terms->size] < CT_NO_MESSAGE)
        return CT_OK;
    return ct_fail(error, CT_E_LIMIT, "more than %zu messages", terms->most_messages);
}

static int add_sends(struct ct_timeline_messages *messages, const struct ct_timeline_terms *terms, int rank,
                     struct ct_error *error)
{
    const struct ct_plan *plan = &terms->plans[rank];
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct ct_step *step = &plan->steps[i];
        uint32_t *number = &messages->of_steps[messages->first_steps[rank] + i], cost = 0;
        size_t bytes = 0;
        *number = CT_NO_MESSAGE;
        if (step->kind != CT_STEP_SEND)
            continue;
        if (!ct_multiply(step->n, terms->unit_bytes, &bytes))
            return ct_fail(error, CT_E_LIMIT, "rank %d: a step of %zu units has too many bytes", rank,
                           step->n);
        int status = find_cost(messages, terms, rank, step->peer, bytes, &cost);
        if (status != CT_OK)
            return status;
        *number = (uint32_t)messages->begins[step->peer] + messages->cursors[step->peer]++;
        messages->all[*number] = (struct ct_timeline_message){
            .ranks = {rank, step->peer}, .cost = cost, .until = {[CT_MESSAGE_SENDER] = step->until}};
        messages->bytes += bytes;
    }
    return CT_OK;
}

/* The messages of a receiver lie in the order of their senders. */
static int meet_receives(struct ct_timeline_messages *messages, const struct ct_timeline_terms *terms,
                         int rank, struct ct_error *error)
{
    const struct ct_plan *plan = &terms->plans[rank];
    const size_t begin = messages->begins[rank], end = messages->begins[rank + 1];
    size_t met = 0;
    for (size_t i = begin; i < end; i++)
        messages->cursors[messages->all[i].ranks[CT_MESSAGE_SENDER]] = CT_NO_MESSAGE;
    for (size_t i = end; i-- > begin;)
        messages->cursors[messages->all[i].ranks[CT_MESSAGE_SENDER]] = (uint32_t)i;
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct ct_step *step = &plan->steps[i];
        if (!ct_step_is_receive(step))
            continue;
        const uint32_t number = messages->cursors[step->peer];
        if (number >= end || number < begin || messages->all[number].ranks[CT_MESSAGE_SENDER] != step->peer)
            return ct_fail(error, CT_E_ANSWER, "rank %d waits for a message of rank %d, which never sends it",
                           rank, step->peer);
        struct ct_timeline_message *message = &messages->all[number];
        const size_t sent = messages->costs[message->cost].bytes;
        if (step->n != sent / terms->unit_bytes)
            return ct_fail(error, CT_E_ANSWER, "rank %d sends %zu bytes, of which rank %d receives %zu",
                           step->peer, sent, rank, step->n * terms->unit_bytes);
        message->until[CT_MESSAGE_RECEIVER] = step->until;
        messages->of_steps[messages->first_steps[rank] + i] = number;
        messages->cursors[step->peer]++;
        met++;
    }
    for (size_t i = begin; met < end - begin && i < end; i++)
        if (messages->cursors[messages->all[i].ranks[CT_MESSAGE_SENDER]] <= i)
            return ct_fail(error, CT_E_ANSWER, "rank %d sends rank %d a message that it never receives",
                           messages->all[i].ranks[CT_MESSAGE_SENDER], rank);
    return CT_OK;
}

static void set_protocols(struct ct_timeline_messages *messages, const struct ct_model *model)
{
    for (int kind = 0; kind < CT_LINK_KINDS; kind++) {
        const struct ct_link *link = &model->links[kind];
        const bool is_shared = kind == CT_LINK_NODE && model->node_channel == CT_NODE_CHANNEL_SHARED;
        messages->protocols[kind] =
            (struct ct_link_protocol){.rendezvous = ct_link_rendezvous(link),
                                      .meets = ct_link_meets(link),
                                      .copied_from = is_shared ? CT_COPY_FROM : INFINITY};
    }
}

int ct_timeline_messages_match(struct ct_timeline_messages *messages, const struct ct_timeline_terms *terms,
                               struct ct_error *error)
{
    const size_t size = (size_t)terms->size;
    size_t steps = 0;
    messages->cost_count = messages->bytes = 0;
    memset(messages->kept, 0, sizeof messages->kept);
    set_protocols(messages, terms->model);
    int status = ct_grow(&messages->begins, &messages->begin_capacity, size + 1, sizeof *messages->begins);
    if (status == CT_OK)
        status = ct_grow(&messages->cursors, &messages->cursor_capacity, size, sizeof *messages->cursors);
    if (status == CT_OK)
        status =
            ct_grow(&messages->first_steps, &messages->first_capacity, size, sizeof *messages->first_steps);
    if (status == CT_OK)
        status = count_messages(messages, terms, error, &steps);
    if (status != CT_OK)
        return status;
    messages->count = messages->begins[size];
    status = ct_grow(&messages->all, &messages->capacity, messages->count, sizeof *messages->all);
    if (status == CT_OK)
        status = ct_grow(&messages->of_steps, &messages->step_capacity, steps, sizeof *messages->of_steps);
    if (status != CT_OK)
        return status;
    memset(messages->cursors, 0, size * sizeof *messages->cursors);
    for (int rank = 0; status == CT_OK && rank < terms->size; rank++)
        status = add_sends(messages, terms, rank, error);
    for (size_t rank = 0; rank < size; rank++)
        messages->cursors[rank] = CT_NO_MESSAGE;
    for (int rank = 0; status == CT_OK && rank < terms->size; rank++)
        status = meet_receives(messages, terms, rank, error);
    return status;
}

void ct_timeline_messages_free(struct ct_timeline_messages *messages)
{
    free(messages->all);
    free(messages->of_steps);
    free(messages->first_steps);
    free(messages->begins);
    free(messages->cursors);
    free(messages->costs);
    *messages = (struct ct_timeline_messages){0};
}
