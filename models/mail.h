/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_MAIL_H
#define CT_MODELS_MAIL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Messages that have been sent and not yet received: of each pair of ranks first in, first out. */

struct ct_mail_message {
    double in;     /* when it is in at the receiver, if the way in is free */
    uint32_t cost; /* by number */
};

struct ct_mail_pair;
struct ct_mail_queued;

/* All zeroes to begin with. */
struct ct_mail {
    struct ct_mail_pair *pairs; /* by hash */
    size_t pair_count;
    size_t pair_most;     /* at any time since the last ct_mail_clear() */
    size_t pair_capacity; /* 0 or a power of two */
    unsigned shift;
    struct ct_mail_queued *queued; /* messages behind the first of their pair */
    size_t queued_count, queued_capacity;
    uint32_t idle_queued;
};

void ct_mail_free(struct ct_mail *mail);

/* Throws away what is left, and memory that the last use had no use for: a table far too large is slow. CT_OK
 * or CT_E_MEMORY. */
int ct_mail_clear(struct ct_mail *mail);

/* CT_OK, CT_E_MEMORY or CT_E_LIMIT. */
int ct_mail_put(struct ct_mail *mail, int from, int to, const struct ct_mail_message *message);

/* A message of that pair will be put or taken soon. */
void ct_mail_prefetch(const struct ct_mail *mail, int from, int to);

/* The first message of the pair; false, and nothing written, where there is none. */
bool ct_mail_take(struct ct_mail *mail, int from, int to, struct ct_mail_message *ret_message);

/* The lowest pair, by sender, that has a message left; false where there is none. */
bool ct_mail_left(const struct ct_mail *mail, int *ret_from, int *ret_to);

#endif
