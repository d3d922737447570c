/* SPDX-License-Identifier: BSD-3-Clause */
/* A block for the rank j further on travels by the digits of j to a base: for every digit, lowest first, the
 * blocks that have it make one message over that distance. Between two journeys a block waits, at any rank,
 * where the one that stays there belongs, so that none is rotated into place, neither before nor after; one
 * that travels on at once goes from message to message.
 *
 * Source: Bruck et al. 1997 (index); Pjesivac-Grbovic 2007, section 4.1.2, table 4.7.
 * Cost:   ceil(log_r P) ((r - 1) alpha + (r - 1) / r P m (beta + 2 delta)), with base r and delta the time to
 *         copy a byte; less delta where blocks travel on at once.
 * Memory: what one digit moves, coming and going: at most 2 (P - 1) m; none where P <= r. */
#include "algorithms/alltoall/alltoall_blocks.h"
#include "algorithms/registry.h"
#include "algorithms/shapes.h"

/* The messages of one digit. Blocks are known by j, and those that follow one another with the same digits
 * from this one up are a run: run i holds the blocks from i * distance on, and its digit is i mod radix. The
 * runs of a digit make a message, in order, and messages lie one behind the other by digit. Within a run the
 * blocks lie in descending order, as they do in the result: the one for the rank j further on has come from
 * the rank j before. */
struct phase {
    const struct ct_call *call;
    size_t size;
    size_t radix;
    size_t distance;
    unsigned leaving;
    unsigned arriving;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Where, in blocks, the message of a digit begins; that of digit `radix` would begin at the end. */
static size_t message_begin(const struct phase *phase, size_t digit)
{
    size_t cycle = phase->radix * phase->distance, rest = phase->size % cycle;
    size_t before = (digit - 1) * phase->distance; /* in a whole cycle of the digit */
    size_t in_rest = rest > phase->distance ? least(rest - phase->distance, before) : 0;
    return phase->size / cycle * before + in_rest;
}

static size_t message_length(const struct phase *phase, size_t digit)
{
    return message_begin(phase, digit + 1) - message_begin(phase, digit);
}

static size_t run_begin(const struct phase *phase, size_t run)
{
    return message_begin(phase, run % phase->radix) + run / phase->radix * phase->distance;
}

static size_t run_length(const struct phase *phase, size_t run)
{
    size_t first = run * phase->distance;
    return first < phase->size ? least(phase->distance, phase->size - first) : 0;
}

/* Where in the result the n blocks from `first` on lie or wait; behind its end they go on at 0. */
static size_t place(const struct phase *phase, size_t first, size_t n)
{
    return (size_t)ct_virtual(phase->call->rank, (int)(first + n - 1), phase->call->size);
}

/* A message of one block has just begun its journey and ends it at once: it need not be packed. */
static bool is_packed(const struct phase *phase, size_t digit)
{
    return message_length(phase, digit) > 1;
}

/* A message of one run has arrived for good, and lies as in the result. */
static bool is_unpacked(const struct phase *phase, size_t digit)
{
    size_t n = message_length(phase, digit);
    return n > phase->distance || place(phase, digit * phase->distance, n) + n > phase->size;
}

/* Packs those that have just come in, those that wait, and the one that begins its journey. */
static void pack_run(struct ct_plan *plan, const struct phase *phase, const struct phase *before, size_t run)
{
    size_t m = phase->call->count, at = run_begin(phase, run), first = run * phase->distance;
    size_t part = run * phase->radix, old = run_length(before, part), waiting = old > 0 ? old - 1 : 0;
    for (size_t i = part + phase->radix - 1; i > part; i--) {
        size_t n = run_length(before, i);
        if (n > 0)
            ct_copy(plan, phase->leaving, at * m, phase->arriving, run_begin(before, i) * m, n * m);
        at += n;
    }
    if (waiting > 0) {
        size_t begin = place(phase, first + 1, waiting), to_end = least(waiting, phase->size - begin);
        ct_copy(plan, phase->leaving, at * m, CT_RECV, begin * m, to_end * m);
        ct_copy(plan, phase->leaving, (at + to_end) * m, CT_RECV, 0, (waiting - to_end) * m);
    }
    int peer = ct_actual(phase->call->rank, (int)first, phase->call->size);
    ct_copy_slice(plan, (struct ct_slice){.buffer = phase->leaving, .offset = (at + waiting) * m},
                  ct_send_block(phase->call, peer));
}

static void pack(struct ct_plan *plan, const struct phase *phase, const struct phase *before)
{
    for (size_t run = 1; run * phase->distance < phase->size; run++)
        if (run % phase->radix != 0 && is_packed(phase, run % phase->radix))
            pack_run(plan, phase, before, run);
}

/* Puts the runs that do not travel on at once where they wait or belong. */
static void unpack(struct ct_plan *plan, const struct phase *phase)
{
    size_t m = phase->call->count;
    for (size_t run = 1; run * phase->distance < phase->size; run++) {
        bool goes_on = run / phase->radix % phase->radix != 0;
        if (run % phase->radix == 0 || goes_on || !is_unpacked(phase, run % phase->radix))
            continue;
        size_t n = run_length(phase, run), at = run_begin(phase, run);
        size_t begin = place(phase, run * phase->distance, n), to_end = least(n, phase->size - begin);
        ct_copy(plan, CT_RECV, begin * m, phase->arriving, at * m, to_end * m);
        ct_copy(plan, CT_RECV, 0, phase->arriving, (at + to_end) * m, (n - to_end) * m);
    }
}

static void exchange(struct ct_plan *plan, const struct phase *phase)
{
    const struct ct_call *call = phase->call;
    for (size_t digit = 1; digit < phase->radix && digit * phase->distance < phase->size; digit++) {
        int distance = (int)(digit * phase->distance);
        int from = ct_virtual(call->rank, distance, call->size);
        int to = ct_actual(call->rank, distance, call->size);
        size_t m = call->count, begin = message_begin(phase, digit), n = message_length(phase, digit);
        if (is_unpacked(phase, digit))
            ct_receive(plan, from, phase->arriving, begin * m, n * m);
        else
            ct_receive(plan, from, CT_RECV, place(phase, (size_t)distance, n) * m, n * m);
        if (is_packed(phase, digit))
            ct_send(plan, to, phase->leaving, begin * m, n * m);
        else
            ct_post(plan, CT_STEP_SEND, to, ct_send_block(call, to), CT_IN_ROUND);
    }
}

/* The most that a phase packs or unpacks, in blocks. */
static size_t most_moved(struct phase phase)
{
    size_t most = 0;
    for (; phase.distance < phase.size; phase.distance *= phase.radix) {
        size_t moved = is_packed(&phase, 1) ? message_begin(&phase, phase.radix) : 0;
        most = moved > most ? moved : most;
    }
    return most;
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct phase phase = {.call = call, .size = (size_t)call->size, .radix = call->values[0], .distance = 1};
    size_t room = most_moved(phase) * call->count;
    phase.leaving = ct_temporary(plan, room);
    phase.arriving = ct_temporary(plan, room);
    ct_alltoall_own(plan, call);
    struct phase before = phase;
    before.distance = 0; /* nothing has come in */
    for (; phase.distance < phase.size; phase.distance *= phase.radix) {
        pack(plan, &phase, &before);
        ct_round_end(plan);
        exchange(plan, &phase);
        ct_round_end(plan);
        unpack(plan, &phase);
        before = phase;
    }
}

const struct ct_algorithm alltoall_bruck = {
    .name = "bruck",
    .collective = CT_ALLTOALL,
    .text = "blocks travel by the digits of their distance, in few messages",
    .source = "Bruck et al. 1997; Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "ceil(log_r P) ((r - 1) alpha + (r - 1) / r P m (beta + 2 delta))",
    .sends = {"max(0, (radix - 1) * (lgr(radix, P) - 1) + floor((P - 1) / radix^(lgr(radix, P) - 1)))",
              "digits(radix, P) * m",
              "P * max(0, (radix - 1) * (lgr(radix, P) - 1) + floor((P - 1) / radix^(lgr(radix, P) - 1)))",
              "P * digits(radix, P) * m"},
    .parameters = {&ct_radix_parameter},
    .build = build,
};
