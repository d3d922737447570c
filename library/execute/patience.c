/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/patience.h"

#include <sched.h>
#include <time.h>

/* Naps are in nanoseconds. Measured with 8 ranks on 2 CPUs: up to 16 tests cost nothing, 64 make a barrier a
 * third longer, 256 twice as long; if only two of those ranks communicate, some 10 tests find the answer
 * without yielding the CPU. */
enum { TESTS_AT_FIRST = 24, SHORTEST_NAP = 20000, LONGEST_NAP = 1000000 };

static void nap(struct ct_patience *patience)
{
    long next = patience->nap * 2;
    patience->nap = next < SHORTEST_NAP ? SHORTEST_NAP : next < LONGEST_NAP ? next : LONGEST_NAP;
    struct timespec time = {.tv_nsec = patience->nap};
    nanosleep(&time, NULL);
}

void ct_patience_rest(struct ct_patience *patience)
{
    /* The first few tests follow each other, since an answer that is on its way arrives sooner than the CPU
     * is yielded and regained. */
    if (patience->policy == CT_WAIT_YIELD && ++patience->tests > TESTS_AT_FIRST)
        sched_yield();
    else if (patience->policy == CT_WAIT_SLEEP)
        nap(patience);
}
