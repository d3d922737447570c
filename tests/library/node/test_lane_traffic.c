/* SPDX-License-Identifier: BSD-3-Clause */
/* Random messages through a lane, with several labels at a time, in both directions. */
#include "base/random.h"
#include "joined_lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

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
        cmocka_unit_test(random_traffic_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
