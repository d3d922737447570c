/* SPDX-License-Identifier: BSD-3-Clause */
/* Buckets of messages: what is put in comes out, and torn ones are refused. */
#include "base/random.h"
#include "library/exchange/stream_bucket.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 100000, MESSAGES = 200, LONGEST = 300 };

static const struct ct_bucket_kind kind = {.phase = 3, .stage = 31};

static void fill(uint64_t seed, bool has_route, struct ct_stream_bucket *bucket)
{
    char bytes[LONGEST];
    for (int i = 0; i < MESSAGES; i++) {
        struct ct_stream_message message = {.source = (int)(ct_random(&seed) % RANKS),
                                            .destination = (int)(ct_random(&seed) % RANKS),
                                            .bytes = bytes,
                                            .length = ct_random(&seed) % LONGEST};
        memset(bytes, i, sizeof bytes);
        assert_int_equal(ct_bucket_add(bucket, &kind, has_route, &message), CT_OK);
    }
}

static void compare(uint64_t seed, bool has_route, const struct ct_stream_bucket *bucket)
{
    struct ct_bucket_kind found;
    size_t at = 1;
    assert_int_equal(ct_bucket_open(bucket->bytes, bucket->length, &found), CT_OK);
    assert_int_equal(found.phase, kind.phase);
    assert_int_equal(found.stage, kind.stage);
    for (int i = 0; i < MESSAGES; i++) {
        struct ct_stream_message message = {.source = -1, .destination = -1};
        int source = (int)(ct_random(&seed) % RANKS), destination = (int)(ct_random(&seed) % RANKS);
        size_t length = ct_random(&seed) % LONGEST;
        assert_int_equal(ct_bucket_next(bucket->bytes, bucket->length, has_route, RANKS, &at, &message),
                         CT_OK);
        assert_int_equal(message.source, has_route ? source : -1);
        assert_int_equal(message.destination, has_route ? destination : -1);
        assert_int_equal(message.length, length);
        for (size_t k = 0; k < length; k++)
            assert_int_equal((unsigned char)message.bytes[k], i);
    }
    assert_int_equal(at, bucket->length);
    assert_int_equal(bucket->messages, MESSAGES);
}

static void test_messages(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 20; seed++) {
        struct ct_stream_bucket bucket = {0};
        fill(seed, seed % 2, &bucket);
        compare(seed, seed % 2, &bucket);
        free(bucket.bytes);
    }
}

/* Each bucket that is cut off ends in a whole message or is refused, and none is read beyond its end. */
static void test_torn_buckets(void **state)
{
    struct ct_stream_bucket bucket = {0};
    struct ct_bucket_kind found;
    size_t refused = 0;
    (void)state;
    fill(7, true, &bucket);
    for (size_t length = 0; length < 2000; length++) {
        char *torn = malloc(length + 1);
        memcpy(torn, bucket.bytes, length);
        torn = realloc(torn, length > 0 ? length : 1);
        struct ct_stream_message message;
        int status = ct_bucket_open(torn, length, &found);
        for (size_t at = 1; status == CT_OK && at < length;)
            status = ct_bucket_next(torn, length, true, RANKS, &at, &message);
        refused += status == CT_E_INPUT;
        free(torn);
    }
    assert_in_range(refused, 1900, 1999);
    free(bucket.bytes);
}

static void expect_refused(const char *bytes, size_t length, int size)
{
    struct ct_stream_message message = {.source = -1};
    size_t at = 1;
    assert_int_equal(ct_bucket_next(bytes, length, true, size, &at, &message), CT_E_INPUT);
    assert_int_equal(at, 1);
    assert_int_equal(message.source, -1);
}

static void test_wrong_buckets(void **state)
{
    struct ct_bucket_kind found;
    (void)state;
    assert_int_equal(ct_bucket_open("\x80", 1, &found), CT_E_INPUT);
    expect_refused("\0\0\5\1", 4, 5);                                        /* source 5 of 5 */
    expect_refused("\0\0\1\5", 4, 5);                                        /* destination */
    expect_refused("\0\2\0\0a", 5, 5);                                       /* two bytes of one */
    expect_refused("\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f\0\0", 13, 5); /* more than 64 bits */
    expect_refused("\0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\0", 13, 5);
    expect_refused("\0\xff\xff\xff\xff\x0f\0\0", 8, 5); /* 2^32 - 1 bytes */
}

static void test_limit(void **state)
{
    char byte = 0;
    struct ct_stream_bucket bucket = {.bytes = &byte, .length = INT_MAX - 10, .messages = 1};
    const struct ct_stream_message message = {.bytes = &byte, .length = 10};
    (void)state;
    assert_int_equal(ct_bucket_add(&bucket, &kind, false, &message), CT_E_LIMIT);
    assert_int_equal(bucket.length, INT_MAX - 10);
    assert_int_equal(bucket.messages, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_messages), cmocka_unit_test(test_torn_buckets),
                                       cmocka_unit_test(test_wrong_buckets), cmocka_unit_test(test_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
