/* SPDX-License-Identifier: BSD-3-Clause */
/* A block for the rank j further on travels by the digits of j to the base radix: for every digit, lowest
 * first, the blocks that have the same digit make one message over that distance. Between two messages a
 * block waits, at any rank, where the block that stays there belongs, so that blocks are not rotated into
 * place before or after. A block that travels on at once goes from message to message without a copy to its
 * place.
 * Memory: what one digit moves, coming and going: at most 2 (P - 1) m; none where P <= radix. */
#include "algorithms/alltoall/alltoall_blocks.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"
#include "plan/shapes.h"

/* The messages of one digit. Blocks are known by j; those that follow one another with the same digits from
 * this one up are a run. The runs of a digit make a message, in order, and messages lie one behind the other
 * by digit. Within a run the blocks lie in descending order, as they do in the result: the one for the rank j
 * further on has come from the rank j before. */
struct phase {
    const struct ct_call *call;
    size_t size;
    size_t radix;
    size_t distance; /* 0: no phase yet */
    size_t whole;    /* blocks of each digit in whole cycles of the digits */
    size_t rest;     /* blocks of digits but 0 in the cycle that is cut off */
    unsigned leaving;
    unsigned arriving;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static struct phase phase_over(const struct phase *any, size_t distance)
{
    struct phase phase = *any;
    size_t cycle = distance * phase.radix, rest = phase.size % cycle;
    phase.distance = distance;
    phase.whole = phase.size / cycle * distance;
    phase.rest = rest > distance ? rest - distance : 0;
    return phase;
}

/* Where, in blocks, the message of a digit begins; that of digit `radix` would begin at the end. */
static size_t message_begin(const struct phase *phase, size_t digit)
{
    return (digit - 1) * phase->whole + least((digit - 1) * phase->distance, phase->rest);
}

static size_t message_length(const struct phase *phase, size_t digit)
{
    return message_begin(phase, digit + 1) - message_begin(phase, digit);
}

/* The first block of a digit's run; not below `size` where there is no such run. */
static size_t first_block(const struct phase *phase, size_t digit, size_t run)
{
    return (run * phase->radix + digit) * phase->distance;
}

/* Blocks of the run that begins with block `first`. */
static size_t run_length(const struct phase *phase, size_t first)
{
    return first < phase->size ? least(phase->distance, phase->size - first) : 0;
}

static size_t run_begin(const struct phase *phase, size_t digit, size_t run)
{
    return message_begin(phase, digit) + run * phase->distance;
}

/* Where in the result the n blocks from `first` on lie or wait; they wrap around at its end. */
static size_t place(const struct phase *phase, size_t first, size_t n)
{
    return (size_t)ct_virtual(phase->call->rank, (int)(first + n - 1), phase->call->size);
}

/* A message of one block has just begun its journey and ends it at once: it need not be packed. */
static bool is_packed(const struct phase *phase, size_t digit)
{
    return message_length(phase, digit) > 1;
}

/* A message of one run has arrived for good, and lies as in the result unless that goes round its end. */
static bool is_unpacked(const struct phase *phase, size_t digit)
{
    size_t n = message_length(phase, digit);
    return n > phase->distance || place(phase, first_block(phase, digit, 0), n) + n > phase->size;
}

/* Packs those that have just come in, those that wait, and the one that begins its journey. */
static void pack_run(struct ct_plan *plan, const struct phase *phase, const struct phase *before,
                     size_t digit, size_t run)
{
    size_t m = phase->call->count, at = run_begin(phase, digit, run), first = first_block(phase, digit, run);
    size_t index = run * phase->radix + digit;
    size_t not_moved = run_length(before, first); /* in the phase before; 0 where there was none */
    for (size_t lower = phase->radix - 1; not_moved > 0 && lower > 0; lower--) {
        size_t n = run_length(before, first_block(before, lower, index));
        ct_copy(plan, phase->leaving, at * m, phase->arriving, run_begin(before, lower, index) * m, n * m);
        at += n;
    }
    if (not_moved > 1) {
        size_t waiting = not_moved - 1, begin = place(phase, first + 1, waiting);
        size_t to_end = least(waiting, phase->size - begin);
        ct_copy(plan, phase->leaving, at * m, CT_BUFFER_RECV, begin * m, to_end * m);
        ct_copy(plan, phase->leaving, (at + to_end) * m, CT_BUFFER_RECV, 0, (waiting - to_end) * m);
        at += waiting;
    }
    int peer = ct_actual(phase->call->rank, (int)first, phase->call->size);
    ct_copy_slice(plan, (struct ct_slice){.buffer = phase->leaving, .offset = at * m},
                  ct_send_block(phase->call, peer));
}

static void pack(struct ct_plan *plan, const struct phase *phase, const struct phase *before)
{
    for (size_t digit = 1; digit < phase->radix && is_packed(phase, digit); digit++)
        for (size_t run = 0; first_block(phase, digit, run) < phase->size; run++)
            pack_run(plan, phase, before, digit, run);
}

static void unpack_run(struct ct_plan *plan, const struct phase *phase, size_t digit, size_t run)
{
    size_t m = phase->call->count, at = run_begin(phase, digit, run), first = first_block(phase, digit, run);
    size_t n = run_length(phase, first), begin = place(phase, first, n),
           to_end = least(n, phase->size - begin);
    ct_copy(plan, CT_BUFFER_RECV, begin * m, phase->arriving, at * m, to_end * m);
    ct_copy(plan, CT_BUFFER_RECV, 0, phase->arriving, (at + to_end) * m, (n - to_end) * m);
}

/* Runs whose next digit is 0 do not travel on at once: they go where they wait or belong. */
static void unpack(struct ct_plan *plan, const struct phase *phase)
{
    for (size_t digit = 1; digit < phase->radix; digit++)
        for (size_t run = 0; first_block(phase, digit, run) < phase->size; run += phase->radix)
            if (is_unpacked(phase, digit))
                unpack_run(plan, phase, digit, run);
}

static void exchange(struct ct_plan *plan, const struct phase *phase)
{
    const struct ct_call *call = phase->call;
    size_t m = call->count;
    for (size_t digit = 1, first; digit < phase->radix; digit++) {
        if ((first = first_block(phase, digit, 0)) >= phase->size)
            break;
        int from = ct_virtual(call->rank, (int)first, call->size);
        int to = ct_actual(call->rank, (int)first, call->size);
        size_t begin = message_begin(phase, digit), n = message_length(phase, digit);
        if (is_unpacked(phase, digit))
            ct_receive(plan, from, phase->arriving, begin * m, n * m);
        else
            ct_receive(plan, from, CT_BUFFER_RECV, place(phase, first, n) * m, n * m);
        if (is_packed(phase, digit))
            ct_send(plan, to, phase->leaving, begin * m, n * m);
        else
            ct_send_slice(plan, to, ct_send_block(call, to));
    }
}

/* The most blocks that a phase packs or unpacks. */
static size_t most_packed(const struct phase *any)
{
    size_t most = 0;
    for (size_t distance = 1; distance < any->size; distance *= any->radix) {
        struct phase phase = phase_over(any, distance);
        size_t all = message_begin(&phase, phase.radix);
        if (is_packed(&phase, 1) && all > most) /* the others are no longer than the first */
            most = all;
    }
    return most;
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct phase before = {
        .call = call, .size = (size_t)call->size, .radix = ct_value(call, &ct_radix_parameter)};
    size_t room = most_packed(&before) * call->count;
    before.leaving = ct_temporary(plan, room);
    before.arriving = ct_temporary(plan, room);
    ct_alltoall_own(plan, call);
    for (size_t distance = 1; distance < before.size; distance *= before.radix) {
        struct phase phase = phase_over(&before, distance);
        pack(plan, &phase, &before);
        ct_round_end(plan);
        exchange(plan, &phase);
        ct_round_end(plan);
        unpack(plan, &phase);
        before = phase;
    }
}

const struct ct_descriptor ct_alltoall_bruck = {
    .text = "blocks travel by the digits of their distance, in few messages",
    .source = "Bruck et al. 1997 (index); Pjesivac-Grbovic 2007, section 4.1.2, table 4.7",
    .cost = "ceil(log_r P) ((r - 1) alpha + (r - 1) / r P m (beta + 2 delta))",
    .parameters = {&ct_radix_parameter},
    .build = build,
};
