/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_MESSAGES_H
#define CT_LIBRARY_MESSAGES_H

#include "library/executor.h"

/* Messages of one call in flight: posting them and waiting for them. */

/* A message of at most so many bytes is never split. */
enum { CT_MESSAGE_WHOLE = 1 << 30 };

struct ct_request_list {
    MPI_Request *requests;
    size_t count;
    size_t capacity;
};

/* A deferred message: waited for by its slot, or at the end of the plan. */
struct ct_deferred {
    MPI_Request request;
    unsigned until;
};

struct ct_messages {
    MPI_Comm comm;
    int tag;
    enum ct_wait_policy policy;
    struct ct_request_list round; /* of the round in flight */
    struct ct_deferred *deferred;
    size_t deferred_count;
    size_t deferred_capacity;
    uint64_t sent;
};

/* One message: `n` elements of `type`, `bytes` bytes each, from or to `address`. One that MPI's int counts
 * cannot carry is split, alike at both ends. */
struct ct_message {
    bool sends;
    int peer;
    char *address;
    size_t n;
    size_t bytes;    /* of an element's signature */
    MPI_Aint extent; /* from one element to the next */
    MPI_Datatype type;
    unsigned until; /* as in struct ct_step */
};

/* Each returns an MPI error code. */
int ct_message_post(struct ct_messages *messages, const struct ct_message *message);
int ct_messages_wait_round(struct ct_messages *messages);
/* Waits until fewer than `window` messages of the round are outstanding. */
int ct_messages_wait_window(struct ct_messages *messages, size_t window);
/* Waits for the deferred messages of a slot, or of all. */
enum { CT_ALL_SLOTS = 0 };
int ct_messages_wait_deferred(struct ct_messages *messages, unsigned slot);

void ct_messages_free(struct ct_messages *messages);

#endif
