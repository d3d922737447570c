/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/mail.h"

#include "base/memory.h"

#include <stdlib.h>

/* A pair's first message lies in the table itself, as most pairs never have two at a time. */
struct ct_mail_pair {
    double in;
    uint32_t from, to;
    uint32_t cost;
    uint32_t last; /* of those queued behind it, which lead on to the first again; 0 where there are none */
};

struct ct_mail_queued {
    struct ct_mail_message message;
    uint32_t next;
};

_Static_assert(sizeof(struct ct_mail_pair) == 24, "pairs are many");

static const uint32_t nobody = UINT32_MAX; /* sends in a pair that is free */

enum { PAIRS_AT_FIRST_BITS = 10, BITS = 64 };

void ct_mail_free(struct ct_mail *mail)
{
    free(mail->pairs);
    free(mail->queued);
    *mail = (struct ct_mail){0};
}

static struct ct_mail_pair *make_pairs(size_t capacity)
{
    struct ct_mail_pair *pairs = ct_allocate(capacity, sizeof *pairs);
    for (size_t i = 0; pairs && i < capacity; i++)
        pairs[i].from = nobody;
    return pairs;
}

int ct_mail_clear(struct ct_mail *mail)
{
    bool is_far_too_large = mail->pair_capacity >> PAIRS_AT_FIRST_BITS > 1 + mail->pair_most / 64;
    if (mail->pair_count > 0 || !mail->pairs || is_far_too_large) {
        free(mail->pairs);
        mail->pair_count = 0;
        mail->pair_capacity = (size_t)1 << PAIRS_AT_FIRST_BITS;
        mail->shift = BITS - PAIRS_AT_FIRST_BITS;
        mail->pairs = make_pairs(mail->pair_capacity);
    }
    mail->pair_most = 0;
    mail->queued_count = 1; /* 0 is none */
    mail->idle_queued = 0;
    int status = ct_grow(&mail->queued, &mail->queued_capacity, 1, sizeof *mail->queued);
    return mail->pairs ? status : CT_E_MEMORY;
}

static inline size_t place_of(const struct ct_mail *mail, uint32_t from, uint32_t to)
{
    return (size_t)(((uint64_t)from << 32 | to) * UINT64_C(0x9e3779b97f4a7c15) >> mail->shift);
}

/* The pair's entry, or the free one that is to be its. */
static inline struct ct_mail_pair *look_up(const struct ct_mail *mail, uint32_t from, uint32_t to)
{
    size_t mask = mail->pair_capacity - 1;
    for (size_t at = place_of(mail, from, to);; at = (at + 1) & mask) {
        struct ct_mail_pair *pair = &mail->pairs[at];
        if ((pair->from == from && pair->to == to) || pair->from == nobody)
            return pair;
    }
}

static int grow(struct ct_mail *mail)
{
    struct ct_mail_pair *old = mail->pairs;
    size_t old_capacity = mail->pair_capacity, capacity;
    if (!ct_multiply(old_capacity, 2, &capacity))
        return CT_E_LIMIT;
    struct ct_mail_pair *pairs = make_pairs(capacity);
    if (!pairs)
        return CT_E_MEMORY;
    mail->pairs = pairs;
    mail->pair_capacity = capacity;
    mail->shift--;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].from != nobody)
            *look_up(mail, old[i].from, old[i].to) = old[i];
    free(old);
    return CT_OK;
}

static int queue(struct ct_mail *mail, struct ct_mail_pair *pair, const struct ct_mail_message *message)
{
    uint32_t index = mail->idle_queued;
    if (index != 0) {
        mail->idle_queued = mail->queued[index].next;
    } else {
        if (mail->queued_count == UINT32_MAX)
            return CT_E_LIMIT;
        int status =
            ct_grow(&mail->queued, &mail->queued_capacity, mail->queued_count + 1, sizeof *mail->queued);
        if (status != CT_OK)
            return status;
        index = (uint32_t)mail->queued_count++;
    }
    struct ct_mail_queued *last = &mail->queued[pair->last ? pair->last : index];
    mail->queued[index] = (struct ct_mail_queued){*message, pair->last ? last->next : index};
    last->next = index;
    pair->last = index;
    return CT_OK;
}

int ct_mail_put(struct ct_mail *mail, int from, int to, const struct ct_mail_message *message)
{
    struct ct_mail_pair *pair = look_up(mail, (uint32_t)from, (uint32_t)to);
    if (pair->from != nobody)
        return queue(mail, pair, message);
    if (mail->pair_count >= mail->pair_capacity / 2) {
        int status = grow(mail);
        if (status != CT_OK)
            return status;
        pair = look_up(mail, (uint32_t)from, (uint32_t)to);
    }
    mail->pair_count++;
    mail->pair_most = mail->pair_count > mail->pair_most ? mail->pair_count : mail->pair_most;
    *pair = (struct ct_mail_pair){
        .in = message->in, .from = (uint32_t)from, .to = (uint32_t)to, .cost = message->cost};
    return CT_OK;
}

void ct_mail_prefetch(const struct ct_mail *mail, int from, int to)
{
    __builtin_prefetch(&mail->pairs[place_of(mail, (uint32_t)from, (uint32_t)to)]);
}

/* Frees the entry and closes the gap, so that whatever has been put behind it for want of room is found. */
static void erase(struct ct_mail *mail, struct ct_mail_pair *pair)
{
    size_t mask = mail->pair_capacity - 1, gap = (size_t)(pair - mail->pairs);
    for (size_t at = (gap + 1) & mask; mail->pairs[at].from != nobody; at = (at + 1) & mask) {
        size_t wanted = place_of(mail, mail->pairs[at].from, mail->pairs[at].to);
        if (((at - wanted) & mask) < ((at - gap) & mask))
            continue;
        mail->pairs[gap] = mail->pairs[at];
        gap = at;
    }
    mail->pairs[gap].from = nobody;
    mail->pair_count--;
}

bool ct_mail_take(struct ct_mail *mail, int from, int to, struct ct_mail_message *ret_message)
{
    struct ct_mail_pair *pair = look_up(mail, (uint32_t)from, (uint32_t)to);
    if (pair->from == nobody)
        return false;
    *ret_message = (struct ct_mail_message){pair->in, pair->cost};
    if (pair->last == 0) {
        erase(mail, pair);
        return true;
    }
    uint32_t first = mail->queued[pair->last].next;
    pair->in = mail->queued[first].message.in;
    pair->cost = mail->queued[first].message.cost;
    if (first == pair->last)
        pair->last = 0;
    else
        mail->queued[pair->last].next = mail->queued[first].next;
    mail->queued[first].next = mail->idle_queued;
    mail->idle_queued = first;
    return true;
}

bool ct_mail_left(const struct ct_mail *mail, int *ret_from, int *ret_to)
{
    const struct ct_mail_pair *lowest = NULL;
    for (size_t i = 0; i < mail->pair_capacity; i++) {
        const struct ct_mail_pair *pair = &mail->pairs[i];
        if (pair->from == nobody)
            continue;
        if (!lowest || pair->from < lowest->from || (pair->from == lowest->from && pair->to < lowest->to))
            lowest = pair;
    }
    if (!lowest)
        return false;
    *ret_from = (int)lowest->from;
    *ret_to = (int)lowest->to;
    return true;
}
