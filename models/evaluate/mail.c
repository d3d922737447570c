/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/mail.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

/* A sender's first message lies in the table itself: most senders never have two messages waiting. */
struct ct_mail_pair {
    double in;
    uint32_t from; /* CT_MAIL_NOBODY in a free entry */
    uint32_t cost;
    uint32_t last; /* of the messages queued after it, a ring; 0 if there are none */
};

struct ct_mail_queued {
    struct ct_mail_message message;
    uint32_t next;
};

_Static_assert(sizeof(struct ct_mail_pair) == 24, "pairs are many");

enum { PAIRS_AT_FIRST_BITS = 2 };

static void free_tables(struct ct_mail *mail)
{
    for (size_t to = 0; to < mail->size; to++)
        free(mail->boxes[to].pairs);
    mail->size = 0;
}

void ct_mail_free(struct ct_mail *mail)
{
    free_tables(mail);
    free(mail->boxes);
    free(mail->queued);
    *mail = (struct ct_mail){0};
}

int ct_mail_begin(struct ct_mail *mail, size_t size)
{
    free_tables(mail);
    if (size > mail->capacity) {
        free(mail->boxes);
        mail->boxes = ct_allocate_lines(size, sizeof *mail->boxes);
        mail->capacity = mail->boxes ? size : 0;
    }
    int status = ct_grow(&mail->queued, &mail->queued_capacity, 1, sizeof *mail->queued);
    if (!mail->boxes || status != CT_OK)
        return CT_E_MEMORY;
    for (size_t to = 0; to < size; to++) {
        struct ct_mailbox *box = &mail->boxes[to];
        box->pairs = NULL;
        box->awaits = CT_MAIL_NOBODY;
        box->count = box->pairs_bits = box->more = 0;
    }
    mail->size = size;
    mail->queued_count = 1; /* 0 is none */
    mail->idle_queued = 0;
    return CT_OK;
}

/* --- a box's table ---
 *
 * Senders are mostly neighbours that take turns. The home of a sender is given by the lowest bits of its
 * rank, so that neighbours have adjacent entries. An element that was displaced is stored after elements with
 * a shorter probe distance (robin hood hashing, Celis 1986), so that searches end early and gaps close soon.
 * base/hash.h has another layout: there are up to 131072 of these tables, of a few entries each. */

static inline uint32_t mask_of(const struct ct_mailbox *box)
{
    return ((uint32_t)1 << box->pairs_bits) - 1;
}

static inline uint32_t from_home(const struct ct_mailbox *box, uint32_t at)
{
    return (at - box->pairs[at].from) & mask_of(box);
}

/* The sender's entry; NULL if there is none. */
static inline struct ct_mail_pair *look_up(const struct ct_mailbox *box, uint32_t from)
{
    uint32_t mask = mask_of(box), at = from & mask;
    for (uint32_t distance = 0;; at = (at + 1) & mask, distance++) {
        struct ct_mail_pair *pair = &box->pairs[at];
        if (pair->from == from)
            return pair;
        if (pair->from == CT_MAIL_NOBODY || from_home(box, at) < distance)
            return NULL;
    }
}

static void insert(struct ct_mailbox *box, struct ct_mail_pair pair)
{
    uint32_t mask = mask_of(box), at = pair.from & mask;
    for (uint32_t distance = 0; box->pairs[at].from != CT_MAIL_NOBODY; at = (at + 1) & mask, distance++) {
        uint32_t other = from_home(box, at);
        if (other >= distance)
            continue;
        struct ct_mail_pair nearer = box->pairs[at];
        box->pairs[at] = pair;
        pair = nearer;
        distance = other;
    }
    box->pairs[at] = pair;
}

static void erase(struct ct_mailbox *box, struct ct_mail_pair *pair)
{
    uint32_t mask = mask_of(box), gap = (uint32_t)(pair - box->pairs), at = (gap + 1) & mask;
    for (; box->pairs[at].from != CT_MAIL_NOBODY && from_home(box, at) > 0; at = (at + 1) & mask) {
        box->pairs[gap] = box->pairs[at];
        gap = at;
    }
    assert(box->more > 0);
    box->pairs[gap].from = CT_MAIL_NOBODY;
    box->more--;
}

static int grow(struct ct_mailbox *box)
{
    unsigned bits = box->pairs ? box->pairs_bits + 1U : PAIRS_AT_FIRST_BITS;
    struct ct_mailbox grown = *box;
    grown.pairs_bits = bits & 31;
    grown.pairs = ct_allocate((size_t)1 << bits, sizeof *grown.pairs);
    if (!grown.pairs)
        return CT_E_MEMORY;
    for (size_t at = 0; at >> bits == 0; at++)
        grown.pairs[at].from = CT_MAIL_NOBODY;
    for (size_t at = 0; box->pairs && at >> box->pairs_bits == 0; at++)
        if (box->pairs[at].from != CT_MAIL_NOBODY)
            insert(&grown, box->pairs[at]);
    free(box->pairs);
    *box = grown;
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

int ct_mail_put_behind(struct ct_mail *mail, struct ct_mailbox *box, uint32_t from,
                       const struct ct_mail_message *message)
{
    struct ct_mail_pair *pair = box->more > 0 ? look_up(box, from) : NULL;
    if (pair)
        return queue(mail, pair, message);
    uint32_t most = box->pairs ? mask_of(box) - (mask_of(box) >> 3) : 0; /* at least one entry stays free */
    if (box->more >= most) {
        int status = grow(box);
        if (status != CT_OK)
            return status;
    }
    insert(box, (struct ct_mail_pair){.in = message->in, .from = from, .cost = message->cost});
    box->more++;
    return CT_OK;
}

bool ct_mail_take_behind(struct ct_mail *mail, struct ct_mailbox *box, uint32_t from,
                         struct ct_mail_message *ret_message)
{
    struct ct_mail_pair *pair = look_up(box, from);
    if (!pair)
        return false;
    *ret_message = (struct ct_mail_message){pair->in, pair->cost};
    if (pair->last == 0) {
        erase(box, pair);
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

/* The lowest sender of a message in the box; CT_MAIL_NOBODY if it is empty. */
static uint32_t lowest_in(const struct ct_mailbox *box)
{
    uint32_t lowest = CT_MAIL_NOBODY;
    for (unsigned at = 0; at < box->count; at++)
        if (box->entries[at].from < lowest)
            lowest = box->entries[at].from;
    for (size_t at = 0; box->more > 0 && at >> box->pairs_bits == 0; at++)
        if (box->pairs[at].from < lowest)
            lowest = box->pairs[at].from;
    return lowest;
}

bool ct_mail_left(const struct ct_mail *mail, int *ret_from, int *ret_to)
{
    uint32_t lowest = CT_MAIL_NOBODY;
    for (size_t to = 0; to < mail->size; to++) {
        uint32_t from = lowest_in(&mail->boxes[to]);
        if (from >= lowest)
            continue;
        lowest = from;
        *ret_from = (int)from;
        *ret_to = (int)to;
    }
    return lowest != CT_MAIL_NOBODY;
}
