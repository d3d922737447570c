/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled with -DDECISIONS="HEADER" -DFORM=NAME. */
#include DECISIONS
#include "tests/benchmarks/decision_form.h"

void FORM(void *context, size_t repetitions)
{
    struct decision_calls *calls = context;
    unsigned sum = 0, last = 0;
    if (calls->is_chain) {
        for (size_t i = 0; i < repetitions; i++) {
            size_t at = i & calls->mask, wait = last & calls->nothing;
            last = colltune_decide_bcast(calls->comm_size[at] + wait, calls->msg_bytes[at] + wait).method;
            sum += last;
        }
    } else {
        for (size_t i = 0; i < repetitions; i++) {
            size_t at = i & calls->mask;
            sum += colltune_decide_bcast(calls->comm_size[at], calls->msg_bytes[at]).method;
        }
    }
    calls->sum = sum;
}
