/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/exchange/stream_bucket.h"
#include "base/memory.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

enum { BITS = 7, MORE = 1 << BITS, LONGEST = (64 + BITS - 1) / BITS };

static size_t put_number(char *to, uint64_t number)
{
    size_t length = 0;
    for (; number >= MORE; number >>= BITS)
        to[length++] = (char)(number | MORE);
    to[length++] = (char)number;
    return length;
}

/* False where the bucket ends before the number does, or it is none of ours. */
static bool take_number(const char *bytes, size_t length, size_t *at, uint64_t most, uint64_t *ret_number)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < LONGEST && *at < length; i++) {
        uint64_t byte = (unsigned char)bytes[(*at)++], part = byte % MORE;
        if (part << (BITS * i) >> (BITS * i) != part)
            return false;
        number |= part << (BITS * i);
        if (byte >= MORE)
            continue;
        *ret_number = number;
        return number <= most;
    }
    return false;
}

static size_t put_header(char header[CT_STREAM_HEADER], bool has_route,
                         const struct ct_stream_message *message)
{
    size_t length = put_number(header, message->length);
    if (!has_route)
        return length;
    length += put_number(header + length, (uint64_t)message->source);
    return length + put_number(header + length, (uint64_t)message->destination);
}

int ct_bucket_add(struct ct_stream_bucket *bucket, const struct ct_bucket_kind *kind, bool has_route,
                  const struct ct_stream_message *message)
{
    char header[CT_STREAM_HEADER];
    assert(kind->phase < CT_STREAM_PHASES && kind->stage < CT_STREAM_STAGES);
    assert(message->length <= INT_MAX);
    size_t more = put_header(header, has_route, message), length = bucket->length > 0 ? bucket->length : 1;
    if (length + more + message->length > INT_MAX)
        return CT_E_LIMIT;
    int status = ct_grow(&bucket->bytes, &bucket->capacity, length + more + message->length, 1);
    if (status != CT_OK)
        return status;
    bucket->bytes[0] = (char)(kind->stage * CT_STREAM_PHASES + kind->phase);
    memcpy(bucket->bytes + length, header, more);
    if (message->length > 0)
        memcpy(bucket->bytes + length + more, message->bytes, message->length);
    bucket->length = length + more + message->length;
    bucket->messages++;
    return CT_OK;
}

int ct_bucket_open(const char *bytes, size_t length, struct ct_bucket_kind *ret_kind)
{
    if (length < 1 || (unsigned char)bytes[0] >= CT_STREAM_PHASES * CT_STREAM_STAGES)
        return CT_E_INPUT;
    ret_kind->phase = (unsigned char)bytes[0] % CT_STREAM_PHASES;
    ret_kind->stage = (unsigned char)bytes[0] / CT_STREAM_PHASES;
    return CT_OK;
}

int ct_bucket_next(const char *bytes, size_t length, bool has_route, int size, size_t *at,
                   struct ct_stream_message *message)
{
    uint64_t own, source = 0, destination = 0, last = (uint64_t)size - 1;
    size_t place = *at;
    if (!take_number(bytes, length, &place, INT_MAX, &own))
        return CT_E_INPUT;
    if (has_route && (!take_number(bytes, length, &place, last, &source) ||
                      !take_number(bytes, length, &place, last, &destination)))
        return CT_E_INPUT;
    if (own > length - place)
        return CT_E_INPUT;
    if (has_route) {
        message->source = (int)source;
        message->destination = (int)destination;
    }
    message->bytes = bytes + place;
    message->length = (size_t)own;
    *at = place + (size_t)own;
    return CT_OK;
}
