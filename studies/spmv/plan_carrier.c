/* SPDX-License-Identifier: BSD-3-Clause */
#include "studies/spmv/plan_carrier.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What was sent to a rank, in the order of posting. */
struct message {
    int from;
    size_t n;
    double *data; /* NULL: received */
};

struct user {
    struct ct_carried_buffers buffers;
    double *send, *recv;
};

/* A receive from its posting on. */
struct pending {
    const struct ct_step *step;
    bool is_done;
};

struct rank {
    const struct ct_plan *plan;
    const struct user *user;
    double *temporary[CT_BUFFERS_MAX];
    size_t round;
    bool is_posted; /* that round */
    struct pending *pending;
    size_t pending_count, pending_capacity;
    struct message *mail;
    size_t mail_count, mail_capacity;
};

struct carrier {
    struct rank *ranks;
    int size;
    bool has_moved;
    struct ct_error *error;
};

static double *place(const struct rank *rank, unsigned buffer, size_t block, size_t offset)
{
    if (buffer == CT_BUFFER_SEND)
        return rank->user->send + rank->user->buffers.send_begins[block] + offset;
    if (buffer == CT_BUFFER_RECV)
        return rank->user->recv + rank->user->buffers.recv_begins[block] + offset;
    return rank->temporary[buffer] + offset;
}

static int post_send(struct carrier *carrier, int from, const struct ct_step *step)
{
    struct rank *to = &carrier->ranks[step->peer];
    double *data = ct_allocate(step->n + 1, sizeof *data);
    int status =
        data ? ct_grow(&to->mail, &to->mail_capacity, to->mail_count + 1, sizeof *to->mail) : CT_E_MEMORY;
    if (status != CT_OK) {
        free(data);
        return status;
    }
    if (step->n > 0)
        memcpy(data, place(&carrier->ranks[from], step->buffer, step->block, step->offset),
               step->n * sizeof *data);
    to->mail[to->mail_count++] = (struct message){from, step->n, data};
    return CT_OK;
}

static int post(struct carrier *carrier, int number, const struct ct_step *step)
{
    struct rank *rank = &carrier->ranks[number];
    if (step->kind == CT_STEP_SEND)
        return post_send(carrier, number, step);
    if (step->kind == CT_STEP_COPY || step->kind == CT_STEP_WAIT)
        return CT_OK;
    if (step->kind != CT_STEP_RECEIVE)
        return ct_fail(carrier->error, CT_E_ANSWER, "rank %d: a step that does not move data", number);
    int status =
        ct_grow(&rank->pending, &rank->pending_capacity, rank->pending_count + 1, sizeof *rank->pending);
    if (status == CT_OK)
        rank->pending[rank->pending_count++] = (struct pending){.step = step};
    return status;
}

static void copy(const struct rank *rank, const struct ct_step *step)
{
    size_t block = (size_t)step->peer;
    memmove(place(rank, step->other, block, step->other_offset),
            place(rank, step->buffer, block, step->offset), step->n * sizeof(double));
}

/* Receives what has come, in the order of the receives. */
static int receive(struct carrier *carrier, int number)
{
    struct rank *rank = &carrier->ranks[number];
    for (size_t i = 0; i < rank->pending_count; i++) {
        struct pending *pending = &rank->pending[i];
        size_t m = 0;
        if (pending->is_done)
            continue;
        while (m < rank->mail_count && (!rank->mail[m].data || rank->mail[m].from != pending->step->peer))
            m++;
        if (m == rank->mail_count)
            continue;
        const struct ct_step *step = pending->step;
        if (rank->mail[m].n != step->n)
            return ct_fail(carrier->error, CT_E_ANSWER, "rank %d sends %zu units, of which rank %d takes %zu",
                           step->peer, rank->mail[m].n, number, step->n);
        if (step->n > 0)
            memcpy(place(rank, step->buffer, step->block, step->offset), rank->mail[m].data,
                   step->n * sizeof(double));
        free(rank->mail[m].data);
        rank->mail[m].data = NULL;
        pending->is_done = true;
    }
    return CT_OK;
}

/* Are all receives done that are waited for there? */
static bool are_done(const struct rank *rank, unsigned until)
{
    for (size_t i = 0; i < rank->pending_count; i++)
        if (!rank->pending[i].is_done && rank->pending[i].step->until == until)
            return false;
    return true;
}

static size_t round_begin(const struct rank *rank)
{
    return rank->round > 0 ? rank->plan->rounds[rank->round - 1].end : 0;
}

/* Posts the rank's round if what it waits for has come. */
static int begin_round(struct carrier *carrier, int number)
{
    struct rank *rank = &carrier->ranks[number];
    const struct ct_step *steps = rank->plan->steps;
    const size_t begin = round_begin(rank), end = rank->plan->rounds[rank->round].end;
    int status = CT_OK;
    for (size_t i = begin; i < end; i++)
        if (steps[i].kind == CT_STEP_WAIT && !are_done(rank, steps[i].until))
            return CT_OK;
    for (size_t i = begin; status == CT_OK && i < end; i++)
        status = post(carrier, number, &steps[i]);
    for (size_t i = begin; status == CT_OK && i < end; i++)
        if (steps[i].kind == CT_STEP_COPY)
            copy(rank, &steps[i]);
    rank->is_posted = carrier->has_moved = true;
    return status;
}

static int advance(struct carrier *carrier, int number)
{
    struct rank *rank = &carrier->ranks[number];
    int status = receive(carrier, number);
    while (status == CT_OK && rank->round < rank->plan->round_count) {
        if (!rank->is_posted)
            status = begin_round(carrier, number);
        if (status == CT_OK)
            status = receive(carrier, number);
        if (status != CT_OK || !rank->is_posted || !are_done(rank, CT_ROUND_END))
            return status;
        rank->round++;
        rank->is_posted = false;
        carrier->has_moved = true;
    }
    return status;
}

static int check_end(const struct carrier *carrier)
{
    for (int number = 0; number < carrier->size; number++) {
        const struct rank *rank = &carrier->ranks[number];
        if (rank->round < rank->plan->round_count)
            return ct_fail(carrier->error, CT_E_ANSWER, "rank %d waits for ever in round %zu", number,
                           rank->round);
        for (size_t i = 0; i < rank->pending_count; i++)
            if (!rank->pending[i].is_done)
                return ct_fail(carrier->error, CT_E_ANSWER, "rank %d: a message of rank %d does not come",
                               number, rank->pending[i].step->peer);
        for (size_t m = 0; m < rank->mail_count; m++)
            if (rank->mail[m].data)
                return ct_fail(carrier->error, CT_E_ANSWER, "rank %d sends rank %d what it does not receive",
                               rank->mail[m].from, number);
    }
    return CT_OK;
}

static int make_temporaries(struct rank *rank)
{
    for (unsigned i = CT_BUFFER_TEMPORARY; i < rank->plan->buffer_count; i++) {
        rank->temporary[i] = ct_allocate(rank->plan->temporary[i] + 1, sizeof(double));
        if (!rank->temporary[i])
            return CT_E_MEMORY;
    }
    return CT_OK;
}

static void free_rank(struct rank *rank)
{
    for (unsigned i = 0; i < CT_BUFFERS_MAX; i++)
        free(rank->temporary[i]);
    for (size_t m = 0; m < rank->mail_count; m++)
        free(rank->mail[m].data);
    free(rank->mail);
    free(rank->pending);
}

static int carry(const struct ct_plan *plans, const struct user *users, int size, struct ct_error *error)
{
    struct carrier carrier = {.ranks = ct_allocate((size_t)size, sizeof *carrier.ranks),
                              .size = size,
                              .has_moved = true,
                              .error = error};
    int status = carrier.ranks ? CT_OK : CT_E_MEMORY;
    for (int i = 0; status == CT_OK && i < size; i++) {
        carrier.ranks[i].plan = &plans[i];
        carrier.ranks[i].user = &users[i];
        status = make_temporaries(&carrier.ranks[i]);
    }
    while (status == CT_OK && carrier.has_moved) {
        carrier.has_moved = false;
        for (int i = 0; status == CT_OK && i < size; i++)
            status = advance(&carrier, i);
    }
    if (status == CT_OK)
        status = check_end(&carrier);
    for (int i = 0; carrier.ranks && i < size; i++)
        free_rank(&carrier.ranks[i]);
    free(carrier.ranks);
    return status;
}

int ct_carry_plans(const struct ct_plan *plans, int size, const struct ct_carried_data *data,
                   struct ct_error *error)
{
    struct user *users = ct_allocate((size_t)size, sizeof *users);
    int status = users ? CT_OK : CT_E_MEMORY;
    for (int rank = 0; status == CT_OK && rank < size; rank++) {
        struct user *user = &users[rank];
        user->buffers = data->buffers(data->context, rank);
        user->send = ct_allocate(user->buffers.send_length + 1, sizeof *user->send);
        user->recv = ct_allocate(user->buffers.recv_length + 1, sizeof *user->recv);
        if (user->send && user->recv)
            data->fill(data->context, rank, user->send);
        else
            status = CT_E_MEMORY;
    }
    if (status == CT_OK)
        status = carry(plans, users, size, error);
    for (int rank = 0; status == CT_OK && rank < size; rank++)
        data->use(data->context, rank, users[rank].recv);
    for (int rank = 0; users && rank < size; rank++) {
        free(users[rank].send);
        free(users[rank].recv);
    }
    free(users);
    return status;
}
