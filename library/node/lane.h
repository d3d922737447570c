/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_LANE_H
#define CT_LIBRARY_NODE_LANE_H

#include "library/node/board.h"
#include "library/node/call_counts.h"
#include "library/node/doze.h"
#include "library/node/pause.h"
#include "library/node/ways.h"

#include <string.h>
#include <sys/types.h>

/* A lane joins this rank to another one on its node: a ring each way. Messages with one label arrive in the
 * order in which they were sent, and the k-th that is sent meets the k-th that is received. Messages with
 * other labels do not wait for each other: a piece that no receive has asked for yet is set aside, in memory
 * of the receiver.
 *
 * With one thread, that memory is bounded by the calls that the sender has begun and not yet waited for. A
 * rank sets pieces aside only where it waits for a message that was sent after them, in a call that the
 * sender has begun after theirs. The sender cannot have waited for the earlier call: it may have to wait
 * until this rank takes part, which this rank does only after the later call, so that such a program is wrong
 * (MPI 4.0, section 6.14). With several threads, one of them may run ahead of the other rank in calls that it
 * does not wait in, as it may with messages of MPI, which are then kept likewise.
 *
 * Ranks whose blocking calls differ in length may cut them into different numbers of messages. So labels of
 * these have the number of the call. Pieces of calls that this rank has left are dropped, and a receive whose
 * message is not there ends as too short once the sender is seen in a later call: all that it has sent
 * before is there by then. A sender in a later call is seen by its messages, or by an announcement: a piece
 * without contents that it puts if it has waited for long, since it may wait for this rank, or that this rank
 * notes if it sees in the memory of the node that the sender has left the call. */

struct ct_early_piece;

/* The call for which a rank receives or looks. */
struct ct_lane_call {
    uint64_t label;   /* its lowest 8 bits are 0 */
    uint64_t numbers; /* the bits of the label by which calls are counted; 0: they are not */
};

/* The chunks that the next message fills if it is as long as the last one. */
struct ct_ahead {
    uint64_t chunk; /* of which lines are fetched next, from so many bytes on */
    size_t offset;
    size_t piece; /* bytes of each that are filled */
    size_t left;  /* bytes of all that are not fetched yet */
};

struct ct_lane {
    struct ct_ring_side out;
    struct ct_ring_side in;
    struct ct_ahead ahead;            /* of `out` */
    struct ct_board *board;           /* this rank's, which all its lanes share; NULL: there is none */
    const unsigned char *other_board; /* the memory of the other rank's */
    struct ct_early_piece *early;     /* pieces that were set aside, in the order of their arrival */
    struct ct_early_piece **early_end;
    const struct ct_call_counts *counts; /* of sets of ranks; NULL: several threads call at a time */
    /* Messages of at least so many bytes are copied by the receiver out of the sender's memory; SIZE_MAX: the
     * kernel does not allow it. Both ranks need not agree. */
    size_t copy_from;
    bool learns_ways;       /* instead, messages go the way by which they arrive soonest; both ranks agree */
    bool decides;           /* one of the two ranks, which ways exchanged messages go */
    struct ct_ways arrival; /* of messages that this rank receives */
    unsigned untimed;       /* short ones that this rank has sent since one was timed */
    pid_t process;          /* the other rank's */
    uint64_t copies_begun[CT_RING_COPIES]; /* by slot, which is free if as many are done */
    unsigned sends_pending;                /* transfers of all calls that are not sent whole */
    unsigned remains;         /* receives of calls that ended within a message, see transfers.h */
    bool is_stalled[2];       /* see transfers.c */
    _Atomic uint32_t *asleep; /* the other rank's, see doze.h; NULL: ranks of this node do not sleep */
    bool pauses;              /* between looks at what arrives, see pause.h */
    uint64_t copied;          /* bytes that this rank has copied, but for messages in one cell; for tests */
};

enum ct_transfer_flaw {
    CT_TRANSFER_RIGHT,
    CT_TRANSFER_TOO_LONG,  /* the message has more bytes than its receiver expects; the rest was dropped */
    CT_TRANSFER_TOO_SHORT, /* it has fewer */
    CT_TRANSFER_LOST,      /* the sender's memory could not be read */
    CT_TRANSFER_NO_MEMORY  /* it was not received: what is before it in the ring could not be set aside */
};

enum { CT_NO_SLOT = -1 };

/* How messages are combined with data of this rank while they arrive. Pieces of a message hold whole elements
 * if the size of an element divides a cache line. */
struct ct_reduction {
    /* to = from op to, for so many bytes of elements */
    void (*combine)(void *context, const void *from, void *to, size_t bytes);
    void *context;
    size_t element; /* bytes */
};

/* A message that is sent or received. */
struct ct_transfer {
    struct ct_lane *lane;
    char *address; /* of the bytes that are left, `left` of them */
    size_t left;
    size_t piece; /* bytes of a piece that is sent; 0: none has been sent yet */
    struct ct_lane_call call;
    unsigned until; /* as of a step */
    bool sends;
    bool is_begun;     /* a part of the message has gone, and a part has not */
    bool is_abandoned; /* see transfers.h */
    int slot;          /* of the copy that the sender waits for; CT_NO_SLOT */
    uint64_t copy;     /* its number in the slot */
    enum ct_transfer_flaw flaw;
    enum ct_meanwhile meanwhile; /* of a send */
    enum ct_way way;             /* of a send that is begun, and its class */
    unsigned of_class;
    double begun;  /* as in ways.h, of a send that is timed, or `found` of a receive; 0: it is not timed */
    size_t whole;  /* bytes of a message that is timed */
    void *staging; /* of near_messages.c */
    uint64_t
        group; /* of messages with the same contents that may share a copy, see board.h; 0: it is alone */
    /* NULL: the message is stored at `address`. Else what lies at `address` becomes message op what lies
     * there or, if there is an operand, operand op message. */
    const struct ct_reduction *reduction;
    const char *operand;
};

static inline void ct_lane_tell(struct ct_lane *lane)
{
    if (lane->asleep)
        ct_doze_wake(lane->asleep);
}

/* Do its two ranks have CPUs of their own? Then to move cache lines takes most of a message's time. */
static inline bool ct_lane_is_between_cpus(const struct ct_lane *lane)
{
    return !lane->asleep;
}

/* Puts the cell, and tells the other rank. */
static inline void ct_lane_put(struct ct_lane *lane, struct ct_cell *cell, uint64_t label)
{
    ct_ring_put(&lane->out, cell, label);
    if (ct_lane_is_between_cpus(lane))
        ct_pass_on_line(cell);
    ct_lane_tell(lane);
}

void ct_lane_fetch_some(struct ct_lane *lane);

/* A rank that waits for an answer has time to fetch some of the lines that it writes next. */
static inline void ct_lane_fetch_ahead(struct ct_lane *lane)
{
    if (lane->ahead.left > 0)
        ct_lane_fetch_some(lane);
}

/* Passes the time between two looks at what arrives. Returns for how many looks it has taken. */
static inline unsigned ct_lane_pass_time(struct ct_lane *lane)
{
    ct_lane_fetch_ahead(lane);
    if (!lane->pauses)
        return 1;
    ct_pause();
    return CT_PAUSE_LOOKS;
}

/* Most short messages are one number, for which no function need be called. */
static inline void ct_lane_copy_short(void *to, const void *from, size_t bytes)
{
    if (bytes == sizeof(double))
        memcpy(to, from, sizeof(double));
    else if (bytes > 0)
        memcpy(to, from, bytes);
}

/* The short way, for messages whose way is not learned. The lowest 8 bits of a cell's label are the bytes of
 * a message that is all in the cell, or more than any of these; then it is in one chunk. False: the message
 * must go the long way, if only because it is not there yet. */
enum { CT_SHORT_BYTES = CT_WAYS_FROM - CT_LINE };

/* Of both directions: among many ranks chunks are shorter. */
static inline size_t ct_lane_short_bytes(const struct ct_lane *lane)
{
    return lane->out.chunk_bytes < CT_SHORT_BYTES ? lane->out.chunk_bytes : CT_SHORT_BYTES;
}

bool ct_lane_send_chunk(struct ct_lane *lane, uint64_t label, const void *from, size_t bytes);
bool ct_lane_receive_chunk(struct ct_lane *lane, uint64_t label, void *to, size_t bytes);

static inline bool ct_lane_send_short(struct ct_lane *lane, uint64_t label, const void *from, size_t bytes)
{
    if (bytes > CT_CELL_BYTES)
        return ct_lane_send_chunk(lane, label, from, bytes);
    struct ct_cell *cell = ct_ring_free_cell(&lane->out);
    if (!cell)
        return false;
    ct_lane_copy_short(cell->data, from, bytes);
    ct_lane_put(lane, cell, label | bytes);
    return true;
}

static inline bool ct_lane_receive_short(struct ct_lane *lane, uint64_t label, void *to, size_t bytes)
{
    if (bytes > CT_CELL_BYTES)
        return ct_lane_receive_chunk(lane, label, to, bytes);
    const struct ct_cell *cell = lane->early ? NULL : ct_ring_first(&lane->in);
    if (!cell || cell->label != (label | bytes))
        return false;
    ct_lane_copy_short(to, cell->data, bytes);
    ct_ring_take(&lane->in);
    ct_lane_tell(lane);
    return true;
}

/* Both rings must be zeroed, or both ends must agree on the numbers of cells and chunks. */
void ct_lane_make(struct ct_lane *ret_lane, const struct ct_ring_side *out, const struct ct_ring_side *in);
/* Frees what was set aside. */
void ct_lane_free(struct ct_lane *lane);

/* Sends or receives as much as goes without waiting. True: the message is complete, and its memory free. A
 * message is moved only when those before it with the same label and direction are complete. False with the
 * flaw CT_TRANSFER_NO_MEMORY: the message can be received only when there is memory again. */
bool ct_lane_send(struct ct_transfer *transfer);
bool ct_lane_receive(struct ct_transfer *transfer);

/* Drops what has arrived of calls that this rank has left, as far as nothing else stands before it. */
void ct_lane_tidy(struct ct_lane *lane, const struct ct_lane_call *call);
/* Announces that this rank has begun the call of a label, or has left it. False: there is little room now. */
bool ct_lane_announce(struct ct_lane *lane, uint64_t label, bool has_left);

/* The other rank is known to have left the call: what it has sent is there, and receives of more end as too
 * short. Without memory they do not. */
void ct_lane_note_left(struct ct_lane *lane, const struct ct_lane_call *call);

/* Bytes of the chunks beside a ring, and how many there are, for a pair of ranks with that much memory in
 * one direction. */
void ct_ring_divide(size_t bytes, size_t *ret_chunk_bytes, unsigned *ret_chunk_count);

#endif
