/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_BASE_TEXT_FLAWS_H
#define CT_TESTS_BASE_TEXT_FLAWS_H

#include "base/error.h"

#include <stddef.h>

/* Texts that a reader must refuse: a good one, with one thing wrong at a time. */

struct text_flaw {
    const char *from, *to; /* what is replaced by what, once */
    int line;              /* where the error is; 0: anywhere */
    const char *error;     /* a part of what it says */
};

/* Reads a text of that length, named `name` in errors, and drops what was read. */
typedef int text_reader(const char *text, size_t length, const char *name, struct ct_error *error);

/* Fails the cmocka test unless each flaw is refused with CT_E_INPUT, and one line that begins with
 * "text:LINE: " and has its error in it. */
void expect_flaws_refused(const char *good, const struct text_flaw *flaws, size_t count, text_reader *read);

#endif
