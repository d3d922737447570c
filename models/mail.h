/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_MAIL_H
#define CT_MODELS_MAIL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Messages that have been sent and not yet received: of each pair of ranks first in, first out. And who waits
 * for one. */

struct ct_mail_message {
    double in;     /* when it is in at the receiver, if the way in is free */
    uint32_t cost; /* by number */
};

struct ct_mail_pair;
struct ct_mail_queued;

enum { CT_MAIL_BITS = 27 }; /* of a number of senders: peers have fewer (script.h) */

#define CT_MAIL_NOBODY UINT32_MAX

/* As many as fill a cache line together with what else is known of a box. */
enum { CT_MAILBOX_ROOM = 3 };

/* What has come for a rank: what came first lies in the box, in that order; what finds it full, and all
 * behind that until the rest is taken, in a table of the box's own, by sender. */
struct ct_mailbox {
    double in[CT_MAILBOX_ROOM];
    uint32_t cost[CT_MAILBOX_ROOM];
    uint32_t from[CT_MAILBOX_ROOM];
    struct ct_mail_pair *pairs;   /* NULL until there are any */
    uint32_t pairs_bits : 5;      /* of the table's capacity */
    uint32_t more : CT_MAIL_BITS; /* senders in the table */
    uint32_t awaits;              /* the rank cannot go on without a message from there, or CT_MAIL_NOBODY */
};

_Static_assert(sizeof(struct ct_mailbox) == 64, "a box is to fill a cache line");

/* All zeroes to begin with. */
struct ct_mail {
    struct ct_mailbox *boxes; /* by receiver */
    size_t size, capacity;
    struct ct_mail_queued *queued; /* messages behind the first of their pair */
    size_t queued_count, queued_capacity;
    uint32_t idle_queued;
};

void ct_mail_free(struct ct_mail *mail);

/* Empty boxes for so many ranks. CT_OK or CT_E_MEMORY. */
int ct_mail_begin(struct ct_mail *mail, size_t size);

/* A message for a box that has no room. CT_OK, CT_E_MEMORY or CT_E_LIMIT. */
int ct_mail_put_behind(struct ct_mail *mail, struct ct_mailbox *box, uint32_t from,
                       const struct ct_mail_message *message);

/* A message that does not lie in the box itself; false, and nothing written, where there is none. */
bool ct_mail_take_behind(struct ct_mail *mail, struct ct_mailbox *box, uint32_t from,
                         struct ct_mail_message *ret_message);

/* *ret_is_awaited says whether the receiver was waiting for it; if so, it no longer is. CT_OK, CT_E_MEMORY or
 * CT_E_LIMIT. */
static inline int ct_mail_put(struct ct_mail *mail, int from, int to, const struct ct_mail_message *message,
                              bool *ret_is_awaited)
{
    struct ct_mailbox *box = &mail->boxes[to];
    *ret_is_awaited = box->awaits == (uint32_t)from;
    if (*ret_is_awaited)
        box->awaits = CT_MAIL_NOBODY;
    int at = 0;
    while (at < CT_MAILBOX_ROOM && box->from[at] != CT_MAIL_NOBODY)
        at++;
    if (at == CT_MAILBOX_ROOM || box->more > 0)
        return ct_mail_put_behind(mail, box, (uint32_t)from, message);
    box->in[at] = message->in;
    box->cost[at] = message->cost;
    box->from[at] = (uint32_t)from;
    return CT_OK;
}

/* The message there has been taken. */
static inline void ct_mail_close_up(struct ct_mailbox *box, int at)
{
    for (; at + 1 < CT_MAILBOX_ROOM; at++) {
        box->in[at] = box->in[at + 1];
        box->cost[at] = box->cost[at + 1];
        box->from[at] = box->from[at + 1];
    }
    box->from[at] = CT_MAIL_NOBODY;
}

/* The first message of the pair; where there is none, false, and the receiver waits for it. */
static inline bool ct_mail_take(struct ct_mail *mail, int from, int to, struct ct_mail_message *ret_message)
{
    struct ct_mailbox *box = &mail->boxes[to];
    int at = 0;
    while (at < CT_MAILBOX_ROOM && box->from[at] != (uint32_t)from)
        at++;
    if (at < CT_MAILBOX_ROOM) {
        *ret_message = (struct ct_mail_message){box->in[at], box->cost[at]};
        ct_mail_close_up(box, at);
        return true;
    }
    if (box->more > 0 && ct_mail_take_behind(mail, box, (uint32_t)from, ret_message))
        return true;
    box->awaits = (uint32_t)from;
    return false;
}

/* A message for that rank will be put or taken soon. */
static inline void ct_mail_prefetch(const struct ct_mail *mail, int to)
{
    __builtin_prefetch(&mail->boxes[to], 1);
}

/* The lowest pair, by sender, that has a message left; false where there is none. */
bool ct_mail_left(const struct ct_mail *mail, int *ret_from, int *ret_to);

#endif
