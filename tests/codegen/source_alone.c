/* SPDX-License-Identifier: BSD-3-Clause */
#include "golden/decisions.h"

#include <string.h>

/* The generated source, linked with nothing of colltune, says by name what the generated header says. */

const char *colltune_method_of_barrier(size_t comm_size, const char **fallback);
const char *colltune_method_of_bcast(size_t comm_size, size_t msg_bytes, const char **fallback);
const char *colltune_method_of_reduce(size_t comm_size, size_t msg_bytes, const char **fallback);
const char *colltune_method_of_allreduce(size_t comm_size, size_t msg_bytes, const char **fallback);

static int differs(struct colltune_choice choice, const char *method, const char *fallback)
{
    return strcmp(colltune_method_name(choice.method), method) != 0 ||
           strcmp(colltune_method_name(choice.fallback), fallback) != 0;
}

int main(void)
{
    for (size_t ranks = 1; ranks < 40; ranks++) {
        const char *fallback = "", *method = colltune_method_of_barrier(ranks, &fallback);
        if (differs(colltune_decide_barrier(ranks), method, fallback))
            return 1;
        for (size_t bytes = 0; bytes < 3000000; bytes = bytes * 3 / 2 + 1) {
            method = colltune_method_of_bcast(ranks, bytes, &fallback);
            if (differs(colltune_decide_bcast(ranks, bytes), method, fallback))
                return 1;
            method = colltune_method_of_allreduce(ranks, bytes, &fallback);
            if (differs(colltune_decide_allreduce(ranks, bytes), method, fallback) ||
                strcmp(colltune_method_of_reduce(ranks, bytes, NULL), "reduce/native") != 0)
                return 1;
        }
    }
    return 0;
}
