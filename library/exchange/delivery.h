/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXCHANGE_DELIVERY_H
#define CT_LIBRARY_EXCHANGE_DELIVERY_H

#include "library/decide/unknown_method.h"
#include "library/exchange/exchanged_blocks.h"
#include "plan/rank_grid.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* What the ways of library/exchange/unknown_sources.h to bring blocks to their destinations have in
 * common. */

/* A fast rank may already be in the next exchange, never in the one after that: two tags tell their blocks
 * apart. The tag behind them is that of a barrier. */
enum { CT_DELIVERY_TAGS = 2 };

struct ct_bytes {
    char *items;
    size_t count;
    size_t capacity;
};

/* Appends so many bytes and returns their place; NULL without memory. */
char *ct_bytes_extend(struct ct_bytes *bytes, size_t more);

/* What the way `grid` keeps (deliver_by_grid.h). */
struct ct_delivery_grid {
    struct ct_rank_grid shape;
    struct ct_bytes held; /* headers and blocks that are not at their destinations */
    int longest;          /* line */
    /* Of a stage: */
    int *receivers; /* of this rank, rising */
    int *senders;
    int receiver_count;
    int sender_count;
    struct ct_bytes *outboxes; /* by receiver; with room for an error class */
    MPI_Request *sends;
};

struct ct_deliverer {
    struct ct_unknown_method method;
    MPI_Comm comm;
    int tag;
    int rank;
    int size;
    unsigned deliveries; /* that were carried out, equal on all ranks */
    int64_t *counts;     /* of personalized; else NULL */
    struct ct_delivery_grid grid;
};

/* What is under way at this rank. */
struct ct_delivery {
    struct ct_deliverer *deliverer;
    MPI_Comm comm;
    int tag;
    int rank;
    int size;
    int code; /* the greatest error class that this rank knows of; it goes on, since the others wait for it */
    const struct ct_outgoing *outgoing;
    MPI_Request *sends;
    struct ct_incoming arrived; /* in the order of arrival, without data */
    size_t source_capacity;
    size_t length_capacity;
    struct ct_bytes data; /* of it */
};

/* Takes over an error code of MPI. */
void ct_delivery_fail(struct ct_delivery *delivery, int code);
/* Has nothing failed? */
bool ct_delivery_is_right(const struct ct_delivery *delivery);

/* Makes room for a block that has arrived; NULL without memory, or where an error makes it useless. */
char *ct_delivery_make_room(struct ct_delivery *delivery, int source, size_t length);
/* Receives a block that has been probed. Its sender waits for that, so a rank that cannot keep it receives it
 * in no room at all. */
void ct_delivery_receive_block(struct ct_delivery *delivery, const MPI_Status *status);
/* Waits for a message. False: MPI has failed. */
bool ct_delivery_await(struct ct_delivery *delivery, int source, MPI_Status *status);

/* Begins to send; returns an MPI error code. */
int ct_delivery_send_block(struct ct_delivery *delivery, bool is_synchronous, const void *data, size_t length,
                           int destination, MPI_Request *request);
/* Begins to send all blocks, unless there is an error. Returns how many. */
int ct_delivery_send_all(struct ct_delivery *delivery, bool is_synchronous);
void ct_delivery_finish_sends(struct ct_delivery *delivery, MPI_Request *sends, int count);

#endif
