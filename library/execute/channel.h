/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_CHANNEL_H
#define CT_LIBRARY_EXECUTE_CHANNEL_H

#include "library/execute/executor.h"
#include "library/execute/patience.h"
#include "library/execute/shortcut.h"
#include "library/node/node.h"
#include "library/node/transfers.h"

/* The inside of the executor; executor.h has its interface. */

/* --- layout.c --- */

/* How elements of a datatype lie in memory. */
struct ct_layout {
    size_t size;          /* bytes of its signature */
    MPI_Aint extent;      /* from one element to the next */
    MPI_Aint true_lb;     /* where its data begins, from the address given */
    MPI_Aint true_extent; /* and how far it reaches */
    bool contiguous; /* n elements are their n * size bytes of signature, in order, from the address given */
    bool predefined; /* the type can never be freed, so its handle stands for this layout for good */
};

/* Finds the layout. Sizes alone do not prove contiguity (an indexed type may swap its parts), so a derived
 * type is tried with numbered bytes once and the answer kept with it. Errors are raised on `comm`. Returns an
 * MPI error code. */
int ct_layout_find(MPI_Datatype type, MPI_Comm comm, struct ct_layout *ret_layout);

/* --- messages.c --- */

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

/* How far the functions below go where messages are not complete; all but the last return CT_PENDING there.
 */
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
    uint64_t label;         /* of messages through lanes, but for the tag: tells channels apart */
    const uint64_t *labels; /* the same by rank; NULL if all are `label` */
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

/* These return the MPI error code of an error that ends the call. Messages of another length than the plan
 * has do not: they set messages->code, and the call goes on, since other ranks wait for its messages. */

/* May this rank wait inside MPI? Not where it shares its CPU, and not while other calls of its own are in
 * flight, which it has to move. */
bool ct_messages_may_block(const struct ct_messages *messages);

/* Posts the message of a send or receive step from or to `address`. A message that MPI's int counts cannot
 * carry is split, alike at both ends. */
int ct_message_post(struct ct_messages *messages, const struct ct_step *step, char *address,
                    const struct ct_units *units);
/* The messages of a round that can be carried out at once: a send, a receive or both, NULL being none, and
 * the lanes that they go through, NULL being MPI. Both go through lanes or both through MPI. */
struct ct_exchange {
    const struct ct_step *steps[2]; /* by CT_STEP_SEND and CT_STEP_RECEIVE; the latter may reduce */
    struct ct_lane *lanes[2];
    const char *operand; /* of CT_STEP_RECEIVE_UPPER */
};
/* Finds the lanes of the steps. False: they must be posted one by one. */
bool ct_exchange_find_lanes(const struct ct_messages *messages, const struct ct_units *units,
                            struct ct_exchange *exchange);
/* Carries both out, from and to the addresses of the same numbers, and waits. Each is one message. */
int ct_messages_exchange(struct ct_messages *messages, const struct ct_exchange *exchange,
                         char *const addresses[2], const struct ct_units *units);
int ct_messages_wait_round(struct ct_messages *messages);
/* Waits until fewer than `window` messages of the round are outstanding. */
int ct_messages_wait_window(struct ct_messages *messages, size_t window);
/* Waits for the deferred messages of a slot, or of all. */
enum { CT_ALL_SLOTS = 0 };
int ct_messages_wait_deferred(struct ct_messages *messages, unsigned slot);

/* Withdraws what is outstanding after an error that ended the call. False: the MPI library may still use the
 * memory of some. */
bool ct_messages_abandon(struct ct_messages *messages);

/* The rank in the communicator that carries the messages. */
static inline int ct_message_rank(const struct ct_messages *messages, int rank)
{
    return messages->ranks ? messages->ranks[rank] : rank;
}

/* Does this code say that the errors stand in the statuses? */
bool ct_is_in_status(int code);
/* Keeps the first error of the call. */
void ct_messages_keep_error(struct ct_messages *messages, int code);
/* Can the call go on after the error of a message? A message that is too long ends its receive and nothing
 * else. The call carries out its other steps, so that no rank waits for this one, and returns the error at
 * its end. Returns the code of any other error. */
int ct_messages_tolerate(struct ct_messages *messages, int code);

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

void ct_messages_free(struct ct_messages *messages);

/* --- near_messages.c --- */

/* The lane to a rank; NULL: its messages go through MPI. */
struct ct_lane *ct_message_lane(const struct ct_messages *messages, int rank);
/* The label of messages from and to a rank. */
static inline uint64_t ct_message_label(const struct ct_messages *messages, int rank)
{
    return ct_node_label(messages->labels ? messages->labels[rank] : messages->label, messages->tag);
}

/* The same as those above, for messages through lanes. */
int ct_near_message_post(struct ct_messages *messages, struct ct_lane *lane, const struct ct_step *step,
                         size_t n, char *address, const struct ct_units *units);
/* Posts a receive that reduces into `to`, with the operand of CT_STEP_RECEIVE_UPPER, else NULL. There is a
 * lane. */
int ct_near_message_reduce(struct ct_messages *messages, const struct ct_step *step, char *to,
                           const char *operand, const struct ct_units *units);
int ct_near_messages_exchange(struct ct_messages *messages, const struct ct_exchange *exchange,
                              char *const addresses[2], const struct ct_units *units);
bool ct_near_messages_abandon(struct ct_messages *messages);

/* Are there any that are to be complete at `until`? */
bool ct_near_messages_left(const struct ct_messages *messages, unsigned until);
/* Moves them as far as goes without waiting. *ret_done: none is left that is to be complete at `until`.
 * Returns an MPI error code. */
int ct_near_messages_move(struct ct_messages *messages, unsigned until, bool *ret_done);
/* Passes the time between two looks, which were at lanes alone if `is_near`. */
void ct_near_messages_pass_time(const struct ct_messages *messages, struct ct_patience *patience,
                                bool is_near);

/* --- calls in flight --- */

/* Memory that is kept from call to call. */
struct ct_kept_memory {
    char *bytes;
    size_t capacity;
};

/* The buffers that a plan works on. */
struct ct_buffers {
    char *base[CT_BUFFERS_MAX];
    const MPI_Aint *at[2]; /* of SEND and RECV in v and w forms: where each rank's block begins; else NULL */
    bool packed[2];        /* SEND and RECV */
};

/* A call in flight: what it works with, where it stands, and the memory that it leaves to the next call. */
struct ct_flight {
    struct ct_channel *channel;
    struct ct_messages messages;
    struct ct_units units;
    struct ct_layout layout; /* of a unit */
    MPI_Op op;
    struct ct_buffers buffers;
    unsigned buffers_ready; /* temporary buffers up to this one have memory */
    unsigned buffers_most;  /* so many had in calls before */
    /* The round of the plan, the part of the round and the step in it that are to be carried out next. */
    size_t round;
    size_t step;
    unsigned part;
    /* The same of a call that takes the shortcut of its kept plan; see shortcut.h. */
    bool has_shortcut; /* the operands of the call that is advanced allow it, too */
    bool is_short;     /* the call has not left it */
    unsigned short_step;
    ct_short_reduction *reduction;
    struct ct_plan plan; /* where it is not a kept one */
    bool is_drained;     /* a part of the plan was carried out and forgotten */
    bool fuses;          /* it carries out the rewritten form of its kept plan */
    /* The result: of the part of the plan that was drained, or of a call that is advanced; see
     * mpi_progress.h. */
    int code;

    /* The call that is advanced, its plan if that is a kept one, and the next one of those in flight. */
    struct ct_kept_plan *kept;
    const struct ct_operands *operands;
    const struct ct_call *call;
    enum ct_collective collective;
    struct ct_flight *next;
    /* See ct_progress_add_remains(). */
    struct ct_flight *next_remaining;
    bool has_remains;
    bool is_left; /* nobody else needs it */

    struct ct_kept_memory temporary[CT_BUFFERS_MAX]; /* by buffer number */
    struct ct_kept_memory packed[2];                 /* the data of sides that are not contiguous */
    struct ct_kept_memory counts[2];                 /* of blocks, in units */
    struct ct_kept_memory places[2];                 /* of blocks, in bytes */
};

/* --- executor.c --- */

/* For calls that are not waited for: a flight of its own, whose messages have that tag. NULL without memory.
 */
struct ct_flight *ct_flight_make(struct ct_channel *channel, int tag);
/* The same with a flight that is not under way, whose memory serves again. */
void ct_flight_reuse(struct ct_flight *flight, struct ct_channel *channel, int tag);
/* Frees a flight that is not under way. */
void ct_flight_free(struct ct_flight *flight);

/* Makes the plan of a call, or finds one that the channel keeps, for as many times as the call is begun,
 * which are many if it `repeats`. Returns an MPI error code. */
int ct_flight_plan(struct ct_flight *flight, const struct ct_method *method, struct ct_call *call,
                   bool repeats);
/* Leaves the plan, and all memory but a little. */
void ct_flight_leave_plan(struct ct_flight *flight);

/* Begins a call whose plan is made. Operands and call must stay until it is complete. Returns an MPI error
 * code. */
int ct_flight_begin(struct ct_flight *flight, enum ct_collective collective,
                    const struct ct_operands *operands, const struct ct_call *call);
/* Finds the short way of the call that was begun last, for calls like it. */
void ct_flight_find_short(const struct ct_flight *flight, struct ct_short_call *ret_short);
/* Begins a call the short way of an earlier one, which is still kept, so that it needs no plan. False: it
 * cannot be begun so now. ct_flight_run_short() comes next, and if the call is not complete then,
 * ct_flight_go_on_short(), from which on operands and call must stay. */
bool ct_flight_begin_short(struct ct_flight *flight, const struct ct_short_call *shorter, void *send,
                           void *recv);
void ct_flight_go_on_short(struct ct_flight *flight, const struct ct_short_call *shorter,
                           enum ct_collective collective, const struct ct_operands *operands,
                           const struct ct_call *call);
/* Goes on with a call on the shortcut of `kept` as far as it goes without waiting, by no function of MPI.
 * Sets the flight's code, and returns whether the call is complete. */
bool ct_flight_run_short(struct ct_flight *flight, const struct ct_kept_plan *kept);
/* Begins the call that the flight has carried out once more, with the same buffers. False: it must be begun
 * as a new one. */
bool ct_flight_begin_again(struct ct_flight *flight);
/* Is there nothing in its first round that other ranks wait for, or that takes long? */
bool ct_flight_may_rest(const struct ct_flight *flight);
/* Advances the call: to where it would look whether messages are complete; as far as it goes without waiting;
 * or to its end, if no other is in flight. Returns CT_PENDING, or its MPI error code when it is complete. */
int ct_flight_advance(struct ct_flight *flight, enum ct_until until);

/* --- rounds.c --- */

/* Makes ready to carry out fused plans. False if this call cannot: its operation or type may not be divided
 * into pieces, or there are no lanes. */
bool ct_rounds_fuse(struct ct_flight *flight);
/* Puts the flight before the first round. */
void ct_rounds_begin(struct ct_flight *flight);
/* Puts it into a round of which the first part is that the messages have been posted. The next function posts
 * those that have not. Both return an MPI error code. */
int ct_rounds_enter(struct ct_flight *flight, const struct ct_plan *plan, size_t round);
int ct_rounds_post(struct ct_flight *flight, const struct ct_step *step);
/* Does the plan begin with the receive of a short message, and nothing else? */
bool ct_rounds_receive_first(const struct ct_flight *flight, const struct ct_plan *plan);
/* Carries out the rounds of the plan from there. CT_PENDING: call again with the same plan. */
int ct_rounds_run(struct ct_flight *flight, const struct ct_plan *plan);

/* --- kept_plans.c --- */

/* A plan that is kept for calls that repeat one: all that plans depend on. */
struct ct_kept_plan {
    uint64_t used;    /* when it was last: the channel's count of uses */
    unsigned flights; /* that carry it out; meanwhile it stays */
    struct ct_method method;
    int root;
    bool in_place;
    bool commutative;
    size_t count;
    size_t unit_bytes;
    size_t *lengths[2]; /* copies of send_counts and recv_counts */
    unsigned routes;    /* the number of its routes; 0 where it has none */
    uint64_t noted;     /* when this call was: the channel's count of uses */
    bool is_whole;      /* `plan` is there; else the call was seen once */
    struct ct_plan plan;
    struct ct_shortcut *shortcut; /* of `plan`; NULL: it has none */
    /* `plan` as it is rewritten for ranks of a node, see fuse.h and share_sends.h; no rounds: as it is. */
    struct ct_plan fused;
    bool reduces; /* `fused` has receives that reduce */
};

/* Enough for all methods that a sweep calls in turn: it times calls as they repeat in applications. A call's
 * plan is in one of the CT_KEPT_NEAR entries from its own. */
enum { CT_KEPT_PLANS = 64, CT_KEPT_NEAR = 8 };

/* NULL if no call like this one was noted. Valid until the next call is noted. */
struct ct_kept_plan *ct_kept_plan_find(struct ct_channel *channel, const struct ct_method *method,
                                       const struct ct_call *call);
/* Notes the call in an empty entry, or in that which was not used for longest. Without memory, or if all are
 * in use, it does nothing. */
void ct_kept_plan_note(struct ct_channel *channel, const struct ct_method *method,
                       const struct ct_call *call);
/* Keeps a copy of the plan in an entry that has none, with its shortcut or its rewritten form, as far as
 * there is memory. */
void ct_kept_plan_fill(struct ct_channel *channel, struct ct_kept_plan *kept, const struct ct_plan *plan);
void ct_kept_plans_forget(struct ct_channel *channel);

/* --- channel.c --- */

struct ct_topology;

struct ct_channel {
    int rank;
    int size;
    struct ct_topology *topology; /* a reference; NULL: the communicator has none, or it is not needed */
    int tag_limit;                /* the largest tag */
    int *ranks;                   /* what messages.ranks points to */
    int *node_ranks;              /* what messages.node_ranks points to, if it is not `ranks` */
    struct ct_kept_plan *kept[CT_KEPT_PLANS]; /* NULL: an empty entry */
    struct ct_kept_plan *kept_last;           /* that of the last call; NULL if it had none */
    uint64_t kept_uses;
    struct ct_nodes nodes; /* count 0: not known */
    unsigned context;      /* see node.h */
    struct ct_side_memory {
        MPI_Datatype known_type; /* the type of `layout` if it is predefined; else MPI_DATATYPE_NULL */
        struct ct_layout layout; /* of the type used last */
    } sides[2];                  /* CT_BUFFER_SEND, CT_BUFFER_RECV */
    struct ct_flight flight;     /* of blocking calls */
};

/* Makes a communicator of the group of `comm` and opens a channel over it. Collective over `comm`, by native
 * calls. Returns an MPI error code; *ret_comm is MPI_COMM_NULL, or is there after an error, too, since it is
 * freed collectively. */
int ct_channel_open_apart(MPI_Comm comm, enum ct_wait_policy policy, MPI_Comm *ret_comm,
                          struct ct_channel **ret_channel);
/* Closes it, if it is open, and frees the communicator, if there is one; clears both. Collective as above. */
void ct_channel_close_apart(MPI_Comm *comm, struct ct_channel **channel);

/* Opens a channel between some ranks of another channel's communicator, by its rank of each; this one is
 * `rank`. All messages have one tag, which follows from the ranks. Returns an MPI error code. */
int ct_channel_open_part(const struct ct_channel *whole, const int *ranks, int rank, int size,
                         enum ct_wait_policy policy, struct ct_channel **ret_channel);

/* Messages of a channel on a communicator of its own go through the lanes of the node, too, if all its ranks
 * are of the node's communicator. All of them set the context that rank 0 has given. Returns an MPI error
 * code. */
int ct_channel_use_lanes(struct ct_channel *channel, struct ct_node *node);
void ct_channel_set_context(struct ct_channel *channel, unsigned context);

/* How many blocks the user has on a side of a v or w form, or of a sparse collective. */
size_t ct_channel_blocks(const struct ct_channel *channel, enum ct_collective collective, unsigned side);

/* Sets a label for each rank, which must stay. */
void ct_channel_set_labels(struct ct_channel *channel, const uint64_t *labels);

/* Frees the memory that calls of any size have left: buffers of more than `most` bytes. */
void ct_flight_trim(struct ct_flight *flight, size_t most);
/* Leaves all memory that calls have used to messages that could not be withdrawn. */
void ct_flight_leave_memory(struct ct_flight *flight);

/* Returns at least `bytes` bytes, whose old contents are lost; NULL if memory is short. */
char *ct_memory_reserve(struct ct_kept_memory *memory, size_t bytes);

/* Finds the layout of a type on a side (CT_BUFFER_SEND, CT_BUFFER_RECV) and keeps it for the next call: an
 * application's calls mostly repeat one predefined type. It is the channel's, valid until the next type on
 * that side. Returns an MPI error code. */
int ct_channel_layout(struct ct_channel *channel, unsigned side, MPI_Datatype type,
                      const struct ct_layout **ret_layout);

/* --- operands.c --- */

/* ct_call_describe() with tables in the memory of the flight. */
int ct_flight_describe(struct ct_flight *flight, enum ct_collective collective,
                       const struct ct_operands *operands, struct ct_call *ret_call);

/* --- packing.c --- */

/* Makes the user's buffers available as bytes of their type signature, the unit of plans that move data.
 * Ranks may pass different types of one signature, so a type that is not contiguous at this rank is packed,
 * whatever it is at others. Sets SEND and RECV of *ret_buffers. Returns an MPI error code. */
int ct_buffers_pack(struct ct_flight *flight, const struct ct_collective_description *about,
                    const struct ct_operands *operands, const struct ct_call *call,
                    struct ct_buffers *ret_buffers);

/* Packs (or unpacks) elements of `size` bytes altogether by a message of this rank to itself, whose other
 * side are bytes: for what the pack functions of MPI refuse. Returns an MPI error code. */
int ct_convert_by_message(const struct ct_messages *messages, bool unpacks, char *user, int count,
                          MPI_Datatype type, char *bytes, size_t size);

/* Unpacks the result into the user's buffer, if it was packed. Returns an MPI error code. */
int ct_buffers_unpack(struct ct_flight *flight, const struct ct_collective_description *about,
                      const struct ct_operands *operands, const struct ct_call *call,
                      struct ct_buffers *buffers);

#endif
