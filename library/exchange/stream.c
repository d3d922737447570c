/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams: many small messages to many ranks, collected in buckets (stream_bucket.h).
 *
 * In a mesh a message has as many stages as the mesh has dimensions, fewer where digits of the rank are right
 * already (plan/rank_grid.h). A bucket holds messages that take the same step in the same stage; the rank
 * that it comes to sorts them into buckets of its own.
 *
 * The end is found by counting (Mattern 1987, Algorithms for distributed termination detection, the
 * four-counter method): the ranks add up how many messages were sent and how many were handled. If both sums
 * are equal, and the same as in the count before, no message is under way and no handler can send another
 * one.
 *
 * A fast rank may be in the next phase, after the end, while another one still looks for it. So buckets say
 * to which phase they belong, and those of the next one are put by. */
#include "base/hash.h"
#include "base/memory.h"
#include "library/colltuned.h"
#include "library/communicators/meeting.h"
#include "library/errors/error_guard.h"
#include "library/exchange/stream_bucket.h"
#include "library/exchange/stream_loads.h"
#include "library/execute/mpi_progress.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/message_functions.h"
#include "library/mpi/yielding_calls.h"
#include "library/process/own_error.h"
#include "plan/rank_grid.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGES = 500, BYTES = 16384, LOOKS = 64, SENDS = 16 };
static const double seconds_standard = 0.001;

/* Where buckets go. */
struct target {
    int rank;
    unsigned stage;
    struct ct_stream_bucket bucket;
};

struct colltuned_stream {
    MPI_Comm user;
    int rank;
    int size;
    struct colltuned_stream_options options;
    colltuned_stream_handler *handler;
    void *context;
    struct ct_rank_grid grid; /* of a mesh */
    struct target *targets;
    size_t target_count;
    size_t target_capacity;
    struct ct_hash_table table;   /* of targets, by rank and stage */
    struct ct_stream_loads loads; /* put by: for this rank by itself, or of the next phase */
    unsigned phase;
    unsigned sends;   /* since the last poll */
    bool is_handling; /* a handler is running */
    int64_t lost;     /* messages, and torn buckets */
    struct colltuned_stream_counts counts;
};

/* --- buckets that leave --- */

static bool is_mesh(const struct colltuned_stream *stream)
{
    return stream->options.mesh > 0;
}

/* Sends the bucket of a target, which is empty then, with the memory that is spare. */
static void flush(struct colltuned_stream *stream, struct target *target)
{
    struct ct_stream_bucket *bucket = &target->bucket;
    if (bucket->length == 0)
        return;
    const struct ct_stream_load load = {bucket->bytes, bucket->length, bucket->capacity, stream->rank};
    bool is_own = target->rank == stream->rank;
    if (is_own ? !ct_load_wait(&stream->loads, &load) : !ct_load_send(&stream->loads, &load, target->rank)) {
        stream->lost += (int64_t)bucket->messages;
        bucket->length = bucket->messages = 0;
        return;
    }
    if (!is_own) {
        stream->counts.buckets++;
        stream->counts.bytes += load.length;
    }
    const struct ct_stream_load spare = ct_loads_take_spare(&stream->loads);
    *bucket = (struct ct_stream_bucket){.bytes = spare.bytes, .capacity = spare.capacity};
}

static void flush_all(struct colltuned_stream *stream)
{
    for (size_t i = 0; i < stream->target_count; i++)
        flush(stream, &stream->targets[i]);
}

static void flush_old(struct colltuned_stream *stream)
{
    double now = ct_own_clock();
    for (size_t i = 0; i < stream->target_count; i++)
        if (stream->targets[i].bucket.length > 0 &&
            now - stream->targets[i].bucket.begun >= stream->options.bucket_seconds)
            flush(stream, &stream->targets[i]);
}

/* NULL without memory. */
static struct target *find_target(struct colltuned_stream *stream, int rank, unsigned stage)
{
    uint64_t key = (uint64_t)rank * CT_STREAM_STAGES + stage;
    size_t index = ct_hash_find(&stream->table, key, NULL, NULL);
    if (index != SIZE_MAX)
        return &stream->targets[index];
    if (ct_grow(&stream->targets, &stream->target_capacity, stream->target_count + 1,
                sizeof *stream->targets) != CT_OK ||
        ct_hash_add(&stream->table, key, stream->target_count) != CT_OK)
        return NULL;
    struct target *target = &stream->targets[stream->target_count++];
    *target = (struct target){.rank = rank, .stage = stage};
    return target;
}

/* The next step of a message that has travelled in the stages before `stage`: its target. */
static struct target *find_step(struct colltuned_stream *stream, int destination, unsigned stage)
{
    int next = destination;
    if (is_mesh(stream) && destination != stream->rank) {
        next = stream->rank;
        for (; next == stream->rank; stage++)
            next = ct_rank_grid_hop(&stream->grid, stream->rank, destination, (int)stage);
    }
    return find_target(stream, next, is_mesh(stream) ? stage : 0);
}

/* Puts a message into the bucket of its next step. */
static int put(struct colltuned_stream *stream, const struct ct_stream_message *message, unsigned stage)
{
    struct target *target = find_step(stream, message->destination, stage);
    if (!target)
        return CT_E_MEMORY;
    const struct ct_bucket_kind kind = {.phase = stream->phase % CT_STREAM_PHASES, .stage = target->stage};
    struct ct_stream_bucket *bucket = &target->bucket;
    if (bucket->length > 0 && bucket->length + message->length > INT_MAX - CT_STREAM_HEADER)
        flush(stream, target);
    bool is_first = bucket->length == 0;
    int status = ct_bucket_add(bucket, &kind, is_mesh(stream), message);
    if (status != CT_OK)
        return status;
    if (is_first)
        bucket->begun = ct_own_clock();
    if (bucket->messages >= stream->options.bucket_messages || bucket->length >= stream->options.bucket_bytes)
        flush(stream, target);
    return CT_OK;
}

/* --- buckets that arrive --- */

static void handle(struct colltuned_stream *stream, const struct ct_stream_message *message, unsigned stage)
{
    if (message->destination == stream->rank) {
        stream->counts.handled++;
        stream->handler(stream, message->source, message->bytes, message->length, stream->context);
    } else if (put(stream, message, stage) == CT_OK) {
        stream->counts.forwarded++;
    } else {
        stream->lost++;
    }
}

/* Handles the messages of a bucket of this phase. */
static void open_load(struct colltuned_stream *stream, const struct ct_stream_load *load, unsigned stage)
{
    struct ct_stream_message message = {.source = load->sender, .destination = stream->rank};
    stream->is_handling = true;
    for (size_t at = 1; at < load->length;) {
        if (ct_bucket_next(load->bytes, load->length, is_mesh(stream), stream->size, &at, &message) !=
            CT_OK) {
            stream->lost++;
            break;
        }
        handle(stream, &message, stage);
    }
    stream->is_handling = false;
}

/* Handles a bucket, or puts it by. */
static void take_load(struct colltuned_stream *stream, const struct ct_stream_load *load)
{
    struct ct_bucket_kind kind;
    if (ct_bucket_open(load->bytes, load->length, &kind) != CT_OK) {
        stream->lost++;
    } else if (kind.phase == stream->phase % CT_STREAM_PHASES) {
        open_load(stream, load, kind.stage);
    } else if (ct_load_wait(&stream->loads, load)) {
        return;
    } else {
        stream->lost++;
    }
    ct_load_release(&stream->loads, load);
}

/* Takes what was put by. Handlers may put by more meanwhile, which stays for the next time. */
static bool take_waiting(struct colltuned_stream *stream)
{
    size_t count;
    struct ct_stream_load *loads = ct_loads_take_waiting(&stream->loads, &count);
    for (size_t i = 0; i < count; i++)
        take_load(stream, &loads[i]);
    free(loads);
    return stream->loads.waiting_count < count;
}

/* Receives a bucket, if there is one, and handles it. */
static bool receive(struct colltuned_stream *stream)
{
    struct ct_stream_load load;
    bool is_there = ct_load_receive(&stream->loads, &load);
    if (is_there && load.bytes)
        take_load(stream, &load);
    return is_there;
}

/* Handles what has arrived. Returns whether there was anything. */
static bool move(struct colltuned_stream *stream)
{
    bool has_moved = take_waiting(stream);
    stream->sends = 0;
    for (int i = 0; i < LOOKS && receive(stream); i++)
        has_moved = true;
    ct_loads_settle(&stream->loads);
    flush_old(stream);
    return has_moved;
}

/* --- the beginning --- */

static struct colltuned_stream_options complete(const struct colltuned_stream_options *options)
{
    struct colltuned_stream_options own = options ? *options : (struct colltuned_stream_options){0};
    own.bucket_messages = own.bucket_messages > 0 ? own.bucket_messages : MESSAGES;
    own.bucket_bytes = own.bucket_bytes > 0 ? own.bucket_bytes : BYTES;
    if (own.bucket_seconds == 0) /* a negative number is none of ours */
        own.bucket_seconds = seconds_standard;
    return own;
}

static const char *find_fault(const struct colltuned_stream_options *options,
                              colltuned_stream_handler *handler)
{
    if (!handler)
        return "the handler is NULL";
    if (options->mesh < 0 || options->mesh > CT_RANK_GRID_DIMENSIONS_MAX)
        return "mesh: expected 0 to 31 dimensions";
    return options->bucket_seconds >= 0 ? NULL : "bucket_seconds: expected 0 or more";
}

/* The private communicator, and what the ranks agree on. Returns an error class, the same at all ranks. */
static int make_comm(MPI_Comm comm, int class, int mesh, MPI_Comm *ret_comm)
{
    enum { CLASS, MESH, OTHER_MESH, NUMBERS };
    MPI_Group group;
    MPI_Errhandler handler;
    *ret_comm = MPI_COMM_NULL;
    int code = PMPI_Comm_get_errhandler(comm, &handler);
    if (code != MPI_SUCCESS)
        return code;
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    ct_meet_comm(comm);
    code = PMPI_Comm_group(comm, &group);
    if (code == MPI_SUCCESS) {
        code = ct_message_functions()->comm_create(comm, group, ret_comm);
        PMPI_Group_free(&group);
    }
    if (code == MPI_SUCCESS)
        code = PMPI_Comm_set_errhandler(*ret_comm, MPI_ERRORS_RETURN);
    if (code != MPI_SUCCESS && class == MPI_SUCCESS)
        PMPI_Error_class(code, &class);
    int all[NUMBERS] = {[CLASS] = class, [MESH] = mesh, [OTHER_MESH] = -mesh};
    code = ct_yielding_allreduce(all, NUMBERS, MPI_INT, MPI_MAX, comm);
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Errhandler_free(&handler);
    if (code == MPI_SUCCESS && all[CLASS] == MPI_SUCCESS && all[MESH] == -all[OTHER_MESH])
        return MPI_SUCCESS;
    if (*ret_comm != MPI_COMM_NULL)
        ct_message_functions()->comm_free(ret_comm);
    return code != MPI_SUCCESS ? code : all[CLASS] != MPI_SUCCESS ? all[CLASS] : MPI_ERR_ARG;
}

int colltuned_stream_open(MPI_Comm comm, const struct colltuned_stream_options *options,
                          colltuned_stream_handler *handler, void *context, colltuned_stream *stream)
{
    const struct colltuned_stream_options own = complete(options);
    const char *fault = find_fault(&own, handler);
    MPI_Comm private;
    int code = ct_enter_own(__func__, comm);
    if (code != MPI_SUCCESS)
        return code;
    struct colltuned_stream *made = ct_allocate(1, sizeof *made);
    code = make_comm(comm, fault ? MPI_ERR_ARG : made ? MPI_SUCCESS : MPI_ERR_NO_MEM, own.mesh, &private);
    if (code != MPI_SUCCESS) {
        free(made);
        return ct_raise_own_error(
            __func__, code, fault ? fault : "the options differ between ranks, or one of them has failed",
            comm);
    }
    *made = (struct colltuned_stream){
        .user = comm, .options = own, .handler = handler, .context = context, .loads.comm = private};
    PMPI_Comm_rank(private, &made->rank);
    PMPI_Comm_size(private, &made->size);
    if (own.mesh > 0)
        made->grid = ct_rank_grid_make(made->size, own.mesh);
    *stream = made;
    return MPI_SUCCESS;
}

/* --- messages --- */

static int refuse_in_handler(const char *function, const struct colltuned_stream *stream)
{
    return stream->is_handling ? ct_raise_own_error(function, MPI_ERR_OTHER,
                                                    "called by a handler of the stream", stream->user)
                               : MPI_SUCCESS;
}

/* Moves the stream, with errors that only return. */
static void move_guarded(struct colltuned_stream *stream)
{
    bool is_guarded = ct_error_guard_up();
    move(stream);
    ct_error_guard_down(is_guarded);
}

int colltuned_stream_send(colltuned_stream stream, int destination, const void *message, size_t bytes)
{
    char text[128];
    const struct ct_stream_message own = {stream->rank, destination, message, bytes};
    if (destination < 0 || destination >= stream->size) {
        snprintf(text, sizeof text, "rank %d: expected 0 to %d", destination, stream->size - 1);
        return ct_raise_own_error(__func__, MPI_ERR_RANK, text, stream->user);
    }
    if (bytes >= INT_MAX - 64) {
        snprintf(text, sizeof text, "%zu bytes: expected less than %d", bytes, INT_MAX - 64);
        return ct_raise_own_error(__func__, MPI_ERR_COUNT, text, stream->user);
    }
    unsigned long long before = stream->counts.buckets;
    if (put(stream, &own, 0) != CT_OK)
        return ct_raise_own_error(__func__, MPI_ERR_NO_MEM, "no memory for the message", stream->user);
    stream->counts.sent++;
    if (!stream->is_handling && (++stream->sends >= SENDS || stream->counts.buckets > before))
        move_guarded(stream);
    return MPI_SUCCESS;
}

int colltuned_stream_poll(colltuned_stream stream)
{
    int code = refuse_in_handler(__func__, stream);
    if (code == MPI_SUCCESS)
        move_guarded(stream);
    return code;
}

int colltuned_stream_flush(colltuned_stream stream)
{
    bool is_guarded = ct_error_guard_up();
    flush_all(stream);
    ct_error_guard_down(is_guarded);
    return MPI_SUCCESS;
}

struct colltuned_stream_counts colltuned_stream_counts(colltuned_stream stream)
{
    return stream->counts;
}

/* --- the end --- */

enum { SENT, HANDLED, LOST, SUMS };

static int64_t count_lost(const struct colltuned_stream *stream)
{
    return stream->lost + stream->loads.lost;
}

/* Adds up over all ranks, and moves the stream meanwhile. Returns an MPI error code. */
static int count(struct colltuned_stream *stream, int64_t ret_all[SUMS])
{
    struct ct_patience patience = ct_progress_begin_wait();
    const int64_t own[SUMS] = {(int64_t)stream->counts.sent, (int64_t)stream->counts.handled,
                               count_lost(stream)};
    MPI_Request request;
    int done = false;
    int code = PMPI_Iallreduce(own, ret_all, SUMS, MPI_INT64_T, MPI_SUM, stream->loads.comm, &request);
    while (code == MPI_SUCCESS && !done) {
        bool has_moved = move(stream);
        flush_all(stream);
        code = PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!has_moved && !done)
            ct_progress_pass_time(&patience);
    }
    return code;
}

/* Waits for the end of the phase. Returns an MPI error code. */
static int find_end(struct colltuned_stream *stream)
{
    int64_t all[SUMS], before[SUMS] = {-1, -1, -1};
    for (;;) {
        flush_all(stream);
        int code = count(stream, all);
        if (code != MPI_SUCCESS || all[LOST] > 0)
            return code != MPI_SUCCESS ? code : MPI_ERR_OTHER;
        if (all[SENT] == all[HANDLED] && memcmp(all, before, sizeof all) == 0)
            break;
        memcpy(before, all, sizeof all);
    }
    stream->phase++;
    return MPI_SUCCESS;
}

int colltuned_stream_end(colltuned_stream stream)
{
    int code = refuse_in_handler(__func__, stream);
    if (code != MPI_SUCCESS)
        return code;
    bool is_guarded = ct_error_guard_up();
    code = find_end(stream);
    ct_error_guard_down(is_guarded);
    return ct_raise_own_error(__func__, code, "messages were lost, for want of memory or by an error of MPI",
                              stream->user);
}

/* All that was sent has been handled, unless something was lost. */
static void free_stream(struct colltuned_stream *stream)
{
    ct_loads_free(&stream->loads, count_lost(stream) > 0);
    for (size_t i = 0; i < stream->target_count; i++)
        free(stream->targets[i].bucket.bytes);
    free(stream->targets);
    ct_hash_free(&stream->table);
    ct_message_functions()->comm_free(&stream->loads.comm);
    free(stream);
}

int colltuned_stream_close(colltuned_stream *stream)
{
    if (!*stream)
        return MPI_SUCCESS;
    int code = refuse_in_handler(__func__, *stream);
    if (code != MPI_SUCCESS)
        return code;
    MPI_Comm comm = (*stream)->user;
    bool is_guarded = ct_error_guard_up();
    code = find_end(*stream);
    (*stream)->lost += code != MPI_SUCCESS;
    free_stream(*stream);
    ct_error_guard_down(is_guarded);
    *stream = NULL;
    return ct_raise_own_error(__func__, code, "messages were lost, for want of memory or by an error of MPI",
                              comm);
}
