/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_LETTERS_H
#define CT_PLAN_LETTERS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What ranks tell each other in a superstep of a set-up (algorithms/routing.h): a rank sends strings of
 * numbers to some ranks, and receives those that were sent to it. */

struct ct_letter {
    int rank; /* the receiver, or in an inbox the sender */
    size_t begin;
    size_t count; /* of its numbers */
};

/* Letters to several ranks, or from several; at most one for each. All zeroes is an empty box. */
struct ct_letters {
    struct ct_letter *items;
    size_t count;
    size_t capacity;
    uint64_t *numbers; /* of all letters, end to end */
    size_t number_count;
    size_t number_capacity;
};

void ct_letters_clear(struct ct_letters *letters);
void ct_letters_free(struct ct_letters *letters);

/* Begins a letter. CT_OK or CT_E_MEMORY. */
int ct_letter_begin(struct ct_letters *letters, int rank);
/* Appends to the letter that was begun last. CT_OK or CT_E_MEMORY. */
int ct_letter_write(struct ct_letters *letters, const uint64_t *numbers, size_t count);

/* The next number of a letter, at *position, which then rises; false at its end. */
bool ct_letter_read(const struct ct_letters *letters, const struct ct_letter *letter, size_t *position,
                    uint64_t *ret_number);

/* An inbox lists its letters by sender, rising. */
void ct_letters_sort(struct ct_letters *letters);

#endif
