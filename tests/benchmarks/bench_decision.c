/* SPDX-License-Identifier: BSD-3-Clause */
/* A compiled decision function of the shipped bcast table: the same call over and over, four calls in turn,
 * and random ones, in nanoseconds a decision. */
#include "decisions_for_bench.h"
#include "tests/benchmarks/blocks.h"

#include <stdint.h>
#include <stdio.h>

enum { CALLS = 4096, BLOCKS = 300 };

struct calls {
    size_t comm_size[CALLS];
    size_t msg_bytes[CALLS];
    size_t count;
};

/* Keeps the compiler from seeing through the loop. */
static volatile unsigned sink;

static void decide(void *context, size_t repetitions)
{
    const struct calls *calls = context;
    unsigned sum = 0;
    for (size_t i = 0; i < repetitions; i++) {
        size_t at = i & (calls->count - 1);
        sum += colltune_decide_bcast(calls->comm_size[at], calls->msg_bytes[at]).method;
    }
    sink = sum;
}

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

int main(void)
{
    static struct calls calls;
    static const struct {
        const char *name;
        size_t count;
    } kinds[] = {{"one call, repeated", 1}, {"four calls in turn", 4}, {"4096 random calls in turn", CALLS}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        static struct contender contender[1] = {{.run = decide}};
        uint32_t state = 1;
        calls.count = kinds[k].count;
        for (size_t i = 0; i < calls.count; i++) {
            calls.comm_size[i] = 2 + draw(&state) % 27;
            calls.msg_bytes[i] = (size_t)1 << draw(&state) % 19;
        }
        contender[0].name = kinds[k].name;
        blocks_repeat(contender, 1, 200000);
        blocks_run(contender, 1, BLOCKS, &calls);
        blocks_print(contender, 1, BLOCKS, 1e-9, "ns");
    }
    return 0;
}
