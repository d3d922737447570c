/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages through a lane, both of whose ends are in this process: each form and length, with labels, lengths
 * that differ, and what is full or cannot be read. */
#include "base/random.h"
#include "joined_lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { SMALL = 8064, LARGE = 512 << 10 }; /* bytes of a ring with its chunks */

/* malloc() for the lane; there may be no memory. */
static bool has_no_memory;
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    return has_no_memory ? NULL : __real_malloc(bytes);
}

/* Moves both until they are complete. */
static void finish(struct ct_transfer *out, struct ct_transfer *in)
{
    enum { LOOKS = 1 << 20 };
    bool is_sent = !out, is_received = !in;
    for (int i = 0; i < LOOKS && !(is_sent && is_received); i++) {
        is_received = is_received || ct_lane_receive(in);
        is_sent = is_sent || ct_lane_send(out);
    }
    assert_true(is_sent && is_received);
}

/* Sends `sent` bytes to a receiver of `expected` bytes, and looks at what arrives. */
static void pass(struct joined_lanes *joined, int from, size_t sent, size_t expected, uint64_t message)
{
    enum { LABEL = 7, UNTOUCHED = 0xa5 };
    unsigned char *contents = new_contents(sent, message), *to = malloc(expected + 1);
    struct ct_transfer out = sending(&joined->lanes[from], LABEL, contents, sent);
    struct ct_transfer in = receiving(&joined->lanes[!from], LABEL, to, expected);
    size_t common = sent < expected ? sent : expected;
    memset(to, UNTOUCHED, expected + 1);
    finish(&out, &in);
    assert_int_equal(in.flaw, sent > expected   ? CT_TRANSFER_TOO_LONG
                              : sent < expected ? CT_TRANSFER_TOO_SHORT
                                                : CT_TRANSFER_RIGHT);
    assert_true(are_contents(to, common, message));
    for (size_t i = common; i <= expected; i++)
        assert_int_equal(to[i], UNTOUCHED);
    free(contents);
    free(to);
}

static void every_length_arrives(void **state)
{
    static const size_t rings[] = {SMALL, LARGE};
    static const uint64_t firsts[] = {0, 5, UINT64_MAX - 1};
    (void)state;
    for (int i = 0; i < 6 * (1 + can_copy()); i++) {
        struct joined_lanes joined;
        join_lanes(rings[i % 2], firsts[i / 2 % 3], &joined);
        if (i / 6)
            copy_from(&joined, 4096);
        const size_t chunk = joined.lanes[0].out.chunk_bytes;
        const size_t lengths[] = {0,         1,     CT_CELL_BYTES - 1, CT_CELL_BYTES, CT_CELL_BYTES + 1,
                                  2048,      2049,  chunk - 1,         chunk,         chunk + 1,
                                  4 * chunk, 65535, 10 * chunk,        1 << 20,       3};
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++)
            for (int from = 0; from < 2; from++)
                pass(&joined, from, lengths[k], lengths[k], k);
        part_lanes(&joined);
    }
}

/* --- receives that reduce --- */

/* Numbers, of which the first operand counts three times, so that their order matters. *context counts them.
 */
static void combine(void *context, const void *from, void *to, size_t bytes)
{
    const uint64_t *first = from;
    uint64_t *second = to;
    assert_int_equal(bytes % sizeof *first, 0);
    assert_int_equal((uintptr_t)from % sizeof *first, 0);
    for (size_t i = 0; i < bytes / sizeof *first; i++)
        second[i] += 3 * first[i];
    *(size_t *)context += bytes;
}

static size_t combined;
static const struct ct_reduction numbers = {combine, &combined, sizeof(uint64_t)};

/* Sends `sent` bytes, and reduces `expected`, with an operand or with what is there: not at all if the sender
 * offers its memory, as it does with longer messages alone. Returns what was copied. */
static uint64_t reduce(struct joined_lanes *joined, size_t sent, size_t expected, bool has_operand)
{
    enum { LABEL = 7, OWN = 1000, GUARD = 77 };
    const size_t n = expected / sizeof(uint64_t), common = (sent < expected ? sent : expected) / 8;
    unsigned char *contents = new_contents(sent, 5);
    uint64_t *to = malloc(expected + 8), *operand = malloc(expected + 8), *message = malloc(sent + 8);
    const uint64_t before = joined->lanes[1].copied;
    memcpy(message, contents, sent);
    for (size_t i = 0; i < n; i++) {
        operand[i] = OWN + i;
        to[i] = has_operand ? 0 : OWN + i;
    }
    to[n] = GUARD;
    combined = 0;
    struct ct_transfer out = sending(&joined->lanes[0], LABEL, contents, sent);
    struct ct_transfer in =
        reducing(&joined->lanes[1], LABEL, to, has_operand ? (void *)operand : NULL, expected, &numbers);
    finish(&out, &in);
    assert_int_equal(in.flaw, sent > expected   ? CT_TRANSFER_TOO_LONG
                              : sent < expected ? CT_TRANSFER_TOO_SHORT
                                                : CT_TRANSFER_RIGHT);
    for (size_t i = 0; i < common; i++)
        assert_int_equal(to[i], has_operand ? 3 * (OWN + i) + message[i] : 3 * message[i] + OWN + i);
    assert_int_equal(to[n], GUARD);
    assert_int_equal(combined, common * 8);
    free(contents);
    free(to);
    free(operand);
    free(message);
    return joined->lanes[1].copied - before;
}

/* In order, each element once. What arrives in chunks is combined out of them, and copied only if there is an
 * operand. */
static void messages_are_reduced(void **state)
{
    static const size_t rings[] = {SMALL, LARGE};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct joined_lanes joined;
        bool has_operand = i / 2 % 2;
        join_lanes(rings[i % 2], UINT64_MAX - 1, &joined);
        const size_t chunk = joined.lanes[0].out.chunk_bytes;
        const size_t lengths[] = {0,     8,         CT_CELL_BYTES, CT_CELL_BYTES + 8, 2048,   2056, chunk - 8,
                                  chunk, chunk + 8, 4 * chunk,     10 * chunk + 40,   100000, 1024, 1 << 20};
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            uint64_t copied = reduce(&joined, lengths[k], lengths[k], has_operand);
            assert_int_equal(copied, has_operand ? lengths[k] : 0);
        }
        part_lanes(&joined);
    }
}

/* No part of an element is combined, and nothing beyond the end. */
/* Messages arrive right by the way that is wanted, which changes meanwhile, and reduced ones, too. */
static void wanted_copies_arrive(void **state)
{
    static const size_t lengths[] = {CT_WAYS_FROM - 8, CT_WAYS_FROM, 20000, 32768, 40008, 65536,
                                     300000,           1 << 20};
    (void)state;
    if (!can_copy())
        skip();
    for (int i = 0; i < 4; i++) {
        struct joined_lanes joined;
        join_lanes(i % 2 ? SMALL : LARGE, 0, &joined);
        copy_from(&joined, 2 << 20);
        for (int side = 0; side < 2; side++)
            joined.lanes[side].learns_ways = true;
        for (size_t k = 0; k < 40 * (sizeof lengths / sizeof lengths[0]); k++) {
            const size_t bytes = lengths[k % (sizeof lengths / sizeof lengths[0])];
            if (i / 2) /* whatever the times say */
                atomic_store(&joined.lanes[1].in.ring->wanted_copies, k / 16 % 2 ? UINT64_MAX : 0);
            pass(&joined, 0, bytes, bytes, k);
            reduce(&joined, bytes, bytes, k % 2);
        }
        assert_true(joined.lanes[1].arrival.classes[0].seen[true] > 0);
        part_lanes(&joined);
    }
}

static void wrong_lengths_are_not_reduced(void **state)
{
    static const size_t sent[] = {0, 3, 8, 44, 51, 3001, 20000, 20004, 200000};
    static const size_t expected[] = {0, 8, 48, 56, 3000, 20000, 200000};
    enum { SENT = sizeof sent / sizeof sent[0], EXPECTED = sizeof expected / sizeof expected[0] };
    (void)state;
    for (int copies = 0; copies <= can_copy(); copies++) {
        struct joined_lanes joined;
        join_lanes(SMALL, 0, &joined);
        if (copies)
            copy_from(&joined, 10000);
        for (int i = 0; i < 2 * SENT * EXPECTED; i++) {
            reduce(&joined, sent[i / 2 / EXPECTED], expected[i / 2 % EXPECTED], i % 2);
            pass(&joined, 0, 5000, 5000, 2);
        }
        part_lanes(&joined);
    }
}

/* Pieces that came before the receive are kept and combined then. */
static void early_pieces_are_reduced(void **state)
{
    enum { BYTES = 4000, N = BYTES / sizeof(uint64_t), LABEL = 1, OTHER = 2 };
    uint64_t from[N], to[N] = {0};
    struct joined_lanes joined;
    (void)state;
    for (uint64_t i = 0; i < N; i++)
        from[i] = i;
    join_lanes(SMALL, 0, &joined);
    struct ct_transfer out = sending(&joined.lanes[0], LABEL, from, BYTES);
    struct ct_transfer none = receiving(&joined.lanes[1], OTHER, to, 1);
    struct ct_transfer in = reducing(&joined.lanes[1], LABEL, to, NULL, BYTES, &numbers);
    assert_true(ct_lane_send(&out));
    assert_false(ct_lane_receive(&none));
    assert_non_null(joined.lanes[1].early);
    assert_true(ct_lane_receive(&in));
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(to[i], 3 * i);
    part_lanes(&joined);
}

/* --- messages that share a copy --- */

/* Sends a message to all readers, of which the first `absent` look only when the others have all. Returns
 * what the sender has copied. */
static uint64_t send_to_all(struct starred_lanes *star, size_t bytes, uint64_t group, int absent)
{
    enum { LABEL = 3, LOOKS = 1 << 12 };
    struct ct_transfer outs[READERS], ins[READERS];
    unsigned char *contents = new_contents(bytes, group), *to[READERS];
    bool is_sent[READERS] = {false}, is_received[READERS] = {false};
    uint64_t copied = 0;
    for (int i = 0; i < READERS; i++) {
        copied -= star->pairs[i].lanes[0].copied;
        to[i] = malloc(bytes + 1);
        outs[i] = sending(&star->pairs[i].lanes[0], LABEL, contents, bytes);
        outs[i].group = group;
        ins[i] = receiving(&star->pairs[i].lanes[1], LABEL, to[i], bytes);
    }
    for (int look = 0; look < LOOKS; look++) {
        for (int i = 0; i < READERS; i++)
            is_sent[i] = is_sent[i] || ct_lane_send(&outs[i]);
        for (int i = absent; i < READERS; i++)
            is_received[i] = is_received[i] || ct_lane_receive(&ins[i]);
    }
    for (int i = absent; i < READERS; i++) { /* none has waited for those that are absent */
        assert_true(is_sent[i] && is_received[i]);
        assert_true(are_contents(to[i], bytes, group));
    }
    for (int i = 0; i < absent; i++) {
        finish(is_sent[i] ? NULL : &outs[i], &ins[i]);
        assert_true(are_contents(to[i], bytes, group));
    }
    for (int i = 0; i < READERS; i++) {
        copied += star->pairs[i].lanes[0].copied;
        free(to[i]);
    }
    free(contents);
    return copied;
}

/* However many pieces there are, and wherever the numbers of cells wrap. */
static void copies_are_shared(void **state)
{
    static const size_t rings[] = {SMALL, LARGE};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct starred_lanes star;
        join_star(rings[i % 2], i / 2 ? UINT64_MAX - 20 : 0, &star);
        const size_t chunk = star.pairs[0].lanes[0].out.chunk_bytes;
        const size_t lengths[] = {49, 3000, chunk - 1, chunk, 4 * chunk + 1, 31 * chunk, 100 * chunk, 600000};
        uint64_t group = 1;
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            const size_t bytes = lengths[k];
            uint64_t shared = send_to_all(&star, bytes, group++, 0);
            assert_true(shared >= bytes && shared < 2 * bytes);
            if (bytes <= 4 * chunk)
                assert_int_equal(shared, bytes);
            assert_int_equal(send_to_all(&star, bytes, 0, 0), READERS * bytes);
        }
        part_star(&star);
    }
}

/* Readers that do not look keep their pieces, and hold nobody up. */
static void readers_do_not_wait_for_each_other(void **state)
{
    (void)state;
    for (int absent = 1; absent < READERS; absent++) {
        struct starred_lanes star;
        join_star(SMALL, 7, &star);
        for (uint64_t group = 1; group < 20; group++)
            send_to_all(&star, 3000 + 20000 * (group % 3), group, group % 2 ? absent : 0);
        part_star(&star);
    }
}

/* A piece that was set aside is kept when its slot is used again; and one is reduced where it lies. */
static void shared_pieces_are_set_aside_and_reduced(void **state)
{
    enum { BYTES = 2000, N = BYTES / sizeof(uint64_t), LABEL = 3, OTHER = 4, MORE = 40 };
    struct starred_lanes star;
    uint64_t from[N], to[N] = {0};
    unsigned char copy[BYTES];
    (void)state;
    join_star(LARGE, 0, &star);
    for (uint64_t i = 0; i < N; i++)
        from[i] = i;
    for (int i = 0; i < 2; i++) {
        struct ct_transfer out = sending(&star.pairs[i].lanes[0], LABEL, from, BYTES);
        out.group = 1;
        assert_true(ct_lane_send(&out));
    }
    struct ct_transfer none = receiving(&star.pairs[0].lanes[1], OTHER, to, 1);
    assert_false(ct_lane_receive(&none));
    struct ct_transfer sum = reducing(&star.pairs[1].lanes[1], LABEL, to, NULL, BYTES, &numbers);
    assert_true(ct_lane_receive(&sum));
    assert_int_equal(star.pairs[1].lanes[1].copied, 0);
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(to[i], 3 * i);
    for (uint64_t group = 2; group < MORE; group++) {
        unsigned char *contents = new_contents(BYTES, group);
        struct ct_transfer out = sending(&star.pairs[2].lanes[0], LABEL, contents, BYTES);
        struct ct_transfer in = receiving(&star.pairs[2].lanes[1], LABEL, copy, BYTES);
        out.group = group;
        finish(&out, &in);
        assert_true(are_contents(copy, BYTES, group));
        free(contents);
    }
    struct ct_transfer early = receiving(&star.pairs[0].lanes[1], LABEL, copy, BYTES);
    assert_true(ct_lane_receive(&early));
    assert_memory_equal(copy, from, BYTES);
    part_star(&star);
}

/* The short way of each message and the long one go together, and the short one leaves all else alone. */
static void short_ways_are_for_whole_messages(void **state)
{
    enum { LABEL = 1, OTHER = 2, FORM_BITS = 8 };
    const uint64_t label = LABEL << FORM_BITS, other = OTHER << FORM_BITS;
    unsigned char *contents = new_contents(CT_CELL_BYTES + 1, 1), to[CT_CELL_BYTES + 1];
    struct joined_lanes joined;
    (void)state;
    join_lanes(SMALL, UINT64_MAX - 20, &joined);
    struct ct_lane *sender = &joined.lanes[0], *receiver = &joined.lanes[1];
    assert_false(ct_lane_send_short(sender, label, contents, CT_CELL_BYTES + 1));
    assert_false(ct_lane_receive_short(receiver, label, to, CT_CELL_BYTES));
    for (size_t bytes = 0; bytes <= CT_CELL_BYTES; bytes++) {
        struct ct_transfer out = sending(sender, LABEL, contents, bytes);
        struct ct_transfer in = receiving(receiver, LABEL, to, bytes);
        memset(to, 0, sizeof to);
        assert_true(ct_lane_send(&out));
        assert_false(ct_lane_receive_short(receiver, label, to, bytes + 1));
        assert_false(ct_lane_receive_short(receiver, other, to, bytes));
        assert_true(ct_lane_receive_short(receiver, label, to, bytes));
        assert_true(are_contents(to, bytes, 1) && to[bytes] == 0);
        memset(to, 0, sizeof to);
        assert_true(ct_lane_send_short(sender, label, contents, bytes));
        assert_true(ct_lane_receive(&in));
        assert_true(in.flaw == CT_TRANSFER_RIGHT && are_contents(to, bytes, 1) && to[bytes] == 0);
    }
    /* One that was set aside is older than what is in the ring. */
    struct ct_transfer other_in = receiving(receiver, OTHER, to, 1), in = receiving(receiver, LABEL, to, 1);
    assert_true(ct_lane_send_short(sender, label, "a", 1) && ct_lane_send_short(sender, other, "b", 1));
    assert_true(ct_lane_receive(&other_in) && to[0] == 'b' && receiver->early);
    assert_true(ct_lane_send_short(sender, label, "c", 1));
    assert_false(ct_lane_receive_short(receiver, label, to, 1));
    assert_true(ct_lane_receive(&in) && to[0] == 'a');
    assert_true(ct_lane_receive_short(receiver, label, to, 1) && to[0] == 'c');
    for (int i = 0; i < CT_RING_CELLS; i++)
        assert_true(ct_lane_send_short(sender, label, "d", 1));
    assert_false(ct_lane_send_short(sender, label, "d", 1));
    free(contents);
    part_lanes(&joined);
}

static void empty_messages_have_no_memory(void **state)
{
    struct joined_lanes joined;
    (void)state;
    join_lanes(SMALL, 0, &joined);
    struct ct_transfer out = sending(&joined.lanes[0], 1, NULL, 0);
    struct ct_transfer in = receiving(&joined.lanes[1], 1, NULL, 0);
    finish(&out, &in);
    assert_int_equal(in.flaw, CT_TRANSFER_RIGHT);
    part_lanes(&joined);
}

/* The rest of a message that is too long is dropped, and the next one is right. */
static void wrong_lengths_are_noticed(void **state)
{
    static const size_t lengths[] = {0, 10, CT_CELL_BYTES, 49, 3000, 20000, 200000};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    (void)state;
    for (int copies = 0; copies <= can_copy(); copies++) {
        struct joined_lanes joined;
        join_lanes(SMALL, 0, &joined);
        if (copies)
            copy_from(&joined, 10000);
        for (int i = 0; i < LENGTHS * LENGTHS; i++) {
            pass(&joined, 0, lengths[i / LENGTHS], lengths[i % LENGTHS], 1);
            pass(&joined, 0, lengths[i % LENGTHS], lengths[i % LENGTHS], 2);
        }
        part_lanes(&joined);
    }
}

/* Messages of other labels go past, before the first piece of a long one and between its pieces. */
static void labels_do_not_wait(void **state)
{
    enum { LONG = 100000, SHORT = 30, LONG_LABEL = 1, FIRST_SHORT = 2, SHORTS = 5 };
    unsigned char *contents = new_contents(LONG, LONG_LABEL), *to = malloc(LONG), small[SHORT];
    struct joined_lanes joined;
    (void)state;
    join_lanes(SMALL, 0, &joined);
    struct ct_transfer long_out = sending(&joined.lanes[0], LONG_LABEL, contents, LONG);
    struct ct_transfer long_in = receiving(&joined.lanes[1], LONG_LABEL, to, LONG);
    for (uint64_t label = FIRST_SHORT; label < FIRST_SHORT + SHORTS; label++) {
        unsigned char *own = new_contents(SHORT, label);
        assert_false(ct_lane_send(&long_out));
        struct ct_transfer out = sending(&joined.lanes[0], label, own, SHORT);
        struct ct_transfer in = receiving(&joined.lanes[1], label, small, SHORT);
        finish(&out, &in);
        assert_true(are_contents(small, SHORT, label));
        assert_non_null(joined.lanes[1].early);
        if (label > FIRST_SHORT)
            assert_false(ct_lane_receive(&long_in));
        free(own);
    }
    assert_true(long_in.left < LONG);
    finish(&long_out, &long_in);
    assert_true(are_contents(to, LONG, LONG_LABEL));
    assert_null(joined.lanes[1].early);
    free(contents);
    free(to);
    part_lanes(&joined);
}

/* What was set aside is found by label, in the order in which it was sent, the last one first as well. */
static void early_messages_are_found(void **state)
{
    enum { LABELS = 3, EACH = 4, BYTES = 100 };
    struct joined_lanes joined;
    unsigned char to[BYTES];
    (void)state;
    for (uint64_t order = 0; order < LABELS; order++) {
        join_lanes(LARGE, 0, &joined);
        for (uint64_t message = 0; message < LABELS * EACH; message++) {
            unsigned char *contents = new_contents(BYTES, message);
            struct ct_transfer out = sending(&joined.lanes[0], message % LABELS, contents, BYTES);
            if (message < 8)
                assert_true(ct_lane_send(&out));
            else {
                struct ct_transfer none = receiving(&joined.lanes[1], LABELS, to, BYTES);
                assert_false(ct_lane_receive(&none));
                assert_true(ct_lane_send(&out));
            }
            free(contents);
        }
        for (uint64_t i = 0; i < LABELS * EACH; i++) {
            uint64_t label = (order + i / EACH * 2) % LABELS;
            struct ct_transfer in = receiving(&joined.lanes[1], label, to, BYTES);
            assert_true(ct_lane_receive(&in));
            assert_true(are_contents(to, BYTES, i % EACH * LABELS + label));
        }
        assert_null(joined.lanes[1].early);
        part_lanes(&joined);
    }
}

/* A piece that cannot be set aside stays where it is, and the receiver is told. */
static void nothing_is_lost_without_memory(void **state)
{
    struct joined_lanes joined;
    int first = 1, second = 2, to = 0;
    (void)state;
    join_lanes(SMALL, 0, &joined);
    struct ct_transfer first_out = sending(&joined.lanes[0], 1, &first, sizeof first);
    struct ct_transfer second_out = sending(&joined.lanes[0], 2, &second, sizeof second);
    struct ct_transfer first_in = receiving(&joined.lanes[1], 1, &to, sizeof to);
    struct ct_transfer second_in = receiving(&joined.lanes[1], 2, &to, sizeof to);
    assert_true(ct_lane_send(&first_out) && ct_lane_send(&second_out));
    has_no_memory = true;
    bool is_received = ct_lane_receive(&second_in);
    has_no_memory = false;
    assert_false(is_received);
    assert_int_equal(second_in.flaw, CT_TRANSFER_NO_MEMORY);
    assert_true(ct_lane_receive(&second_in) && to == second);
    assert_int_equal(second_in.flaw, CT_TRANSFER_RIGHT);
    assert_true(ct_lane_receive(&first_in) && to == first);
    part_lanes(&joined);
}

/* Sends messages until one must wait; then takes them, and each makes room for one more. */
static void fill_lane(size_t bytes, unsigned most, uint64_t first)
{
    enum { LABEL = 1, MORE = 100 };
    struct joined_lanes joined;
    unsigned char *to = malloc(bytes);
    join_lanes(SMALL, first, &joined);
    for (uint64_t i = 0; i < MORE; i++) {
        unsigned char *contents = new_contents(bytes, i);
        struct ct_transfer out = sending(&joined.lanes[0], LABEL, contents, bytes);
        struct ct_transfer in = receiving(&joined.lanes[1], LABEL, to, bytes);
        bool is_sent = ct_lane_send(&out);
        assert_int_equal(is_sent, i < most);
        if (!is_sent) {
            assert_true(ct_lane_receive(&in));
            assert_true(are_contents(to, bytes, i - most));
            assert_true(ct_lane_send(&out));
        }
        free(contents);
    }
    free(to);
    part_lanes(&joined);
}

static void full_lanes_wait(void **state)
{
    size_t chunk;
    unsigned chunks;
    (void)state;
    ct_ring_divide(SMALL, &chunk, &chunks);
    for (uint64_t first = UINT64_MAX - 50; first != 1; first++) {
        fill_lane(CT_CELL_BYTES, CT_RING_CELLS, first);
        fill_lane(chunk < 2048 ? chunk : 2048, chunks, first);
    }
}

static void slots_of_copies_are_limited(void **state)
{
    enum { BYTES = 50000, SENDS = CT_RING_COPIES + 2 };
    struct joined_lanes joined;
    struct ct_transfer outs[SENDS];
    unsigned char *contents[SENDS], to[BYTES];
    (void)state;
    join_lanes(SMALL, UINT64_MAX, &joined);
    copy_from(&joined, BYTES);
    for (uint64_t i = 0; i < SENDS; i++) {
        contents[i] = new_contents(BYTES, i);
        outs[i] = sending(&joined.lanes[0], i, contents[i], BYTES);
        assert_false(ct_lane_send(&outs[i]));
        assert_int_equal(outs[i].slot != CT_NO_SLOT, i < CT_RING_COPIES);
    }
    for (uint64_t i = SENDS; i-- > 0;) { /* the last ones do not wait for the others */
        struct ct_transfer in = receiving(&joined.lanes[1], i, to, BYTES);
        finish(&outs[i], &in);
        assert_true(are_contents(to, BYTES, i));
        free(contents[i]);
    }
    part_lanes(&joined);
}

/* A sender that leaves its call no longer waits for its copies. Their slots are free when they are done. */
static void slots_of_forgotten_copies_are_free(void **state)
{
    enum { BYTES = 5000, LABEL = 1 };
    struct joined_lanes joined;
    struct ct_transfer outs[CT_RING_COPIES];
    unsigned char *contents = new_contents(BYTES, 0), to[BYTES];
    (void)state;
    join_lanes(SMALL, UINT64_MAX, &joined);
    copy_from(&joined, BYTES);
    for (int i = 0; i < CT_RING_COPIES; i++) {
        outs[i] = sending(&joined.lanes[0], LABEL, contents, BYTES);
        assert_false(ct_lane_send(&outs[i]));
    }
    for (int i = 0; i < CT_RING_COPIES; i++) {
        struct ct_transfer in = receiving(&joined.lanes[1], LABEL, to, BYTES);
        assert_true(ct_lane_receive(&in));
    }
    pass(&joined, 0, BYTES, BYTES, 1);
    /* One that looks later than the next copy in its slot begins finds its own done. */
    struct ct_transfer later = sending(&joined.lanes[0], LABEL, contents, BYTES);
    assert_false(ct_lane_send(&later));
    assert_int_equal(later.slot, outs[0].slot);
    assert_true(ct_lane_send(&outs[0]));
    free(contents);
    part_lanes(&joined);
}

/* The receiver learns that memory could not be read, the sender goes on, and so does the lane. */
static void unreadable_memory_is_noticed(void **state)
{
    enum { BYTES = 3 << 14, PAGE = 1 << 14 };
    struct joined_lanes joined;
    unsigned char *to = malloc(BYTES);
    unsigned char *from = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)state;
    join_lanes(SMALL, 0, &joined);
    copy_from(&joined, BYTES);
    assert_int_equal(munmap(from + PAGE, PAGE), 0);
    struct ct_transfer out = sending(&joined.lanes[0], 1, from, BYTES);
    struct ct_transfer in = receiving(&joined.lanes[1], 1, to, BYTES);
    finish(&out, &in);
    assert_int_equal(in.flaw, CT_TRANSFER_LOST);
    pass(&joined, 0, BYTES, BYTES, 2);
    munmap(from, BYTES);
    free(to);
    part_lanes(&joined);
}

/* The sender was killed after it had offered its memory. */
static void killed_sender_is_noticed(void **state)
{
    enum { BYTES = 5000 };
    struct joined_lanes joined;
    unsigned char *contents = new_contents(BYTES, 1), to[BYTES];
    int status;
    (void)state;
    join_lanes(SMALL, 0, &joined);
    copy_from(&joined, BYTES);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, &status, 0), child);
    joined.lanes[1].process = child;
    struct ct_transfer out = sending(&joined.lanes[0], 1, contents, BYTES);
    struct ct_transfer in = receiving(&joined.lanes[1], 1, to, BYTES);
    finish(&out, &in);
    assert_int_equal(in.flaw, CT_TRANSFER_LOST);
    free(contents);
    part_lanes(&joined);
}

/* Moves a transfer while the other rank sleeps. Returns true if that has woken it. */
static bool wakes(bool (*move)(struct ct_transfer *), struct ct_transfer *transfer, bool completes)
{
    atomic_store(transfer->lane->asleep, 1);
    assert_int_equal(move(transfer), completes);
    return atomic_load(transfer->lane->asleep) == 0;
}

/* --- what erroneous calls leave behind --- */

enum { COUNTED = 255 }; /* the bits of labels that count calls here, above the lowest 8 */

static struct ct_transfer of_call(struct ct_transfer transfer)
{
    transfer.call.numbers = (uint64_t)COUNTED << 8;
    return transfer;
}

/* In all forms, of a call and of the one after it, whose number may be less, since numbers wrap. */
static void messages_of_old_calls_are_dropped(void **state)
{
    enum { SET = 3 << 8, FORMS = 3, BYTES = 5000 };
    static const size_t lengths[FORMS] = {8, 3000, BYTES};
    unsigned char *contents = new_contents(BYTES, 1), to[8];
    (void)state;
    for (int form = 0; form < FORMS; form++)
        for (int is_early = 0; is_early < 2; is_early++) {
            struct joined_lanes joined;
            join_lanes(LARGE, 0, &joined);
            if (can_copy())
                copy_from(&joined, BYTES);
            struct ct_transfer old = sending(&joined.lanes[0], SET | COUNTED, contents, lengths[form]);
            struct ct_transfer sent = sending(&joined.lanes[0], SET | 0, "abcdefg", sizeof to);
            struct ct_transfer other = receiving(&joined.lanes[1], 77, to, sizeof to);
            struct ct_transfer received = of_call(receiving(&joined.lanes[1], SET | 0, to, sizeof to));
            bool is_copy = form == FORMS - 1 && can_copy();
            assert_int_equal(ct_lane_send(&old), !is_copy);
            assert_true(ct_lane_send(&sent));
            if (is_early) /* set aside by a receive that counts no calls */
                assert_false(ct_lane_receive(&other));
            assert_true(ct_lane_receive(&received));
            assert_int_equal(received.flaw, CT_TRANSFER_RIGHT);
            assert_string_equal((char *)to, "abcdefg");
            assert_null(joined.lanes[1].early);
            assert_true(!is_copy || ct_lane_send(&old)); /* its memory is free */
            part_lanes(&joined);
        }
    free(contents);
}

/* A message that never comes is too short, and what is found instead stays for its call. */
static void senders_of_later_calls_have_left(void **state)
{
    enum { SET = 3 << 8 };
    struct joined_lanes joined;
    unsigned char to[8];
    (void)state;
    join_lanes(SMALL, UINT64_MAX - 1, &joined);
    struct ct_transfer first = of_call(receiving(&joined.lanes[1], SET | 200, to, sizeof to));
    struct ct_transfer second = of_call(receiving(&joined.lanes[1], SET | 201, to, sizeof to));
    struct ct_transfer sent = sending(&joined.lanes[0], SET | 201, "abcdefg", sizeof to);
    assert_false(ct_lane_receive(&first));
    assert_true(ct_lane_send(&sent));
    assert_true(ct_lane_receive(&first));
    assert_int_equal(first.flaw, CT_TRANSFER_TOO_SHORT);
    assert_true(ct_lane_receive(&second));
    assert_int_equal(second.flaw, CT_TRANSFER_RIGHT);
    assert_string_equal((char *)to, "abcdefg");
    part_lanes(&joined);
}

/* Does the announcement of a call of this label end a receive of the other label's call? */
static bool ends(uint64_t announced, bool has_left, uint64_t label, uint64_t bits,
                 const struct ct_call_counts *counts)
{
    struct joined_lanes joined;
    unsigned char to[8];
    join_lanes(SMALL, 0, &joined);
    joined.lanes[1].counts = counts;
    struct ct_transfer received = receiving(&joined.lanes[1], 0, to, sizeof to);
    received.call = (struct ct_lane_call){label, bits};
    assert_true(ct_lane_announce(&joined.lanes[0], announced, has_left));
    bool is_ended = ct_lane_receive(&received);
    assert_int_equal(received.flaw, is_ended ? CT_TRANSFER_TOO_SHORT : CT_TRANSFER_RIGHT);
    part_lanes(&joined);
    return is_ended;
}

static void announcements_end_receives(void **state)
{
    const uint64_t bits = (uint64_t)(CT_CALL_NUMBERS - 1) << 8, key = 5ull << 40, other_key = 6ull << 40;
    static struct ct_call_counts counts;
    struct ct_call_count *own = ct_call_count_of(&counts, key), *other = ct_call_count_of(&counts, other_key);
    (void)state;
    assert_ptr_equal(ct_call_count_of(&counts, key), own);
    own->number = CT_CALL_NUMBERS - 1;
    other->number = 7;
    const uint64_t label = ct_count_label(own), next = ct_set_label(key), before = label - (1 << 8),
                   others = ct_count_label(other), others_next = others + (1 << 8);
    for (int has_left = 0; has_left < 2; has_left++) {
        assert_true(ends(next, has_left, label, bits, NULL));
        assert_false(ends(before, has_left, label, bits, NULL));
        assert_int_equal(ends(label, has_left, label, bits, NULL), has_left);
        /* of another set, which this rank has left, or not begun */
        assert_false(ends(others, has_left, label, bits, &counts));
        assert_true(ends(others_next, has_left, label, bits, &counts));
        assert_true(ends(ct_set_label(7ull << 40), has_left, label, bits, &counts));
        assert_false(ends(others_next, has_left, label, bits, NULL));   /* threads call in any order */
        assert_false(ends(others_next, has_left, 77 << 8, 0, &counts)); /* the receive counts no calls */
    }
}

/* Announcements leave room for messages, and old ones make way. */
static void lanes_are_tidied(void **state)
{
    const struct ct_lane_call call = {(uint64_t)((3 << 8) | 9) << 8, (uint64_t)COUNTED << 8};
    struct joined_lanes joined;
    int announced = 0;
    (void)state;
    join_lanes(SMALL, 0, &joined);
    while (ct_lane_announce(&joined.lanes[0], call.label, false))
        announced++;
    assert_in_range(announced, 1, CT_RING_CELLS - 1);
    struct ct_transfer sent = sending(&joined.lanes[0], (3 << 8) | 10, "abcdefg", 8);
    assert_true(ct_lane_send(&sent));
    ct_lane_tidy(&joined.lanes[1], &call);
    assert_non_null(ct_ring_first(&joined.lanes[1].in)); /* of a call to come */
    ct_lane_tidy(&joined.lanes[1], &(struct ct_lane_call){call.label + (2 << 8), call.numbers});
    assert_null(ct_ring_first(&joined.lanes[1].in));
    part_lanes(&joined);
}

/* Whatever the other rank may wait for wakes it, and nothing else does. */
static void sleeping_ranks_are_woken(void **state)
{
    static const size_t lengths[] = {0, 8, 3000, 20000};
    unsigned char *contents = new_contents(20000, 1), *to = malloc(20000);
    (void)state;
    for (int i = 0; i < 2 * (int)(sizeof lengths / sizeof lengths[0]); i++) {
        struct joined_lanes joined;
        _Atomic uint32_t asleep[2] = {0, 0};
        bool is_early = i % 2, is_copy = can_copy() && lengths[i / 2] == 20000;
        join_lanes(LARGE, 0, &joined);
        copy_from(&joined, can_copy() ? 10000 : SIZE_MAX);
        for (int k = 0; k < 2; k++)
            joined.lanes[k].asleep = &asleep[!k];
        struct ct_transfer none = receiving(&joined.lanes[1], 2, to, 0);
        struct ct_transfer out = sending(&joined.lanes[0], 1, contents, lengths[i / 2]);
        struct ct_transfer in = receiving(&joined.lanes[1], 1, to, lengths[i / 2]);
        assert_false(wakes(ct_lane_receive, &none, false));
        assert_true(wakes(ct_lane_send, &out, !is_copy));
        if (is_early)
            assert_true(wakes(ct_lane_receive, &none, false));
        assert_int_equal(wakes(ct_lane_receive, &in, true), !is_early || is_copy);
        part_lanes(&joined);
    }
    free(contents);
    free(to);
}

/* `bytes` of address space, which the same memory fills again and again; its last block is of its own. */
static unsigned char *new_huge(size_t bytes, size_t block, int fill, int last)
{
    int file = memfd_create("huge", MFD_CLOEXEC);
    unsigned char *huge = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(huge != MAP_FAILED && file >= 0 && ftruncate(file, (off_t)(2 * block)) == 0);
    for (size_t at = 0; at < bytes; at += block)
        assert_true(mmap(huge + at, block, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                         at + block < bytes ? 0 : (off_t)block) != MAP_FAILED);
    close(file);
    memset(huge, fill, block);
    memset(huge + bytes - block, last, block);
    return huge;
}

/* More than 2^31 bytes, which the kernel copies in several parts. */
static void huge_messages_arrive(void **state)
{
    const size_t block = 16 << 20, bytes = 130 * block;
    struct joined_lanes joined;
    unsigned char *from = new_huge(bytes, block, 1, 2), *to = new_huge(bytes, block, 0, 0);
    (void)state;
    join_lanes(LARGE, 0, &joined);
    if (can_copy())
        copy_from(&joined, block);
    struct ct_transfer out = sending(&joined.lanes[0], 1, from, bytes);
    struct ct_transfer in = receiving(&joined.lanes[1], 1, to, bytes);
    finish(&out, &in);
    assert_int_equal(in.flaw, CT_TRANSFER_RIGHT);
    assert_int_equal(in.left, 0);
    assert_memory_equal(to, from, block);
    assert_memory_equal(to + bytes - block, from + bytes - block, block);
    munmap(from, bytes);
    munmap(to, bytes);
    part_lanes(&joined);
}

/* Chunks lie within the memory, on lines of their own, and their numbers wrap with the ring's. */
static void rings_are_divided(void **state)
{
    (void)state;
    for (size_t bytes = SMALL; bytes <= LARGE; bytes += CT_LINE) {
        size_t chunk;
        unsigned count;
        ct_ring_divide(bytes, &chunk, &count);
        assert_true(chunk >= CT_CELL_BYTES && chunk % CT_LINE == 0 && count >= 2);
        assert_true((count & (count - 1)) == 0 && sizeof(struct ct_ring) + count * chunk <= bytes);
    }
}

/* --- random traffic --- */

/* Messages of one direction and label. Those that are sent and not received are `messages[taken..put]`. */
enum { LABELS = 4, MOST = 8 };
struct queue {
    struct {
        struct ct_transfer transfer;
        unsigned char *contents;
        size_t bytes;
        bool is_sent;
    } messages[MOST];
    uint64_t put, taken;
    struct ct_transfer in;
    unsigned char *to;
    size_t expected; /* by the receive that has begun */
};

static uint64_t name_of(int from, int label, uint64_t number)
{
    return (number * LABELS + (uint64_t)label) * 2 + (uint64_t)from;
}

static size_t random_length(uint64_t *seed)
{
    static const size_t most[] = {CT_CELL_BYTES + 2, CT_CELL_BYTES + 2, 3000, 3000, 40000};
    return ct_random(seed) % most[ct_random(seed) % (sizeof most / sizeof most[0])];
}

static void begin_send(struct queue *queue, struct ct_lane *lane, int from, int label, uint64_t *seed)
{
    if (queue->put - queue->taken == MOST)
        return;
    size_t bytes = random_length(seed), at = queue->put % MOST;
    queue->messages[at].contents = new_contents(bytes, name_of(from, label, queue->put));
    queue->messages[at].transfer = sending(lane, (uint64_t)label, queue->messages[at].contents, bytes);
    queue->messages[at].bytes = bytes;
    queue->messages[at].is_sent = false;
    queue->put++;
}

/* Moves the first message that is not sent. */
static void move_sends(struct queue *queue)
{
    uint64_t i = queue->taken;
    while (i < queue->put && queue->messages[i % MOST].is_sent)
        i++;
    if (i < queue->put)
        queue->messages[i % MOST].is_sent = ct_lane_send(&queue->messages[i % MOST].transfer);
}

static void begin_receive(struct queue *queue, struct ct_lane *lane, int label, uint64_t *seed)
{
    enum { WRONG = 10 };
    size_t bytes = queue->messages[queue->taken % MOST].bytes;
    queue->expected = ct_random(seed) % WRONG == 0 ? random_length(seed) : bytes;
    queue->to = malloc(queue->expected + 1);
    queue->in = receiving(lane, (uint64_t)label, queue->to, queue->expected);
}

static void receive(struct queue *queue, struct ct_lane *lane, int from, int label, uint64_t *seed)
{
    if (queue->taken == queue->put)
        return;
    bool is_new = !queue->to, is_short = ct_random(seed) % 2 == 0;
    if (is_new)
        begin_receive(queue, lane, label, seed);
    if (!(is_new && is_short &&
          ct_lane_receive_short(lane, queue->in.call.label, queue->to, queue->expected)) &&
        !ct_lane_receive(&queue->in))
        return;
    size_t at = queue->taken % MOST, bytes = queue->messages[at].bytes;
    assert_int_equal(queue->in.flaw, bytes > queue->expected   ? CT_TRANSFER_TOO_LONG
                                     : bytes < queue->expected ? CT_TRANSFER_TOO_SHORT
                                                               : CT_TRANSFER_RIGHT);
    assert_true(are_contents(queue->to, bytes < queue->expected ? bytes : queue->expected,
                             name_of(from, label, queue->taken)));
    if (!queue->messages[at]
             .is_sent) /* a copy that is complete, or a message that is sent and not looked at */
        assert_true(ct_lane_send(&queue->messages[at].transfer));
    free(queue->messages[at].contents);
    free(queue->to);
    queue->to = NULL;
    queue->taken++;
}

static void random_step(struct joined_lanes *joined, struct queue queues[2][LABELS], bool begins,
                        uint64_t *seed)
{
    enum { KINDS = 4 };
    int from = (int)(ct_random(seed) % 2), label = (int)(ct_random(seed) % LABELS);
    struct queue *queue = &queues[from][label];
    switch (ct_random(seed) % KINDS) {
    case 0:
        if (begins)
            begin_send(queue, &joined->lanes[from], from, label, seed);
        break;
    case 1:
        receive(queue, &joined->lanes[!from], from, label, seed);
        break;
    default:
        move_sends(queue);
    }
}

static bool is_empty(struct queue queues[2][LABELS])
{
    bool is = true;
    for (int i = 0; i < 2 * LABELS; i++)
        is = is && queues[i / LABELS][i % LABELS].put == queues[i / LABELS][i % LABELS].taken;
    return is;
}

static void random_traffic_is_right(void **state)
{
    enum { STEPS = 10000, LAST = 100 * STEPS };
    (void)state;
    for (uint64_t run = 0; run < (can_copy() ? 4 : 2); run++) {
        struct joined_lanes joined;
        struct queue queues[2][LABELS] = {0};
        uint64_t seed = run, passed = 0;
        join_lanes(run % 2 ? LARGE : SMALL, UINT64_MAX - 500, &joined);
        if (run / 2)
            copy_from(&joined, 2500);
        for (int i = 0; i < STEPS; i++)
            random_step(&joined, queues, true, &seed);
        for (int i = 0; i < LAST && !is_empty(queues); i++)
            random_step(&joined, queues, false, &seed);
        assert_true(is_empty(queues));
        for (int i = 0; i < 2 * LABELS; i++)
            passed += queues[i / LABELS][i % LABELS].taken;
        assert_true(passed > STEPS / 10);
        assert_true(!joined.lanes[0].early && !joined.lanes[1].early);
        part_lanes(&joined);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_shared),
        cmocka_unit_test(readers_do_not_wait_for_each_other),
        cmocka_unit_test(shared_pieces_are_set_aside_and_reduced),
        cmocka_unit_test(messages_are_reduced),
        cmocka_unit_test(wanted_copies_arrive),
        cmocka_unit_test(wrong_lengths_are_not_reduced),
        cmocka_unit_test(early_pieces_are_reduced),
        cmocka_unit_test(every_length_arrives),
        cmocka_unit_test(short_ways_are_for_whole_messages),
        cmocka_unit_test(empty_messages_have_no_memory),
        cmocka_unit_test(wrong_lengths_are_noticed),
        cmocka_unit_test(labels_do_not_wait),
        cmocka_unit_test(early_messages_are_found),
        cmocka_unit_test(nothing_is_lost_without_memory),
        cmocka_unit_test(full_lanes_wait),
        cmocka_unit_test(messages_of_old_calls_are_dropped),
        cmocka_unit_test(senders_of_later_calls_have_left),
        cmocka_unit_test(announcements_end_receives),
        cmocka_unit_test(lanes_are_tidied),
        cmocka_unit_test(sleeping_ranks_are_woken),
        cmocka_unit_test(huge_messages_arrive),
        cmocka_unit_test(rings_are_divided),
        cmocka_unit_test(random_traffic_is_right),
    };
    const struct CMUnitTest copies[] = {
        cmocka_unit_test(slots_of_copies_are_limited),
        cmocka_unit_test(slots_of_forgotten_copies_are_free),
        cmocka_unit_test(unreadable_memory_is_noticed),
        cmocka_unit_test(killed_sender_is_noticed),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return can_copy() ? failed + cmocka_run_group_tests(copies, NULL, NULL) : failed;
}
