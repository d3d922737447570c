/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_TUNING_FILES_SEEN_H
#define CT_TESTS_TUNING_FILES_SEEN_H

#include <stdint.h>

/* Which of its algorithms an MPI library took: its inner functions are replaced by ones that note the call
 * and go on with the real one. */

/* Arguments of any such function: enough of them, each a word. They are passed on unread, as the calling
 * conventions of 64-bit Unix systems allow, so that nobody has to repeat the library's inner signatures. */
#define SEEN_PARAMETERS                                                                                      \
    intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f, intptr_t g, intptr_t h,          \
        intptr_t i, intptr_t j, intptr_t k, intptr_t l
#define SEEN_ARGUMENTS a, b, c, d, e, f, g, h, i, j, k, l

enum { SEEN_WORDS = 12 };

typedef int seen_function(SEEN_PARAMETERS);

/* Forgets. */
void seen_reset(void);

/* The first algorithm since then, "collective NAME" with what the library says of it behind; "" for none. */
const char *seen_first(void);

#endif
