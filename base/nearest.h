/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_NEAREST_H
#define CT_BASE_NEAREST_H

#include <stddef.h>

/* The name that was probably meant by a misspelt word: the one with the fewest letters to insert, delete,
 * replace or swap, the first of several; NULL if that takes more than a third of the word's letters, or the
 * word is longer than any name that a person types. */
const char *ct_nearest(const char *word, const char *const *names, size_t count);

#endif
