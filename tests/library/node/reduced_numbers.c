/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduced_numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

const struct ct_reduction numbers = {combine, &combined, sizeof(uint64_t)};

uint64_t reduce_message(struct joined_lanes *joined, size_t sent, size_t expected, bool has_operand)
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
    finish_both(&out, &in);
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
