/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXCHANGE_STREAM_BUCKET_H
#define CT_LIBRARY_EXCHANGE_STREAM_BUCKET_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Buckets of short messages, as they travel from rank to rank. A bucket begins with one byte that says of
 * which part of the stream it is, and how far its messages have come. A message has a header of its own: its
 * length, and, if it may be forwarded, its source and its destination, as numbers of 7 bits a byte, the
 * lowest first. So a message of less than 128 bytes that travels straight has one byte more. Without MPI. */

struct ct_stream_bucket {
    char *bytes;
    size_t length;   /* used; 0: empty, without its first byte */
    size_t capacity; /* of memory */
    size_t messages;
    double begun; /* seconds: when its first message was put in */
};

/* The first byte. */
struct ct_bucket_kind {
    unsigned phase; /* of the stream, modulo CT_STREAM_PHASES */
    unsigned stage; /* of a mesh, that its messages have travelled in; 0 without */
};
enum { CT_STREAM_PHASES = 4, CT_STREAM_STAGES = 32 };

struct ct_stream_message {
    int source;
    int destination;
    const char *bytes;
    size_t length;
};

/* The most bytes of a header. */
enum { CT_STREAM_HEADER = 20 };

/* Appends a message; of a mesh if `has_route`. CT_OK, CT_E_MEMORY or CT_E_LIMIT; on failure nothing changes.
 */
int ct_bucket_add(struct ct_stream_bucket *bucket, const struct ct_bucket_kind *kind, bool has_route,
                  const struct ct_stream_message *message);

/* Reads the first byte of a bucket that has arrived. CT_OK or CT_E_INPUT. */
int ct_bucket_open(const char *bytes, size_t length, struct ct_bucket_kind *ret_kind);

/* Reads the message at *at, which is 1 for the first one, and moves *at behind it. Without a route source and
 * destination stay as they are in *message. The message points into the bucket. CT_OK, or CT_E_INPUT where
 * the bucket is torn, or a rank is not below `size`. */
int ct_bucket_next(const char *bytes, size_t length, bool has_route, int size, size_t *at,
                   struct ct_stream_message *message);

#endif
