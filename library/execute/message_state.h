/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_MESSAGE_STATE_H
#define CT_LIBRARY_EXECUTE_MESSAGE_STATE_H

#include "library/mpi/wait_policy.h"
#include "library/node/node.h"
#include "library/node/transfers.h"
#include "plan/plan.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The messages of a call: what has been posted, and what a plan counts in. */

/* A message of at most so many bytes is never split. */
enum { CT_MESSAGE_WHOLE = 1 << 30 };

/* What stands for the length of a message that is sent. */
#define CT_SENT SIZE_MAX

/* Messages that have been posted: their lengths in bytes are known, and compared with what was received. */
struct ct_request_list {
    MPI_Request *requests;
    size_t *lengths;
    MPI_Status *statuses; /* room for those of the requests */
    size_t count;
    size_t capacity;
};

/* A deferred message: waited for by its slot, or at the end of the plan. */
struct ct_deferred {
    MPI_Request request;
    size_t length;
    unsigned until;
};

/* How far functions go where messages are not complete; all but the last return CT_PENDING there. */
enum ct_until { CT_UNTIL_POSTED, CT_UNTIL_TESTED, CT_UNTIL_COMPLETE };

struct ct_messages {
    MPI_Comm comm;
    const int *ranks; /* in `comm`, by rank; NULL if they are the same */
    int tag;
    enum ct_wait_policy policy;
    enum ct_until until;
    int code;               /* the first error of the call that did not end it; MPI_SUCCESS */
    struct ct_node *node;   /* whose lanes carry messages to ranks of this node; NULL: MPI carries all */
    const int *node_ranks;  /* in the communicator of `node`, by rank; NULL if they are the same */
    int size;               /* ranks of the channel, where its calls are counted */
    uint64_t label;         /* of messages through lanes, but for its end: tells channels apart */
    const uint64_t *labels; /* the same by rank; NULL if all are `label` */
    uint64_t label_end;     /* tells calls of a channel apart, by the tag or the number of the call */
    uint64_t numbers;       /* as of struct ct_lane_call */
    uint64_t told;          /* the label of the last call that other ranks know to have begun */
    struct ct_transfers transfers; /* through lanes */
    struct ct_reduction reduction; /* of receives that reduce */
    uint64_t groups;               /* the number of the round's group 0 of sends; 0: it has no number yet */
    struct ct_request_list round;  /* of the round in flight */
    struct ct_deferred *deferred;
    size_t deferred_count;
    size_t deferred_capacity;
    uint64_t sent;
    unsigned looks; /* at lanes alone, of calls that are not waited for */
};

/* The units that a plan counts in, as messages carry them. */
struct ct_units {
    MPI_Datatype type;
    size_t bytes;    /* of a unit's signature */
    MPI_Aint extent; /* from one unit to the next in memory */
    int elements;    /* of the type, in a unit */
    bool contiguous; /* as of ct_layout */
};

/* Not an MPI error code. */
enum { CT_PENDING = -1 };

/* The messages of a round that can be carried out at once: a send, a receive or both, NULL being none, and
 * the lanes that they go through, NULL being MPI. Both go through lanes or both through MPI. */
struct ct_exchange {
    const struct ct_step *steps[2]; /* by CT_STEP_SEND and CT_STEP_RECEIVE; the latter may reduce */
    struct ct_lane *lanes[2];
    const char *operand; /* of CT_STEP_RECEIVE_UPPER */
};

/* The rank in the communicator that carries the messages. */
static inline int ct_message_rank(const struct ct_messages *messages, int rank)
{
    return messages->ranks ? messages->ranks[rank] : rank;
}

/* The number of units that one MPI message may carry. */
static inline size_t ct_message_units(const struct ct_units *units)
{
    if (units->bytes <= 1)
        return CT_MESSAGE_WHOLE;
    return units->bytes < CT_MESSAGE_WHOLE ? CT_MESSAGE_WHOLE / units->bytes : 1;
}

/* The elements of n units, which a message can carry. */
static inline int ct_elements_of(const struct ct_units *units, size_t n)
{
    return (int)n * units->elements;
}

/* The label of messages from and to a rank. */
static inline uint64_t ct_message_label(const struct ct_messages *messages, int rank)
{
    return (messages->labels ? messages->labels[rank] : messages->label) | messages->label_end;
}

#endif
