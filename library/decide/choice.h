/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_CHOICE_H
#define CT_LIBRARY_CHOICE_H

#include "algorithms/method.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A method of the process, and what was done by it. It lives as long as the process. */
struct ct_choice {
    struct ct_method method;
    bool is_passed_on;       /* native and unrecorded: its calls go straight to the MPI library */
    bool depends_on_pattern; /* no method yet: the ranks decide together, by ct_pattern_choice_make() */
    unsigned constraints;
    unsigned version; /* of what is above: the benchmark puts other methods in */
    char spelling[CT_METHOD_TEXT];
    _Atomic unsigned long long calls;
    _Atomic unsigned long long messages;
};

/* Without several threads a plain load and store do, which are cheaper than a locked addition. */
__attribute__((always_inline)) static inline void
ct_counter_add(bool many_threads, _Atomic unsigned long long *counter, uint64_t more)
{
    if (many_threads)
        atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
    else
        atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + more,
                              memory_order_relaxed);
}

#endif
