/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/mail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Mail against a queue for each pair. */

enum { SENDERS = 4096, RECEIVERS = 3, QUEUE_MAX = 8 };

struct queue {
    double in[QUEUE_MAX];
    int count;
};

static struct queue queues[SENDERS][RECEIVERS];

static uint32_t random_state;

static unsigned draw(unsigned below)
{
    random_state = random_state * 1664525U + 1013904223U;
    return (random_state >> 8) % below;
}

static void clear(void)
{
    memset(queues, 0, sizeof queues);
    random_state = 1;
}

static void put(struct ct_mail *mail, int from, int to, double in)
{
    struct queue *queue = &queues[from][to];
    bool is_awaited;
    if (queue->count == QUEUE_MAX)
        return;
    queue->in[queue->count++] = in;
    const struct ct_mail_message message = {.in = in, .cost = (uint32_t)from};
    assert_int_equal(ct_mail_put(mail, from, to, &message, &is_awaited), CT_OK);
}

static void take(struct ct_mail *mail, int from, int to)
{
    struct queue *queue = &queues[from][to];
    struct ct_mail_message message;
    bool is_there = ct_mail_take(mail, from, to, &message);
    assert_int_equal(is_there, queue->count > 0);
    if (!is_there)
        return;
    assert_true(message.in == queue->in[0]);
    assert_int_equal(message.cost, from);
    queue->count--;
    memmove(queue->in, queue->in + 1, (size_t)queue->count * sizeof *queue->in);
}

static void check_left(const struct ct_mail *mail)
{
    int from = -1, to = -1, lowest = 0;
    while (lowest < SENDERS * RECEIVERS && queues[lowest / RECEIVERS][lowest % RECEIVERS].count == 0)
        lowest++;
    assert_int_equal(ct_mail_left(mail, &from, &to), lowest < SENDERS * RECEIVERS);
    if (lowest == SENDERS * RECEIVERS)
        return;
    assert_int_equal(from, lowest / RECEIVERS);
    assert_int_equal(to, lowest % RECEIVERS);
}

/* Senders `stride` apart have one home while the table is no larger. */
static void mail_as_queues(int senders, int stride, int most_puts)
{
    struct ct_mail mail = {0};
    clear();
    for (int use = 0; use < 2; use++) {
        memset(queues, 0, sizeof queues);
        assert_int_equal(ct_mail_begin(&mail, RECEIVERS), CT_OK);
        for (int i = 0; i < 20000; i++) {
            int from = (int)draw((unsigned)senders) * stride % SENDERS, to = (int)draw(RECEIVERS);
            bool fills = (i / 500) % 2 == 0;
            if ((int)draw(10) < (fills ? most_puts : 10 - most_puts))
                put(&mail, from, to, i);
            else
                take(&mail, from, to);
            if (i % 997 == 0)
                check_left(&mail);
        }
    }
    ct_mail_free(&mail);
}

static void few_senders(void **state)
{
    (void)state;
    mail_as_queues(2, 1, 6);
    mail_as_queues(5, 1, 6);
}

static void neighbours(void **state)
{
    (void)state;
    mail_as_queues(300, 1, 8);
}

static void senders_of_one_home(void **state)
{
    (void)state;
    mail_as_queues(64, 64, 8);
    mail_as_queues(4, 1024, 8);
    mail_as_queues(1000, 7, 9);
}

static void who_waits_is_told_once(void **state)
{
    (void)state;
    struct ct_mail mail = {0};
    struct ct_mail_message message = {.in = 1, .cost = 0};
    bool is_awaited;
    assert_int_equal(ct_mail_begin(&mail, 4), CT_OK);
    assert_false(ct_mail_take(&mail, 2, 1, &message));
    assert_int_equal(mail.boxes[1].awaits, 2);
    ct_mail_put(&mail, 3, 1, &message, &is_awaited);
    assert_false(is_awaited);
    ct_mail_put(&mail, 2, 1, &message, &is_awaited);
    assert_true(is_awaited);
    ct_mail_put(&mail, 2, 1, &message, &is_awaited);
    assert_false(is_awaited);
    assert_true(ct_mail_take(&mail, 2, 1, &message));
    ct_mail_free(&mail);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_senders),
        cmocka_unit_test(neighbours),
        cmocka_unit_test(senders_of_one_home),
        cmocka_unit_test(who_waits_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
