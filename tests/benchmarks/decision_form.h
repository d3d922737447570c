/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_BENCHMARKS_DECISION_FORM_H
#define CT_TESTS_BENCHMARKS_DECISION_FORM_H

#include <stdbool.h>
#include <stddef.h>

/* Loops over decisions of one form: a translation unit each, since generated headers share their names. */

enum { DECISION_CALLS = 1 << 17 };

struct decision_calls {
    size_t comm_size[DECISION_CALLS];
    size_t msg_bytes[DECISION_CALLS];
    size_t mask;    /* one less than the calls that take turns, a power of two */
    bool is_chain;  /* each decision waits for the last one */
    size_t nothing; /* 0, which the compiler does not know */
    unsigned sum;   /* of what was decided */
};

/* decision_form.c, compiled for a generated header and under a name each. */
void small_ifs(void *calls, size_t repetitions);
void small_map(void *calls, size_t repetitions);
void large_ifs(void *calls, size_t repetitions);
void large_map(void *calls, size_t repetitions);

#endif
