/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_ROUTES_H
#define CT_PLAN_ROUTES_H

#include <stdbool.h>
#include <stddef.h>

/* What one rank's set-up of a sparse exchange finds out: which blocks come through this rank, in which
 * messages. Sending and receiving ranks have the same blocks in a message, in the same order. It is data, of
 * which plan/routed_plan.h makes the plan. */

/* Blocks that travel together. */
struct ct_routed_message {
    int peer;
    bool is_sent; /* else received */
    unsigned stage;
    size_t begin; /* of its blocks in `carried` */
    size_t count;
};

/* A block that ends here. */
struct ct_route_end {
    size_t held;  /* the block as this rank holds it */
    size_t block; /* its place in the result */
};

/* All zeroes are the routes of a rank that exchanges nothing. A message is sent in a stage later than all of
 * its blocks were received. Messages are listed by stage. */
struct ct_routes {
    unsigned stages;
    unsigned number; /* tells routes apart where several are kept; 0 elsewhere */

    /* Blocks that this rank holds: its own first, in the order of its input, then those that it receives, in
     * the order of arrival. */
    size_t *lengths;    /* in units, or in blocks */
    bool counts_blocks; /* all blocks have the call's count */
    size_t held_count;
    size_t held_capacity;
    size_t own_count;

    struct ct_routed_message *messages;
    size_t message_count;
    size_t message_capacity;
    size_t *carried; /* blocks of messages, as this rank holds them; of a received message consecutive ones */
    size_t carried_count;
    size_t carried_capacity;

    struct ct_route_end *deliveries; /* by the place in the result, rising */
    size_t delivery_count;
    size_t delivery_capacity;

    /* Of an exchange whose sources are not known before: what arrives, by source. */
    int *sources;
    size_t source_capacity;
    size_t *source_lengths;
    size_t source_length_capacity;
    size_t source_count;
};

/* Empties routes; their memory is kept. */
void ct_routes_reset(struct ct_routes *routes);

void ct_routes_free(struct ct_routes *routes);

#endif
