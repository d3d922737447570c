/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads, each at one end of a lane, send each other messages of random lengths and labels, and pause at
 * random places, or sleep when there is nothing to do. Some are reduced while they arrive. All contents are
 * checked. Also for ThreadSanitizer. */
#include "base/error.h"
#include "base/random.h"
#include "joined_lanes.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { MASK = 0x5a };
enum { LABELS = 5, EACH = 5000, ALTERED = 1000, RING_BYTES = 20000, MOST_PENDING = 12 };

/* The calls of one end: of each label as many messages are sent as received. */
struct end {
    struct ct_lane *lane;
    int index;
    uint64_t seed;
    _Atomic uint32_t *asleep;
    struct ct_transfers calls[LABELS];
    uint64_t sent[LABELS], posted[LABELS], received[LABELS];
    size_t lengths[LABELS]; /* of the messages that are being received */
    size_t pending_sends;
    unsigned wrong;
    struct ct_reduction reduction;
};

static uint64_t name_of(int from, uint64_t label, uint64_t number)
{
    return (number * LABELS + label) * 2 + (uint64_t)from;
}

/* Both ends know it. */
static size_t length_of(uint64_t name)
{
    static const size_t most[] = {CT_CELL_BYTES, CT_CELL_BYTES, 60, 200, 200, 200, 2500, 30000};
    uint64_t seed = name;
    return ct_random(&seed) % most[name / LABELS % (sizeof most / sizeof most[0])];
}

static void pause_at_random(struct end *end)
{
    enum { SLEEP, YIELD = 40, CASES = 1000 };
    const struct timespec moment = {0, 1000};
    uint64_t random = ct_random(&end->seed) % CASES;
    if (random == SLEEP)
        nanosleep(&moment, NULL);
    else if (random < YIELD)
        sched_yield();
}

/* A message is combined with bytes that are all MASK by exclusive or. */
static void combine(void *context, const void *from, void *to, size_t bytes)
{
    const unsigned char *first = from;
    unsigned char *second = to;
    (void)context;
    for (size_t i = 0; i < bytes; i++)
        second[i] ^= first[i];
}

/* Of three messages one is stored, one is combined with what is there, and one with an operand. What is
 * copied out of the sender's memory is stored. */
enum way { STORED, LOWER, UPPER, WAYS };

static enum way way_of(const struct end *end, uint64_t name)
{
    return length_of(name) < end->lane->copy_from ? name / 2 % WAYS : STORED;
}

/* The bytes of the message, which lie at the beginning of the contents. */
static const unsigned char *unmasked(unsigned char *contents, size_t bytes, enum way way)
{
    for (size_t i = 0; way != STORED && i < bytes; i++)
        contents[i] ^= MASK;
    return contents;
}

static void finish(void *context, const struct ct_transfer *transfer)
{
    struct end *end = context;
    uint64_t label = transfer->call.label >> 8;
    unsigned char *contents = transfer->staging;
    if (transfer->sends) {
        end->pending_sends--;
    } else {
        uint64_t name = name_of(!end->index, label, end->received[label]++);
        end->wrong += transfer->flaw != CT_TRANSFER_RIGHT ||
                      !are_contents(unmasked(contents, end->lengths[label], way_of(end, name)),
                                    end->lengths[label], name);
    }
    free(contents);
    pause_at_random(end);
}

static void send_next(struct end *end, uint64_t label)
{
    if (end->sent[label] == EACH || end->pending_sends == MOST_PENDING)
        return;
    uint64_t name = name_of(end->index, label, end->sent[label]++);
    size_t bytes = length_of(name);
    unsigned char *contents = new_contents(bytes, name);
    if (bytes > 0 && name % ALTERED == 0)
        contents[bytes - 1] ^= 1;
    struct ct_transfer transfer = sending(end->lane, label, contents, bytes);
    transfer.staging = contents;
    bool is_sent;
    if (ct_transfers_add(&end->calls[label], &transfer, &is_sent) != CT_OK)
        abort();
    if (is_sent)
        free(contents);
    else
        end->pending_sends++;
}

static void receive_next(struct end *end, uint64_t label)
{
    if (end->posted[label] == EACH || end->posted[label] > end->received[label])
        return;
    uint64_t name = name_of(!end->index, label, end->posted[label]++);
    size_t bytes = end->lengths[label] = length_of(name);
    unsigned char *to = malloc(2 * bytes + 1);
    enum way way = way_of(end, name);
    memset(to, MASK, 2 * bytes + 1);
    struct ct_transfer transfer = receiving(end->lane, label, to, bytes);
    if (way != STORED)
        transfer = reducing(end->lane, label, to, way == UPPER ? to + bytes : NULL, bytes, &end->reduction);
    transfer.staging = to;
    bool is_sent;
    if (ct_transfers_add(&end->calls[label], &transfer, &is_sent) != CT_OK)
        abort();
}

static bool is_done(const struct end *end)
{
    bool is = end->pending_sends == 0;
    for (int i = 0; i < LABELS; i++)
        is = is && end->sent[i] == EACH && end->received[i] == EACH;
    return is;
}

/* Moves what goes without waiting, of one label. Returns true if a transfer has begun or is complete. */
static bool work(struct end *end, uint64_t label)
{
    struct ct_transfers *call = &end->calls[label];
    uint64_t sent = end->sent[label], posted = end->posted[label];
    send_next(end, label);
    receive_next(end, label);
    size_t count = call->count;
    pause_at_random(end);
    ct_transfers_advance(call, finish, end);
    return end->sent[label] > sent || end->posted[label] > posted || call->count < count;
}

static void *run(void *argument)
{
    struct end *end = argument;
    while (!is_done(end))
        if (!work(end, ct_random(&end->seed) % LABELS))
            sched_yield();
    return NULL;
}

/* Without the limit of ct_doze(): an end that nobody wakes sleeps for ever. */
static void sleep_until_woken(struct end *end)
{
    syscall(SYS_futex, end->asleep, FUTEX_WAIT, 1, NULL, NULL, 0);
    ct_doze_renounce(end->asleep);
}

/* Sleeps whenever there is nothing to do. */
static void *run_and_sleep(void *argument)
{
    struct end *end = argument;
    bool is_announced = false;
    while (!is_done(end)) {
        bool works = false;
        for (uint64_t label = 0; label < LABELS; label++)
            works |= work(end, label);
        if (works) {
            ct_doze_renounce(end->asleep);
        } else if (is_announced) {
            sleep_until_woken(end);
        } else {
            ct_doze_announce(end->asleep);
        }
        is_announced = !works && !is_announced;
    }
    return NULL;
}

/* Messages that arrive other than they are expected; exactly those that are sent so must. */
static unsigned altered(void)
{
    unsigned count = 0;
    for (uint64_t name = 0; name < (uint64_t)EACH * LABELS * 2; name += ALTERED)
        count += length_of(name) > 0;
    return count;
}

/* Returns how many messages were wrong. */
static unsigned exchange(void *(*play)(void *), bool copies, bool sleeps)
{
    _Atomic uint32_t asleep[2] = {0, 0};
    struct joined_lanes joined;
    struct end ends[2] = {0};
    pthread_t threads[2];
    join_lanes(RING_BYTES, UINT64_MAX - EACH, &joined);
    if (copies)
        copy_from(&joined, 2000);
    for (int i = 0; i < 2; i++) {
        ends[i] =
            (struct end){.lane = &joined.lanes[i], .index = i, .seed = (uint64_t)i, .asleep = &asleep[i]};
        ends[i].reduction = (struct ct_reduction){combine, NULL, 1};
        joined.lanes[i].asleep = sleeps ? &asleep[!i] : NULL;
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, play, &ends[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        for (int k = 0; k < LABELS; k++)
            free(ends[i].calls[k].items);
        assert_null(joined.lanes[i].early);
    }
    part_lanes(&joined);
    return ends[0].wrong + ends[1].wrong;
}

static void pieces_go_through_the_ring(void **state)
{
    (void)state;
    assert_true(altered() > 0);
    assert_int_equal(exchange(run, false, false), altered());
}

static void long_messages_are_copied(void **state)
{
    (void)state;
    if (!can_copy())
        skip();
    assert_int_equal(exchange(run, true, false), altered());
}

static void sleeping_ends_are_woken(void **state)
{
    (void)state;
    assert_int_equal(exchange(run_and_sleep, can_copy(), true), altered());
}

/* --- messages that share a copy --- */

enum { SHARED = 3000 };

/* Sends each message to all readers, some before others. */
static void *send_shared(void *argument)
{
    struct starred_lanes *star = argument;
    uint64_t seed = 1;
    for (uint64_t i = 0; i < SHARED; i++) {
        const size_t bytes = length_of(i * 7 + 1);
        unsigned char *contents = new_contents(bytes, i);
        struct ct_transfer outs[READERS];
        for (int k = 0; k < READERS; k++) {
            outs[k] = sending(&star->pairs[k].lanes[0], 1, contents, bytes);
            outs[k].group = i + 1;
        }
        for (unsigned left = (1u << READERS) - 1; left > 0;) {
            int k = (int)(ct_random(&seed) % READERS);
            if (left >> k & 1 && ct_lane_send(&outs[k]))
                left &= ~(1u << k);
            else if (ct_random(&seed) % 8 == 0)
                sched_yield();
        }
        memset(contents, 0, bytes); /* the memory is free */
        free(contents);
    }
    return NULL;
}

struct reader {
    struct ct_lane *lane;
    uint64_t seed;
    unsigned wrong;
};

static void *receive_shared(void *argument)
{
    struct reader *reader = argument;
    for (uint64_t i = 0; i < SHARED; i++) {
        const size_t bytes = length_of(i * 7 + 1);
        unsigned char *to = malloc(bytes + 1);
        struct ct_transfer in = receiving(reader->lane, 1, to, bytes);
        while (!ct_lane_receive(&in))
            sched_yield();
        reader->wrong += in.flaw != CT_TRANSFER_RIGHT || !are_contents(to, bytes, i);
        if (ct_random(&reader->seed) % 50 == 0)
            nanosleep(&(struct timespec){0, 50000}, NULL);
        free(to);
    }
    return NULL;
}

static void shared_copies_are_right(void **state)
{
    struct starred_lanes star;
    struct reader readers[READERS];
    pthread_t sender, threads[READERS];
    (void)state;
    join_star(RING_BYTES, UINT64_MAX - SHARED, &star);
    for (int i = 0; i < READERS; i++) {
        readers[i] = (struct reader){.lane = &star.pairs[i].lanes[1], .seed = (uint64_t)i};
        assert_int_equal(pthread_create(&threads[i], NULL, receive_shared, &readers[i]), 0);
    }
    assert_int_equal(pthread_create(&sender, NULL, send_shared, &star), 0);
    pthread_join(sender, NULL);
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(readers[i].wrong, 0);
    }
    part_star(&star);
}

/* Sends and receives in turn. The sender's pauses are as long as the receiver takes to fall asleep. */
static void *take_turns(void *argument)
{
    enum { TURNS = 40000, LONGEST = 300 };
    struct end *end = argument;
    for (int i = 0; i < TURNS; i++) {
        int number = i;
        bool is_announced = false;
        if (i % 2 == end->index) {
            for (volatile uint64_t left = ct_random(&end->seed) % LONGEST; left > 0; left--)
                ;
            end->wrong += !ct_lane_send_short(end->lane, 0, &number, sizeof number);
            continue;
        }
        while (!ct_lane_receive_short(end->lane, 0, &number, sizeof number)) {
            if (is_announced)
                sleep_until_woken(end);
            else
                ct_doze_announce(end->asleep);
            is_announced = !is_announced;
        }
        end->wrong += number != i;
    }
    return NULL;
}

static void ends_that_fall_asleep_are_woken(void **state)
{
    (void)state;
    assert_int_equal(exchange(take_turns, false, true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_go_through_the_ring), cmocka_unit_test(long_messages_are_copied),
        cmocka_unit_test(shared_copies_are_right), cmocka_unit_test(sleeping_ends_are_woken),
        cmocka_unit_test(ends_that_fall_asleep_are_woken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
