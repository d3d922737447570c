/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_TIMELINE_MESSAGES_H
#define CT_MODELS_EVALUATE_TIMELINE_MESSAGES_H

#include "models/evaluate/timeline_terms.h"
#include "models/evaluate/transfer_cost.h"

#include <stdbool.h>
#include <stdint.h>

/* The messages of the plans of all ranks: which send meets which receive, and what each message costs. */

#define CT_NO_MESSAGE UINT32_MAX

enum ct_message_side { CT_MESSAGE_SENDER, CT_MESSAGE_RECEIVER, CT_MESSAGE_SIDES };

/* The k-th send of one rank to another, and the k-th receive there. */
struct ct_timeline_message {
    int32_t ranks[CT_MESSAGE_SIDES];
    uint32_t cost;                    /* by number */
    uint16_t until[CT_MESSAGE_SIDES]; /* of the steps */
    /* How far it has come (timeline.c). */
    bool is_posted[CT_MESSAGE_SIDES];
    bool is_done[CT_MESSAGE_SIDES];
    bool is_queued;   /* its transfer waits for that of the message before it */
    bool is_through;  /* its transfer is done */
    bool has_arrived; /* before its receive was posted */
    double posted;    /* the later of both posts */
    double done;
};

/* Costs are found again by the hash of the size. */
enum { CT_COSTS_KEPT = 1024 };

/* All zeroes before the first use; memory serves the next plans again. */
struct ct_timeline_messages {
    struct ct_timeline_message *all; /* by receiver, then by sender, then as they are sent */
    size_t count, capacity;
    uint32_t *of_steps; /* by rank, round after round, of each step its message, or CT_NO_MESSAGE */
    size_t step_capacity;
    size_t *first_steps; /* by rank its first step's place in of_steps */
    size_t first_capacity;
    struct ct_transfer_cost *costs;
    size_t cost_count, cost_capacity;
    size_t bytes; /* of all messages */
    /* while they are matched */
    size_t *begins; /* by receiver its first message */
    size_t begin_capacity;
    uint32_t *cursors; /* by rank */
    size_t cursor_capacity;
    uint32_t kept[CT_LINK_KINDS][CT_COSTS_KEPT]; /* 1 + the number of a cost */
    struct ct_link_protocol protocols[CT_LINK_KINDS];
};

/* CT_OK; CT_E_ANSWER where a send or a receive has no partner of its length, CT_E_LIMIT beyond the messages
 * allowed, both with a line in `error`; CT_E_MEMORY. */
int ct_timeline_messages_match(struct ct_timeline_messages *messages, const struct ct_timeline_terms *terms,
                               struct ct_error *error);

void ct_timeline_messages_free(struct ct_timeline_messages *messages);

#endif
