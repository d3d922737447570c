/* SPDX-License-Identifier: BSD-3-Clause */
/* Decisions that ask a model at run time, random calls of up to 1024 ranks and 4 MB: processor time of one.
 */
#include "tests/codegen/model_decisions.h"

#include <stdint.h>
#include <stdio.h>
#include <time.h>

static const struct {
    const char *name;
    decide *decide;
} deciders[] = {{"barrier, LogGP", colltune_model_decide_barrier},
                {"bcast, PLogP", colltune_model_decide_bcast},
                {"gather, Hockney", colltune_model_decide_gather},
                {"scan, Hockney", colltune_model_decide_scan},
                {"allreduce, PLogP", colltune_model_decide_allreduce},
                {"allgather, vote", colltune_model_decide_allgather},
                {"reduce, vote", colltune_model_decide_reduce}};

enum { CALLS = 100000, BLOCKS = 9 };

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Seconds of processor time a decision. */
static double measure(decide *decides)
{
    static volatile double sink;
    uint32_t random = 1;
    clock_t begun = clock();
    for (int i = 0; i < CALLS; i++) {
        size_t ranks = 2 + draw(&random) % 1023;
        sink = decides(ranks, (size_t)1 << draw(&random) % 23, true).seconds;
    }
    (void)sink;
    return (double)(clock() - begun) / CLOCKS_PER_SEC / CALLS;
}

int main(void)
{
    for (size_t d = 0; d < sizeof deciders / sizeof deciders[0]; d++) {
        double least = 1;
        for (int block = 0; block < BLOCKS; block++) {
            double seconds = measure(deciders[d].decide);
            least = seconds < least ? seconds : least;
        }
        printf("%-18s %7.1f ns\n", deciders[d].name, 1e9 * least);
    }
    return 0;
}
