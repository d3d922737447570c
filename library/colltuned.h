/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLLTUNED_H
#define COLLTUNED_H

/* libcolltuned: tuned collectives for MPI. Link it before the MPI library, or preload it; there is nothing to
 * call. It takes over the blocking collectives on intracommunicators. It takes over neighborhood collectives
 * where they were tuned, or where the environment asks for it, and non-blocking and persistent ones with
 * COLLTUNE_NONBLOCKING=1. It leaves the rest to the MPI library. What follows is for those who want to look
 * inside, and for exchanges that MPI does not have. */

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define COLLTUNED_API __attribute__((visibility("default")))
#else
#define COLLTUNED_API
#endif

/* What one method has done in this process. */
struct colltuned_counter {
    const char *method; /* "bcast/binomial:seg=8K"; "bcast/native" counts calls passed on */
    unsigned long long calls;
    unsigned long long messages; /* sent by this process in calls, without agreements; 0 for native */
};

/* Fills at most `room` counters, in a stable order, and returns how many there are. */
COLLTUNED_API size_t colltuned_counters(struct colltuned_counter *counters, size_t room);

/* Where the decisions come from, one line a fact; never NULL. */
COLLTUNED_API const char *colltuned_provenance(void);

/* The functions below return MPI_SUCCESS or the class of an MPI error. An error is raised on the communicator
 * first, so that its error handler decides whether the program goes on. This is the line that says what was
 * wrong in the last error of this thread: function, values, what was expected. Never NULL; empty before the
 * first error. Valid until the next error of this thread. */
COLLTUNED_API const char *colltuned_error(void);

/* --- exchanges: each rank sends blocks of bytes to some ranks ---
 *
 * Once with an exchange that is made first, as often as the pattern repeats:
 *
 *     colltuned_exchange_make(comm, 2, destinations, lengths, COLLTUNED_UNKNOWN, NULL, NULL, &exchange);
 *     for (...) {
 *         colltuned_exchange_start(exchange, send, NULL, recv);
 *         colltuned_exchange_wait(exchange);
 *     }
 *     colltuned_exchange_free(&exchange);
 *
 * Or at once, where it does not repeat: colltuned_exchange_once(). Neither needs a communicator with a
 * topology, or an MPI that has neighborhood collectives.
 *
 * Lists are as in MPI's neighborhood collectives: a rank may occur several times, and may be this rank
 * itself. The k-th block from a to b is the k-th of those that a has for b, and the k-th of those that b
 * expects from a. Buffers hold the blocks end to end, in the order of the lists. Lengths are in bytes; one is
 * at most INT_MAX. */

typedef struct colltuned_exchange *colltuned_exchange;

/* Instead of the number of sources: this rank does not know them. */
enum { COLLTUNED_UNKNOWN = -1 };

/* Makes an exchange. Collective over the intracommunicator `comm`, which must stay until the exchange is
 * freed. Lists are copied. With COLLTUNED_UNKNOWN the other two are ignored, and the sources are found out;
 * else `source_lengths` may be NULL, so that the lengths are found out. Ranks may differ in this.
 *
 * All ranks return the same class, and no exchange is made, if a rank outside is named, or a count or length
 * is wrong, at any rank (MPI_ERR_RANK, MPI_ERR_COUNT, MPI_ERR_ARG); if a rank expects a block that is not
 * sent, or not one that is (MPI_ERR_TOPOLOGY), or one of another length (MPI_ERR_TRUNCATE); or without
 * memory (MPI_ERR_NO_MEM). */
COLLTUNED_API int colltuned_exchange_make(MPI_Comm comm, int destination_count, const int destinations[],
                                          const size_t lengths[], int source_count, const int sources[],
                                          const size_t source_lengths[], colltuned_exchange *exchange);

/* The sources and their lengths, as they were given; where they were found out, by rank. The lists are the
 * exchange's. */
COLLTUNED_API int colltuned_exchange_sources(colltuned_exchange exchange, int *source_count,
                                             const int *sources[], const size_t *lengths[]);

/* The method by which blocks travel: "neighbor_alltoallv/grid:dims=2". Lives as long as the exchange. */
COLLTUNED_API const char *colltuned_exchange_method(colltuned_exchange exchange);

/* Starts the exchange: `send` must not change, and `recv` must not be used, until it is complete. It moves
 * while a rank is in functions of this library, or of MPI that wait for messages; see
 * docs/sparse-exchanges.md.
 *
 * `lengths` may be NULL. Else they are compared with those that the exchange was made with, by a program that
 * is not sure that its pattern is still the same. If they differ, nothing of `send` is sent. This rank and
 * all to which its data would have come return an error from colltuned_exchange_wait(), MPI_ERR_COUNT here
 * and MPI_ERR_TRUNCATE there; no rank waits in vain.
 *
 * MPI_ERR_REQUEST: it has been started, and not yet waited for; it goes on. */
COLLTUNED_API int colltuned_exchange_start(colltuned_exchange exchange, const void *send,
                                           const size_t lengths[], void *recv);

/* Completes the exchange if that is possible now; *done says whether it is complete. Its error is returned
 * when it is. */
COLLTUNED_API int colltuned_exchange_test(colltuned_exchange exchange, int *done);

/* Waits until it is complete; returns at once if it was not started. */
COLLTUNED_API int colltuned_exchange_wait(colltuned_exchange exchange);

/* Waits for the exchange if it is started, and frees it. *exchange becomes NULL; NULL is nothing to free. */
COLLTUNED_API int colltuned_exchange_free(colltuned_exchange *exchange);

/* What a rank has received in colltuned_exchange_once(). */
struct colltuned_arrivals {
    int count;
    int *sources; /* rising */
    size_t *lengths;
    void *data;         /* the blocks, end to end */
    const char *method; /* "exchange/nbx" */
};

/* Sends blocks to ranks that do not know of them, and receives those of others. Collective over `comm`. Free
 * *arrivals with colltuned_arrivals_free(). Errors as of colltuned_exchange_make(); then nothing is
 * received. Chosen by COLLTUNE_EXCHANGE: nbx, personalized, grid, grid:dims=N. */
COLLTUNED_API int colltuned_exchange_once(MPI_Comm comm, int destination_count, const int destinations[],
                                          const size_t lengths[], const void *send,
                                          struct colltuned_arrivals *arrivals);
COLLTUNED_API void colltuned_arrivals_free(struct colltuned_arrivals *arrivals);

/* --- streams: many small messages to many ranks, at any time ---
 *
 *     colltuned_stream_open(comm, NULL, handler, context, &stream);
 *     for (...)
 *         colltuned_stream_send(stream, destination, message, bytes);
 *     colltuned_stream_end(stream);
 *     colltuned_stream_close(&stream);
 *
 * Messages are collected in buckets, one for each rank to which this one sends, and a bucket travels as one
 * message of MPI. A handler is called for each message where it arrives. Messages from one rank to another
 * are handled in the order in which they were sent. (Kumar 2005, sections 5.7 to 5.9.)
 *
 * A stream is used by one thread at a time, any one with MPI_THREAD_SERIALIZED, else the main one. It moves
 * only while its rank is in one of its functions. */

typedef struct colltuned_stream *colltuned_stream;

/* Handles a message that `source` has sent. The message is the stream's, and has no alignment. A handler may
 * send and flush, on any stream; it may not poll, end or close the stream that called it. Buckets that it
 * fills leave as soon as it has returned. */
typedef void colltuned_stream_handler(colltuned_stream stream, int source, const void *message, size_t bytes,
                                      void *context);

/* When a bucket is sent. Zeroes stand for the numbers in brackets. Only `mesh` must be equal at all ranks. */
struct colltuned_stream_options {
    size_t bucket_messages; /* as soon as it holds so many messages [500] */
    size_t bucket_bytes;    /* or so many bytes with their headers, of 1 to 16 bytes a message [16384] */
    double bucket_seconds;  /* or once its first message is so old, if a function of the stream is called
                               [0.001] */
    int mesh; /* dimensions of a mesh of all ranks, along which messages travel from rank to rank, so that
               * there are few buckets, and full ones; 0: they travel straight */
};

/* Opens a stream. Collective over the intracommunicator `comm`, which must stay until the stream is closed.
 * `options` may be NULL; `context` is passed to the handler. All ranks return the same class, and there is no
 * stream, if an option or the handler is wrong at one rank, or `mesh` differs (MPI_ERR_ARG), or without
 * memory (MPI_ERR_NO_MEM). */
COLLTUNED_API int colltuned_stream_open(MPI_Comm comm, const struct colltuned_stream_options *options,
                                        colltuned_stream_handler *handler, void *context,
                                        colltuned_stream *stream);

/* Sends a message of any length below INT_MAX - 64 bytes; it is copied. A message that does not fit into a
 * bucket travels at once, with those before it. Calls handlers, unless a handler calls. MPI_ERR_RANK,
 * MPI_ERR_COUNT, MPI_ERR_NO_MEM: the message is not sent, and the stream goes on. */
COLLTUNED_API int colltuned_stream_send(colltuned_stream stream, int destination, const void *message,
                                        size_t bytes);

/* Handles what has arrived, and sends buckets that are due. Does not wait. */
COLLTUNED_API int colltuned_stream_poll(colltuned_stream stream);

/* Sends all buckets that hold messages. Other ranks of a mesh forward them in their own time. */
COLLTUNED_API int colltuned_stream_flush(colltuned_stream stream);

/* Waits until all ranks have called it and all messages have been handled, also those that handlers send
 * meanwhile. Collective. Then the stream can be used again; a message that another rank sends after its own
 * return is handled after this rank's. MPI_ERR_OTHER at all ranks if a message was lost, for want of memory
 * or by an error of MPI. */
COLLTUNED_API int colltuned_stream_end(colltuned_stream stream);

/* Ends the stream and frees it. Collective. *stream becomes NULL; NULL is nothing to close. */
COLLTUNED_API int colltuned_stream_close(colltuned_stream *stream);

/* What this rank has done on a stream. */
struct colltuned_stream_counts {
    unsigned long long sent;      /* messages that it has sent */
    unsigned long long handled;   /* that its handler was called for */
    unsigned long long forwarded; /* that it has passed on, in a mesh */
    unsigned long long buckets;   /* messages of MPI that it has sent */
    unsigned long long bytes;     /* in these */
};
COLLTUNED_API struct colltuned_stream_counts colltuned_stream_counts(colltuned_stream stream);

#ifdef __cplusplus
}
#endif

#endif
