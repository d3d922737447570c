/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXCHANGE_STREAM_LOADS_H
#define CT_LIBRARY_EXCHANGE_STREAM_LOADS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Loads: the buckets of a stream that are under way between ranks, and those that have arrived and wait. The
 * memory of a load that is done with serves for the next bucket. */

struct ct_stream_load {
    char *bytes;
    size_t length;
    size_t capacity;
    int sender;
};

/* Begins as all zeroes but for the communicator, which has no other messages. */
struct ct_stream_loads {
    MPI_Comm comm;
    MPI_Request *requests; /* of the loads under way, in the same order */
    size_t request_capacity;
    int *places; /* room for numbers of requests */
    size_t place_capacity;
    struct ct_stream_load *sent;
    size_t sent_count;
    size_t sent_capacity;
    struct ct_stream_load *waiting;
    size_t waiting_count;
    size_t waiting_capacity;
    struct ct_stream_load spare; /* memory of the last load that was done with */
    int64_t lost;                /* loads that failed to arrive, or to be told of */
};

/* Sends a load, whose memory moves there. False: nothing was sent, and the memory stays the caller's. */
bool ct_load_send(struct ct_stream_loads *loads, const struct ct_stream_load *load, int to);

/* Takes back the memory of loads that have been sent. */
void ct_loads_settle(struct ct_stream_loads *loads);

/* Receives a load, if there is one. One for which there is no memory is lost: then ret_load->bytes is NULL.
 * The caller lets it wait, or releases it. */
bool ct_load_receive(struct ct_stream_loads *loads, struct ct_stream_load *ret_load);

/* Lets a load wait, whose memory moves there. False without memory. */
bool ct_load_wait(struct ct_stream_loads *loads, const struct ct_stream_load *load);

/* Takes all loads that wait, *ret_count of them. The caller lets each wait again, or releases it, and frees
 * the array. */
struct ct_stream_load *ct_loads_take_waiting(struct ct_stream_loads *loads, size_t *ret_count);

/* Done with a load: its memory is spare now, or is freed if what is spare has more. */
void ct_load_release(struct ct_stream_loads *loads, const struct ct_stream_load *load);

/* The memory that is spare, for a bucket or a load. Its bytes may be NULL. */
struct ct_stream_load ct_loads_take_spare(struct ct_stream_loads *loads);

/* Waits for what was sent. Where something was lost, it may never arrive: the MPI library, which may still
 * read it, keeps its memory. */
void ct_loads_free(struct ct_stream_loads *loads, bool is_lossy);

#endif
