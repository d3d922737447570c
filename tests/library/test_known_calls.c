/* SPDX-License-Identifier: BSD-3-Clause */
/* The few calls between which a program alternates each keep an entry. */
#include "base/random.h"
#include "library/decide/known_calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ALTERNATING = 8, PROGRAMS = 2000 };

struct made_call {
    enum ct_collective collective;
    struct ct_operands operands;
};

static int empty(void **state)
{
    static struct ct_known_call known[CT_KNOWN_CALLS];
    memset(known, 0, sizeof known);
    *state = known;
    return 0;
}

static bool is_in(const struct ct_known_call *entry, const struct made_call *call)
{
    return entry->collective == call->collective && entry->operands.root == call->operands.root &&
           entry->operands.recv.count == call->operands.recv.count &&
           entry->operands.recv.type == call->operands.recv.type && entry->operands.op == call->operands.op &&
           entry->operands.recv.counts == call->operands.recv.counts &&
           entry->operands.send.counts == call->operands.send.counts;
}

/* Makes all calls once, as the library does; returns how many were not known. */
static int make_calls(struct ct_known_call *known, const struct made_call *calls, int size)
{
    int unknown = 0;
    for (int i = 0; i < size; i++) {
        struct ct_known_call *entry = ct_known_call_entry(known, calls[i].collective, &calls[i].operands);
        bool is_known = is_in(entry, &calls[i]);
        assert_ptr_equal(ct_known_call_find(known, calls[i].collective, &calls[i].operands), entry);
        entry->collective = calls[i].collective;
        entry->operands = calls[i].operands;
        unknown += !is_known;
    }
    return unknown;
}

static struct made_call any_call(uint64_t *random)
{
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_FLOAT, MPI_BYTE, MPI_LONG_LONG};
    const MPI_Op ops[] = {MPI_OP_NULL, MPI_SUM, MPI_MAX, MPI_MIN, MPI_LOR};
    struct made_call call = {.collective = (enum ct_collective)(ct_random(random) % CT_MPI_COLLECTIVES)};
    call.operands.root = (int)(ct_random(random) % 4);
    call.operands.recv.count = (size_t)1 << ct_random(random) % 16;
    call.operands.recv.type = types[ct_random(random) % (sizeof types / sizeof *types)];
    call.operands.op = ops[ct_random(random) % (sizeof ops / sizeof *ops)];
    return call;
}

/* Of programs that alternate between eight calls, those in which one of these is never known. More than four
 * of eight calls rarely share four places. */
static int crowded_programs(struct ct_known_call *known, uint64_t random, bool begin_empty)
{
    int crowded = 0;
    for (int i = 0; i < PROGRAMS; i++) {
        struct made_call calls[ALTERNATING];
        for (int k = 0; k < ALTERNATING; k++)
            calls[k] = any_call(&random);
        if (begin_empty)
            memset(known, 0, CT_KNOWN_CALLS * sizeof *known);
        for (int k = 0; k < 2; k++)
            make_calls(known, calls, ALTERNATING);
        crowded += make_calls(known, calls, ALTERNATING) > 0;
    }
    return crowded;
}

static void test_alternating_calls(void **state)
{
    assert_true(crowded_programs(*state, 1, true) < PROGRAMS / 25);
}

/* What a program no longer calls leaves its place. */
static void test_later_calls(void **state)
{
    assert_true(crowded_programs(*state, 2, false) < PROGRAMS / 25);
}

/* As where each rank in turn sends what it has to all others. */
static void test_roots(void **state)
{
    struct made_call calls[CT_KNOWN_CALLS / 2];
    for (int i = 0; i < CT_KNOWN_CALLS / 2; i++)
        calls[i] = (struct made_call){.collective = CT_COLLECTIVE_BCAST,
                                      .operands = {.recv = {.count = 8, .type = MPI_DOUBLE}, .root = i}};
    make_calls(*state, calls, CT_KNOWN_CALLS / 2);
    assert_int_equal(make_calls(*state, calls, CT_KNOWN_CALLS / 2), 0);
}

/* As in a Fourier transform: there and back, by the same two arrays. */
static void test_patterns(void **state)
{
    const int here[2] = {0}, there[2] = {0};
    struct made_call calls[2];
    for (int i = 0; i < 2; i++) {
        calls[i] = (struct made_call){.collective = CT_COLLECTIVE_ALLTOALLV};
        calls[i].operands.send = (struct ct_side){.counts = i ? here : there, .type = MPI_DOUBLE};
        calls[i].operands.recv = (struct ct_side){.counts = i ? there : here, .type = MPI_DOUBLE};
    }
    make_calls(*state, calls, 2);
    assert_int_equal(make_calls(*state, calls, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_alternating_calls, empty),
        cmocka_unit_test_setup(test_later_calls, empty),
        cmocka_unit_test_setup(test_roots, empty),
        cmocka_unit_test_setup(test_patterns, empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
