/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_MAIL_H
#define CT_MODELS_EVALUATE_MAIL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Messages that have been sent and not yet received, first in, first out for each pair of ranks; and which
 * ranks wait for one. */

struct ct_mail_message {
    double in;     /* when it arrives if the receive port is free */
    uint32_t cost; /* by number */
};

struct ct_mail_pair;
struct ct_mail_queued;

enum { CT_MAIL_BITS = 24 }; /* of a number of senders */

#define CT_MAIL_NOBODY UINT32_MAX

/* A box with this many messages fills two cache lines; most boxes use only the first line. */
enum { CT_MAILBOX_ROOM = 7 };

/* The messages for a rank: the first ones lie in the box, in order. Messages that find it full, and all later
 * ones until these are taken, lie in a table of the box by sender. */
struct ct_mailbox {
    struct ct_mail_pair *pairs;   /* NULL until there are any */
    uint32_t awaits;              /* sender of the message that the rank waits for, or CT_MAIL_NOBODY */
    uint32_t count : 3;           /* messages in the box */
    uint32_t pairs_bits : 5;      /* of the table's capacity */
    uint32_t more : CT_MAIL_BITS; /* senders in the table */
    struct ct_mail_entry {
        double in;
        uint32_t cost;
        uint32_t from;
    } entries[CT_MAILBOX_ROOM];
};

_Static_assert(sizeof(struct ct_mailbox) == 128, "a box fills two cache lines");

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

/* Stores a message for a box that has no room. CT_OK, CT_E_MEMORY or CT_E_LIMIT. */
int ct_mail_put_behind(struct ct_mail *mail, struct ct_mailbox *box, uint32_t from,
                       const struct ct_mail_message *message);

/* Takes a message that does not lie in the box itself; false, and nothing written, if there is none. */
bool ct_mail_take_behind(struct ct_mail *mail, struct ct_mailbox *box, uint32_t from,
                         struct ct_mail_message *ret_message);

/* Sends a message. *ret_is_awaited tells whether the receiver was waiting for it. CT_OK, CT_E_MEMORY or
 * CT_E_LIMIT. */
static inline int ct_mail_put(struct ct_mail *mail, int from, int to, const struct ct_mail_message *message,
                              bool *ret_is_awaited)
{
    struct ct_mailbox *box = &mail->boxes[to];
    *ret_is_awaited = box->awaits == (uint32_t)from;
    if (*ret_is_awaited)
        box->awaits = CT_MAIL_NOBODY;
    if (box->count == CT_MAILBOX_ROOM || box->more > 0)
        return ct_mail_put_behind(mail, box, (uint32_t)from, message);
    box->entries[box->count++] = (struct ct_mail_entry){message->in, message->cost, (uint32_t)from};
    return CT_OK;
}

/* Takes the first message of the pair. If there is none, returns false, and the receiver waits for it. */
static inline bool ct_mail_take(struct ct_mail *mail, int from, int to, struct ct_mail_message *ret_message)
{
    struct ct_mailbox *box = &mail->boxes[to];
    unsigned at = 0, count = box->count;
    while (at < count && box->entries[at].from != (uint32_t)from)
        at++;
    if (at < count) {
        *ret_message = (struct ct_mail_message){box->entries[at].in, box->entries[at].cost};
        for (; at + 1 < count; at++)
            box->entries[at] = box->entries[at + 1];
        box->count--;
        return true;
    }
    if (box->more > 0 && ct_mail_take_behind(mail, box, (uint32_t)from, ret_message))
        return true;
    box->awaits = (uint32_t)from;
    return false;
}

/* Call it if a message for that rank will be put or taken soon. */
static inline void ct_mail_prefetch(const struct ct_mail *mail, int to)
{
    __builtin_prefetch(&mail->boxes[to], 1);
}

/* The lowest pair, by sender, that has a message left; false if there is none. */
bool ct_mail_left(const struct ct_mail *mail, int *ret_from, int *ret_to);

#endif
