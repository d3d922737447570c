/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/rank_clocks.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

_Static_assert((int)CT_MAIL_BITS == (int)CT_PEER_BITS, "a peer of an action is a sender of mail");

/* State that only some ranks need. While receives are posted that the rank is not waiting for: when its
 * receive port and its CPU were idle, because messages that arrive meanwhile are handled then. And when sends
 * are done, by the number that they are remembered under. */
struct ct_rank_notes {
    size_t expected; /* messages that may arrive at any time */
    struct ct_idle receive_port;
    struct ct_idle cpu;
    double *sent;
    size_t sent_capacity;
};

/* --- memory --- */

void ct_rank_clock_leave(struct ct_rank_clock *clock)
{
    struct ct_rank_notes *notes = clock->notes;
    if (!notes)
        return;
    free(notes->receive_port.intervals);
    free(notes->cpu.intervals);
    free(notes->sent);
    free(notes);
    clock->notes = NULL;
}

void ct_rank_clocks_end(struct ct_rank_clocks *clocks)
{
    for (int rank = 0; rank < clocks->size; rank++)
        ct_rank_clock_leave(&clocks->all[rank]);
    clocks->size = 0;
}

void ct_rank_clocks_free(struct ct_rank_clocks *clocks)
{
    ct_rank_clocks_end(clocks);
    free(clocks->all);
    free(clocks->ready);
    free(clocks->batch.begins);
    ct_mail_free(&clocks->mail);
    *clocks = (struct ct_rank_clocks){0};
}

static int make_clocks(struct ct_rank_clocks *clocks, size_t count)
{
    if (count <= clocks->capacity)
        return CT_OK;
    free(clocks->all);
    clocks->all = ct_allocate_lines(count, sizeof *clocks->all);
    clocks->capacity = clocks->all ? count : 0;
    return clocks->all ? CT_OK : CT_E_MEMORY;
}

int ct_rank_clocks_begin(struct ct_rank_clocks *clocks, int size, bool shares_links,
                         const struct ct_script_costs *costs, struct ct_error *error)
{
    const size_t count = (size_t)size;
    int status = make_clocks(clocks, count);
    if (status == CT_OK)
        status = ct_grow(&clocks->ready, &clocks->ready_capacity, count, sizeof *clocks->ready);
    if (status != CT_OK)
        return status;
    for (int rank = 0; rank < size; rank++)
        clocks->all[rank] =
            (struct ct_rank_clock){.receive_port = -INFINITY, .left = CT_NOT_ENTERED, .chunk = CT_NOT_KEPT};
    clocks->size = size;
    clocks->ready_count = 0;
    clocks->batch.at = clocks->batch.count = 0;
    clocks->shares_links = shares_links;
    clocks->costs = costs;
    clocks->error = error;
    return ct_mail_begin(&clocks->mail, count);
}

/* --- one rank's actions --- */

static inline double later(double a, double b)
{
    return a > b ? a : b;
}

static int make_notes(struct ct_rank_clock *clock)
{
    if (!clock->notes)
        clock->notes = ct_allocate(1, sizeof *clock->notes);
    return clock->notes ? CT_OK : CT_E_MEMORY;
}

/* How many actions from `action` on send messages of one cost, one after another; actions that only remember
 * may lie between them. */
static size_t count_alike(const struct ct_action *action, const struct ct_action *end)
{
    size_t count = 0;
    for (uint32_t number = action->number; action < end; action++) {
        if (action->kind == CT_ACTION_SEND && action->number == number)
            count++;
        else if (action->kind != CT_ACTION_REMEMBER)
            break;
    }
    return count;
}

/* When the transfer of a message that a rank posts now begins. */
static inline int find_begin(struct ct_rank_clocks *clocks, const struct ct_rank_clock *clock,
                             const struct ct_action *action, const struct ct_action *end, double *ret_begin)
{
    const struct ct_message_cost *cost = &clocks->costs->messages[action->number];
    struct ct_batch *batch = &clocks->batch;
    double begin = later(clock->now, clock->send_port);
    if (!clocks->shares_links) {
        *ret_begin = begin;
        return CT_OK;
    }
    int status = batch->at == batch->count
                     ? ct_batch_begin(batch, begin, cost->send_busy, cost->gap, count_alike(action, end))
                     : CT_OK;
    if (status == CT_OK)
        *ret_begin = batch->begins[batch->at++];
    return status;
}

static inline int send(struct ct_rank_clocks *clocks, int rank, const struct ct_action *action,
                       const struct ct_action *end)
{
    struct ct_rank_clock *clock = &clocks->all[rank];
    const struct ct_message_cost *cost = &clocks->costs->messages[action->number];
    double begin;
    bool is_awaited;
    int status = find_begin(clocks, clock, action, end, &begin);
    if (status != CT_OK)
        return status;
    clock->send_port = begin + cost->gap;
    clock->all_sent = later(clock->all_sent, begin + cost->send_done);
    clock->now += cost->send_busy;
    const struct ct_mail_message message = {.in = begin + cost->flight, .cost = action->number};
    status = ct_mail_put(&clocks->mail, rank, (int)action->peer, &message, &is_awaited);
    if (is_awaited)
        clocks->ready[clocks->ready_count++] = (int)action->peer; /* each at most once */
    return status;
}

static inline bool expects(const struct ct_rank_clock *clock)
{
    return clock->notes && clock->notes->expected > 0;
}

static inline int idle_until(struct ct_rank_clock *clock, double until)
{
    if (clock->now >= until)
        return CT_OK;
    int status = expects(clock) ? ct_idle_add(&clock->notes->cpu, clock->now, until) : CT_OK;
    clock->now = until;
    return status;
}

/* Receives a message while others are expected, too: receive port and CPU handle it as soon as they are free.
 * The port may have been ready `early` seconds before the message arrives. */
static int take_meanwhile(struct ct_rank_clock *clock, double in, double early,
                          const struct ct_message_cost *cost)
{
    double from = in - early - cost->gap, rest, end;
    int status;
    if (from >= clock->receive_port) {
        status = ct_idle_add(&clock->notes->receive_port, clock->receive_port, from);
        clock->receive_port = in - early;
    } else {
        status = ct_idle_spend(&clock->notes->receive_port, from, cost->gap, &rest, &end);
        if (status == CT_OK && rest > 0)
            end = clock->receive_port += rest;
        in = later(in, end);
    }
    if (status == CT_OK)
        status = idle_until(clock, in);
    if (status == CT_OK)
        status = ct_idle_spend(&clock->notes->cpu, in - cost->take_before,
                               cost->take_before + cost->take_after, &rest, &end);
    if (status == CT_OK)
        clock->now += rest;
    return status;
}

static inline int take(struct ct_rank_clocks *clocks, struct ct_rank_clock *clock,
                       const struct ct_action *action, double in)
{
    const struct ct_message_cost *cost = &clocks->costs->messages[action->number];
    double early = 0;
    if (clocks->shares_links && action->is_posted) {
        double soonest = clock->posted + cost->flight - cost->send_busy;
        early = later(in - soonest, 0);
        in = later(in, soonest);
    }
    if (expects(clock)) {
        int status = take_meanwhile(clock, in, early, cost);
        clock->notes->expected -= action->is_expected;
        if (clock->notes->expected == 0) {
            ct_idle_clear(&clock->notes->receive_port);
            ct_idle_clear(&clock->notes->cpu);
        }
        return status;
    }
    clock->receive_port = later(in - early, clock->receive_port + cost->gap);
    clock->now = later(clock->now + cost->take_before, later(in, clock->receive_port)) + cost->take_after;
    return CT_OK;
}

/* The same length may have several numbers. */
static int check_length(const struct ct_rank_clocks *clocks, int rank, const struct ct_action *action,
                        uint32_t cost)
{
    size_t sent = clocks->costs->messages[cost].bytes;
    size_t received = clocks->costs->messages[action->number].bytes;
    if (sent == received)
        return CT_OK;
    return ct_fail(clocks->error, CT_E_ANSWER, "rank %d sends %zu bytes, of which rank %d receives %zu",
                   (int)action->peer, sent, rank, received);
}

static int expect(struct ct_rank_clock *clock, size_t count)
{
    int status = make_notes(clock);
    if (status == CT_OK)
        clock->notes->expected += count;
    return status;
}

static int remember(struct ct_rank_clock *clock, size_t number)
{
    int status = make_notes(clock);
    if (status == CT_OK)
        status = ct_grow(&clock->notes->sent, &clock->notes->sent_capacity, number + 1,
                         sizeof *clock->notes->sent);
    if (status == CT_OK)
        clock->notes->sent[number] = clock->all_sent;
    return status;
}

/* Boxes of other ranks lie anywhere in memory: prefetch the next ones. */
static inline void look_ahead(const struct ct_rank_clocks *clocks, const struct ct_action *action,
                              const struct ct_action *end)
{
    enum { AHEAD = 8 };
    if (end - action > AHEAD && action[AHEAD].kind == CT_ACTION_SEND)
        ct_mail_prefetch(&clocks->mail, (int)action[AHEAD].peer);
}

int ct_rank_clocks_advance(struct ct_rank_clocks *clocks, int rank)
{
    struct ct_rank_clock *clock = &clocks->all[rank];
    const struct ct_action *action = clock->next;
    const struct ct_action *end = clock->left > 0 ? action + clock->left : action; /* without actions NULL */
    struct ct_mail_message message;
    bool waits = false;
    int status = CT_OK;
    while (status == CT_OK && action < end) {
        look_ahead(clocks, action, end);
        switch ((enum ct_action_kind)action->kind) {
        case CT_ACTION_SEND:
            status = send(clocks, rank, action, end);
            break;
        case CT_ACTION_TAKE:
            waits = !ct_mail_take(&clocks->mail, (int)action->peer, rank, &message);
            if (!waits && message.cost != action->number)
                status = check_length(clocks, rank, action, message.cost);
            if (!waits && status == CT_OK)
                status = take(clocks, clock, action, message.in);
            if (!waits && status == CT_OK && action->is_last)
                status = idle_until(clock, clock->all_sent);
            break;
        case CT_ACTION_POST:
            clock->posted = clock->now;
            break;
        case CT_ACTION_EXPECT:
            status = expect(clock, action->number);
            break;
        case CT_ACTION_WORK:
            clock->now += clocks->costs->works[action->number];
            break;
        case CT_ACTION_REMEMBER:
            status = remember(clock, action->number);
            break;
        case CT_ACTION_AWAIT:
            status = idle_until(clock, clock->notes->sent[action->number]);
            break;
        case CT_ACTION_AWAIT_SENT:
            status = idle_until(clock, clock->all_sent);
            break;
        }
        if (waits)
            break;
        action++;
    }
    clock->next = action;
    clock->left = (uint32_t)(end - action);
    return status;
}

/* --- the end --- */

int ct_rank_clocks_check_end(const struct ct_rank_clocks *clocks)
{
    int rank = 0, from, to;
    while (rank < clocks->size && ct_rank_clock_is_done(&clocks->all[rank]))
        rank++;
    if (rank < clocks->size) {
        int peer = (int)clocks->mail.boxes[rank].awaits;
        const struct ct_rank_clock *other = &clocks->all[peer];
        return ct_fail(clocks->error, CT_E_ANSWER, "rank %d waits for a message of rank %d, which %s", rank,
                       peer, ct_rank_clock_is_done(other) ? "never sends it" : "is waiting, too");
    }
    if (ct_mail_left(&clocks->mail, &from, &to))
        return ct_fail(clocks->error, CT_E_ANSWER, "rank %d sends rank %d a message that it never receives",
                       from, to);
    return CT_OK;
}
