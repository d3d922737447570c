/* SPDX-License-Identifier: BSD-3-Clause */
#include "golden/decisions.h"

#include <string.h>

/* The generated source, linked with nothing of colltune, says by name what the generated header says. */

const char *colltune_method_of_barrier(size_t comm_size, const char **otherwise);
const char *colltune_method_of_bcast(size_t comm_size, size_t msg_bytes, const char **otherwise);
const char *colltune_method_of_reduce(size_t comm_size, size_t msg_bytes, const char **otherwise);
const char *colltune_method_of_allreduce(size_t comm_size, size_t msg_bytes, const char **otherwise);

static int differs(struct colltune_choice choice, const char *method, const char *otherwise)
{
    return strcmp(colltune_method_name(choice.method), method) != 0 ||
           strcmp(colltune_method_name(choice.otherwise), otherwise) != 0;
}

int main(void)
{
    for (size_t ranks = 1; ranks < 40; ranks++) {
        const char *otherwise = "", *method = colltune_method_of_barrier(ranks, &otherwise);
        if (differs(colltune_decide_barrier(ranks), method, otherwise))
            return 1;
        for (size_t bytes = 0; bytes < 3000000; bytes = bytes * 3 / 2 + 1) {
            method = colltune_method_of_bcast(ranks, bytes, &otherwise);
            if (differs(colltune_decide_bcast(ranks, bytes), method, otherwise))
                return 1;
            method = colltune_method_of_allreduce(ranks, bytes, &otherwise);
            if (differs(colltune_decide_allreduce(ranks, bytes), method, otherwise) ||
                strcmp(colltune_method_of_reduce(ranks, bytes, NULL), "reduce/native") != 0)
                return 1;
        }
    }
    return 0;
}
